#!/bin/sh
# tell.sh [BUILD]: Open MPI loads the rules of `ecube hull --format ompi`, or ompi-json from its version 6 on, and takes
# the algorithm that the hull says on both sides of every change; communicators without rules keep its own choice.
# Needs mpicc and mpirun of Open MPI.
set -eu
export LC_ALL=C.UTF-8 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
build=${1:-build}
machine="-m ipsc860"
mkdir -p "$build"
work=$(mktemp -d "$build/tell.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "tell: $1" >&2
    exit 1
}

# run RANKS OPTION... -- BYTES...: "RANKS BYTES ALGORITHM" for each size.
run() {
    ranks=$1
    shift
    options=
    while [ "$1" != -- ]; do
        options="$options $1"
        shift
    done
    shift
    # shellcheck disable=SC2086 # words on purpose
    mpirun --oversubscribe -np "$ranks" $options "$work/alltoall" "$@"
}

# expected DIMENSION: the same, from the faces of the hull of radix 2 and Direct: the last size of a face, and the first.
expected() {
    # shellcheck disable=SC2086 # words on purpose
    ./ecube hull $machine -d "$1" --radix extremes --format csv | awk -F , -v d="$1" '
        NR > 1 {
            algorithm = $3 ~ /"/ ? "bruck" : "pairwise"
            first = int($1) + ($1 > int($1))
            if (first > 1)
                print 2 ^ d, first - 1, last "\n" 2 ^ d, first, algorithm
            last = algorithm
        }'
}

mpicc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -rdynamic -o "$work/alltoall" tests/mpi/alltoall.c -ldl
major=$(mpirun --version | sed -n '1s/.* \([0-9]*\)\..*/\1/p')
format=$([ "$major" -ge 6 ] && echo ompi-json || echo ompi)
# shellcheck disable=SC2086 # words on purpose
./ecube hull $machine -d 3,4,5 --format "$format" --output "$work/rules" 2>"$work/said"
rules="--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $work/rules"

changes=0
own=0
for d in 3 4 5; do
    expected $d >"$work/expected"
    [ -s "$work/expected" ] || echo "$((1 << d)) 64 pairwise" >"$work/expected"     # one face
    sizes=$(cut -d ' ' -f 2 "$work/expected")
    # shellcheck disable=SC2086 # words on purpose
    run $((1 << d)) $rules -- $sizes >"$work/taken"
    diff "$work/expected" "$work/taken" || fail "$((1 << d)) ranks: the algorithms (>) are not those of the hull (<)"
    # shellcheck disable=SC2086 # words on purpose
    run $((1 << d)) -- $sizes >"$work/own"
    cmp -s "$work/own" "$work/taken" || own=1
    changes=$((changes + $(wc -l <"$work/expected") / 2))
done
[ $own = 1 ] || fail "without the rules Open MPI takes the same algorithms: this shows nothing"

for ranks in 7 9; do
    run $ranks -- 8 64 1024 >"$work/own"
    # shellcheck disable=SC2086 # words on purpose
    run $ranks $rules -- 8 64 1024 >"$work/taken"
    diff "$work/own" "$work/taken" || fail "$ranks ranks have no rules, and yet (>) not their own choice (<)"
done
echo "tell: Open MPI takes the hull's algorithm on both sides of $changes changes"
