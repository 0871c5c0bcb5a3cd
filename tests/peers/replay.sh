#!/bin/sh
# replay.sh DIMENSION MACHINE [OPTION...]: every schedule without contention, of all patterns and algorithms with one
# port, on cubes of that dimension: its time-independent trace, replayed by SMPI, against the simulated time of
# `ecube run`. OPTION... are more of the options of `ecube run`.
#
# replay.sh contending DIMENSION, or contending on AxB, a mesh: those whose messages contend, against `switching =
# fluid`. There the envelope counts: ecube has messages that are as much longer, and start-ups that are as much shorter.
. tests/peers/smpi.sh
bytes=100

# Runs in CSV: time, contention-free time, and what each is of, as options.
read_runs() {
    unquote "$work/runs.csv" | awk -F , '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { chosen = "-a " $at["algorithm"]; partition = $at["partition"]; gsub(/[+]/, ",", partition)
          offsets = $at["offsets"]; gsub(/[+]/, ",", offsets)
          if (offsets != "") chosen = chosen " --offsets " offsets
          if ($at["algorithm"] ~ /^multiphase|^knomial/) chosen = chosen " -p " partition
          if ($at["algorithm"] == "hybrid") chosen = chosen " --accumulate " $at["accumulate"]
          print $at["simulated_us"], $at["contention_free_us"], chosen }'
}

# replay OPTION...: the time in µs that SMPI takes for that schedule. What fails is no number, so that it is seen.
replay() {
    # shellcheck disable=SC2086 # words on purpose
    if ! ./ecube export --format ti -m "$machine" ${size:---dimension $dimension} "$@" --output "$work/trace" >"$work/said" 2>&1; then
        echo failed
        cat "$work/said" >&2
        return
    fi
    echo "$work/trace" >"$work/traces"
    smpi 0 --cfg=smpi/privatization:no -replay "$work/traces" --log=smpi_replay.thresh:info \
        --log=smpi_replay.fmt:%.15r%n 2>&1 |
        awk 'NF == 1 { last = sprintf("%.9f", $1 * 1e6); next }
             { print >"/dev/stderr" }
             END { print last ? last : "failed" }'
}

# replay_pattern PATTERN ALGORITHM,... OPTION...: all runs that do not contend: time under SMPI, time by ecube, options.
# shellcheck disable=SC2046,SC2086 # words on purpose
replay_pattern() {
    pattern=$1 algorithms=$2
    shift 2
    reference --pattern "$pattern" -a "$algorithms" $(options "$pattern" "$algorithms") "$@"
    read_runs | while read -r simulated free chosen; do
        [ "$simulated" = "$free" ] || continue
        chosen="--pattern $pattern $chosen $(options "$pattern" none)"
        echo "$(replay $chosen "$@") $simulated $chosen"
    done
}

replay_all() {
    list_patterns | while read -r pattern algorithms; do
        replay_pattern "$pattern" "$algorithms" "$@"
    done
}

# On bokhari1993, where 16 bytes take 32 of the start-up's 100 µs, and links have no latency.
contending() {
    for algorithm in $contending; do
        for bytes in 1 100 1000; do
            reference -a $algorithm -b $((bytes + envelope)) -s switching=fluid -s lambda=68
            read_runs | while read -r simulated free _; do
                [ "$simulated" != "$free" ] || echo "failed - $algorithm does not contend"
                echo "$(replay -a $algorithm -b $bytes) $simulated -a $algorithm -b $bytes"
            done
        done
    done
}

case $1 in
contending) machine=bokhari1993 contending="naive reversed" ;;
on) machine=$3 contending=; on "$2"; shift ;;
*) dimension=$1 machine=$2 contending= ;;
esac
case $1.$2 in
contending.on) contending="naive direct linear scheduled"; on "$3" ;;
contending.*) dimension=$2 ;;
esac
shift 2
if [ "$contending" ]; then contending; else replay_all "$@"; fi | compare
