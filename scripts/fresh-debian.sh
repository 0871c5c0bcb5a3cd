#!/bin/sh
# fresh-debian.sh SUITE TARGET...: makes a bare Debian of that suite (bookworm, trixie, ...), copies the working tree into
# it, with git and make and nothing else, and runs `make TARGET...` there as root, in an environment that has HOME, PATH and
# the proxies alone. TARGET... may be any arguments of make, as in `scripts/fresh-debian.sh trixie CC=clang demo unit`.
#
# The packages come from the mirror of the machine's own apt sources, with its proxies and passwords. Needs root or sudo.
# Whatever runs inside has mounts and processes of its own, which end with the script, however it ends. What was
# downloaded is kept in build/fresh-debian, so that the next time is quicker.
#
# Exit code: that of make; 77, after one line that says why, if no Debian can be made here; 2 for wrong arguments.
set -eu
cd "$(dirname "$0")/.."
cache=$PWD/build/fresh-debian
proxies="http_proxy https_proxy no_proxy HTTPS_PROXY NO_PROXY"
child=
tree=

cannot() {
    echo "fresh-debian: left out, because no bare $suite can be made here: $1" >&2
    exit 77
}

# NAME=VALUE of the proxies that are set, for env.
proxy_settings() {
    for name in $proxies; do
        eval "value=\${$name-}"
        [ -z "$value" ] || echo "$name=$value"
    done
}

# Does nothing for root; everybody else continues as root.
become_root() {
    [ "$(id -u)" != 0 ] || return 0
    command -v sudo >/dev/null || cannot "that takes root or sudo"
    # a password can only be asked for at a terminal
    if [ ! -t 0 ] || [ ! -t 2 ]; then sudo -n true 2>/dev/null || cannot "that takes root, and sudo wants a password"; fi
    # shellcheck disable=SC2046 # words on purpose
    exec sudo env $(proxy_settings) scripts/fresh-debian.sh "$@"
}

install_debootstrap() {
    command -v debootstrap >/dev/null && [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] && return
    command -v apt-get >/dev/null || cannot "there is no apt-get"
    echo "fresh-debian: installing debootstrap" >&2
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    { apt-get -qq update && apt-get -qq install -y --no-install-recommends debootstrap debian-archive-keyring; } \
        >"$cache/apt.log" 2>&1 || cannot "debootstrap could not be installed; see build/fresh-debian/apt.log"
}

# The first of the machine's apt sources that has the suite.
find_mirror() {
    apt-get --print-uris update | sed -n "s|^'\(https\{0,1\}://.*\)/dists/[^']*/InRelease'.*|\1|p" | sort -u |
        while read -r uri; do
            release=$(mktemp)
            /usr/lib/apt/apt-helper download-file "$uri/dists/$suite/InRelease" "$release" >/dev/null 2>&1 || true
            if grep -q '^Label: Debian$' "$release" && grep -qE "^(Suite|Codename): $suite\$" "$release"; then
                echo "$uri"
            fi
            rm -f "$release"
        done | head -n 1
}

# Runs a command with mounts and processes of its own: neither is left when it, or this script, ends, be it killed. In the
# background, because the shell attends to signals only while it waits.
contained() {
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child "$@" 9>&- &
    child=$!
    code=0
    wait $child || code=$?
    child=
    return $code
}

clean_up() {
    [ -z "$child" ] || kill -KILL "$child" 2>/dev/null || true
    wait
    # what was killed may take a moment to go
    [ -z "$tree" ] || rm -rf --one-file-system "$tree" || { sleep 2 && rm -rf --one-file-system "$tree"; }
}

