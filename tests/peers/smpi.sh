# shellcheck shell=sh disable=SC2034,SC2154 # the scripts use these and set those
# What the checks under SMPI share; read by the scripts of this folder, in the top of the tree. README.md explains the
# settings. The scripts set $machine and $dimension, and $bytes for options().
set -eu
export LC_ALL=C.UTF-8 ECUBE_DATA="$PWD"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

settings="smpi/simulate-computation:no smpi/wtime:0 smpi/host-speed:1f smpi/barrier:ompi_recursivedoubling
    smpi/bw-factor:0:1 smpi/lat-factor:0:1 network/weight-S:0 network/TCP-gamma:0 network/crosstraffic:0
    smpi/or:0:0:0 smpi/send-is-detached-thresh:0 smpi/async-small-thresh:0"
envelope=16             # bytes that SMPI adds to each message
tolerance_us=0.001

# on PROCESSORS[/NODE]: that many, of $machine on a crossbar, instead of a cube of $dimension; of which so many share a
# node, with constants of its own. on AxB: on a mesh.
on() {
    ranks=$(echo "${1%/*}" | sed 's/x/ * /') size="--processors ${1%/*}" dimension=0
    case $1 in *x*) network=mesh ;; *) network=crossbar ;; esac
    nodes=
    case $1 in */*) nodes="\nnode = ${1#*/}\nlambda_node = 20\ntau_node = 0.05\ndelta_node = 1" ;; esac
    sed "s/^\[machine\]/&\ntopology = $network$nodes/" "platforms/$machine.ini" >"$work/$machine.ini"
    machine=$work/$machine.ini
    settings="$settings smpi/barrier:ompi_bruck"     # all leave at once, however many
}
ranks= size=

# smpi STARTUP ARGUMENT...: smpirun on the platform of $machine with $dimension; a send takes STARTUP seconds.
smpi() {
    if [ ! -e "$work/hosts" ]; then
        # shellcheck disable=SC2086 # words on purpose
        ./ecube platform "$machine" ${size:---dimension $dimension} --output "$work/platform.xml"
        seq -f node-%.0f 0 $(((${ranks:-1 << dimension}) - 1)) >"$work/hosts"
    fi
    startup=$1
    shift
    # shellcheck disable=SC2046,SC2086 # words on purpose
    smpirun -np $((${ranks:-1 << dimension})) -platform "$work/platform.xml" -hostfile "$work/hosts" \
        $(printf ' --cfg=%s' $settings) --cfg=smpi/os:0:"$startup":0 --cfg=smpi/ois:0:"$startup":0 \
        --log=root.thresh:warning "$@" </dev/null
}

# --- what there is to run ---

# Patterns and all their algorithms for one port, NAME,NAME,..., on a line each. `outer` takes a square of processors;
# `spt` no shuffle, `scheduled` a mesh.
list_patterns() {
    if [ -n "$ranks" ]; then
        printf '%s\n' 'complete-exchange direct,multiphase,offsets' 'all-broadcast ring,multiphase' \
            'reduce-scatter ring,multiphase' 'allreduce ring,multiphase' 'broadcast knomial' 'reduction knomial' 'scatter knomial' 'gather knomial'
        return
    fi
    ./ecube list algorithms | awk -v odd=$((dimension % 2)) '
        function close_list() { if (names) for (i = 1; i <= n; i++) print patterns[i], names; names = "" }
        /^[^ ].*:$/ { close_list(); gsub(/, and backwards|:/, ""); n = split($0, patterns, " "); next }
        /^  [a-z]/ && $2 $3 != "allports:" && !(odd && ($1 == "outer" || $1 == "spt")) && $1 != "scheduled" {
            names = names (names ? "," : "") $1 }
        END { close_list() }'
}

# options PATTERN ALGORITHM,...: the sizes that the pattern takes, and all that the algorithms can choose from.
options() {
    case $1 in
    permutation) printf -- '-b 1024 --permutation %s' "$([ $((dimension % 2)) = 0 ] && echo bit-reversal || echo shuffle)" ;;
    matmul) printf -- '--shape 8x8x8' ;;
    transposition | fft | adi) printf -- '-b 32' ;;
    *) printf -- '-b %s' "$bytes" ;;
    esac
    case ,$2, in *,multiphase,* | *,knomial,*) printf -- ' -p all' ;; esac
    case ,$2, in *,offsets,*) printf -- ' --offsets all' ;; esac
    case ,$2, in *,hybrid,*) printf -- ' --accumulate %s' "$(seq -s , 0 "$dimension")" ;; esac
}

# --- comparing ---

# reference OPTION...: what `ecube run` says, to $work/runs.csv. If it fails, prints a line that fails in compare().
reference() {
    # shellcheck disable=SC2086 # words on purpose
    ./ecube run --machine "$machine" ${size:---dimension $dimension} "$@" --format csv --output "$work/runs.csv" ||
        { : >"$work/runs.csv"; echo "failed - $*"; }
}

# CSV for awk -F ,: commas in quotes become +, and quotes go.
unquote() {
    awk -F '"' -v OFS='' '{ for (i = 2; i <= NF; i += 2) gsub(",", "+", $i); $1 = $1; print }' "$@"
}

# Compares lines of times in µs, SMPI's and ecube's, and what they are of. Prints those that differ, the largest
# difference, and how many passed; FALSE if any failed, or there are none.
compare() {
    awk -v tolerance=$tolerance_us '
        { difference = $1 - $2; if (difference < 0) difference = -difference
          if ($1 ~ /^[0-9.]+$/ && $2 ~ /^[0-9.]+$/ && difference <= tolerance) {
              if (difference > largest) largest = difference
              passed++; next }
          failed++; what = $0; sub(/^[^ ]+ [^ ]+ /, "", what)
          print what ": " $1 " µs under SMPI, " $2 " by ecube" }
        END { printf "largest difference: %.9f µs\n%d passed, %d failed\n", largest, passed, failed
              exit failed > 0 || passed == 0 }'
}
