#!/bin/sh
# readme.sh: the commands of "Your own cluster" in sim/mpi/README.md as they stand there, with 8 ranks, few measurements.
# The program that is not changed is exchanges.c: what it asks for must be done as the rules say, and be right.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top"

sed -n '/^## Your own cluster/,/^## What/p' sim/mpi/README.md | sed -n '/^```sh/,/^```/p' | grep -v '^```' |
    sed "s|\$PWD/rules|rules|; s|mpirun -np 64|mpirun --oversubscribe -np 8|; s|--times 100|--times 5|; s|65536:x2|8192:x4|; s|-d 6|-d 3|
        s#\([a-z]*\.\)\(csv\|ini\|svg\)#$work/\1\2#g; s#\./\($work\)#\1#g
        s#\./your-program#-x ECUBE_VERBOSE=1 $work/your-program 7 8 600 2048#" >"$work/commands"
mpicc -O1 -o "$work/your-program" tests/mpi/exchanges.c -lpthread
while read -r command; do
    sh -c "$command" >"$work/one" 2>&1 </dev/null || { echo "$command"; cat "$work/one"; exit 1; }
    cat "$work/one" >>"$work/said"
done <"$work/commands"
[ -s "$work/fit.svg" ] || { echo "there is no picture of the fit"; exit 1; }
parts=$(awk '/^best partition/ { getline; print $1 }' "$work/said")
echo "$(wc -l <"$work/commands") commands lead to a partition of $(($(echo "$parts" | tr , +)))"
grep -o '^What to use, by these times' "$work/said"

# used BYTES: what the report says of 8 processes, without exchanges between groups; ruled BYTES: what the rules say
used() { sed -n "s/^ecube: 8 $1 [0-9]* [0-9.]* //p" "$work/one" | paste -sd ';'; }
ruled() { awk -v n="$1" 'BEGIN { list = "library" } / = / && $1 <= n { sub(/.* = /, ""); list = $0 } END { print list }' "$work/rules.ini"; }
for bytes in 7 8 600 2048; do
    [ "$(used $bytes)" = "$(ruled $bytes)" ] || { echo "$bytes bytes: $(used $bytes), not $(ruled $bytes)"; exit 1; }
done
grep -x '[0-9]* right, 0 wrong' "$work/one" | sed 's/^[0-9]*/N/'
