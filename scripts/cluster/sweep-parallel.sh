#!/bin/sh
# sweep-parallel.sh HOSTS N FOLDER OPTIONS: a sweep in N shards with GNU parallel, on this computer and on others by ssh;
# from the top of the tree, which they all share:
#
#   scripts/cluster/sweep-parallel.sh 4/:,8/beta 24 FOLDER scenarios/sweep-startup.ini
#   ./ecube merge FOLDER/piece-*.csv --output startup.csv
#
# HOSTS is for --sshlogin: tasks at a time / name, `:` being this computer. A task that is killed is tried again, wherever
# there is room, and goes on where it was; so does the sweep when the same command is given again. Exit code: how many
# shards have failed.
set -eu
hosts=$1 of=$2 folder=$3
shift 3
seq "$of" | parallel -q --sshlogin "$hosts" --workdir "$PWD" --retries 3 \
    scripts/cluster/shard.sh {} "$of" "$folder" 1 "$@"
