#!/bin/sh
# execute.sh DIMENSION BYTES,... PROGRAM: ecube-mpi, built with smpicc, runs every schedule without contention, of all
# patterns and algorithms with one port, under SMPI; its times against the simulated times of `ecube run`. All runs of a
# pattern are in one program, which begins each at a barrier that all ranks leave at the same time.
#
# The machine is an ipsc860 whose ranks need no handshakes and barriers, and move their memories in no time, as SMPI does
# not simulate that. Its start-up is 95 µs, of which the envelope takes 16 x 0.394.
. tests/peers/smpi.sh
machine=ipsc860
startup=0.000088696
dimension=$1 bytes=$2 program=$3

# Two files in CSV, of `ecube run` and of ecube-mpi: time under SMPI, time by ecube, and what they are of. A run without
# contention that is not there, whose data is wrong, or whose repetitions differ, fails.
join_runs() {
    { unquote "$work/runs.csv"; unquote "$work/measured.csv"; } | awk -F , '
        BEGIN { n = split("pattern algorithm partition accumulate permutation bytes shape grid routing", keys, " ") }
        $1 == "machine" { file++; for (i = 1; i <= NF; i++) at[$i] = i; next }
        { key = ""; for (i = 1; i <= n; i++) if ($at[keys[i]] != "") key = key " " keys[i] "=" $at[keys[i]] }
        file == 1 && $at["simulated_us"] == $at["contention_free_us"] { time[key] = $at["simulated_us"] }
        file == 2 { measured[key] = $at["data_ok"] == "true" && $at["spread_us"] == 0 ? $at["minimum_us"] : "failed" }
        END { for (key in time) print (key in measured ? measured[key] : "missing"), time[key] key }'
}

# shellcheck disable=SC2046,SC2086 # words on purpose
execute_pattern() {
    set -- --machine $machine --set rho=0 --set pairwise_sync=false --set phase_barrier=false --pattern "$1" \
        --algorithm "$2" $(options "$1" "$2")
    rm -f "$work/measured.csv"
    ./ecube run --dimension "$dimension" "$@" --format csv >"$work/runs.csv"
    smpi $startup "$program" "$@" --repeat 2 --early --format csv --output "$work/measured.csv" >"$work/said" 2>&1 ||
        { cat "$work/said" >&2; echo "failed - $*"; }
    [ ! -e "$work/measured.csv" ] || join_runs
}

list_patterns | sed 's/,naive,reversed,/,/' | while read -r pattern algorithms; do
    execute_pattern "$pattern" "$algorithms"
done | compare
