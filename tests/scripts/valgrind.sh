#!/bin/sh
# Runs the program under valgrind: every algorithm, verification, a platform, and errors; only two of these without
# ECUBE_TESTS=all, because valgrind takes seconds to load it. SimGrid's actors are threads here, because valgrind can't follow hand-made
# stacks. An error anywhere, also in the process of a run, fails. The last line is "N passed, N failed".
set -u
export ECUBE_CONTEXTS=thread
work=build/valgrind
passed=0
failed=0
rm -rf "$work"
mkdir -p "$work" || exit 1

check() {
    expected=$1
    shift
    code=0
    valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --suppressions=tests/scripts/simgrid.supp "$@" >/dev/null 2>"$work/log" || code=$?
    if [ "$code" = "$expected" ] && ! grep -q '^==' "$work/log"; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "exit code $code instead of $expected, or complaints: $*"
    cat "$work/log"
}

# sweep SHARD JOBS
sweep() {
    check 0 ./ecube sweep -m ipsc860 -d 1:2:1 -a multiphase -p all -b 1:4:x2 -j "$2" --shard "$1/2" -o "$work/$1.csv"
}

check 0 ./ecube run -m ipsc860 -d 3 -a standard,direct,multiphase,naive,reversed -p '1,2' -b 32 -f csv -o "$work/runs.csv"
check 0 ./ecube report -m ipsc860 -d 3 -a naive,direct -b 32 -o "$work/runs.html"
if [ "${ECUBE_TESTS-}" = all ]; then
    check 0 ./ecube run -m ipsc860 -d 4 -a standard,direct,multiphase,naive,reversed -p '2,2;1,3' -b 32 -f json
    check 0 ./ecube run -m ncube2 -d 3 -a naive,reversed -b 10,1000 -s packet=100
    check 0 ./ecube run -m ipsc2 -d 0 -a standard -b 1 -f csv
    check 0 ./ecube verify -d 5 -a multiphase,naive -p 2,3
    check 0 ./ecube platform ipsc860 -d 3
    check 0 ./ecube list machines
    check 0 ./ecube list scenarios
    check 0 ./ecube complete -- run --pattern broadcast -a sbt,
    check 0 ./ecube complete -- sweep crossover -s machine=ipsc1,
    printf '1024 1024 0.000008\n' >"$work/netpipe.txt"
    check 0 ./ecube fit "$work/netpipe.txt"
    check 2 ./ecube verify no-such-scenario
    check 2 ./ecube run -m ipsc86 -d 4 -a direct -b 32
    sweep 1 2
    sweep 2 1
    check 0 ./ecube merge "$work/2.csv" "$work/1.csv"
    check 2 ./ecube merge "$work/2.csv"
    ./ecube run -m ipsc860 -d 4 -a direct,multiphase -p '2,2;1,3' -b 0,32 -f csv -o "$work/plot.csv"
    check 0 ./ecube plot "$work/plot.csv" -y published_us,simulated_us
    check 2 ./ecube plot "$work/plot.csv" -y bytes
    check 2 ./ecube run -m ipsc860 -d 4 -a direct -b 99999999999999
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
