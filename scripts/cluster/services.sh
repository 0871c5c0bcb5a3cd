# What check.sh starts; read by it. In $work: configurations, keys, logs. In $run: sockets and process numbers.
# shellcheck shell=sh disable=SC2154,SC2034

packages="slurmctld slurmd slurm-client munge openssh-server openssh-client parallel"
slurm=

missing_packages() {
    for package in $packages; do
        dpkg-query --show --showformat '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' ||
            printf '%s ' "$package"
    done
}

# Installs packages so that their services neither start now (policy-rc.d) nor at the next boot.
install_missing() {
    missing=$(missing_packages)
    [ -n "$missing" ] || return 0
    echo "installing $missing..."
    policy=/usr/sbin/policy-rc.d
    if [ -e $policy ]; then policy=; else printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy; fi
    # shellcheck disable=SC2086 # words on purpose
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing
    } >"$work/install.txt" 2>&1
    [ -z "$policy" ] || rm -f "$policy"
    for package in $missing; do
        case $package in
        openssh-server) systemctl disable --quiet ssh 2>/dev/null ;;
        slurmctld | slurmd | munge) systemctl disable --quiet "$package" 2>/dev/null ;;
        esac
    done
    [ -z "$(missing_packages)" ] || die "needs the Debian packages $(missing_packages)" "$work/install.txt"
}

# start NAME COMMAND: in the background, with NAME.log
start() {
    log=$work/$1.log
    shift
    "$@" >>"$log" 2>&1 &
    pids="$! $pids"             # the last to start is the first to end
}

# A port above $1 on which nobody listens.
free_port() {
    port=$(($1 + $$ % 1000))
    while grep -qi ":$(printf %04x "$port") 0*:0000 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
        port=$((port + 1))
    done
    echo "$port"
}

# Whether somebody listens on the port, and on the loopback address alone.
on_loopback() {
    hex=$(printf '%04X' "$1")
    grep -q " 0100007F:$hex 0*:0000 0A" /proc/net/tcp &&
        ! grep -v " 0100007F:$hex " /proc/net/tcp /proc/net/tcp6 | grep -q ":$hex 0*:0000 0A"
}

# --- Slurm ---

write_slurm_conf() {
    name=$(hostname -s)
    slurmctld_port=$(free_port 21000) slurmd_port=$(free_port 22000)
    cat >"$work/slurm.conf" <<END
ClusterName=ecube
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$slurmctld_port
SlurmdPort=$slurmd_port
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$run/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$run/slurmctld.pid
SlurmdPidFile=$run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
NodeName=$name NodeHostname=$name NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    # there may be neither systemd nor a cgroup to write to; older releases look for them only if asked to
    case $(slurmd -V) in
    *" 2"[01]. | *" 2"[012].* | *" 23.02"*) ;;
    *) echo "CgroupPlugin=disabled" >"$work/cgroup.conf" ;;
    esac
}

start_munge() {
    head -c 1024 /dev/urandom >"$work/munge.key"
    chmod 400 "$work/munge.key"
    start munged munged --foreground --force --key-file="$work/munge.key" --socket="$run/munge.socket" \
        --pid-file="$run/munged.pid" --log-file="$work/munged.log" --seed-file="$run/munged.seed"
    wait_until 10 test -S "$run/munge.socket" || die "munged does not start" "$work/munged.log"
}

node_is_idle() { [ "$(sinfo --noheader --format %t 2>/dev/null)" = idle ]; }

start_slurm() {
    chmod 755 "$run"
    rm -rf "$work/state" "$work/spool"
    mkdir -p "$work/state" "$work/spool"
    write_slurm_conf
    export SLURM_CONF="$work/slurm.conf"
    start_munge
    slurm=yes
    start slurmctld slurmctld -D -i -f "$SLURM_CONF"
    start slurmd slurmd -D -f "$SLURM_CONF"
    wait_until 60 node_is_idle || die "Slurm does not start: $(tail -n 5 "$work/slurmctld.log")" "$work/slurmd.log"
    on_loopback "$slurmctld_port" && on_loopback "$slurmd_port" || die "Slurm listens to other computers"
}

# --- sshd, and `beta` as a name of this computer ---

write_ssh_config() {
    port=$(free_port 23000)
    rm -f "$work/host_key" "$work/host_key.pub" "$work/key" "$work/key.pub"
    ssh-keygen -q -t ed25519 -N '' -f "$work/host_key" && ssh-keygen -q -t ed25519 -N '' -f "$work/key" ||
        die "ssh-keygen failed"
    cat >"$work/sshd_config" <<END
ListenAddress 127.0.0.1
Port $port
HostKey $work/host_key
AuthorizedKeysFile $work/key.pub
PidFile $run/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100
END
    cat >"$work/ssh_config" <<END
Host beta
    HostName 127.0.0.1
    Port $port
    User $(id -un)
    IdentityFile $work/key
    IdentitiesOnly yes
    UserKnownHostsFile $run/known_hosts
    StrictHostKeyChecking accept-new
    BatchMode yes
END
}

start_sshd() {
    write_ssh_config
    [ -e /run/sshd ] || { mkdir -m 755 /run/sshd && made_run_sshd=yes; }
    start sshd "$(command -v sshd)" -D -e -f "$work/sshd_config"
    wait_until 10 ssh -F "$work/ssh_config" beta true 2>/dev/null || die "sshd does not start" "$work/sshd.log"
    on_loopback "$port" || die "sshd listens to other computers"
    export PARALLEL_SSH="ssh -F $work/ssh_config" PARALLEL_HOME="$run/parallel"
    mkdir -p "$PARALLEL_HOME"
    touch "$PARALLEL_HOME/will-cite"
}
