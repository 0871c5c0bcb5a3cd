#!/bin/sh
# Kills sweeps with kill -9, parent and children, starts them again, and compares what comes out with the file of a sweep
# that was left alone. Prints one line per check that holds; stops with exit code 1 at the first that does not. Nothing
# has a time limit: what waits for a sweep gives up when that sweep is over. A sweep that was over before this script
# came to kill it, as happens on a busy machine, is started again.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
pid=
trap 'kill -9 $pid 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

die() {
    echo "resume.sh: $1"
    exit 1
}

small="-m ipsc860,ncube2 -d 6,7 -a direct -b 0:190:10 --jobs 2"     # 80 points
large="-m ipsc860 -d 9 -a direct -b 1:4:1 --jobs 1"                 # 4 points of some tenths of a second

# start FILE OPTIONS: a sweep in the background, its number in $pid
start() {
    file=$1
    shift
    ./ecube sweep "$@" --output "$file" >"$work/said" 2>&1 &
    pid=$!
}

lines() { if [ -e "$1" ]; then wc -l <"$1"; else echo 0; fi; }
children() { cat "/proc/$pid/task/$pid/children" 2>/dev/null; }
without_wall() { sed 's/,\(true\|false\),[0-9.]*,/,\1,WALL,/' "$1"; }

# Whether process $1 still runs; one that is dead and not yet waited for does not.
runs() { [ -e "/proc/$1" ] && ! grep -q '^State:[[:space:]]*[ZX]' "/proc/$1/status" 2>/dev/null; }

# Stops process $1 in the middle of what it does; fails if it is over.
stop() {
    kill -STOP "$1" 2>/dev/null
    until grep -q '^State:[[:space:]]*T' "/proc/$1/status" 2>/dev/null; do runs "$1" || return 1; done
}

# Ends the sweep, and fails.
give_up() {
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    return 1
}

# wait_until COMMAND: tries the command until it holds; fails if the sweep is over and it does not
wait_until() {
    until "$@"; do
        runs "$pid" || return 1
        sleep 0.02
    done
}

has_lines() { [ "$(lines "$1")" -ge "$2" ]; }
all_gone() { for process; do ! runs "$process" || return 1; done; }

# attempt COMMAND: tries the command, which fails if a sweep was over too soon, up to 20 times
attempt() {
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        "$@" && return
    done
    die "$*: the sweep is always over too soon"
}

# --- killed three times ---

./ecube sweep $small --output "$work/whole.csv" || die "the reference sweep failed"
out=$work/out.csv

# kill_at LINES: starts the sweep and kills it when its journal has so many lines, the head included; at 20 children first
kill_at() {
    start "$out" $small
    { wait_until has_lines "$out.journal" "$1" && stop "$pid"; } || { give_up; return; }
    family=$(children)
    [ "$1" = 20 ] && kill -9 $family 2>/dev/null
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    until all_gone $family; do sleep 0.02; done     # a child that outlived its sweep for ever would be a hang
    [ -e "$out" ] && die "there is an output already"
    cp "$out.journal" "$work/journal.$1"
}

kill_three_times() {
    rm -f "$out" "$out.journal"
    kill_at 8 && kill_at 20 && kill_at 40
}

attempt kill_three_times
printf '17\ttorn' >>"$out.journal"
./ecube sweep $small --output "$out" 2>"$work/said" || die "the sweep that was continued failed: $(cat "$work/said")"
grep -q "out.csv.journal: .* of 80 points are finished already" "$work/said" || die "it did not say that it continues"
without_wall "$work/whole.csv" >"$work/expected"
without_wall "$out" | cmp -s - "$work/expected" || die "the file is not that of the uninterrupted sweep"
[ -e "$out.journal" ] && die "the journal is still there"
echo "killed three times: the file is that of an uninterrupted sweep"

# What was finished before a kill is in the file with the wall time it had then: it was not run again.
for goal in 8 20 40; do
    sed 1d "$work/journal.$goal" | awk -F '\t' 'NF == 4 { print $2 }' >"$work/rows"
    [ "$(lines "$work/rows")" -ge $((goal - 2)) ] || die "a journal has fewer entries than lines"
    [ "$(grep -cxFf "$work/rows" "$out")" = "$(lines "$work/rows")" ] || die "a finished point was run again"
done
[ -z "$(cut -f 1 "$work/journal.40" | sort | uniq -d)" ] || die "a point is twice in the journal"
echo "what was finished was not run again"

# --- a killed child ---

./ecube sweep $large --output "$work/whole.csv" --restart || die "the reference sweep failed"

# Stops the sweep after its first point, and a child in the middle of another.
stop_with_child() {
    rm -f "$work/one.csv" "$work/one.csv.journal"
    start "$work/one.csv" $large
    { wait_until has_lines "$work/one.csv.journal" 2 && stop "$pid"; } || { give_up; return; }
    child=$(echo $(children))       # without blanks
    { [ -n "$child" ] && stop "$child"; } || give_up
}

attempt stop_with_child
./ecube sweep $large --output "$work/one.csv" 2>"$work/second" && die "two sweeps write one output"
grep -q 'one.csv.journal: is in use: another sweep writes this output' "$work/second" || die "$(cat "$work/second")"
echo "two sweeps at once: the second is refused"
kill -9 $child
kill -CONT "$pid"
wait "$pid"
[ $? = 1 ] || die "a sweep with a failed point has to end with 1"
pid=
grep -q 'killed by signal 9' "$work/said" || die "it did not say what happened: $(cat "$work/said")"
[ "$(grep -c ',failed,' "$work/one.csv")" = 1 ] || die "there should be one failed point"
[ "$(grep -c ',true,' "$work/one.csv")" = 3 ] || die "the other points should be there"
./ecube sweep $large --output "$work/one.csv" 2>"$work/said" || die "the second attempt failed"
grep -q ': 3 of 4 points are finished already' "$work/said" || die "more than the failed point was run again"
without_wall "$work/whole.csv" >"$work/expected"
without_wall "$work/one.csv" | cmp -s - "$work/expected" || die "the failed point is not mended"
[ -e "$work/one.csv.journal" ] && die "the journal is still there"
echo "a killed child: its point fails alone, and the same command mends it"

# --- killed while the output is written ---

# The last point fails: the journal stays, and the same command does little but write the output once more.
last="-m ipsc860 -d 1 -a direct -b 1:100:1,1125899906842624 --jobs 1"
mkdir "$work/end"
./ecube sweep $last --output "$work/end/out.csv" 2>/dev/null
without_wall "$work/end/out.csv" >"$work/expected"
for delay in 0 0.01 0.02 0.03 0.04 0.05 0.06 0.07 0.08 0.09; do
    start "$work/end/out.csv" $last
    sleep $delay
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    without_wall "$work/end/out.csv" | cmp -s - "$work/expected" || die "the output is not whole after a kill"
done
pid=
./ecube sweep $last --output "$work/end/out.csv" 2>"$work/said"
[ $? = 1 ] || die "the sweep should end with 1: $(cat "$work/said")"
without_wall "$work/end/out.csv" | cmp -s - "$work/expected" || die "the output is another one"
[ "$(ls "$work/end" | tr '\n' ' ')" = "out.csv out.csv.journal " ] || die "left behind: $(ls "$work/end")"
echo "killed while the output is written: it is whole, and nothing is left behind"
