#!/bin/sh
# recipe.sh: follows the recipe of sim/README.md, "Add an algorithm", in a copy of the tree: the file, the line, `make`.
# Prints what the new algorithm does then.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$tree/build"
cp -a "$top/Makefile" "$top/models" "$top/sim" "$top/platforms" "$top/scenarios" "$top/scripts" "$tree"
for made in config.mk models sim; do    # so that little is left to compile
    [ ! -e "$top/build/$made" ] || cp -a "$top/build/$made" "$tree/build"
done
cd "$tree"
sed -n '/^```c$/,/^```$/p' sim/README.md | sed '/^```/d' >sim/patterns/collectives/downwards.c
sed -i 's/^    A(gc_broadcast) /    A(downwards) \\\n&/' sim/patterns/registry.c
make -s ecube >make.out 2>&1 || { cat make.out; exit 1; }

unset ECUBE_DATA
./ecube list algorithms | sed -n 's/^ *\(downwards  .*\)/\1/p'
./ecube verify -d 4 --pattern broadcast -a downwards
./ecube verify -d 4 --pattern reduction -a downwards
./ecube run -m johnsson1987 -d 4 --pattern broadcast -a downwards -b 110 --format csv |
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
              NR == 2 { printf "downwards: contention-free %.3f µs, simulated %.3f µs\n", $column["contention_free_us"],
                        $column["simulated_us"] }'
