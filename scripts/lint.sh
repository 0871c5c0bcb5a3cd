#!/bin/sh
# Warnings as errors, cppcheck, and the rules of the layers. $1: the build folder.
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

# --- layers ---
forbid "models/ knows nothing of sim/ or SimGrid" '#include *["<](\.\./sim|simgrid)' models/*.[ch]
forbid "a schedule sees neither SimGrid nor a machine nor the engine" \
    '#include.*(simgrid/|machine\.h|engine\.h|network\.h|cost\.h)' sim/schedules/*.[ch]
forbid "SimGrid belongs in the engine: sim/engine.c, circuits.c, fluid.c and actors.[ch]" '#include *<(simgrid|xbt)/' \
    $(ls models/*.[ch] sim/*.[ch] sim/schedules/*.[ch] | grep -vE '^sim/(engine\.c|circuits\.c|fluid\.c|actors\.[ch])$')
forbid "only circuits.c and fluid.c use SimGrid's actors" '#include *"(\.\./)?actors\.h"' \
    $(ls sim/*.[ch] sim/schedules/*.[ch] | grep -vE '^sim/(circuits|fluid|actors)\.c$')
forbid "only main.c prints errors" 'exit *\(' $(ls models/*.c sim/*.c sim/schedules/*.c | grep -vE '^sim/(run|main|apart)\.c$')

# --- form ---
forbid "a line is longer than 120 characters" '^.{121,}$' models/*.[ch] sim/*.[ch] sim/schedules/*.[ch] tests/*.[ch]
forbid "tabs or blanks at the end of a line" '	|[ ]+$' models/*.[ch] sim/*.[ch] sim/schedules/*.[ch] tests/*.[ch]
for file in models/*.c sim/*.c sim/schedules/*.c; do
    header=${file%.c}.h
    case $file in sim/main.c | sim/cmd_*.c | sim/schedules/*) continue ;; esac
    [ -e "$header" ] || complain "$file has no header"
done

# --- compilers and checkers ---
flags="-std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
       -Wvla -Wformat=2 -Wundef -Werror"
cflags="$(pkg-config --cflags glib-2.0 check simgrid | sed 's/-I/-isystem /g')"
mkdir -p "$build/lint"
for file in models/*.c sim/*.c sim/schedules/*.c tests/*.c; do
    # shellcheck disable=SC2086 # words on purpose
    ${CC:-cc} $flags $cflags -c "$file" -o "$build/lint/object.o" || failed=1
done
cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=unknownMacro --suppress=normalCheckLevelMaxBranches -D_GNU_SOURCE \
    --cppcheck-build-dir="$build/lint" models sim >&2 || failed=1

[ "$failed" = 0 ] && echo "lint: ok"
exit "$failed"
