#!/bin/sh
# What was measured on the machines, against simulation; the scenarios name the sources.
set -eu
export LC_ALL=C.UTF-8
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM

# measured SCENARIO US,... OPTION...: a line for each run; what was measured for each, in their order.
measured() {
    scenario=$1 us=$2
    shift 2
    ./ecube run "scenarios/$scenario.ini" "$@" --format csv >"$new/runs.csv"
    # partitions have commas inside quotes
    sed 's/"[^"]*"//g' "$new/runs.csv" | awk -F , -v list="$us" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; split(list, us); next }
        { simulated = $at["simulated_us"]
          printf "%-12s  %-17s  %-9s  %5d  %-7s  %8d  %9.0f  %10.0f  %5.2f\n", $at["machine"], $at["pattern"], \
              $at["algorithm"], $at["bytes"], $at["overrides"] ? $at["overrides"] : "-", us[NR - 1], simulated, \
              us[NR - 1] - simulated, simulated / us[NR - 1] }'
}

# sharing PERMUTATION: the most routes on one channel; for each size, how many times as long contention makes it take.
sharing() {
    ./ecube verify scenarios/bokhari1990-contention.ini --permutation "$1" --bytes 1 --contention >"$new/routes.txt"
    ./ecube run scenarios/bokhari1990-contention.ini --permutation "$1" --format csv >"$new/runs.csv"
    awk -v permutation="$1" '
        FILENAME ~ /routes.txt$/ { if ($1 == "0") most = $3; next }
        FNR == 1 { n = split($0, name, ","); for (i = 1; i <= n; i++) at[name[i]] = i
                   printf "%-12s  %21d", permutation, most ? most : 1; next }
        { split($0, run, ","); printf "  %12.2f", run[at["simulated_us"]] / run[at["contention_free_us"]] }
        END { print "" }' "$new/routes.txt" "$new/runs.csv"
}

echo "Times in µs; difference: measured - simulated; ratio: simulated over measured"
echo "machine       pattern            algorithm  bytes  with     measured  simulated  difference  ratio"
measured ipsc1-transposition 5500000,5500000,5500000
measured ipsc1-transposition 5500000 --algorithm standard --set tau=1.8
measured ipsc1-transposition 5500000 --algorithm standard --machine ipsc1:second
measured dewitt1990-table1 740,1460,1570,2690,4640

echo
echo "ipsc860, d = 7, straight through the router; for each size in bytes, simulated over contention-free time"
echo "permutation   routes on one channel             1           100          1000        100000"
for permutation in shuffle shuffle:2 bit-reversal shuffle:3 shuffle:4; do
    sharing $permutation
done
