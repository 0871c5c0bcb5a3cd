#!/bin/sh
# recipe.sh [algorithm|pattern]: follows the recipe of sim/README.md, "Add an algorithm" or "Add a pattern", in a copy of
# the tree: the file, the line, `make`. Prints what the new algorithm or pattern does then.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
what=${1:-algorithm}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$tree/build"
cp -a "$top/Makefile" "$top/models" "$top/sim" "$top/platforms" "$top/scenarios" "$top/scripts" "$tree"
for made in config.mk models sim; do    # so that little is left to compile
    [ ! -e "$top/build/$made" ] || cp -a "$top/build/$made" "$tree/build"
done
cd "$tree"
unset ECUBE_DATA

# The code of a section of the page.
code_of() {
    sed -n "/^## $1\$/,/^\`\`\`\$/p" sim/README.md | sed '1,/^```c$/d; /^```$/d'
}

build() {
    make -s ecube >make.out 2>&1 || { cat make.out; exit 1; }
}

# show COMMAND: the command, and what it prints.
show() {
    printf "> %s\n" "$1"
    eval "$1" 2>&1 || true
}

follow_algorithm() {
    code_of "Add an algorithm" >sim/patterns/collectives/downwards.c
    sed -i 's/^    A(gc_broadcast) /    A(downwards) \\\n&/' sim/patterns/collectives/pattern.c
    build
    ./ecube list algorithms | sed -n 's/^ *\(downwards  .*\)/\1/p'
    ./ecube verify -d 4 --pattern broadcast -a downwards
    ./ecube verify -d 4 --pattern reduction -a downwards
    ./ecube run -m johnsson1987 -d 4 --pattern broadcast -a downwards -b 110 --format csv |
        ./ecube columns contention_free_us,simulated_us |
        awk -F , 'NR == 2 { printf "downwards: contention-free %.3f µs, simulated %.3f µs\n", $1, $2 }'
}

follow_pattern() {
    mkdir sim/patterns/shift
    code_of "Add a pattern" >sim/patterns/shift/pattern.c
    sed -i 's/^    P(permutation) /    P(shift) \\\n&/' sim/patterns/registry.h
    build
    run="-m ipsc860 -d 3 --pattern shift -a straight"
    show "./ecube list patterns | grep '^ *shift '"
    show "./ecube list algorithms | grep -A 2 '^shift:'"
    show "./ecube list keys | grep '^ *steps '"
    show "./ecube run --help | grep -e --steps"
    show "./ecube complete -- run --st"
    show "./ecube complete -- run --pattern sh"
    show "./ecube complete -- run --pattern shift -a ''"
    show "./ecube verify -d 4 --pattern shift -a straight --steps 5"
    show "./ecube verify -d 0 --pattern shift -a straight"
    show "./ecube run $run -b 0,100 --steps 3"
    show "./ecube run $run -b 100 --format csv | ./ecube columns algorithm,steps,published_us,simulated_us,data_ok"
    show "./ecube run $run -b 100 --steps 8"
    show "./ecube run -m ipsc860 -d 3 -a direct -b 100 --steps 2"
    printf '[run]\nmachine = ipsc860\ndimension = 3\npattern = shift\nsteps = 2\nalgorithm = straight\n' >s.ini
    show "./ecube run s.ini -b 100 --set steps=5 | tail -n 2"
    # Three points fail, so that the journal stays: the others come from it the second time, with their wall times.
    sweep="./ecube sweep $run -b 100,1125899906842624 --steps 1,2,3 -o s.csv"
    show "$sweep 2>&1 | tail -n 1"
    show "./ecube columns bytes,steps,simulated_us s.csv"
    cp s.csv before.csv
    show "$sweep 2>&1 | tail -n 1; cmp s.csv before.csv && echo the same wall times"
    show "./ecube sweep $run -b 100 --steps 0:7:1 -o s.csv --restart"
    show "./ecube plot s.csv --x steps | sed -n 's/.*<text>\(.*[a-z].*\)<.text>.*/\1/p' | LC_ALL=C sort"
    show "./ecube plot s.csv --x bytes | grep -c '<text>straight, steps [0-7]<'"
    show "./ecube compare $run -b 100"
    show "./ecube export -d 2 --pattern shift -a straight --steps 3"
    show "./ecube export -m ipsc860 -d 1 -b 10 --pattern shift -a straight --format goal --set delta=0 | grep 10b"
    show "./ecube run $run -b 100 --explain | grep '^Messages waited'"
    show "./ecube report $run -b 100 --steps 3 -o s.html && grep -o '^<title>.*</title>' s.html"
}

case $what in
algorithm | pattern) "follow_$what" ;;
*) echo "usage: recipe.sh [algorithm|pattern]" >&2; exit 2 ;;
esac
