#!/bin/sh
# linear.sh DIMENSION: messages that are issued at once, under SMPI, against `switching = fluid` with gap = lambda. These
# are SMPI's own MPI_Alltoall by its algorithm basic_linear, which is `linear`, and every partition of
# `multiphase-linear`. Sizes are with the envelope. On ipsc860 no channel is shared, so that its links may have latencies;
# on bokhari1993 the large messages share channels.
dimension=$1 machine=
. tests/peers/smpi.sh
free="--set duplex=full --set rho=0 --set delta=0 --set pairwise_sync=false --set phase_barrier=false --set switching=fluid"
smpicc -O1 -o "$work/at_once" tests/mpi/at_once.c

# run STARTUP BYTES ARGUMENT...: the time under SMPI.
run() {
    startup=$1
    shift
    smpi "$startup" --cfg=smpi/alltoall:basic_linear "$work/at_once" "$@" 2>"$work/said" | sort -g | tail -n 1
}

# each STARTUP BYTES,...: time under SMPI, time by ecube, and what they are of. $1: the start-up in µs.
each() {
    startup=$(awk -v us="$1" 'BEGIN { printf "%.9f", us / 1e6 }')
    # shellcheck disable=SC2086 # words on purpose
    ./ecube run -m "$machine" -d "$dimension" -a linear,multiphase-linear -p all -b "$2" $free --set gap="$1" \
        --format csv >"$work/runs.csv"
    unquote "$work/runs.csv" | awk -F , '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { parts = $at["partition"]; gsub(/[+]/, " ", parts)
          print $at["simulated_us"], $at["bytes"], parts ? parts : "library" }' |
        while read -r simulated bytes parts; do
            # shellcheck disable=SC2086
            time=$(run "$startup" "$bytes" $parts)
            echo "${time:-failed} $simulated $machine, $bytes bytes, $parts"
        done
    rm -f "$work/hosts" "$work/platform.xml"
}

{
    machine=ipsc860
    each 95 17,50
    machine=bokhari1993
    each 100 17,116,1016
} | compare
