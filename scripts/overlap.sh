#!/bin/sh
# What it is worth that processors multiply matrices while messages are under way. overlap.sh [PxQxR]
set -eu
export LC_ALL=C.UTF-8
shape=${1:-256x256x256}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM

# compare MACHINE FLOP: 64 processors, an operation takes so many µs. The iPSC/1's rate is Johnsson & Ho's (1987). Others are
# unverified: 3.3 Mflop/s of an nCUBE-2 processor (TOP500 report 1994), and about a tenth of the peak of the i860, which is 80 (Moyer 1991).
compare() {
    ./ecube sweep -m "$1" -s "flop=$2" -d 6 --pattern matmul --shape "$shape" -a a1,a2,a4,cannon,dekel,outer \
        --overlap false,true --output "$new/$1.csv"
}
compare ipsc1 33.333333
compare ncube2 0.30
compare ipsc860 0.1

echo "$shape on 8 x 8 processors, simulated times in ms"
echo "machine  flop (µs)  algorithm     time  arithmetic  overlapped  saved"
cat "$new"/ipsc1.csv "$new"/ncube2.csv "$new"/ipsc860.csv | awk -F , '
    $1 == "machine" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { run = $at["machine"] SUBSEP $at["algorithm"]; time = $at["simulated_us"] / 1000
      if ($at["data_ok"] != "true") { print "wrong data: " $0; exit 1 }
      if (!(run in first)) { first[run] = time; next }
      flop = $at["overrides"]; sub(/.*flop=/, "", flop); sub(/[ ;].*/, "", flop)
      printf "%-7s  %9.3f  %-9s  %7.1f  %10.1f  %10.1f  %3.0f %%\n", $at["machine"], flop, $at["algorithm"], \
          first[run], $at["arithmetic_us"] / 1000, time, 100 * (1 - time / first[run]) }'
