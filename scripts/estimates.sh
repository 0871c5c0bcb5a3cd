#!/bin/sh
# What ecube expects runs to take of memory, against what they take: an expectation is to be no less, and at most three
# times as much and 30 MB more. Prints a table; exit code 1 if one is wrong.
set -eu
export LC_ALL=C.UTF-8

# Options of ecube run, a run each, of all kinds; sizes chosen so that most take more than the 30 MB.
runs='
-d 0 -m ipsc860 -a direct -b 1000
-d 3 -m ipsc860 -a multiphase -p 1,2 -b 1000
-d 10 -m ipsc860 -a direct -b 1
-d 12 -m ipsc860 -a standard -b 100
-d 12 -m ipsc860 -a multiphase -p 6,6 -b 100
-n 1500 -m bokhari1993 -s topology=crossbar -a direct -b 100
-d 9 -m ipsc860 -a naive -b 100
-d 9 -m ipsc860 -a naive -b 100 -s duplex=half
-d 9 -m ipsc860 -a reversed -b 100
-d 9 -m bokhari1993 -a naive -b 100 -s start_skew=100000
-d 8 -m ipsc860 -s duplex=full -a linear -b 64 -s gap=1 -s packet=4
-d 8 -m ipsc860 -s duplex=full -a linear -b 64 -s gap=8 -s packet=4
-d 8 -m ipsc860 -s duplex=full -a multiphase-linear -p 4,4 -b 64 -s gap=4 -s packet=16
-d 7 -m ipsc1 -a naive -b 65536
-d 7 -m ipsc1 -a reversed -b 65536
-d 7 -m ipsc1 -a direct -b 65536
-d 7 -m ipsc1 -a multiphase -p 3,4 -b 65536
-d 5 -m ipsc1 -a naive -b 1000000
-d 8 -m ipsc860 -s duplex=full -a naive -b 1000 --packet 100 -s switching=store-and-forward --ports all
-d 8 -m ipsc860 -s duplex=full -a naive -b 1500 --packet 100 -s switching=store-and-forward -s lambda=0
-d 9 -m ipsc860 -a reversed -b 300 --packet 100 -s duplex=half
-d 7 -m ipsc860 -s duplex=full -a direct -b 100 -s switching=fluid
-d 7 -m ipsc860 -s duplex=full -a naive -b 100 -s switching=fluid --ports all
-d 9 -m johnsson1987 -a sbt -b 90
-d 10 -m johnsson1987 -a nrsbt -b 100
-d 10 -m johnsson1987 -a nrsbt -b 100 --ports all
-d 11 -m johnsson1987 -a sbnt -b 110 --ports all
-d 10 -m johnsson1987 -a sbnt -b 100
-d 8 -m johnsson1987 --pattern broadcast -a gc -b 100000 --packet 10
-d 2 -m johnsson1987 --pattern broadcast -a nesbt -b 1000000 --packet 1 --ports all
-d 8 -m johnsson1987 --pattern reduction -a nesbt -b 20000 --packet 10 -s start_skew=1000
-d 15 -m johnsson1987 --pattern broadcast -a sbt -b 8
-d 10 -m johnsson1987 --pattern all-broadcast -a sbt -b 100
-d 10 -m johnsson1987 --pattern all-broadcast -a sbnt -b 100 --ports all
-d 10 -m johnsson1987 --pattern all-broadcast -a nrsbt -b 100 --ports all
-d 10 -m johnsson1987 --pattern all-broadcast -a cra -b 100
-d 9 -m johnsson1987 --pattern all-broadcast -a hybrid --accumulate 4 -b 9
-d 9 -m johnsson1987 --pattern reduce-scatter -a gcea -b 90 --ports all
-d 10 -m johnsson1987 --pattern allreduce -a sbt -b 102400
-d 9 -m johnsson1987 --pattern allreduce -a gcea -b 500 --ports all
-d 10 -m johnsson1987 --pattern scatter -a nrsbt -b 100 --ports all
-d 10 -m johnsson1987 --pattern gather -a sbt -b 100
-d 12 -m ipsc860 --pattern permutation --permutation bit-reversal -a a1 -b 1000
-d 10 -m ipsc860 --pattern permutation --permutation bit-reversal -a a3 -b 100000
-d 9 -m ncube2 --pattern permutation --cycles 0,1,2,3/4,5,6/7,8 -a a2 -b 1872000
-d 9 -m ncube2 --pattern permutation --cycles 0,1,2,3/4,5,6/7,8 -a a3 -b 18720
-d 9 -m ncube2 --pattern permutation --cycles 0,1,2,3/4,5,6/7,8 -a a5 -b 18720
-d 9 -m ncube2 --pattern permutation --cycles 0,1,2,3/4,5,6/7,8 -a a6 -b 18720
-d 8 -m ncube2 --pattern permutation --permutation bit-reversal -a a4 -b 100000 --packet 100
-d 10 -m ipsc860 --pattern permutation --permutation shuffle -a router -b 10000
-d 10 -m ipsc860 -s duplex=full --pattern permutation --permutation shuffle -a router -b 999 --packet 9 -s switching=store-and-forward
-d 10 -m ncube2 --pattern permutation --permutation transpose -a dpt -b 10000
-d 8 -m ipsc860 --pattern permutation --permutation transpose --idle 2 -a a1 -b 1000
-d 10 -m johnsson1987 --pattern matmul --shape 1024x1024x1024 -a a1
-d 8 -m johnsson1987 --pattern matmul --shape 512x512x512 -a a4 --grid column
-d 8 -m johnsson1987 --pattern matmul --shape 512x512x512 -a a3b --grid 64x4
-d 8 -m johnsson1987 --pattern matmul --shape 512x512x512 -a a2 --ports all --packet 64
-d 8 -m johnsson1987 --pattern matmul --shape 512x512x512 -a outer --repeat 5 --overlap true
-d 10 -m johnsson1987 --pattern matmul --shape 100x200x300 -a a1 --grid column --ports all
-d 6 -m johnsson1987 --pattern matmul --shape 4000x1x4000 -a a4 --grid column
-d 4 -m johnsson1987 --pattern matmul --shape 2048x64x2048 -a a2 --overlap true
-d 12 -m johnsson1987 --pattern matmul --shape 256x256x256 -a cannon
-d 8 -m johnsson1987 --pattern matmul --shape 256x256x256 -a a2 --packet 64 -s flop=1 --explain
-d 8 -m ipsc860 -a direct -b 1 --trace TRACE.csv
-d 7 -m ipsc860 -a naive -b 3000 --packet 300 --trace TRACE.json
-d 7 -m ipsc1 -a direct -b 4096 --trace TRACE.paje
-d 12 -m ipsc860 -a standard -b 1 --explain
-d 8 -m ipsc860 -a reversed -b 1 --explain
'

