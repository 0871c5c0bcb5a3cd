#!/bin/sh
# check.sh NAME PROGRAM: one part of `make check-peers`. PROGRAM is ecube-mpi, built with smpicc.
set -eu
cd "$(dirname "$0")/../.."
case $1 in
replay-[1-5]) tests/peers/replay.sh "${1#replay-}" ipsc860 -s duplex=full -s flop=0.1 ;;
replay-packets) tests/peers/replay.sh 2 bokhari1993 -s packet=48 -s start_skew=50 ;;
replay-short) tests/peers/replay.sh 2 ipsc860:unforced -s duplex=full ;;
replay-on-12) tests/peers/replay.sh on 12 ipsc860 -s duplex=full ;;
replay-on-nodes) tests/peers/replay.sh on 12/4 ipsc860 -s duplex=full -s phase_barrier=false -s unposted=wait ;;
execute-on-12) tests/peers/execute.sh "$2" on 12 1,100 ;;
replay-contending) tests/peers/replay.sh contending 4 ;;
replay-on-mesh) tests/peers/replay.sh contending on 3x4 ;;
execute-5) tests/peers/execute.sh "$2" 5 100 ;;
execute-[1-4]) tests/peers/execute.sh "$2" "${1#execute-}" 1,100,1000 ;;
execute-contending) tests/peers/execute.sh "$2" contending 4 ;;
linear-[1-6]) tests/peers/linear.sh "${1#linear-}" ;;
esac
