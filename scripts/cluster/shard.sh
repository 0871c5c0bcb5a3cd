#!/bin/sh
# shard.sh I N FOLDER JOBS OPTIONS: one task of a sweep on a cluster: shard I of N of `ecube sweep OPTIONS`, JOBS points at
# a time, into FOLDER/piece-I.csv. A task that was killed or requeued goes on where its journal ends; one that is finished
# ends at once. FOLDER is for one sweep only, and on a file system that all computers share.
set -eu
ecube=${ECUBE:-$(cd "$(dirname "$0")/../.." && pwd)/ecube}
i=$1 of=$2 folder=$3 jobs=$4
shift 4
piece=$folder/piece-$i.csv
if [ -e "$piece" ] && [ ! -e "$piece.journal" ]; then exit 0; fi
mkdir -p "$folder"
exec "$ecube" sweep "$@" --shard "$i/$of" --jobs "$jobs" --output "$piece"
