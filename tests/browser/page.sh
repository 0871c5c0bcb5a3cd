#!/bin/sh
# page.sh: what `ecube report` writes, in a real browser: BROWSER, chromium or firefox. Pages and pictures go into
# build/browser/BROWSER. The last line is "N passed, N failed". `page.sh frames` measures instead how long frames take,
# and `page.sh picture` makes report.png, of which README has a copy with fewer colours.
set -u
out=build/browser/${BROWSER:=chromium}
work=$(pwd)/$out
here=tests/browser
passed=0
failed=0
rm -rf "$work"
mkdir -p "$work" || exit 1
. $here/driver.sh
trap browser_stop EXIT
trap 'exit 1' HUP INT TERM
browser_start "$work" || { echo "the browser does not start"; cat "$work/browser.log"; exit 1; }

# same WHAT EXPECTED ACTUAL
same() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: expected:\n%s\nbut there is:\n%s\n' "$1" "$2" "$3"
    fi
}

# report NAME OPTION...: NAME.html
report() {
    name=$1
    shift
    ./ecube report "$@" -o "$out/$name.html" || exit 1
}

# run SCRIPT: its result in the page that is open
run() {
    cat $here/lib.js "$1" >"$work/script.js"
    browser_run "$work/script.js"
}

# open NAME
open() {
    browser_open "file://$work/$1.html" || same "$1 opens" yes no
}

# silent NAME: nothing was written to the console
silent() {
    same "$1: console" "[]" "$(browser_console)"
}

# picture NAME SHARE: NAME.png of the page that is open, at a share of its time
picture() {
    sed "s/AT/$2/" $here/instant.js >"$work/instant.js"
    run "$work/instant.js" >/dev/null
    browser_picture "$work/$1.png"
    same "$1: a picture" PNG "$(head -c 4 "$work/$1.png" | tail -c 3)"
}

alone="-s duplex=full -s pairwise_sync=false -s phase_barrier=false"
browser_size 1280 720
browser_media screen light

if [ "${1-}" = frames ]; then
    report direct -m ipsc860 -d 6 -a direct -b 32
    # shellcheck disable=SC2086 # words on purpose
    report two -m ipsc860 -d 6 -a direct,naive -b 32 $alone
    report packets -m ncube2 -d 6 --pattern broadcast -a nesbt -b 65536 --ports all --packet 1024
    report matrix -m ipsc860 -d 8 -a standard -b 32
    echo "page,playing,between,zooming,between,dragging,between"
    for name in direct two packets matrix; do open $name; echo "$name,$(run $here/frames.js)"; done
    exit
fi

if [ "${1-}" = picture ]; then
    # shellcheck disable=SC2086 # words on purpose
    report two -m ipsc860 -d 5 -a naive,direct -b 200 $alone
    browser_size 1280 912
    open two
    run $here/picture.js
    browser_picture "$work/report.png"
    exit
fi

# counts NAME OPTION...: NAME.html; what is counted in it is what the record says
counts() {
    report "$@"
    shift
    expected=$(./ecube run "$@" --format json | tr -d '{}" ' | awk -F, '/simulated_us/ {
        for (i = 1; i <= NF; i++) { split($i, pair, ":"); is[pair[1]] = pair[2] }
        time = is["simulated_us"]
        print is["messages"] "," is["blocked_messages"] "," is["blocked_us"] "," time "," time }')
    open "$name"
    same "$name: counts" "$expected" "$(run $here/counts.js)"
    silent "$name"
}

report mesh -m touchstone -n 4x4 -a direct -b 64
report planes -m touchstone -n 3x4x2 -s order=snake -a scheduled -b 64
open mesh
same mesh "4x4, 240 routes, 0 wrong, 48 channels, of 2 lengths" "$(run $here/mesh.js)"
picture mesh 0.3
silent mesh
open planes
same planes "3x4x2, 552 routes, 0 wrong, 92 channels, of 3 lengths" "$(run $here/mesh.js)"
silent planes

