# What the checks under SMPI share; read by the scripts of this folder, in the top of the tree. README.md explains the
# settings.
set -eu
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

smpi_settings="smpi/simulate-computation:no smpi/wtime:0 smpi/host-speed:1f
    smpi/bw-factor:0:1 smpi/lat-factor:0:1 network/weight-S:0 network/TCP-gamma:0 network/crosstraffic:0
    smpi/or:0:0:0 smpi/send-is-detached-thresh:0 smpi/async-small-thresh:0"
envelope=16             # bytes that SMPI adds to each message
tolerance_us=0.001

# smpi STARTUP ARGUMENT...: smpirun on the platform of $machine with $dimension; a send takes STARTUP seconds.
smpi() {
    platform=$work/platform.xml
    if [ ! -e "$platform" ]; then
        ./ecube platform "$machine" --dimension "$dimension" --output "$platform"
        seq -f node-%.0f 0 $(((1 << dimension) - 1)) >"$work/hosts"
    fi
    startup=$1
    shift
    # shellcheck disable=SC2046,SC2086 # words on purpose
    smpirun -np $((1 << dimension)) -platform "$platform" -hostfile "$work/hosts" \
        $(printf ' --cfg=%s' $smpi_settings) --cfg=smpi/os:0:"$startup":0 --cfg=smpi/ois:0:"$startup":0 \
        --log=root.thresh:warning "$@" </dev/null
}

# Compares lines of times in µs, SMPI's and ecube's, and what they are of. Prints those that differ, the largest
# difference, and how many passed; FALSE if any failed, or there are none.
compare() {
    awk -v tolerance=$tolerance_us '
        { difference = $1 - $2; if (difference < 0) difference = -difference
          if (difference > largest) largest = difference
          if ($1 + 0 > 0 && difference <= tolerance) { passed++; next }
          failed++; what = $0; sub(/^[^ ]+ [^ ]+ /, "", what)
          print what ": " $1 " µs under SMPI, " $2 " by ecube" }
        END { printf "largest difference: %.9f µs\n%d passed, %d failed\n", largest, passed, failed
              exit failed > 0 || passed == 0 }'
}
