#!/bin/sh
# What `make check` shows of each of its parts.
#
# report.sh run PART NAME COMMAND...: runs the command. Prints one line if it succeeds, and before that all the command
# has said if it does not. How many tests passed is taken from its last line, "N passed, N failed" or Check's summary; a
# command without one is a single test.
#
# report.sh sum: one line for each PART that has run since build/log was removed; then how many seconds of a processor all
# has taken, and the ten that took most.
set -u

results=build/log

# counts FILE: "PASSED FAILED" from the last line that has them, or nothing
counts() {
    sed -nE 's/^[0-9]+%: Checks: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+)$/\1 \2 \3/p
             s/^([0-9]+) passed, ([0-9]+) failed$/\1+ \2 0/p' "$1" |
        awk '{ bad = $2 + $3; good = $1 ~ /[+]/ ? $1 + 0 : $1 - bad } END { if (NR) print good, bad }'
}

# cpu_seconds FILE: what children have taken of a processor, from what `times` has written there.
cpu_seconds() {
    awk -F '[ms ]+' 'NR == 2 { printf "%.1f", 60 * $1 + $2 + 60 * $3 + $4 }' "$1"
}

run() {
    part=$1 name=$2
    shift 2
    log=$results/$part/$(echo "$name" | tr '/ ' -- | cut -c 1-80)
    mkdir -p "$results/$part"
    code=0
    "$@" >"$log" 2>&1 </dev/null || code=$?
    # shellcheck disable=SC2046 # words on purpose
    set -- $(counts "$log")
    passed=${1-1} failed=${2-0}
    if [ $code != 0 ]; then
        [ $# = 2 ] || passed=0
        [ "$failed" -gt 0 ] || failed=1
        cat "$log"
    fi
    times >"$log.times"     # not in a pipe: of this shell, no other
    echo "$part $passed $failed $(cpu_seconds "$log.times") $name" >"$log.counts"
    [ "$failed" = 0 ] && [ $code = 0 ] || { echo "  FAIL $part $name: $passed passed, $failed failed, exit code $code"; return 1; }
    echo "  PASS $part $name: $passed"
}

sum() {
    find "$results" -name '*.counts' -exec cat {} + |
        awk '{ passed[$1] += $2; failed[$1] += $3 }
             END { for (part in passed) printf "%s: %d passed, %d failed\n", part, passed[part], failed[part] }' | sort
    echo "CPU: $(find "$results" -name '*.counts' -exec cat {} + | awk '{ s += $4 } END { printf "%d", s }') s without compiling;" \
        "the dearest: $(find "$results" -name '*.counts' -exec cat {} + | sort -k 4,4nr |
            awk 'NR <= 10 { printf("%s%s %s %d", NR == 1 ? "" : ", ", $1, $5, $4) }')"
}

"$@"