counts scenario scenarios/naive-against-direct.ini -s duplex=full
same form "fits true
true" "$(run $here/form.js)"
same answer "$(cat $here/answer.txt)" "$(run $here/answer.js)"
for shade in light dark; do
    browser_media screen $shade
    open scenario
    same "reader, $shade" "$(cat $here/reader.txt)" "$(run $here/reader.js)"
done
browser_media screen light
open scenario
same pair "$(cat $here/pair.txt)" "$(run $here/pair.js)"
# shellcheck disable=SC2046 # two numbers
browser_press $(run $here/held.js) 700
same "pressed while it plays" "playing true, chosen true" "$(run $here/chosen.js)"
silent scenario
same stage "$(cat $here/stage.txt)" "$(open scenario && run $here/stage.js)"
browser_open about:blank
browser_open "file://$work/scenario.html#t=1234.5&run=0&beside=2&select=channel-24-16"
same "a link" '1234.500000 0,2 {"from":24,"to":16} 1234.500 µs' "$(run $here/link.js)"
silent scenario
for share in 0.1 0.4 0.9; do picture scenario-$share $share; done
same "pictures differ" 3 "$(for file in "$work"/scenario-*.png; do cksum <"$file"; done | sort -u | wc -l)"

report lecture -m ipsc860 -d 5 -a naive,direct -b 200 -s pairwise_sync=false -s phase_barrier=false
for part in story race predict; do
    open lecture
    same $part "$(cat $here/$part.txt)" "$(run $here/$part.js)"
done
silent lecture
report compromise -m ipsc860 -d 6 -a multiphase,direct -p 3,3 -b 32
browser_open "file://$work/compromise.html#t=4000&run=0&beside=1&select=block-5-58"
same "a block of the lecture" "$(cat $here/followed.txt)" "$(run $here/followed.js)"
silent compromise
report growing -m ipsc860 -d 4 -a naive,multiphase,standard,direct -p 2,2 -b 8,64,512
open growing
same arrivals "$(cat $here/arrivals.txt)" "$(run $here/arrivals.js)"
silent growing
report crossing -m ipsc860 -d 6 -a standard,multiphase,direct -p "3,3;2,2,2" -b 4,64,512
open crossing
same sizes "$(cat $here/sizes.txt)" "$(run $here/sizes.js)"
same calm "$(cat $here/calm.txt)" "$(run $here/calm.js)"
silent crossing

# A case worked by hand.
# shellcheck disable=SC2086 # words on purpose
report chain -m ipsc860 -d 2 -a naive -b 1000 $alone
open chain
same chain "$(cat $here/chain.txt)" "$(run $here/chain.js)"
same steps "$(cat $here/steps.txt)" "$(run $here/steps.js)"
silent chain
browser_scripts false
open chain
same "no script" "$(cat $here/static.txt)" "$(run $here/static.js)"
browser_scripts true

# facts NAME OPTION...: what the page says at many instants is what the trace says.
facts() {
    report "$@"
    name=$1
    shift
    ./ecube run "$@" --trace "$out/$name.csv" >"$work/run.txt" || exit 1
    { printf 'const csv = `'; cat "$out/$name.csv"; echo '`;'; cat $here/facts.js; } >"$work/facts.js"
    open "$name"
    same "$name: the trace" "differences: 0" "$(run "$work/facts.js")"
}

# Full duplex, handshakes, several ports, overlapped start-ups, packets that are forwarded, and synchronized duplex.
# shellcheck disable=SC2086 # words on purpose
{
    facts circuits -m ipsc860 -d 3 -a naive -b 100 $alone
    facts handshakes -m ipsc860 -d 3 -a multiphase -p 1,2 -b 1
    facts all-ports -m ncube2 -d 3 --pattern broadcast -a nesbt -b 1024 --ports all --packet 256
    facts gap -m ipsc860 -d 3 -a linear -b 100 -s gap=30 $alone
    facts forwarded -m ipsc1 -d 3 -a naive -b 2048
    facts together -m ipsc860 -d 2 -a naive -b 100 -s pairwise_sync=false
    facts arithmetic -m ipsc2 -d 2 --pattern matmul -a cannon --shape 8x8x8 -s flop=1 --overlap true
}

