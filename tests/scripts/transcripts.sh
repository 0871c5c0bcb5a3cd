#!/bin/sh
# transcripts.sh [--bless] FILE...: runs the examples of text and Markdown files and compares what they print.
#
#   $ ./ecube run -a drect
#   ecube: --algorithm: 'drect' is not allowed; ...
#   [2]
#
# A line that begins with "$ " is a command; the lines up to the next command or the end of the block are what it prints,
# standard output and error together. Commands run with `sh -c` in the top of the tree, which comes first in PATH, with an
# empty standard input.
#
# - A last line "[N]" is the exit code N; without it the code must be 0.
# - A line that is exactly "..." stands for any number of lines, also none.
# - Empty lines at the end of the expected and of the actual output do not count.
# - In a .md file only blocks fenced with ```console count, also those that are indented, in lists; and those fenced with
#   ```console long, which take seconds, only where ECUBE_TESTS is "all", as in make check-all. In a manual page (.1) only
#   those between .EX and .EE, with roff's escapes for - ' and \ undone. Every other file is one block, in which a line
#   that begins with "#" and comes first, or after an empty line or after another such line, is a comment and ends a
#   command's output. A comment that begins with "# long: " is as ```console long: for the commands up to the next
#   comment; as the first line of a file, for all its commands.
#
# Prints every mismatch with its place and goes on; the last line is "N passed, N failed". Exit code 1 if any failed, or if
# a file has no command at all.
#
# With --bless it writes what each command has printed into the file, in place of what was expected: for a difference
# that is meant, and is read afterwards. Of an example with one "...", as many lines as before stay on either side of it;
# one with several is left as it is, and fails. Where CI is set, nothing is blessed.
set -u

bless=
if [ "${1-}" = --bless ]; then
    bless=yes
    shift
    [ -z "${CI-}" ] || { echo "$0: --bless is for people: CI is set" >&2; exit 1; }
fi

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset ECUBE_DATA PREFIX DESTDIR LANG LANGUAGE
export LC_ALL=C     # what is pinned depends on nobody's locale
[ "${ECUBE_TESTS-}" = all ] && long='( long)?' short=0 || long='' short=1

