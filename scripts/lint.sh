#!/bin/sh
# The rules of the layers, warnings as errors, cppcheck, and hardening. $1: the build folder, in which all is compiled.
set -eu
export LC_ALL=C.UTF-8
build=${1:-build}
failed=0

complain() {
    echo "lint: $1" >&2
    failed=1
}

# Prints matches and fails if a pattern ($2) occurs in files ($3 ...); $1 says what is wrong.
forbid() {
    what=$1 pattern=$2
    shift 2
    if grep -nE "$pattern" "$@"; then complain "$what"; fi
}

# --- rooms ---
sources=$(find models sim tests -name '*.[ch]')
program=$(find models sim -name '*.[ch]')

scripts/rooms.py "$build" || failed=1

# Patterns are asked, not named.
patterns=$(sed -nE 's/^    P\(([a-z_]+)\).*/\1/p' sim/patterns/registry.h | paste -sd '|')
forbid "what does not belong to a pattern names one" "\\bpattern_($patterns)\\b" \
    $(echo "$program" | grep -E '^sim/(replay|engine|agenda|run|mpi|show|fit|commands)/')

forbid "SimGrid belongs in the engine: simgrid.h finds its functions" '#include *<(simgrid|xbt)/' \
    $(echo "$program" | grep -vE '^sim/engine/simgrid\.h$')
forbid "MPI belongs in sim/mpi and sim/preload" '#include *<mpi\.h>' $(echo "$program" | grep -vE '^sim/(mpi|preload)/')
forbid "only engine.c and fluid.c use SimGrid's actors" '#include *".*actors\.h"' \
    $(echo "$program" | grep -vE '^sim/engine/(engine|fluid|actors)\.c$')
forbid "only main.c prints errors" 'exit *\(' \
    $(echo "$program" | grep '\.c$' | grep -vE '^sim/(run/process|run/apart|mpi/main|main)\.c$')

# --- form ---
forbid "a line is longer than 120 characters" '^.{121,}$' $sources
forbid "tabs or blanks at the end of a line" '	|[ ]+$' $sources

# Names: no two headers are called the same, and no two types that headers declare.
headers=$(echo "$program" | grep '\.h$')
twice=$(echo "$headers" | sed 's#.*/##' | sort | uniq -d; sed -nE 's/^\} ([A-Z][A-Za-z]*);$/\1/p' $headers | sort | uniq -d)
[ -z "$twice" ] || complain "two have the name: $(echo $twice)"

# Comments above functions begin with verbs, and a function's name stands in one file: so many do not, and may only fall.
scripts/language.py 0 14 >&2 || failed=1

# --- tests ---
# Each source has a test of its name, or a line that says where it is tested.
for file in $(echo "$program" | grep '\.c$'); do
    name=${file##*/} name=${name%.c}
    set -- tests/*/test_"$name".c tests/cli/"$name".txt
    [ -e "$1" ] || [ -e "$2" ] || grep -q "^$file: " tests/tested.txt ||
        complain "$file: no test has its name, and it is not in tests/tested.txt"
done
for name in $(sed -n 's/^[^#:]*: //p' tests/tested.txt); do
    set -- tests/*/test_"$name".c "$name"
    [ -e "$1" ] || [ -e "$2" ] || complain "tests/tested.txt: there is no $name"
done

# Transcripts run at the same time; what all of them may use is build/cli, one after the other, and the figures.
pages=$(find README.md CHANGELOG.md models platforms scenarios scripts sim tests/peers -name '*.md')
shared=$(grep -o 'build/[a-zA-Z0-9_-]*' $pages sim/commands/ecube.1 tests/cli/*.txt | sort -u | cut -d : -f 2 | sort |
    uniq -d | grep -vxE 'build/(cli|figures)') || true
[ -z "$shared" ] || complain "several transcripts use $(echo $shared)"
tests/scripts/links.py $pages || complain "pages have links that lead nowhere"

# --- compilers and checkers ---
# What the compiler said of each file when `make` compiled it, with the warnings of the Makefile. To mpicc, which
# compiles tests/mpi, they are errors.
# heed FILE SAID
heed() {
    cat "$2" >&2
    [ ! -s "$2" ] || complain "the compiler warns about $1"
}
for file in $(echo "$sources" | grep '\.c$' | grep -vE '^([a-z]*/mpi|sim/preload)/'); do
    said=$build/${file%.c}.said
    if [ ! -e "$said" ]; then complain "$file has not been compiled"; continue; fi
    [ ! -s "$said" ] || heed "$file" "$said"
done
# the same of an MPI's compiler, if there is one
for said in "$build"/*/sim/mpi/*.said "$build"/*/sim/preload/*.said; do
    [ ! -e "$said" ] || heed "${said#"$build"/}" "$said"
done
mkdir -p "$build/lint"
cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=normalCheckLevelMaxBranches -D_GNU_SOURCE -I . \
    --cppcheck-build-dir="$build/lint" models sim >&2 || failed=1

# --- what the program is hardened with ---
# require PATTERN WHAT: a line of what readelf says
require() {
    echo "$elf" | grep -qE "$1" || complain "$build/ecube has no $2"
}
elf=$(readelf --wide --file-header --program-headers --dynamic --dyn-syms "$build/ecube")
require 'Type: +DYN' "position-independent code"
require 'GNU_RELRO' "read-only relocations"
require 'BIND_NOW|Flags:.* NOW' "immediate binding"
require '__stack_chk_fail' "stack protector"
require '__[a-z]+_chk' "fortified calls (they take optimisation)"

[ "$failed" = 0 ] && echo "lint: ok"
exit "$failed"
