#!/bin/sh
# available.sh COMPILER: whether it can build fuzzers; otherwise one line that says what is missing, and exit code 1.
if ! command -v "$1" >/dev/null; then
    echo "fuzz: left out: there is no $1 (Debian: apt-get install clang libclang-rt-dev)"
    exit 1
fi
if ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    "$1" -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2>/dev/null; then
    echo "fuzz: left out: $1 has no libFuzzer (Debian: apt-get install libclang-rt-dev, or libclang-rt-N-dev for clang N)"
    exit 1
fi
