#!/bin/sh
# dependencies.sh FILE WHAT: makes sure that the Debian packages are there that ecube is built with (build; mpi: without
# SimGrid), draws with (draws), or is tested with (tests; mpi-checks: programs of others on an MPI), installing what is
# missing, and writes the compiler flags to FILE for the Makefile. Without apt it names what is missing.
# Debian 12 and 13 are the references. CC: the compiler, if not cc. Any other WHAT is the compiler of an MPI.
set -eu

# the releases of SimGrid that ecube was tried with
simgrid_oldest=3.32
simgrid_newest=4.0

compiler=${CC:-cc}
compiler=${compiler%% *}
case $compiler in *clang*) compiler_package=clang ;; *) compiler_package=gcc ;; esac

# what must be there and the package that has it, for $1
needs() {
    case $1 in
    build) echo "$compiler $compiler_package; pkg-config pkg-config; gio-2.0.pc libglib2.0-dev
                 glib-compile-resources libglib2.0-dev; simgrid.pc libsimgrid-dev; stdlib.h libc6-dev" ;;
    mpi) echo "$compiler $compiler_package; pkg-config pkg-config; gio-2.0.pc libglib2.0-dev; stdlib.h libc6-dev" ;;
    draws) echo "gnuplot gnuplot-nox; DejaVuSans.ttf fonts-dejavu-core" ;;
    tests) needs draws; echo "valgrind valgrind; cppcheck cppcheck; check.pc check; python3 python3" ;;
    mpi-checks) echo "hpcc hpcc; fftw3-mpi.h libfftw3-mpi-dev; fftw3.h libfftw3-dev; gfortran gfortran; valgrind valgrind" ;;
    *mpich*) echo "mpiexec.mpich mpich; $1 libmpich-dev" ;;
    *smpi*) echo "$1 libsimgrid-dev" ;;
    *) echo "mpirun openmpi-bin; $1 libopenmpi-dev" ;;
    esac | tr ';' '\n'
}
what=${2%% *}

have() {
    case $1 in
    *.pc) command -v pkg-config >/dev/null && pkg-config --exists "${1%.pc}" ;;
    *.h) [ -e "/usr/include/$1" ] ;;
    *.ttf) [ -e "/usr/share/fonts/truetype/dejavu/$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

missing() {
    needs "$what" | while read -r file package; do have "$file" || echo "$package"; done | sort -u | tr '\n' ' '
}

# What package $1 of Debian is called elsewhere.
elsewhere() {
    case $1 in
    pkg-config) echo "Fedora, RHEL, openSUSE: pkgconf-pkg-config; Arch: pkgconf" ;;
    libglib2.0-dev) echo "Fedora, RHEL, openSUSE: glib2-devel; Arch: glib2" ;;
    libsimgrid-dev) echo "elsewhere: simgrid.org" ;;
    libc6-dev) echo "Fedora, RHEL, openSUSE: glibc-devel; Arch: glibc" ;;
    openmpi-bin | libopenmpi-dev) echo "Fedora, RHEL: openmpi-devel; Arch: openmpi; clusters: module load" ;;
    mpich | libmpich-dev) echo "Fedora, RHEL: mpich-devel; Arch: mpich; clusters: module load" ;;
    *) echo "elsewhere mostly of the same name" ;;
    esac
}

name_packages() {
    echo "ecube needs these packages, and there is no apt-get that installs them:" >&2
    for package in $1; do echo "  $package ($(elsewhere "$package"))" >&2; done
}

install_packages() {
    # a password can only be asked for at a terminal
    if [ "$(id -u)" = 0 ]; then sudo=
    elif ! command -v sudo >/dev/null; then echo "that takes root, and there is no sudo"; return 1
    elif [ -t 0 ] && [ -t 2 ]; then sudo=sudo; else sudo="sudo -n"; fi
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C
    # others may be at it: an installation waits for them, and an update does not
    tries=100
    until said=$($sudo apt-get -qq update 2>&1); do
        tries=$((tries - 1))
        case $said in *"not get lock"*) [ $tries -gt 0 ] && sleep 3 && continue ;; esac
        echo "$said"
        return 1
    done
    # shellcheck disable=SC2086 # words on purpose
    $sudo apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $1
}

# make may call this for several files at a time
mkdir -p build "$(dirname "$1")"
exec 9>build/packages.lock
flock 9 2>/dev/null ||
    echo "Warning: build/packages.lock cannot be locked: another make here that installs packages would not be waited for" >&2
packages=$(missing)
if [ -n "$packages" ] && ! command -v apt-get >/dev/null; then
    name_packages "$packages"
    exit 1
fi
if [ -n "$packages" ]; then
    echo "Installing missing packages (this may take minutes): $packages" >&2
    log=$(mktemp)
    install_packages "$packages" >"$log" 2>&1 || true
    packages=$(missing)
    if [ -n "$packages" ]; then
        echo "Packages that ecube needs could not be installed: $(tail -n 2 "$log" | tr '\n' ' ')" >&2
        echo "Install them as root: apt-get install $packages" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
fi

# Whether release $1 is not after $2.
not_after() {
    [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

# flags NAME PACKAGE
flags() {
    echo "$1_CFLAGS := $(pkg-config --cflags "$2")"
    echo "$1_LIBS := $(pkg-config --libs "$2")"
}

# The name of SimGrid's library for programs that load it when they run: the one that a linked program has.
simgrid_library() {
    probe=$(mktemp)
    # shellcheck disable=SC2046 # words on purpose
    echo 'int main(void) { return 0; }' |
        ${CC:-cc} -x c - -x none -Wl,--no-as-needed $(pkg-config --libs simgrid) -o "$probe"
    readelf -d "$probe" | sed -n 's/.*(NEEDED).*\[\(libsimgrid[^]]*\)\]/SIMGRID_LIBRARY := \1/p'
    rm -f "$probe"
}

check_simgrid() {
    simgrid=$(pkg-config --modversion simgrid)
    if ! not_after $simgrid_oldest "$simgrid"; then
        echo "ecube needs SimGrid $simgrid_oldest or newer; pkg-config finds $simgrid" >&2
        exit 1
    fi
    if ! not_after "$simgrid" $simgrid_newest && [ "${simgrid#"$simgrid_newest".}" = "$simgrid" ]; then
        echo "Warning: SimGrid $simgrid is newer than what ecube was tried with ($simgrid_oldest to $simgrid_newest)" >&2
    fi
}

[ "$what" != build ] || check_simgrid
case $what in
mpi) flags GLIB glib-2.0; flags GIO gio-2.0 ;;
build) flags GLIB glib-2.0; flags GIO gio-2.0; flags SIMGRID simgrid; simgrid_library ;;
tests) flags CHECK check ;;
esac >"$1"