# Writes the file `cases` into `work`, two lines for each case: its line number, and its command; and expected.1,
# expected.2, ..., what each prints. A line that belongs to no command is a mistake in the file: a case without a command,
# which expects that line.
extract='
function close_case() { if (out) close(out); out = "" }
function open_case(command) { close_case(); out = work "/expected." ++n; printf "" > out; print FNR "\n" command > (work "/cases") }
BEGIN { n = 0; inside = begin == ""; fresh = 1; printf "" > (work "/cases") }
{ sub(/\r$/, "") }
begin != "" && !inside { if ($0 ~ begin) { inside = 1; match($0, /^ */); indent = RLENGTH } next }
indent && substr($0, 1, indent) ~ /^ *$/ { $0 = substr($0, indent + 1) }
begin != "" && $0 ~ end { inside = 0; close_case(); next }
roff { gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\") }
begin == "" && fresh && /^#/ {
    close_case()
    if (FNR == 1) whole = short && /^# long: /
    if (!comment) left = whole || (short && /^# long: /)
    comment = 1
    next
}
{ comment = 0 }
left { fresh = ($0 == ""); next }
/^\$ / { open_case(substr($0, 3)); fresh = 0; next }
{ fresh = ($0 == "") }
out { print > out; next }
!fresh { open_case(""); print > out; close_case() }
'

# Compares the files `expected` and `got`, the latter with the exit code `code` behind it; "..." works like * in a file
# name, so on a mismatch the last "..." takes one line more. If they differ, the two texts are written into the files
# `want` and `actual`.
match='
function read_lines(file, lines,    n, last) {
    while ((getline line < file) > 0) { lines[++n] = line; if (line != "") last = n }
    read = n > 0
    if (!last) lines[last = 1] = ""     # never no line at all
    return last
}
function differ(    i) {
    for (i = 1; i <= n; i++) print expected[i] > want
    for (i = 1; i <= m; i++) print got[i] > actual
    exit 1
}
BEGIN {
    n = read_lines(want_from, expected)
    m = read_lines(got_from, got)
    if (code != 0) got[read ? ++m : 1] = "[" code "]"
    e = a = 1
    while (a <= m) {
        if (e <= n && expected[e] == "...") { star = e++; taken = a }
        else if (e <= n && expected[e] == got[a]) { e++; a++ }
        else if (star) { e = star + 1; a = ++taken }
        else differ()
    }
    while (e <= n && expected[e] == "...") e++
    if (e <= n) differ()
}
'

# What is written into the file for a case: the lines of its output, indented or escaped as the file has them. With one
# "..." the lines between the parts that were pinned are left out.
blessed='
FNR == NR { expected[FNR] = $0; if ($0 == "...") { stars++; star = FNR }; n = FNR; next }
{ actual[++m] = $0 }
function put(line) {
    if (roff) { gsub(/\\/, "\\e", line); gsub(/-/, "\\-", line); gsub(/\047/, "\\(aq", line) }
    print line == "" ? "" : indent line
}
END {
    if (m == 1 && actual[1] == "") m = 0
    head = stars ? star - 1 : m
    tail = stars ? n - star : 0
    if (stars > 1 || head + tail > m) exit 1
    for (i = 1; i <= head; i++) put(actual[i])
    if (stars) put("...")
    for (i = m - tail + 1; i <= m; i++) put(actual[i])
}
'

# Replaces lines of the file: `edits` has "LINE N M" and M lines for each N lines behind LINE.
replace='
FNR == NR {
    if (!left) { line = $1; skip[line] = $2; left = $3; n[line] = left }
    else text[line, n[line] - --left] = $0
    next
}
skipped > 0 { skipped--; next }
{ print; for (i = 1; i <= n[FNR]; i++) print text[FNR, i]; skipped = skip[FNR] }
'

passed=0
failed=0

# bless_case FILE LINE: notes what is to stand behind the command in LINE.
bless_case() {
    indent=$(sed -n "$2s/[^ ].*//p" "$1")
    awk -v indent="$indent" -v roff=$roff "$blessed" "$work/expected" "$work/actual" >"$work/blessed" || return 1
    before=$(wc -l <"$work/expected")
    [ "$before" != 1 ] || [ -n "$(cat "$work/expected")" ] || before=0
    echo "$2 $before $(wc -l <"$work/blessed")" | cat - "$work/blessed" >>"$work/edits"
}

# run_case FILE LINE COMMAND EXPECTED
run_case() {
    if [ -z "$3" ]; then
        echo "$1:$2: belongs to no command: $(sed -n 1p "$4")"
        failed=$((failed + 1))
        return
    fi
    (cd "$top" && PATH="$top:$PATH" exec sh -c "$3") >"$work/got" 2>&1 </dev/null
    code=$?
    if awk -v want_from="$4" -v got_from="$work/got" -v code=$code -v want="$work/expected" -v actual="$work/actual" "$match"; then
        passed=$((passed + 1))
        return
    fi
    if [ -n "$bless" ] && bless_case "$1" "$2"; then
        echo "$1:$2: blessed: \$ $3"
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "$1:$2: \$ $3"
    diff -u "$work/expected" "$work/actual" | sed 1,2d
}

# What an earlier run of this file has left in build/; what other files use as well stays.
clean_up_for() {
    grep -o 'build/[a-zA-Z0-9_.-]*[a-zA-Z0-9]' -- "$1" | sort -u |
        grep -vxE 'build/(cli|ecube|figures|fresh-debian|fuzz|mpicc.*|tests)' |
        while read -r name; do rm -rf "$top/$name" "$top/$name"-[0-9]*; done
}

# run_file FILE
run_file() {
    clean_up_for "$1"
    begin='' end='' roff=0
    case $1 in
    *.md) begin="^ *\`\`\`console$long[ \t]*\$" end='^```' ;;
    *.1) begin='^[.]EX$' end='^[.]EE$' roff=1 ;;
    esac
    awk -v work="$work" -v begin="$begin" -v end="$end" -v roff=$roff -v short=$short "$extract" "$1" || : >"$work/cases"
    if [ ! -s "$work/cases" ] && { [ $short = 0 ] || ! grep -qE '^( *```console long|# long: )' -- "$1"; }; then
        echo "$1: has no command to run"
        failed=$((failed + 1))
    fi
    i=0
    while IFS= read -r line <&3 && IFS= read -r command <&3; do
        i=$((i + 1))
        run_case "$1" "$line" "$command" "$work/expected.$i" 3<&-
    done 3<"$work/cases"
    rm -f "$work"/expected.*
    if [ -s "$work/edits" ]; then
        awk "$replace" "$work/edits" "$1" >"$work/file" && cat "$work/file" >"$1"
        : >"$work/edits"
    fi
}

case ${1--} in
-*)
    echo "usage: $0 [--bless] FILE..." >&2
    exit 1
    ;;
esac
for file; do
    run_file "$file"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
