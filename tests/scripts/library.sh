#!/bin/sh
# library.sh: the examples of sim/lib/README.md in a folder of their own, beside what `make install` puts into a DESTDIR and
# nothing else of the tree. Prints what they print, and compares it with the page.
set -eu
page=$PWD/sim/lib/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
make -s -o ecube install DESTDIR="$work/root" PREFIX=/opt/ecube >/dev/null
lib=$work/root/opt/ecube/lib
rm -rf "$work/root/opt/ecube/bin"

# block KIND N: the Nth block of the page that is fenced as such
block() {
    awk -v kind="\`\`\`$1" -v n="$2" '/^```/ { open = !open; wanted = open && $0 == kind && ++found == n; next }
        wanted' "$page"
}

cd "$work"
block c 1 >exchange.c
block python 1 >walk.py
block ini 1 >rules.ini
block ini 2 >machine.ini
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/root" LD_LIBRARY_PATH="$lib"
# shellcheck disable=SC2046 # words on purpose
${CC:-cc} -std=c99 -Wall -Wextra -Wno-sign-compare -Werror -o exchange exchange.c $(pkg-config --cflags --libs ecube)
./exchange >said
python3 walk.py >>said
{ block "" 1; block "" 2; } | diff - said
# It needs GLib and the C library alone, and all of its symbols have their version.
! objdump -p "$lib/libecube.so.0" | grep NEEDED | grep -vE 'libglib-2|libc\.so|libm\.so|ld-linux'
! objdump -T "$lib/libecube.so.0" | grep -w '[.]text' | grep -vw ECUBE_0
cat said