# The bare system, from the cache if it is there.
make_tree() {
    if [ ! -e "$cache/$suite.tar" ]; then
        echo "fresh-debian: debootstrap $suite; about a minute" >&2
        contained debootstrap --variant=minbase --include=git,make "$suite" "$tree" "$mirror" >"$cache/$suite.log" 2>&1 || {
            echo "fresh-debian: debootstrap failed; the end of build/fresh-debian/$suite.log:" >&2
            tail -n 3 "$cache/$suite.log" >&2
            exit 1
        }
        tar -C "$tree" --one-file-system --exclude=./var/cache/apt/archives/\*.deb -cf "$cache/$suite.tar.new" .
        mv "$cache/$suite.tar.new" "$cache/$suite.tar"
    else
        tar -C "$tree" -xpf "$cache/$suite.tar"
    fi
    echo "deb $mirror $suite main" >"$tree/etc/apt/sources.list"
    echo force-unsafe-io >"$tree/etc/dpkg/dpkg.cfg.d/quick"
}

# How this machine reaches its mirror.
copy_network() {
    cp /etc/resolv.conf /etc/hosts "$tree/etc"
    cp -r /etc/apt/auth.conf /etc/apt/auth.conf.d "$tree/etc/apt" 2>/dev/null || true
    apt-config dump | grep -E '^Acquire::(https?|Check-[a-z-]*|Retries)(::|[ ])' >"$tree/etc/apt/apt.conf.d/90machine" || true
}

# The working tree with its history's last commit, or just the files, where there is no git.
copy_project() {
    mkdir "$tree/root/ecube"
    if git rev-parse --git-dir >/dev/null 2>&1; then
        git clone -q --no-checkout --depth 1 "file://$PWD" "$tree/root/ecube"
        git -C "$tree/root/ecube" reset -q
        git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'ls -d -- "$@" 2>/dev/null || true' sh |
            tar -cf - -T - | tar -C "$tree/root/ecube" --no-same-owner -xf -
    else
        tar --exclude=./build --exclude=./ecube -cf - . | tar -C "$tree/root/ecube" --no-same-owner -xf -
    fi
}

# $1 the tree, $2 the folder of downloaded packages, then the environment and what to run
inside='
set -eu
tree=$1
packages=$2
shift 2
mount -t proc proc "$tree/proc"
mount -t sysfs -o ro sys "$tree/sys"
mount --rbind /dev "$tree/dev"
mount --bind "$packages" "$tree/var/cache/apt/archives"
code=0
env -i "$@" || code=$?
exit $code
'

run_make() {
    # shellcheck disable=SC2046 # words on purpose
    contained sh -c "$inside" sh "$tree" "$cache/$suite-packages" $(proxy_settings) PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root chroot "$tree" make --directory=/root/ecube "$@"
}

case ${1-} in *[!a-z]*) set -- ;; esac
if [ $# -lt 2 ]; then
    echo "usage: scripts/fresh-debian.sh SUITE TARGET...  (as in: scripts/fresh-debian.sh trixie demo)" >&2
    exit 2
fi
suite=$1
mkdir -p "$cache"
become_root "$@"
shift
unset MAKEFLAGS MAKELEVEL MFLAGS
install_debootstrap
unshare --mount --pid --fork --mount-proc true 2>/dev/null || cannot "this machine does not let root mount anything"
mirror=$(find_mirror)
[ -n "$mirror" ] || cannot "none of the machine's apt sources has it, or none can be reached"

exec 9>"$cache/$suite.lock"
flock 9 2>/dev/null ||
    echo "fresh-debian: $cache/$suite.lock cannot be locked: another run for $suite would take this one's tree away" >&2
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
mkdir -p "$cache/$suite-packages/partial"
chown "${SUDO_UID:-0}" "$cache/$suite-packages"
rm -rf --one-file-system "$cache/$suite"-tree.*   # of a run that was killed
tree=$(mktemp -d "$cache/$suite-tree.XXXXXX")
chmod 755 "$tree"
make_tree
copy_network
copy_project
code=0
run_make "$@" || code=$?
[ $code != 0 ] || echo "fresh-debian: $suite: make $*: passed"
exit $code
