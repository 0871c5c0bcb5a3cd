#!/bin/sh
# scenarios.sh FOLDER: a picture of every scenario, NAME.svg, and index.html, which shows them all, with a sentence and the
# commands that draw it. The sentence is that of `ecube list scenarios`.
set -eu
to=$1
mkdir -p "$to"

escaped() {
    sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}

# entry NAME SENTENCE COMMAND...
entry() {
    printf '<figure id="%s"><a href="%s.svg"><img src="%s.svg" alt="%s, drawn"></a>\n<figcaption><h3>%s</h3><p>%s</p>\n' \
        "$1" "$1" "$1" "$1" "$1" "$(echo "$2" | escaped)"
    shift 2
    for command; do
        printf '<code>%s</code>\n' "$(echo "$command" | escaped)"
    done
    echo '</figcaption></figure>'
}

# sweep NAME SENTENCE OPTIONS HOW: drawn by ecube plot
sweep() {
    # shellcheck disable=SC2086 # words on purpose
    { ./ecube sweep "scenarios/$1.ini" $3 -o "$to/$1.csv"; ./ecube plot "$to/$1.csv" $4 -o "$to/$1.svg"; } >&2
    entry "$1" "$2" "ecube sweep $1${3:+ $3} -o $1.csv" "ecube plot $1.csv${4:+ $4} -o $1.svg"
}

# bars NAME SENTENCE OPTIONS: runs that have one size
bars() {
    # shellcheck disable=SC2086 # words on purpose
    ./ecube run "scenarios/$1.ini" $3 --format csv | sed ':next; s/\("[^",]*\),\([^"]*"\)/\1 \2/; t next; s/"//g' |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            { name = $column["algorithm"] " " $column["partition"]; printf "%s,%.9g\n", name, $column["simulated_us"] / 1000 }' |
        sort -t, -k 2g | sed '1i name,ms' >"$to/$1.csv"
    # shellcheck disable=SC2086 # words on purpose
    gnuplot -d -c scripts/figures/times.gp "$to" svg "$1" "$(./ecube run "scenarios/$1.ini" $3 | sed -n '1s/[:(].*//p')"
    entry "$1" "$2" "ecube run $1${3:+ $3}"
}

# all NAMES...: their entries. Of scenarios with several machines, dimensions or shapes one is drawn.
all() {
    for name; do
        sentence=$(./ecube list scenarios | sed -n "s/^$name  *//p" | sed 's/^For `\{0,1\}ecube [a-z]*`\{0,1\}: //; s/./\U&/')
        case $name in
        broadcast | ipsc1-fft | ipsc1-transposition | one-radix) bars "$name" "$sentence" "" ;;
        matmul | matmul-3d) bars "$name" "$sentence" "--shape 256x256x256" ;;
        adi | fft | transposition) sweep "$name" "$sentence" "-d 6" "--log xy" ;;
        all-broadcast-hybrid) sweep "$name" "$sentence" "" "--x accumulate" ;;
        matmul-overlap) sweep "$name" "$sentence" "" "--x repeat" ;;
        broadcast-packets) sweep "$name" "$sentence" "" "--x packet --log xy" ;;
        ho1988-figures6-7) sweep "$name" "$sentence" "-m ipsc1 -b 1024" "" ;;
        ho1988-*) sweep "$name" "$sentence" "-m ipsc1" "--log xy" ;;
        router-contention) sweep "$name" "$sentence" "-m ipsc860 --permutation bit-reversal" "--log y" ;;
        sweep-startup) sweep "$name" "$sentence" "-m ipsc860 -d 6 -b 16" "--x lambda --log x" ;;
        *-ports | all-broadcast-phases | bokhari1990-contention | compare-ipsc860 | local-memory | overlapped-startups | \
            nodes | gathering | idle | mesh-cube | three-pieces)
            sweep "$name" "$sentence" "" "--log xy" ;;
        *) sweep "$name" "$sentence" "" "" ;;
        esac
    done
}

# of_pattern PATTERN: the names of its scenarios
of_pattern() {
    for file in scenarios/*.ini; do
        pattern=$(sed -n 's/^pattern *= *//p' "$file")
        [ "${pattern:-complete-exchange}" != "$1" ] || basename "$file" .ini
    done
}

# By patterns, in the order of `ecube list patterns`.
entries() {
    ./ecube list patterns | sed -n 's/^\([a-z-]\{1,\}\)  *\(.*\)/\1 \2/p' | while read -r name what; do
        names=$(of_pattern "$name")
        [ -n "$names" ] || continue
        printf '<h2>%s</h2><p>%s</p><section>\n' "$name" "$(echo "$what" | escaped | sed 's/./\U&/')"
        # shellcheck disable=SC2086 # words on purpose
        all $names
        echo '</section>'
    done
}

{
    cat <<'END'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The scenarios of ecube</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, "DejaVu Sans", sans-serif; margin: 0 auto; padding: 12px 18px; max-width: 2000px; }
section { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(900px, 100%), 1fr)); gap: 20px; }
figure { margin: 0; break-inside: avoid; overflow-x: auto; } h3 { font-size: 16px; margin: 4px 0 0; } p { margin: 2px 0 8px; }
img { box-sizing: border-box; width: 100%; min-width: 900px; background: white; border: 1px solid #999; }
code { display: block; font: 12px "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
</style></head><body><h1>The scenarios of ecube</h1>
<p>Each is a file in scenarios/. The commands draw it, or print its times.</p>
END
    entries
    echo '</body></html>'
} >"$to/index.html"
