#!/bin/sh
# preload.sh CHECK: libecube-mpi.so before programs that know nothing of ecube. CHECK is one of the functions below; it
# prints what has been found. MPICC and MPIRUN: of an MPI; PRELOAD: the library for it.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cc=${MPICC:-mpicc} run=${MPIRUN:-mpirun} preload=${PRELOAD:-$top/libecube-mpi.so}
rules=$top/tests/mpi/rules.ini
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
case $($run --version 2>&1) in *"Open MPI"* | *OpenRTE*) more=--oversubscribe ;; *) more= ;; esac

# build PROGRAM LIBRARY...: from tests/mpi
build() {
    program=$1
    shift
    $cc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wno-unused-parameter -o "$work/$program" \
        "$top/tests/mpi/$program.c" "$@"
}

# start RANKS COMMAND...: with the library, and what it says to $work/said
start() {
    ranks=$1
    shift
    timeout 300 $run $more -np "$ranks" env LD_PRELOAD="$preload${mallocs:+:$mallocs}" ECUBE_RULES="$rules" \
        ECUBE_VERBOSE=1 "$@" 2>"$work/said" </dev/null
}

# used RANKS BYTES: the list that the report names, behind how often
used() { sed -n "s/^ecube: $1 $2 \([0-9]*\) [0-9.]* /\1 /p" "$work/said"; }

# Exchanges in every way, by every kind of list: how many were right, and the lists.
exchanges() {
    build exchanges -lpthread
    for ranks in ${RANKS:-1 2 3 5 8 12 16}; do
        start "$ranks" "$work/exchanges" 0 8 24 600 1200 || { echo "exit code $?"; cat "$work/said"; }
        for bytes in 8 24 600 1200; do used "$ranks" $bytes; done | sed 's/^[0-9]* //' | paste -sd ';' | sed 's/^/    /'
    done
}

# Blocks of random sizes, by the same lists: how many exchanges were right, and the calls that each list did.
unequal() {
    build unequal -lpthread
    for ranks in ${RANKS:-1 2 3 5 6 8}; do
        start "$ranks" "$work/unequal" "${ROUNDS:-40}" 1 || { echo "exit code $?"; cat "$work/said"; }
        echo "    $(used "$ranks" v)"
    done
}

# Nested types, drawn anew for each rank, side and exchange, by MPI_Alltoall and MPI_Alltoallv: how many were right, and
# how many calls followed lists.
types() {
    build types -lpthread
    for ranks in ${RANKS:-2 3 4 5 6 8}; do
        start "$ranks" "$work/types" "${ROUNDS:-60}" "${SEED:-1}" || { echo "exit code $?"; cat "$work/said"; }
        awk '/^ecube: [0-9]/ { n[$6 ~ /^library/] += $4 }
            END { print "    calls by lists " n[0] + 0 ", by the library " n[1] + 0 }' "$work/said"
    done
}

# A message of rank 1 fails, which is the first of a step: it is said there, and nobody waits for blocks behind it.
failing() {
    build unequal -lpthread
    preload=$preload:$top/build/spoil.so
    export SPOIL="1 fails"
    rules=$work/failing.ini
    printf '[alltoallv 3]\nlist = modulo 1,1\n' >"$rules"
    for bytes in 100 20000 300000; do
        start 3 timeout 20 "$work/unequal" $bytes || { echo "exit code $?"; cat "$work/said"; }
    done
}

# By mpif.h, `use mpi`, `use mpi_f08`: three calls, and two with blocks of different sizes.
fortran() {
    ${MPIFC:-mpifort} -w -J "$work" -o "$work/exchange" "$top/tests/mpi/exchange.f90"
    start 4 "$work/exchange" && used 4 12 && used 4 v
}

# wrong RULES: what is said of them, and what is used
wrong() {
    rules=$work/wrong.ini
    printf "$1" >"$rules"
    start 4 "$work/communicators" 2 | sed 's/,.*//'
    sed -n "s#$work/##; s/^ecube: ECUBE_RULES: \(.*\); allowed: .*; MPI_Alltoall/\1; MPI_Alltoall/p" "$work/said"
    used 4 8
}
wrong_rules() {
    build communicators
    wrong '[alltoall 4]\n1 = 3,3\n'
    wrong '[alltoall 4]\n1 = xor 1,2,4\n'
    wrong '[alltoall 4]\n1 = radices 2,2\n[alltoall 8]\n1 = xo'
    wrong '[alltoal'
    yes '#' | head -c $(((16 << 20) + 1)) >"$work/large.ini"
    for rules in "$work/none.ini" "$work/large.ini"; do
        start 4 "$work/communicators" 2 | sed 's/,.*//'
        sed -n "s#$work/##; s/^ecube: ECUBE_RULES: //p" "$work/said"
    done
}

