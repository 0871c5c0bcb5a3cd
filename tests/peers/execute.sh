#!/bin/sh
# execute.sh PROGRAM DIMENSION BYTES,...: ecube-mpi, built with smpicc, runs every schedule without contention, of all
# patterns and algorithms with one port, under SMPI; its times against the simulated times of `ecube run`. All runs of a
# pattern are in one program, which begins each at a barrier that all ranks leave at the same time. What issues several
# messages at once is checked by linear.sh.
#
# execute.sh PROGRAM contending DIMENSION: those whose messages contend, against `switching = fluid`, as in replay.sh.
#
# The machines' ranks need no handshakes and barriers, and move their memories in no time: SMPI does not simulate that.
. tests/peers/smpi.sh
free="--set duplex=full --set rho=0 --set pairwise_sync=false --set phase_barrier=false"

# Two files in CSV, of `ecube run` and of ecube-mpi: time under SMPI, time by ecube, and what they are of. What is not
# there, has wrong data, or repetitions that differ, fails. $1: also what contends.
join_runs() {
    { unquote "$work/runs.csv"; unquote "$work/measured.csv"; } | awk -F , -v all="${1-}" '
        BEGIN { n = split("pattern algorithm partition accumulate permutation bytes shape grid routing offsets", keys, " ") }
        $1 == "machine" { file++; for (i = 1; i <= NF; i++) at[$i] = i; next }
        { key = ""; for (i = 1; i <= n; i++) if ($at[keys[i]] != "") key = key " " keys[i] "=" $at[keys[i]] }
        file == 1 && (all != "" || $at["simulated_us"] == $at["contention_free_us"]) { time[key] = $at["simulated_us"] }
        file == 2 { measured[key] = $at["data_ok"] == "true" && $at["spread_us"] == 0 ? $at["minimum_us"] : "failed" }
        END { for (key in time) print (key in measured ? measured[key] : "missing"), time[key] key }'
}

# execute OPTION...: ecube-mpi's runs, to $work/measured.csv.
execute() {
    rm -f "$work/measured.csv"
    # shellcheck disable=SC2086 # words on purpose
    smpi "$startup" "$program" --machine $machine $free --early --times 2 "$@" --format csv \
        --output "$work/measured.csv" >"$work/said" 2>&1 || { cat "$work/said" >&2; echo "failed - $*"; }
    [ -e "$work/measured.csv" ] || : >"$work/measured.csv"
}

execute_all() {
    list_patterns | sed -E ':next; s/,(naive|reversed|([a-z]+-)*linear)(,|$)/\3/; t next' | while read -r pattern algorithms; do
        # shellcheck disable=SC2046 # words on purpose
        set -- --pattern "$pattern" --algorithm "$algorithms" $(options "$pattern" "$algorithms")
        # shellcheck disable=SC2086
        reference $free "$@"
        execute "$@"
        join_runs
    done
}

contending() {
    for bytes in 1 100 1000; do
        # shellcheck disable=SC2086 # words on purpose
        reference $free --set switching=fluid --set lambda=68 --algorithm naive,reversed --bytes $((bytes + envelope))
        sed -i "s/,$((bytes + envelope)),/,$bytes,/" "$work/runs.csv"
        execute --algorithm naive,reversed --bytes $bytes
        join_runs contending
    done
}

program=$1
case $2 in
contending) machine=bokhari1993 dimension=$3 startup=0.000078; contending ;;    # 100 + 10 - 16 x 2
on) machine=ipsc860 bytes=$4 startup=0.000088696; on "$3"; execute_all ;;
*) machine=ipsc860 dimension=$2 bytes=$3 startup=0.000088696; execute_all ;;    # 95 - 16 x 0.394
esac | compare