new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM

# judge OPTIONS: a line of the table from the one that --memory ends with, "memory of RUN: 35 MB, estimated 40 MB".
judge() {
    tail -n 1 "$new/table" | awk -v options="$1" '
        function mb(number, unit) { return unit ~ /^GB/ ? number * 1000 : number }
        sub(/^memory of .*: /, "") && sub(/, estimated/, "") {
            taken = mb($1, $2); estimated = mb($3, $4); told = 1
            wrong = estimated < taken || estimated > 3 * taken + 30
            printf "%9d  %9d  %5.2f  %s%s\n", estimated, taken, estimated / taken, options, wrong ? "  WRONG" : "" }
        END { if (!told) print "no result: " options; exit !told || wrong }'
}

printf '%9s  %9s  %5s  %s\n' estimated "taken, MB" ratio "ecube run ..."
echo "$runs" | while read -r options; do
    [ -n "$options" ] || continue
    # shellcheck disable=SC2046 # words on purpose
    ./ecube run $(echo "$options" | sed "s#TRACE#$new/trace#") --memory >"$new/table" ||
        echo "exit code $?" >"$new/table"
    judge "$options" || echo "$options" >>"$new/wrong"
    rm -f "$new"/trace*
done

# What else takes memory says what it needs when it is refused, and uses what there is: it runs with that much.
others='
export -m ipsc860 -d 3 -a direct -b 8
export -m ipsc860 -d 10 -a direct -b 8
export -m ipsc860 -d 12 -a standard -b 8
export -m johnsson1987 -d 12 --pattern all-broadcast -a sbnt --ports all
export -m johnsson1987 -d 10 --pattern matmul --shape 1024x1024x1024 -a a1
export -m ipsc860 -d 10 --pattern permutation --permutation bit-reversal -a a3
export -f goal -m ipsc860 -d 3 -a direct -b 8
export -f goal -m ipsc860 -d 9 -a direct -b 8
export -f goal -m ipsc860 -d 9 -a naive -b 100
export -f goal -m ipsc860 -d 12 -a standard -b 100
export -f goal -m johnsson1987 -d 12 --pattern broadcast -a sbt -b 1000000
export -f goal -m johnsson1987 -d 8 --pattern broadcast -a gc -b 100000 --packet 10
export -f goal -m johnsson1987 -d 9 -a sbnt -b 110 --ports all
export -f goal -m johnsson1987 -d 14 --pattern broadcast -a nesbt -b 10000 --ports all
export -f goal -m johnsson1987 -d 8 --pattern matmul --shape 256x256x256 -a a1
export -f ti -m ipsc860 -d 3 -a direct -b 8 -s duplex=full
export -f ti -m ipsc860 -d 9 -a direct -b 8 -s duplex=full
export -f ti -m ipsc860 -d 1 -a direct -b 400000 --packet 1 -s duplex=full
export -f ti -m ipsc860 -d 12 -a standard -b 100 -s duplex=full
export -f ti -m ipsc860 -d 14 --pattern broadcast -a sbt -b 100 -s duplex=full
report -m ipsc860 -d 3 -a naive,direct -b 100
report -m ipsc860 -d 9 -a direct -b 1
report -m ipsc860 -d 9 -a naive -b 100
report -m ipsc1 -d 7 -a direct -b 4096
report -m ipsc860 -d 12 -a standard -b 1
report -m ipsc860 -d 8 -a direct,naive,standard -b 1:100:20
fit -m ipsc860 TIMES.csv
fit -m ipsc860 TIMES.osu
'

