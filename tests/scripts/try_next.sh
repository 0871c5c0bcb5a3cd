#!/bin/sh
# try_next.sh PAGE: runs the commands that a Markdown page says to try next, as they stand there: everything in backquotes
# behind "*Try next*", up to the end of the paragraph. ./ecube is that of the tree, in an empty folder; `man` has its page.
# Prints how many commands ran. Exit code 1, with what it printed, if one fails, or if a "*Try next*" has none.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

awk 'BEGIN { RS = "" }
{ gsub(/\n/, " ") }
/\*Try next\*/ {
    n_hints = split($0, hint, /\*Try next\*/)
    for (h = 2; h <= n_hints; h++) {
        n = split(hint[h], part, "`")
        if (n < 3) print "false    # no command" hint[h]
        for (i = 2; i <= n; i += 2) print part[i]
    }
}' "$1" >"$work/commands"
mkdir -p "$work/man/man1" "$work/here"
cp "$top/sim/commands/ecube.1" "$work/man/man1"
ln -s "$top/ecube" "$work/here/ecube"
cd "$work/here" || exit 1
while read -r command; do
    case $command in man\ *) command -v man >/dev/null || continue ;; esac
    MANPATH=$work/man sh -c -- "$command" >"$work/got" 2>&1 </dev/null || { echo "fails: $command"; cat "$work/got"; exit 1; }
done <"$work/commands"
echo "$(wc -l <"$work/commands") commands"
