#!/bin/sh
# ranks.sh N ARGUMENTS...: `ecube-mpi ARGUMENTS` on N ranks, as many as one likes on a machine; prints what it says, and
# nothing of what the starter of its processes says, nor that ranks share cores, unless SHARED is set. SPOIL: see
# spoil.c. Exit code: that of ecube-mpi, or 124 if it hangs.
set -u
ranks=$1
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
run=${MPIRUN:-mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
case $($run --version 2>&1) in *"Open MPI"* | *OpenRTE*) set -- --oversubscribe -np "$ranks" "$top/ecube-mpi" "$@" ;;
*) set -- -np "$ranks" "$top/ecube-mpi" "$@" ;; esac
if [ -n "${SPOIL:-}" ]; then export LD_PRELOAD="$top/build/spoil.so"; fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT
timeout "${LIMIT:-600}" $run "$@" </dev/null 2>"$said"
code=$?
grep '^ecube' "$said" | grep -v "^ecube: [0-9]* ranks share ${SHARED:-}" >&2
exit $code
