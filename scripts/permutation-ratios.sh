#!/bin/sh
# Simulated time of every algorithm of Ho & Johnsson 1988 over its published time (Table 2) and over the lower bound of any
# (Theorem 1), for one permutation of every kind of cycle types, packets unlimited, on johnsson1987. $1: bytes K.
set -eu
export LC_ALL=C.UTF-8
bytes=${1:-26880}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM

# ratios PORTS CYCLES ALGORITHM,...: lines "PORTS CYCLES ALGORITHM published bound".
ratios() {
    ./ecube run -m johnsson1987 -d 7 --pattern permutation --ports "$1" --cycles "$2" -a "$3" -b "$bytes" --format csv \
        >"$new/runs.csv"
    ./ecube best -m johnsson1987 --model published -d 7 --pattern permutation --ports "$1" --cycles "$2" -b "$bytes" --packet unlimited \
        --format csv >"$new/best.csv"
    # cycles have commas inside quotes
    sed 's/"[^"]*"//g' "$new/best.csv" "$new/runs.csv" | awk -F , -v what="$1 $2" '
        /^machine/ { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
        "lower_bound_us" in at { bound = $at["lower_bound_us"]; next }
        { published = $at["published_us"]
          printf "%s %s %s %.4f\n", what, $at["algorithm"], \
              published ? sprintf("%.4f", $at["simulated_us"] / published) : "-", $at["simulated_us"] / bound }'
}

for cycles in 0,1 0,1,2 0,1,2,3 0,1,2,3,4,5,6 0,1/2,3 0,1,2/3,4,5 0,1,2,3/4,5,6; do
    ratios one $cycles a0,a1,a1a,a2,a3,a4
    ratios all $cycles a1a,a2,a3,a4,a5,a6
done | awk '
    BEGIN { printf "%-5s  %-15s  %s\n", "ports", "cycles", "algorithm: simulated over published, over the lower bound" }
    $1 " " $2 != last { if (last) print line; last = $1 " " $2; line = sprintf("%-5s  %-15s ", $1, $2) }
    { line = line sprintf(" %s: %s %s", $3, $4, $5) }
    END { print line }'
