#!/bin/sh
# run.sh PROGRAM PARSER SECONDS: runs libFuzzer on that parser for so long; for 0 seconds, on the corpus alone. The corpus
# is tests/fuzz/corpus/PARSER; what is learned is kept in build/fuzz/corpus/PARSER, and an input that fails becomes
# build/fuzz/PARSER-*, which `PROGRAM PARSER FILE` tries again.
set -eu
program=$1 parser=$2 seconds=$3
learned=build/fuzz/corpus/$parser
seeds=tests/fuzz/corpus/$parser
mkdir -p "$learned"
[ ! -d /dev/shm ] || export TMPDIR=/dev/shm     # every input is written to files
export G_SLICE=always-malloc
options="-artifact_prefix=build/fuzz/$parser- -verbosity=0"
# shellcheck disable=SC2086 # words on purpose
if [ "$seconds" = 0 ]; then
    "$program" "$parser" $options "$seeds"/*
else
    "$program" "$parser" $options -max_total_time="$seconds" -max_len=1500 -print_final_stats=1 "$learned" "$seeds"
fi
