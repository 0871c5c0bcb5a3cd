#!/bin/sh
# readme.sh: the commands of "Your own cluster" in the README, as they stand there, but with 8 ranks and few measurements.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top"

sed -n '/^## Your own cluster/,/^## Words/p' README.md | sed -n '/^```sh/,/^```/p' | grep -v '^```' |
    sed "s|mpirun -np 64|mpirun --oversubscribe -np 8|; s|--repeat 100|--repeat 5|; s|65536:x2|8192:x4|; s|-d 6|-d 3|
        s#\([a-z]*\.\)\(csv\|ini\|svg\)#$work/\1\2#g; s#\./\($work\)#\1#g" >"$work/commands"
while read -r command; do
    sh -c "$command" >"$work/one" 2>&1 </dev/null || { echo "$command"; cat "$work/one"; exit 1; }
    cat "$work/one" >>"$work/said"
done <"$work/commands"
[ -s "$work/fit.svg" ] || { echo "there is no picture of the fit"; exit 1; }
parts=$(awk '/^best partition/ { getline; print $1 }' "$work/said")
echo "$(wc -l <"$work/commands") commands lead to a partition of $(($(echo "$parts" | tr , +)))"
grep -q '^d = 3, .* bytes: .* saves .* % of the time of .*\.$' "$work/said" && grep '^What to use' "$work/said"
