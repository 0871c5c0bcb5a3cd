#!/bin/sh
# dependencies.sh FILE: makes sure that the Debian packages ecube is built and tested with are there, installing what is
# missing, and writes the compiler flags to FILE for the Makefile. Debian 12 and 13 are the references. CC: the compiler,
# if not cc.
# dependencies.sh FILE MPICC: makes sure of those that ecube-mpi takes besides, MPICC being the compiler of an MPI.
set -eu

# the releases of SimGrid that ecube was tried with
simgrid_oldest=3.32
simgrid_newest=4.0

compiler=${CC:-cc}
compiler=${compiler%% *}
case $compiler in *clang*) compiler_package=clang ;; *) compiler_package=gcc ;; esac

# what must be there | the package that has it
needs="
$compiler     $compiler_package
pkg-config    pkg-config
valgrind      valgrind
cppcheck      cppcheck
gio-2.0.pc    libglib2.0-dev
glib-compile-resources libglib2.0-dev
check.pc      check
simgrid.pc    libsimgrid-dev
stdlib.h      libc6-dev
gnuplot       gnuplot-nox
DejaVuSans.ttf fonts-dejavu-core
"

mpi_needs() {
    case $1 in
    *mpich*) echo "mpiexec.mpich mpich; $1 libmpich-dev" ;;
    *smpi*) echo "$1 libsimgrid-dev" ;;
    *) echo "mpirun openmpi-bin; $1 libopenmpi-dev" ;;
    esac | tr ';' '\n'
}
[ $# = 1 ] || needs=$(mpi_needs "${2%% *}")

have() {
    case $1 in
    *.pc) command -v pkg-config >/dev/null && pkg-config --exists "${1%.pc}" ;;
    *.h) [ -e "/usr/include/$1" ] ;;
    *.ttf) [ -e "/usr/share/fonts/truetype/dejavu/$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

missing() {
    echo "$needs" | while read -r what package; do
        [ -z "$what" ] || have "$what" || printf '%s ' "$package"
    done
}

install_packages() {
    # a password can only be asked for at a terminal
    if [ "$(id -u)" = 0 ]; then sudo=; elif [ -t 0 ] && [ -t 2 ]; then sudo=sudo; else sudo="sudo -n"; fi
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # words on purpose
    $sudo apt-get -qq update && $sudo apt-get -qq install -y --no-install-recommends $1
}

packages=$(missing)
if [ -n "$packages" ]; then
    echo "Installing missing packages: $packages" >&2
    log=$(mktemp)
    install_packages "$packages" >"$log" 2>&1 || true
    packages=$(missing)
    if [ -n "$packages" ]; then
        echo "ecube needs these Debian packages, and they could not be installed: $packages" >&2
        echo "Install them with: apt-get install $packages  (the last lines of the attempt: $(tail -n 2 "$log" | tr '\n' ' '))" >&2
        rm -f "$log"
        exit 1
    fi
    rm -f "$log"
fi

mkdir -p "$(dirname "$1")"
if [ $# = 2 ]; then : >"$1"; exit; fi

# Whether release $1 is not after $2.
not_after() {
    [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

simgrid=$(pkg-config --modversion simgrid)
if ! not_after $simgrid_oldest "$simgrid"; then
    echo "ecube needs SimGrid $simgrid_oldest or newer; pkg-config finds $simgrid" >&2
    exit 1
fi
if ! not_after "$simgrid" $simgrid_newest && [ "${simgrid#"$simgrid_newest".}" = "$simgrid" ]; then
    echo "Warning: SimGrid $simgrid is newer than what ecube was tried with ($simgrid_oldest to $simgrid_newest)" >&2
fi

{
    echo "GLIB_CFLAGS := $(pkg-config --cflags gio-2.0)"
    echo "GLIB_LIBS := $(pkg-config --libs glib-2.0)"
    echo "GIO_LIBS := $(pkg-config --libs gio-2.0)"
    echo "SIMGRID_CFLAGS := $(pkg-config --cflags simgrid)"
    echo "SIMGRID_LIBS := $(pkg-config --libs simgrid)"
    echo "CHECK_CFLAGS := $(pkg-config --cflags check)"
    echo "CHECK_LIBS := $(pkg-config --libs check)"
} >"$1"
