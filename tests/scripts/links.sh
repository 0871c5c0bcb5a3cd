#!/bin/sh
# links.sh PAGE...: whether the links of Markdown pages lead anywhere: to a file, and to a heading of a page where one is
# named. Links to other sites and what stands in blocks of code are left alone. In a list of what to read (a row of a table
# with a number, a file and a function of it) file and function must be there. Prints every link that leads nowhere with its
# place; exit code 1 if there is one.
set -eu

# Prints LINE TARGET for every link of a page.
targets='
/^ *```/ { code = !code }
code { next }
{ gsub(/`[^`]*`/, "") }
{
    while (match($0, /\]\([^)]*\)/)) {
        print NR, substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
    }
}
'

# Prints LINE FILE FUNCTION for every row of a list of what to read.
readings='
!/^\| [0-9]+ \| `/ { next }
{ split($0, cells, /[` |()]+/); print NR, cells[3], cells[4] }
'

# Prints the name by which a link knows each heading of a page.
headings='
/^ *```/ { code = !code }
!code && sub(/^#+ +/, "") { $0 = tolower($0); gsub(/[^a-z0-9 _-]/, ""); gsub(/ /, "-"); print }
'

# leads FOLDER TARGET PAGE
leads() {
    case $2 in
    http://* | https://*) return 0 ;;
    \#*) file=$3 ;;
    *) file=$1/${2%%#*} ;;
    esac
    [ -e "$file" ] || return 1
    case $2 in *\#*) awk "$headings" "$file" | grep -qxF -e "${2#*#}" ;; esac
}

work=$(mktemp)
trap 'rm -f "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
for page; do
    awk "$targets" "$page" >"$work"
    while read -r line target; do
        leads "$(dirname "$page")" "$target" "$page" || { echo "$page:$line: a link leads nowhere: $target"; failed=1; }
    done <"$work"
    : >"$work"
    [ -z "$(find "$(dirname "$page")" -name '*.c')" ] || awk "$readings" "$page" >"$work"     # not where it is installed
    while read -r line file function; do
        grep -qsE "^[a-zA-Z].*[ *]$function\(" "$(dirname "$page")/$file" ||
            { echo "$page:$line: there is no $function() in $file"; failed=1; }
    done <"$work"
done
exit $failed
