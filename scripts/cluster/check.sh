#!/bin/sh
# check.sh [FOLDER]: tries the cluster scripts on this computer (make check-cluster). Starts a Slurm of one node and an
# sshd, both with configurations, keys, ports and processes of their own in FOLDER (build/cluster) and on the loopback
# address only; runs one sweep with each, in which tasks are killed and requeued; and compares what is merged with the
# sweep of one process. Stops everything afterwards, also when it is interrupted. Installs the Debian packages that are
# missing, without starting their services. Needs root, as slurmd does.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
mkdir -p "${1:-build/cluster}" && work=$(cd "${1:-build/cluster}" && pwd) || exit 1
run=                            # sockets: their paths have to be short
pids=
made_run_sshd=
PATH=$PATH:/usr/sbin:/sbin
export PATH

. scripts/cluster/services.sh   # start_slurm, start_sshd

die() {
    echo "check-cluster: $1" >&2
    [ $# -lt 2 ] || tail -n 20 "$2" >&2
    exit 1
}

# --- processes ---

# The processes of whose arguments one is $1, a pattern of grep.
processes_with() {
    grep -lsaxz -e "$1" /proc/[0-9]*/cmdline | cut -d / -f 3
}

# Those that run the shards $2 (a pattern) into folder $1: ecube and its points.
sweeps_of() { processes_with "$1/piece-$2.csv"; }

# wait_until SECONDS COMMAND: tries the command until it holds
wait_until() {
    tries=$(($1 * 10))
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}

# shellcheck disable=SC2046 # words on purpose
kill_sweeps() { kill -9 $(sweeps_of "$1" "$2") 2>/dev/null; }

# Kills what runs into folder $1 and sees that nothing that was just about to starts.
is_quiet() {
    kill_sweeps "$1" "[0-9]*"
    sleep 1
    [ -z "$(sweeps_of "$1" "[0-9]*")" ]
}

under_way() { [ -e "$1.journal" ] && [ "$(wc -l <"$1.journal")" -ge 3 ]; }     # two points are finished
no_jobs() { [ -z "$(squeue --noheader 2>/dev/null)" ]; }
gone() { ! grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"; }

stop() {
    trap - EXIT HUP INT TERM
    if [ "$slurm" ]; then
        scancel --quiet --user "$(id -un)" 2>/dev/null
        wait_until 20 no_jobs
    fi
    # shellcheck disable=SC2046 # words on purpose
    kill -9 $(processes_with "$work/parallel") 2>/dev/null      # parallel itself
    kill_sweeps "$work/slurm" "[0-9]*"
    wait_until 10 is_quiet "$work/parallel"
    for pid in $pids; do kill "$pid" 2>/dev/null; done
    for pid in $pids; do wait_until 10 gone "$pid" || kill -9 "$pid"; done
    [ -z "$made_run_sshd" ] || rmdir /run/sshd
    [ -z "$run" ] || rm -rf "$run"
}
trap stop EXIT
trap 'exit 1' HUP INT TERM

# --- the sweep ---

shards=4
sweep="-m ipsc860 -d 3:9:1 -a direct,standard,naive -b 1:64:x4"

without_wall() { sed 's/,\(true\|false\),[0-9.]*,/,\1,WALL,/' "$1"; }

# Joins the pieces in folder $1 and compares them with the sweep of one process.
compare() {
    ./ecube merge "$1"/piece-*.csv --output "$1/merged.csv" || die "the pieces of $1 cannot be merged"
    without_wall "$1/merged.csv" >"$1/merged.txt"
    cmp "$work/whole.txt" "$1/merged.txt" || die "$1/merged.csv is not what one process writes"
}

# --- Slurm ---

state_of() { squeue --noheader --array --jobs "$1" --format %T 2>/dev/null; }
is_over() { [ -z "$(state_of "$1")" ]; }
restarts() { scontrol show job "$1" | grep -o 'Restarts=[0-9]*' | head -n 1; }
is_failed() { scontrol show job "$1" | grep -q JobState=FAILED; }
is_requeued() { [ "$(restarts "$1")" = "Restarts=$2" ] && [ "$(state_of "$1")" = PENDING ]; }

# Slurm lets what is requeued wait for two minutes.
start_again() { scontrol update "JobId=$1" StartTime=now || die "task $1 cannot start again"; }

check_slurm() {
    folder=$work/slurm
    # shellcheck disable=SC2086 # words on purpose
    job=$(sbatch --parsable "--array=1-$shards" --output "$folder/task-%a.txt" scripts/cluster/sweep.sbatch \
        $shards "$folder" $sweep) || die "sbatch failed"
    wait_until 120 under_way "$folder/piece-1.csv" || die "task 1 does not begin" "$work/slurmd.log"
    scontrol requeue "${job}_1" || die "task 1 cannot be requeued"
    wait_until 120 under_way "$folder/piece-2.csv" || die "task 2 does not begin" "$work/slurmd.log"
    kill_sweeps "$folder" 2
    [ ! -e "$folder/piece-2.csv" ] || die "task 2 was over before it was killed"
    wait_until 60 is_requeued "${job}_1" 1 || die "task 1 does not wait to start again"
    start_again "${job}_1"
    wait_until 60 is_failed "${job}_2" || die "task 2 was killed, but has not failed"
    scontrol requeue "${job}_2" || die "task 2 cannot be requeued"
    start_again "${job}_2"
    wait_until 300 is_over "$job" || die "the tasks do not come to an end" "$work/slurmd.log"
    for i in 1 2; do
        grep -q 'points are finished already' "$folder/task-$i.txt" ||
            die "task $i did not go on where it was" "$folder/task-$i.txt"
    done
    compare "$folder"
    echo "Slurm: a requeued and a killed task have gone on; the merged file is that of one process"
}

# --- GNU parallel ---

sweep_parallel() {
    # shellcheck disable=SC2086 # words on purpose
    scripts/cluster/sweep-parallel.sh 1/:,1/beta $shards "$work/parallel" $sweep >>"$work/parallel.log" 2>&1
}

is_by_ssh() { grep -qsaz '^SSH_CONNECTION=' "/proc/$1/environ"; }

# A shard that runs on the second host and has points to lose: its number in $remote.
find_remote() {
    for remote in $(seq $shards); do
        for pid in $(sweeps_of "$work/parallel" "$remote"); do
            is_by_ssh "$pid" && under_way "$work/parallel/piece-$remote.csv" && return 0
        done
    done
    return 1
}
goes_on() { grep -q "piece-$1.csv.journal: .* points are finished already" "$work/parallel.log"; }

check_parallel() {
    folder=$work/parallel
    sweep_parallel &
    first=$!
    wait_until 120 find_remote || die "no shard runs on the second host" "$work/parallel.log"
    kill_sweeps "$folder" "$remote"
    [ ! -e "$folder/piece-$remote.csv" ] || die "shard $remote was over before it was killed"
    wait_until 120 goes_on "$remote" || die "shard $remote was killed and did not go on" "$work/parallel.log"
    # shellcheck disable=SC2046 # words on purpose
    kill -9 $(processes_with "$folder") 2>/dev/null     # parallel itself
    wait_until 30 is_quiet "$folder" || die "shards start though parallel is dead"
    wait "$first" 2>/dev/null
    [ "$(ls "$folder"/piece-*.csv 2>/dev/null | wc -l)" -lt $shards ] || die "the sweep was over before it was cut off"
    sweep_parallel &
    wait $! || die "the sweep that was cut off does not come to its end" "$work/parallel.log"
    compare "$folder"
    echo "GNU parallel: a killed shard on the second host and a sweep that was cut off have gone on; the same file"
}
# --- all of it ---

[ "$(id -u)" = 0 ] || die "needs root: slurmd runs as root"
install_missing
rm -rf "$work/slurm" "$work/parallel" "$work"/*.log
mkdir -p "$work/slurm" "$work/parallel"
run=$(mktemp -d) || exit 1
echo "a sweep in one process ..."
rm -f "$work"/whole.csv*
# shellcheck disable=SC2086 # words on purpose
./ecube sweep $sweep --output "$work/whole.csv" || die "the sweep failed"
without_wall "$work/whole.csv" >"$work/whole.txt"
echo "the same in $shards tasks of Slurm ..."
start_slurm
check_slurm
echo "the same with GNU parallel ..."
start_sshd
check_parallel
echo "check-cluster: passed"
