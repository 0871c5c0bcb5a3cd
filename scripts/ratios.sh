#!/bin/sh
# Simulated over published time of every row of Tables 1-4 of Johnsson & Ho 1987 whose printed count is not always exact, for
# n = 2 to 6 and one start-up per element (johnsson1987:equal). $1: bytes M, in elements of 4; $2: packet B.
set -eu
export LC_ALL=C.UTF-8
bytes=${1:-960}
packet=${2:-unlimited}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM

# rows PATTERN PORTS ALGORITHM...: lines "row n ratio".
rows() {
    pattern=$1 ports=$2
    shift 2
    ./ecube sweep -m johnsson1987:equal --element 4 -d 2:6:1 --pattern "$pattern" --ports "$ports" -a "$(echo "$@" | tr ' ' ,)" \
        -b "$bytes" --packet "$packet" --output "$new/rows.csv" --restart
    awk -F , -v pattern="$pattern" -v ports="$ports" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print pattern "," $at["algorithm"] "," ports, $at["dimension"], $at["simulated_us"] / $at["published_us"] }
    ' "$new/rows.csv"
}

{
    rows broadcast one nrsbt
    rows broadcast all gc nesbt nrsbt
    rows all-broadcast one sbnt nrsbt
    rows all-broadcast all gcea sbnt nrsbt
    rows scatter all sbnt nrsbt
    rows complete-exchange all sbnt nrsbt
} | sort -s -k 1,1 -k 2,2n | awk '
    BEGIN { printf "%-28s %8d %8d %8d %8d %8d\n", "pattern,algorithm,ports  n =", 2, 3, 4, 5, 6 }
    { ratio = ratio sprintf(" %8.4f", $3) }
    $2 == 6 { printf "%-28s%s\n", $1, ratio; ratio = "" }'