# Processors that are no cube, and such without channels.
# shellcheck disable=SC2086 # words on purpose
{
    counts circle -m ipsc860 -n 12 -a direct,multiphase -p 2,2,3 -b 100 -s topology=crossbar
    same circle "fits true
true" "$(run $here/form.js)"
    counts crossbar -m ipsc860 -d 3 -a naive -b 100 -s topology=crossbar
    facts ports-only -m ipsc860 -d 3 -a naive -b 100 -s topology=crossbar $alone
    same "drawn as it is" "8 3 -> 5" "$(run $here/circle.js)"
}

report kept -m bokhari1993 -s rho=0 -s topology=crossbar -s reconfigure=1000 -n 9 -b 14 -a offsets,direct --offsets 1x8
open kept
same kept "offsets 1x8: 9000; direct: 72000
key true" "$(run $here/kept.js)"
silent kept

# Which blocks of matrices are where.
report blocks -m ipsc860 -d 4 --pattern matmul -a cannon,dekel,outer,a1,a2,a3,a3b,a4,a5 --shape 16x16x16 --grid 4x4 \
    -s flop=1
open blocks
same blocks "$(cat $here/blocks.txt)" "$(run $here/blocks.js)"
silent blocks

report phases -m ipsc860 -d 3 -a multiphase,naive -p 1,2 -b 1
open phases
same phases "$(cat $here/phase.txt)" "$(run $here/phase.js)"

report trees -m ncube2 -d 4 --pattern broadcast -a nesbt -b 4096 --ports all --packet 256
open trees
same trees "$(cat $here/trees.txt)" "$(run $here/trees.js)"
silent trees

# heat NAME OPTION...: the heat maps and the diagram.
heat() {
    report "$@"
    name=$1
    shift
    { printf 'const explained = `'; ./ecube run "$@" --explain; echo '`;'; cat $here/heat.js; } >"$work/heat.js"
    open "$name"
    same "$name: heat maps and diagram" "differences: " "$(run "$work/heat.js")"
    silent "$name"
}

# Waits between larger boxes, at intermediate processors, at both ends of a message, of many processors in a row, and too
# many to play.
# shellcheck disable=SC2086 # words on purpose
heat short -m ipsc860 -d 2 -a naive -b 1000 $alone
heat queues -m ipsc860 -d 4 -a naive -b 200 -s switching=store-and-forward -s duplex=full
heat ends -m ipsc860 -d 3 -a naive -b 8 -s duplex=half
heat grouped -m ipsc860 -d 7 -a naive -b 32
heat many -m ipsc860 -d 8 -a naive -b 32
# shellcheck disable=SC2086 # words on purpose
heat hundred -m ipsc860 -n 100 -a naive -b 100 -s topology=crossbar $alone

# A run that the clock cannot count, beside one that it can.
# shellcheck disable=SC2086 # words on purpose
./ecube report -m ipsc860 -d 3 -a direct,naive -b 1200000 -s tau=1000 $alone \
    -o $out/overflow.html 2>"$work/overflow.txt"
open overflow
same overflow "1 of 2 runs failed. Of the others: direct takes 8400.0 s, as if no message ever met another.
true" "$(run $here/failed.js)"

# Titles and paths are text, whatever is in them.
odd="$out/it's <b>.ini"
printf '[machine]\ntitle = </script><img src=x onerror=alert(1)>\nlambda = 1\ntau = 1\n' >"$odd"
report odd -m "$odd" -d 1 -a direct -b 1
open odd
title="Complete exchange on $odd (</script><img src=x onerror=alert(1)>), d = 1: 2 processors, 1 byte: direct"
same title "$title
$title
ecube report -m '$(echo "$odd" | sed "s/'/'\\\\''/")' -d 1 -a direct -b 1 -o $out/odd.html
0 2" "$(run $here/title.js)"
silent odd

