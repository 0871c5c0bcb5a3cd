#!/bin/sh
# every.sh N: every registered algorithm of every pattern on N ranks, each with the library's own function beside it, if
# it has one. Prints how many runs there were, or what was wrong with them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
ranks=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

dimension=0
while [ $((1 << dimension)) -lt "$ranks" ]; do dimension=$((dimension + 1)); done
# As many processors as ranks need be no cube; then there is no port for each channel.
processors="-n $ranks" each_ports=one
[ $((1 << dimension)) -ne "$ranks" ] || { processors="-d $dimension"; each_ports="one all"; }

# algorithms PATTERN PORTS: of a pattern, or of the one that is its reverse
algorithms() {
    from=$("$top/ecube" list patterns -f json | tr -d '\n' | sed 's/}/&\n/g' |
        sed -n 's/.*"name": "'"$1"'".*"reverse": "\([a-z-]*\)".*/\1/p')
    "$top/ecube" list algorithms -f csv | awk -F , -v p="${from:-$1}" -v ports="$2" '$1 == p && $3 == ports && $2 != "scheduled" { print $2 }'
}

# Of a number of processors that is no power of two: 1, 2, 4, ... and one more.
offsets() {
    k=0
    while [ $((1 << k)) -lt "$ranks" ]; do printf '%d,' $((1 << k)); k=$((k + 1)); done
    echo $((ranks - 1))
}

# What an algorithm needs, if it is among those named.
needs() {
    case ,$1, in *,multiphase,* | *,multiphase-linear,* | *,knomial,*) echo "-p all" ;; esac
    case ,$1,$processors in *,offsets,*-d*) echo "--offsets all" ;; *,offsets,*) echo "--offsets $(offsets)" ;; esac
    case ,$1, in *,hybrid,*) echo "--accumulate 0:$dimension:1" ;; esac
}

# applies NAME OPTIONS...: whether an algorithm does, by what `ecube verify` says
applies() {
    name=$1
    shift
    # shellcheck disable=SC2046,SC2086 # words on purpose
    "$top/ecube" verify $processors -a "$name" $(needs "$name") "$@" >"$work/verified" 2>&1
}

# prove PATTERN PORTS OPTIONS...
prove() {
    pattern=$1 ports=$2 names=
    shift 2
    for name in $(algorithms "$pattern" "$ports"); do
        ! applies "$name" --pattern "$pattern" --ports "$ports" "$@" || names=$names,$name
    done
    [ -n "$names" ] || return 0
    # shellcheck disable=SC2046,SC2086 # words on purpose
    "$here/ranks.sh" "$ranks" --pattern "$pattern" --ports "$ports" -a "${names#,}" $(needs "$names") "$@" $sizes \
        --times 1 -f csv \
        >"$work/csv" 2>"$work/said" || { failed=1; echo "$pattern, ports = $ports:"; cat "$work/said"; }
    grep -c ',true,' "$work/csv" >>"$work/proven"
}

small=$([ "$ranks" -ge 16 ] && echo 13 || echo 0,1,13,64)
for ports in $each_ports; do
    sizes="-b $small --baseline library"
    for pattern in complete-exchange broadcast reduction all-broadcast reduce-scatter allreduce scatter gather; do
        case $pattern in broadcast | reduction | scatter | gather) prove $pattern $ports --source $((ranks - 1)) ;;
        *) prove $pattern $ports ;; esac
    done
    sizes="-b $small"
    for permutation in bit-reversal shuffle; do
        prove permutation $ports --permutation "$permutation"
    done
    sizes=
    prove matmul $ports --shape 9x5x12
    prove matmul $ports --shape 8x8x8 --layout cyclic
done
sizes="-b 32"
for pattern in transposition fft adi; do prove $pattern one; done
[ $failed = 1 ] || echo "$ranks ranks: $(awk '{ n += $1 } END { print n }' "$work/proven") runs, all data in place"
exit $failed
