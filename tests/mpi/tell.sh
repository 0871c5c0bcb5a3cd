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

# expected RANKS OPTION...: the same, from the faces of the hull of radix 2 and Direct: the last size of a face, and the
# first; or one size of a single face.
expected() {
    ranks=$1
    shift
    # shellcheck disable=SC2086 # words on purpose
    ./ecube hull $machine "$@" --radix extremes --format csv | awk -F , -v n="$ranks" '
        NR > 1 {
            algorithm = $3 ~ /"/ ? "bruck" : "pairwise"
            first = int($1) + ($1 > int($1))
            if (first > 1)
                print n, first - 1, last "\n" n, first, algorithm
            last = algorithm
        }
        END { if (NR == 2) print n, 64, last }'
}

mpicc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -rdynamic -o "$work/alltoall" tests/mpi/alltoall.c -ldl
major=$(mpirun --version | sed -n '1s/.* \([0-9]*\)\..*/\1/p')
format=$([ "$major" -ge 6 ] && echo ompi-json || echo ompi)
changes=0
own=0
# compare OPTION RANKS:VALUE...: as rules for all these places say.
compare() {
    option=$1
    shift
    values=$(printf '%s\n' "$@" | cut -d : -f 2 | paste -sd ,)
    # shellcheck disable=SC2086 # words on purpose
    ./ecube hull $machine $option "$values" --format "$format" --output "$work/rules" 2>"$work/said"
    rules="--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $work/rules"
    for place in "$@"; do
        ranks=${place%:*}
        # shellcheck disable=SC2086 # words on purpose
        expected "$ranks" $option "${place#*:}" >"$work/expected"
        sizes=$(cut -d ' ' -f 2 "$work/expected")
        # shellcheck disable=SC2086 # words on purpose
        run "$ranks" $rules -- $sizes >"$work/taken"
        diff "$work/expected" "$work/taken" || fail "$ranks ranks: the algorithms (>) are not those of the hull (<)"
        # shellcheck disable=SC2086 # words on purpose
        run "$ranks" -- $sizes >"$work/own"
        cmp -s "$work/own" "$work/taken" || own=1
        changes=$((changes + $(wc -l <"$work/expected") / 2))
    done
}
compare "-s topology=crossbar -n" 5:5 6:6 12:12
compare -d 8:3 16:4 32:5
[ $own = 1 ] || fail "without the rules Open MPI takes the same algorithms: this shows nothing"

for ranks in 7 9; do
    run $ranks -- 8 64 1024 >"$work/own"
    # shellcheck disable=SC2086 # words on purpose
    run $ranks $rules -- 8 64 1024 >"$work/taken"
    diff "$work/own" "$work/taken" || fail "$ranks ranks have no rules, and yet (>) not their own choice (<)"
done
echo "tell: Open MPI takes the hull's algorithm on both sides of $changes changes"