# Runs of every kind: none, one or two messages, other switching, broadcasts, arithmetic, a matrix of channels, too many
# intervals, and what failed.
report none -m ipsc860 -d 0 -a standard -b 8
report one -m ipsc860 -d 1 --pattern broadcast -a sbt -b 8
report two -m ipsc860 -d 1 -a standard,direct -b 8
report packets -m ipsc1 -d 3 -a naive,direct -b 2048
report handshakes -m ipsc860 -d 3 -a direct -b 8
report half -m ipsc860 -d 3 -a naive -b 8 -s duplex=half
report synchronized -m ipsc860 -d 3 -a naive -b 8 -s pairwise_sync=false
report ports -m ncube2 -d 4 --pattern broadcast -a nesbt -b 4096 --ports all --packet 256
report skew -m ipsc860 -d 4 -a naive -b 32 -s start_skew=500
report six -m ipsc860 -d 6 -a multiphase -p 3,3 -b 8
report arithmetic -m ipsc2 -d 4 --pattern matmul -a a1 --shape 32x32x32 -s flop=1
report matrix -m ipsc860 -d 7 -a naive -b 32
report large -m ipsc860 -d 8 -a naive -b 32
sed 's/^"simulated": [0-9]*,$/"fault": "The run cannot finish: 3 awaits 5.",/' "$work/half.html" >"$work/failed.html"
for name in none one two packets handshakes half synchronized ports skew six arithmetic matrix large failed; do
    open $name
    for size in "1280 720" "390 800" "1920 1080"; do
        # shellcheck disable=SC2086 # two numbers
        browser_size $size
        same "$name at $size" "fits true" "$(run $here/form.js | grep -vx true)"
    done
    silent $name
done

# The page of a sweep.
./ecube sweep -m ipsc860 -d 3 -a standard,direct -b 0:400:100 -o $out/sweep.csv 2>/dev/null || exit 1
report sheet $out/sweep.csv
open sheet
for size in "390 800" "1280 720"; do
    # shellcheck disable=SC2086 # two numbers
    browser_size $size
    same "sheet at $size" "fits true" "$(run $here/form.js)"
done
silent sheet

# Every algorithm of every pattern: with one port, with all, and forwarding packets.
./ecube list patterns | sed -n 's/^\([a-z-]\{1,\}\)  .*/\1/p; s/^ *algorithms: //p' | paste -d ' ' - - >"$work/patterns"
while read -r pattern algorithms; do
    all=$(echo "$algorithms" | sed 's/ scheduled//' | tr ' ' ,)    # which needs a mesh
    case $pattern in
        neighbour-exchange) options="-d 3 -b 96" ;;
        complete-exchange) options="-d 3 -b 96 -p 1,2 --offsets k=4" ;;
        all-broadcast | reduce-scatter | allreduce) options="-d 3 -b 96 -p 1,2 --accumulate 1" ;;
        permutation) options="-d 3 -b 96 --permutation bit-reversal" ;;
        matmul) options="-d 2 --shape 8x8x8" ;;
        transposition | fft | adi) options="-d 3 -b 128 -p 1,2" ;;
        *) options="-d 3 -b 96 -p 1,2" ;;
    esac
    one=$(echo "$all" | sed "s/,circuits//") all=$(echo "$all" | sed "s/,a1-short//")    # for all ports; for one
    [ "$pattern" != permutation ] || one=$(echo "$all" | sed "s/,[^,]*-in-turn//g; s/,a5,a6,a6-a1a//; s/,dpt//")
    # shellcheck disable=SC2086 # words on purpose
    {
        counts "$pattern-one" -m ipsc860 --pattern "$pattern" -a "$one" $options
        counts "$pattern-all" -m ncube2 --ports all --packet 64 --pattern "$pattern" -a "$all" $options
        counts "$pattern-forwarded" -m ipsc1 --packet 64 --pattern "$pattern" -a "$one" $options
    }
done <"$work/patterns"

# What people see: dark, on a phone, on paper.
browser_size 1280 720
browser_media screen dark
open scenario
picture dark 0.4
browser_size 390 800
picture phone 0.4
browser_size 718 1040
browser_media print dark
picture paper 0.4
same "two pages of paper" 2 "$(browser_pages)"
run $here/picture.js >/dev/null
same "two pages of paper, with a chain of waits" 2 "$(browser_pages)"
silent looks
echo "$passed passed, $failed failed"
[ $failed = 0 ]
