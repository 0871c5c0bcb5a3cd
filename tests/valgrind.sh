#!/bin/sh
# Runs the program under valgrind: every algorithm, verification, a platform, and an error. SimGrid's actors are threads
# here, because valgrind can't follow hand-made stacks. An error anywhere, also in the process of a run, fails.
set -eu
export ECUBE_CONTEXTS=thread
failed=0

check() {
    expected=$1
    shift
    code=0
    valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --suppressions=tests/simgrid.supp "$@" >/dev/null 2>build/valgrind.log || code=$?
    if [ "$code" != "$expected" ] || grep -q '^==' build/valgrind.log; then
        echo "valgrind: exit code $code instead of $expected, or complaints: $*" >&2
        cat build/valgrind.log >&2
        failed=1
    fi
}

check 0 ./ecube run -m ipsc860 -d 4 -a standard,direct,multiphase,naive,reversed -p '2,2;1,3' -b 32 -f json
check 0 ./ecube run -m ncube2 -d 3 -a naive,reversed -b 10,1000 -s packet=100
check 0 ./ecube run -m ipsc2 -d 0 -a standard -b 1 -f csv
check 0 ./ecube verify -d 5 -a multiphase,naive -p 2,3
check 0 ./ecube platform ipsc860 -d 3
check 0 ./ecube list machines
check 0 ./ecube list scenarios
check 0 ./ecube complete -- run --pattern broadcast -a sbt,
check 0 ./ecube complete -- sweep crossover -s machine=ipsc1,
check 2 ./ecube verify no-such-scenario
check 0 ./ecube sweep -m ipsc860 -d 1:2:1 -a multiphase -p all -b 1:4:x2 -j 2 --shard 1/2 -o build/valgrind-1.csv
check 0 ./ecube sweep -m ipsc860 -d 1:2:1 -a multiphase -p all -b 1:4:x2 -j 1 --shard 2/2 -o build/valgrind-2.csv
check 0 ./ecube merge build/valgrind-2.csv build/valgrind-1.csv
check 2 ./ecube merge build/valgrind-2.csv
rm -f build/valgrind-*.csv
./ecube run -m ipsc860 -d 4 -a direct,multiphase -p '2,2;1,3' -b 0,32 -f csv -o build/valgrind.csv
check 0 ./ecube plot build/valgrind.csv -y published_us,simulated_us
check 2 ./ecube plot build/valgrind.csv -y bytes
check 2 ./ecube run -m ipsc86 -d 4 -a direct -b 32
check 2 ./ecube run -m ipsc860 -d 4 -a direct -b 99999999999999
[ "$failed" = 0 ] && echo "valgrind: ok"
exit "$failed"