cat >"$new/peak.c" <<'END'
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* peak COMMAND ...: runs it; its exit code, and its memory, or that of its largest process, in MB. */
int main(int argc, char **argv)
{
    struct rusage usage;
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stdout))
            _exit(126);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    wait(&status);
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("%d %ld\n", status, usage.ru_maxrss * 1024 / 1000000);
    return argc < 2;
}
END
${CC:-cc} -o "$new/peak" "$new/peak.c"

# Measured times in two formats.
{ echo dimension,algorithm,bytes,median_us; seq 20000 | awk '{ print "6,direct," $1 "," 16000 + 25 * $1 }'; } >"$new/times.csv"
{ echo '# OSU MPI Latency Test v7.3'; echo '# Size          Latency (us)'
  seq 20000 | awk '{ print $1, 16000 + 25 * $1 }'; } >"$new/times.osu"

# within LIMIT WORDS: runs ecube in LIMIT kB; "CODE MB" as of peak, and what it says into a file.
within() (
    ulimit -v "$1"
    shift
    "$new/peak" ./ecube "$@" -o /dev/null 2>"$new/said"
)

# lacking: of what was said, "NEEDED LACKING" in MB; nothing if it was not refused.
lacking() {
    awk 'function mb(number, unit) { return unit ~ /^GB/ ? number * 1000 + 50 : number }
         sub(/.* needs? about /, "") { print mb($1, $2), mb($1, $2) - mb($5, $6) + 1; exit }' "$new/said"
}

# judge_other WORDS: a line of the table. What it says when it is refused is what it is given.
judge_other() {
    limit=10000 needed=0    # too little for the libraries, at first
    while result=$(within $limit "$@") && more=$(lacking) && { [ -n "$more" ] || [ $needed = 0 ] || grep -qE 'cannot be loaded|bad_alloc' "$new/said"; }; do
        [ -z "$more" ] || needed=${more% *}
        more=${more#* }
        limit=$((limit + ${more:-5} * 1000))
        [ $limit -lt 10000000 ] || break
    done
    echo "$needed $result" | awk -v words="$*" '{
        wrong = $2 != 0 || $1 < $3 || $1 > 3 * ($3 + 30) + 30   # 30 MB: SimGrid, which most of these do not load
        printf "%9d  %9d  %5.2f  %s%s\n", $1, $3, $1 / $3, words, wrong ? "  WRONG" : ""
        exit wrong }' || { cat "$new/said"; return 1; }
}

printf '%9s  %9s  %5s  %s\n' estimated "taken, MB" ratio "ecube ..."
echo "$others" | sed "s#TIMES#$new/times#" | while read -r words; do
    # shellcheck disable=SC2086 # words on purpose
    [ -z "$words" ] || judge_other $words || echo "$words" >>"$new/wrong"
done
[ ! -e "$new/wrong" ] || { echo "$(wc -l <"$new/wrong") estimates are wrong"; exit 1; }