# Rules of rank 0 are those of all.
other_rules() {
    build communicators
    printf '[alltoall 4]\n1 = modulo 1,1,1\n' >"$work/other.ini"
    program=$work/communicators
    set -- env LD_PRELOAD="$preload" ECUBE_VERBOSE=1
    timeout 100 $run $more -np 1 "$@" ECUBE_RULES="$work/other.ini" "$program" 9 : \
        -np 2 "$@" ECUBE_RULES="$rules" "$program" 9 : -np 1 "$@" "$program" 9 2>"$work/said" </dev/null
    used 4 8
    timeout 100 $run $more -np 1 "$@" "$program" 9 : -np 3 "$@" ECUBE_RULES="$rules" "$program" 9 2>"$work/said" \
        </dev/null
    used 4 8
}

# Tuning measures the library's own function, though rules would answer: sizes that were tuned, and calls of the rules.
tuning() {
    start 4 "$top/ecube-mpi" --tuning -b 64,24,64 --seconds 5 >"$work/tuned.ini"
    echo "$(grep -c '^# .* bytes, MPI_Alltoall ' "$work/tuned.ini") sizes," \
        "$(grep -c '^ecube: 4 [0-9]' "$work/said") lists used"
}

# N communicators are made and freed; second calls allocate nothing.
communicators() {
    build communicators
    mallocs=$work/mallocs.so
    cc -D_GNU_SOURCE -O1 -shared -fPIC -o "$mallocs" "$top/tests/mpi/mallocs.c"
    start 3 "$work/communicators" "$1"
}

# Under valgrind nothing of the library's is lost, or read or written where it should not.
leaks() {
    build communicators
    start 3 valgrind -v --leak-check=full --show-leak-kinds=definite,indirect,possible --log-file="$work/valgrind.%p" \
        "$work/communicators" 30 | sed 's/, grown.*//'
    echo "$(grep -l 'Reading syms.*libecube-mpi' "$work"/valgrind.* | wc -l) processes have loaded it"
    echo "$(grep 'libecube-mpi\|alltoall.c:' "$work"/valgrind.* | grep -vc 'Reading syms') complaints name it"
}

# A rank dies in an exchange: nobody waits for it.
death() {
    build communicators
    start 4 "$work/communicators" 100 2 >"$work/out"
    code=$?
    [ $code != 0 ] && [ $code != 124 ] && echo "ended"
}

fourier() {
    build fourier -lfftw3_mpi -lfftw3 -lm
    start 4 "$work/fourier" 32 && used 4 1024 | sed 's/^[0-9]*/N/'
}

# HPC Challenge's MPIFFT and PTRANS, by its own report.
challenge() {
    sed 's/^1000 /200 /' /usr/share/doc/hpcc/examples/_hpccinf.txt >"$work/hpccinf.txt"
    cd "$work" && start 4 hpcc && grep -E '^Success|^PTRANS_residual|tests completed and' hpccoutf.txt
    awk -F = '/^MPIFFT_maxErr/ { print "MPIFFT_maxErr", ($2 + 0 < 1e-12 ? "below 1e-12" : $2) }' hpccoutf.txt
    sed -n 's/^ecube: 4 \([0-9]*\) [0-9]* [0-9.]* /MPI_Alltoall by /p' "$work/said" | sort -u
}

# Programs that a library which is loaded before MPI may harm, with rules and without: which were right.
faults() {
    build faults -rdynamic -lpthread -ldl
    cases="threads many callbacks bottom contiguous memory limit sizes mistakes device"
    [ "${2:-}" != sessions ] || cases="$cases sessions"
    cc -D_GNU_SOURCE -O1 -shared -fPIC -o "$work/mallocs.so" "$top/tests/mpi/mallocs.c"
    for with in rules none; do
        [ $with = rules ] || cases="$cases glib"
        right=
        for case in $cases; do
            rules=$top/tests/mpi/rules.ini mallocs=
            [ $case != sizes ] || { mallocs=$work/mallocs.so rules=$work/17.ini; many_rules >"$rules"; }
            [ $with = rules ] || rules=
            start "$1" "$work/faults" $case >"$work/out"
            code=$?
            [ "$code $(cat "$work/out")" != "0 right" ] || { right="$right $case" && continue; }
            echo "$case, $with: exit code $code" && cat "$work/out" "$work/said"
        done
        echo "$with:$right"
    done
}
# Libecube-mpi gets no memory at a rank of 3: for the ranks of a communicator at rank 0, the rules, the first room (then
# the library does the calls); and in exchanges.
refused() {
    build faults -rdynamic -lpthread -ldl
    mallocs=$work/mallocs.so rules=$work/refused.ini
    cc -D_GNU_SOURCE -O1 -shared -fPIC -o "$mallocs" "$top/tests/mpi/mallocs.c"
    printf '[alltoall 3]\n1 = direct\n[alltoallv 3]\nlist = modulo 1,1\n' >"$rules"
    text=$(($(wc -c <"$rules") + 1))
    for case in "plain 0 36 36" "plain 1 $text $text" "plain 1 4194304 4194304" refused; do
        # shellcheck disable=SC2086 # words on purpose
        start 3 timeout 100 "$work/faults" $case || { echo "$case: exit code $?"; cat "$work/said"; }
        used 3 8
    done
}
# A rule for each of 17 sizes.
many_rules() {
    echo "[alltoall 2]"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do echo "$((4 * i)) = modulo 1"; done
}

