#!/bin/sh
# What the choice of the partition is worth to programs that need complete exchanges, and to an exchange alone.
# uses.sh [SIZE,...]: blocks of these sizes in bytes.
set -eu
export LC_ALL=C.UTF-8
sizes=${1:-8,32,128,512}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM

# By equipartitions: the one of d parts is Standard, and that of one part is Direct.
for use in transposition fft adi; do
    ./ecube sweep "scenarios/$use.ini" --algorithm multiphase --bytes "$sizes" --output "$new/$use.csv"
done
./ecube sweep scenarios/transposition.ini --pattern complete-exchange --algorithm multiphase --bytes "$sizes" \
    --output "$new/exchange.csv"

echo "ipsc860, times in µs; exchange: its share of the best time; Standard, Direct: their times over the best time"
echo "d  bytes     n  program             best     time  exchange  Standard  Direct"
# partitions have commas inside quotes
sed ':a; s/"\([^",]*\),\([^"]*\)"/"\1+\2"/; ta; s/"//g' "$new"/exchange.csv "$new"/transposition.csv "$new"/fft.csv \
    "$new"/adi.csv | awk -F , '
    $1 == "machine" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { d = $at["dimension"]; bytes = $at["bytes"]; program = $at["pattern"]; partition = $at["partition"]
      time = $at["simulated_us"]; run = d SUBSEP bytes SUBSEP program
      if ($at["data_ok"] != "true") { print "wrong data: " $0; exit 1 }
      if (!(run in best)) { order[++n] = run; standard[run] = time }
      if (!(run in best) || time < best[run]) { best[run] = time; of[run] = partition }
      if (partition == d) direct[run] = time
      if (program == "complete-exchange") alone[d, bytes, partition] = time }
    END {
        for (i = 1; i <= n; i++) {
            split(order[i], part, SUBSEP); d = part[1]; bytes = part[2]; run = order[i]
            share = alone[d, bytes, of[run]] * (part[3] == "adi" ? 2 : 1) / best[run]
            gsub(/\+/, ",", of[run])
            printf "%d  %5d  %4d  %-17s  %5s  %7.0f  %7.0f %%  %8.2f  %6.2f\n", d, bytes, sqrt(bytes / 8) * 2 ^ d, \
                part[3], of[run], best[run], 100 * share, standard[run] / best[run], direct[run] / best[run] } }' |
    sort -s -n -k 1,1 -k 2,2
