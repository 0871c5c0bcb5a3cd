#!/bin/sh
# balance.sh N OPTIONS: how evenly `ecube sweep OPTIONS` is split into N shards. Runs them one after another and prints
# the CPU seconds of each, their sum, and the largest as a multiple of the mean.
#
#   scripts/cluster/balance.sh 4 -m ipsc860 -d 3:10:1 -a direct,naive,sbt -b 16:1024:x4
set -eu
ecube=$(cd "$(dirname "$0")/../.." && pwd)/ecube
of=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Prints what `times` in a shell says of its children: user and system time, as 1m2.50s.
spent() { sh -c '"$@" >&2; times' spent "$@" | tail -n 1; }

for i in $(seq "$of"); do
    spent "$ecube" sweep "$@" --shard "$i/$of" --jobs 1 --output "$work/piece-$i.csv"
done | awk '
function seconds(text, part) { split(text, part, "m"); return part[1] * 60 + part[2] }
{ cpu = seconds($1) + seconds($2); sum += cpu; most = cpu > most ? cpu : most; printf "shard %d: %.2f s\n", NR, cpu }
END { printf "in all %.2f s, the largest %.3f times the mean\n", sum, most * NR / sum }'
