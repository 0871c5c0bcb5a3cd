#!/bin/sh
# replay.sh DIMENSION MACHINE [OPTION...]: every schedule without contention, of all patterns and algorithms with one
# port, on cubes of that dimension: its time-independent trace, replayed by SMPI, against the simulated time of
# `ecube run`. OPTION... are more of the options of `ecube run`.
#
# replay.sh contending DIMENSION: schedules whose messages contend, against `switching = fluid`. There the envelope counts:
# ecube has messages that are as much longer, and start-ups that are as much shorter.
. tests/peers/smpi.sh

# The time in µs that SMPI takes for $work/trace, or what it has said.
replay() {
    echo "$work/trace" >"$work/traces"
    smpi 0 --cfg=smpi/privatization:no -replay "$work/traces" --log=smpi_replay.thresh:info \
        --log=smpi_replay.fmt:%.15r%n 2>&1 | awk 'NF == 1 { printf "%.9f\n", $1 * 1e6; next } { print "failed:" $0 }'
}

# Patterns and algorithms, a pair in each line.
list_algorithms() {
    ./ecube list patterns | awk '/^[^ ]/ { pattern = $1 }
                                 $1 == "algorithms:" { for (i = 2; i <= NF; i++) print pattern, $i }'
}

# sizes PATTERN: the options that a pattern needs; each line is for runs of its own.
sizes() {
    case $1 in
    permutation) printf -- '-b 1024 --permutation %s\n' bit-reversal shuffle ;;
    matmul) echo "--shape 8x8x8" ;;
    transposition | fft | adi) echo "-b $((8 << 2 * dimension))" ;;
    *) echo "-b 100" ;;
    esac
}

# choices ALGORITHM: all that it may choose from.
choices() {
    case $1 in
    multiphase) echo "-p all" ;;
    hybrid) echo "--accumulate $(seq -s , 0 "$dimension")" ;;
    esac
}

# Of runs in CSV: time, contention-free time, and what the algorithm chose, as options.
read_runs() {
    awk -F '"' -v OFS='"' '{ for (i = 2; i <= NF; i += 2) gsub(",", "+", $i); gsub("\"", ""); print }' "$1" | awk -F , '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { chosen = ""; partition = $at["partition"]; gsub(/[+]/, ",", partition)
          if ($at["algorithm"] == "multiphase") chosen = " -p " partition
          if ($at["algorithm"] == "hybrid") chosen = " --accumulate " $at["accumulate"]
          print $at["simulated_us"], $at["contention_free_us"] chosen }'
}

# replay_run OPTION...: the time in µs that SMPI takes for that schedule. What fails is no number, so that it is seen.
replay_run() {
    if ./ecube export --format ti -m "$machine" -d "$dimension" "$@" --output "$work/trace" >"$work/said" 2>&1; then
        replay
    else
        echo failed
        cat "$work/said" >&2
    fi
}

# replay_runs CHOICES OPTION...: all runs that do not contend: time under SMPI, time by ecube, options.
replay_runs() {
    choices=$1
    shift
    # shellcheck disable=SC2086 # words on purpose
    if ! ./ecube run -m "$machine" -d "$dimension" "$@" $choices --format csv >"$work/runs.csv" 2>"$work/said"; then
        grep -qE "does not apply|uses all ports" "$work/said" || echo "failed - $* $(cat "$work/said")"
        return
    fi
    read_runs "$work/runs.csv" | while read -r simulated free chosen; do
        [ "$simulated" = "$free" ] || continue
        # shellcheck disable=SC2086
        echo "$(replay_run "$@" $chosen) $simulated $* $chosen"
    done
}

# replay_all OPTION...
replay_all() {
    list_algorithms | while read -r pattern algorithm; do
        sizes "$pattern" | while read -r size; do
            # shellcheck disable=SC2086
            replay_runs "$(choices "$algorithm")" --pattern "$pattern" -a "$algorithm" $size "$@"
        done
    done
}

# On bokhari1993, where 16 bytes take 32 of the start-up's 100 µs, and links have no latency.
contending() {
    for algorithm in naive reversed; do
        for bytes in 1 100 1000; do
            ./ecube run -m "$machine" -d "$dimension" -a $algorithm -b $((bytes + envelope)) -s switching=fluid \
                -s lambda=68 --format csv >"$work/runs.csv"
            read_runs "$work/runs.csv" | while read -r simulated free; do
                [ "$simulated" != "$free" ] || echo "failed - does not contend"
                echo "$(replay_run -a $algorithm -b $bytes) $simulated -a $algorithm -b $bytes"
            done
        done
    done
}

case $1 in
contending) dimension=$2 machine=bokhari1993 contending=true ;;
*) dimension=$1 machine=$2 contending=false ;;
esac
shift 2
if $contending; then contending; else replay_all "$@"; fi | compare