# Rank 1 of 3 is without the library: the line that says so.
absent() {
    build faults -rdynamic -lpthread -ldl
    set -- env LD_PRELOAD="$preload" ECUBE_RULES="$rules"
    timeout 20 $run $more -np 1 "$@" "$work/faults" plain : -np 1 "$work/faults" plain : -np 1 "$@" "$work/faults" plain \
        >"$work/out" 2>"$work/said" </dev/null
    grep -a '^ecube: .* waits for ' "$work/said"
}

# A program of another MPI: by $OTHER_CC and $OTHER_RUN.
other_mpi() {
    cc=$OTHER_CC run=$OTHER_RUN more=
    build faults -rdynamic -lpthread -ldl
    start 1 "$work/faults" plain
    echo "exit code $?" && grep '^ecube' "$work/said"
}

# A/B where MPI_Alltoall takes 1 ms longer: the verdict, with enough calls, with too few, and with unequal blocks.
ab() {
    build times -lm
    preload=$preload:$top/build/spoil.so
    export ECUBE_AB=1 SPOIL="1000 slow"
    build unequal -lpthread
    for program in "times 8 200 1" "times 8 20 1" "unequal 20 1"; do
        # shellcheck disable=SC2086 # words on purpose
        start 2 "$work"/$program >"$work/out" || cat "$work/said"
        sed -n '/^ecube: A.B/,/^ecube: MPI/p' "$work/said" | sed 's/[0-9][0-9.]* us/N us/; s/(.* to .*), [0-9.]* s/(N to N), N s/
            s/saves [0-9.]* %/saves N %/; s/save [0-9.]* +- [0-9.]* %/save N +- N %/; s/[0-9.]* s of [0-9.]* s/N s of N s/'
    done
}

# Rules leave all calls to the library, or are for other numbers of processes: how often 2 ranks ask MPI for the size of a
# type in 160 calls each.
passing() {
    build times -lm
    preload=$preload:$top/build/spoil.so
    export SPOIL="0 asks"
    rules=$work/passing.ini
    for text in '[alltoall 2]\n1 = library\n[alltoallv 2]\nlist = library\n' \
        '[alltoall 4]\n1 = direct\n[alltoallv 4]\nlist = direct\n'; do
        printf "$text" >"$rules"
        start 2 env ECUBE_VERBOSE=0 "$work/times" 8 2 10 >"$work/out" || cat "$work/said"
        grep '^sizes' "$work/said"
    done
}

# What a call of the library costs more through libecube-mpi.so than by its PMPI name, and than by a bare pass-through:
# without rules, with rules that name the library, and with rules for other numbers of processes. By hand.
cost() {
    build times -lm
    for text in '' '[alltoall 2]\n1 = library\n[alltoallv 2]\nlist = library\n' \
        '[alltoall 4]\n1 = direct\n[alltoallv 4]\nlist = direct\n'; do
        rules=${text:+$work/cost.ini}
        [ -z "$text" ] || printf "$text" >"$rules"
        echo "rules: ${text:-none}"
        start 2 env ECUBE_VERBOSE=0 "$work/times" 8 1000 || cat "$work/said"
    done
}

# Processes that are no MPI programs load the C library alone.
children() {
    env LD_PRELOAD="$preload" grep -oE 'libecube-mpi|libmpi[a-z]*|libglib' /proc/self/maps | sort -u
}

# What is said of a library that is loaded and not used: no call, another tool, rules that are elsewhere.
unused() {
    build faults -rdynamic -lpthread -ldl
    start 2 "$work/faults" nothing && grep '^ecube' "$work/said"
    printf '%s\n' '#include <mpi.h>' 'int MPI_Init_thread(int *argc, char ***argv, int level, int *got)' \
        '{ return PMPI_Init_thread(argc, argv, level, got); }' >"$work/tool.c"
    $cc -shared -fPIC -o "$work/tool.so" "$work/tool.c"
    loaded=$preload
    preload=$work/tool.so:$preload
    start 2 "$work/faults" plain && grep '^ecube' "$work/said"
    preload=$loaded rules=elsewhere.ini
    cd "$work" && start 2 "$work/faults" plain && grep '^ecube: ECUBE_RULES' "$work/said" | sed "s#$work#/FOLDER#"
}

"$@"
