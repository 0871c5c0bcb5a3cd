#!/bin/sh
# ranks.sh N ARGUMENTS...[: N ARGUMENTS...]...: `ecube-mpi ARGUMENTS` on N ranks, as many as one likes on a machine, and
# with other arguments on N more; prints what it says, and nothing of what the starter of its processes says, nor that
# ranks share cores, unless SHARED is set. SPOIL: see spoil.c. OTHER: the program behind a colon. Exit code: that of
# ecube-mpi, or 124 if it hangs.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
run=${MPIRUN:-mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
program=$top/ecube-mpi words=$#
case $($run --version 2>&1) in *"Open MPI"* | *OpenRTE*) set -- "$@" --oversubscribe ;; esac
after=:
for word; do    # each word moves behind the last one
    [ $words -gt 0 ] || break
    words=$((words - 1))
    shift
    if [ "$after" = : ]; then
        set -- "$@" -np "$word" "$program"
        program=${OTHER:-$program}
    else
        set -- "$@" "$word"
    fi
    after=$word
done
if [ -n "${SPOIL:-}" ]; then export LD_PRELOAD="$top/build/spoil.so"; fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT
timeout "${LIMIT:-600}" $run "$@" </dev/null 2>"$said"
code=$?
grep '^ecube' "$said" | grep -v "^ecube: [0-9]* ranks share ${SHARED:-}" >&2
exit $code
