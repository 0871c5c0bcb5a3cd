#!/bin/sh
# install.sh install|uninstall: for `make install` and `make uninstall`, which name the directories in the environment:
# DESTDIR, prefix, bindir, libdir, includedir, datadir, mandir, docdir, bashcompletiondir, zshcompletiondir, fishcompletiondir.
#
# What is installed, and which folders had to be made for it, is kept in $datadir/ecube/manifest, so that it can all be
# removed again, and nothing else. An installation may be copied or moved: its manifest still names the first place.
set -eu
cd "$(dirname "$0")/.."
umask 022
root=${DESTDIR:-}
: "${prefix?}" "${bindir:?}" "${libdir:?}" "${includedir:?}" "${datadir:?}" "${mandir:?}" "${docdir:?}"
: "${bashcompletiondir:?}" "${zshcompletiondir:?}" "${fishcompletiondir:?}"
manifest=$datadir/ecube/manifest
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

die() {
    echo "$1" >&2
    exit 2
}

# make_folder FOLDER: with those above it
make_folder() {
    [ ! -d "$root$1" ] || return 0
    make_folder "$(dirname "$1")"
    mkdir "$root$1"
    echo "folder $1" >>"$work/new"
}

# put MODE FILE TARGET
put() {
    make_folder "$(dirname "$3")"
    install -m "$1" "$2" "$root$3"
    echo "file $3" >>"$work/new"
}

# from_pc FOLDER: the way to it from that of ecube.pc, as an installation may be moved; blanks escaped, and all of it for sed
from_pc() { realpath -ms --relative-to="$libdir/pkgconfig" "$1" | sed 's/ /\\ /g; s/[\\,&]/\\&/g'; }

put_library() {
    put 755 build/libecube.so.0 "$libdir/libecube.so.0"
    ln -sf libecube.so.0 "$root$libdir/libecube.so"
    echo "file $libdir/libecube.so" >>"$work/new"
    put 644 sim/lib/ecube.h "$includedir/ecube.h"
    version=$(sed -n 's/^#define ECUBE_VERSION "\(.*\)"$/\1/p' sim/text/version.h)
    sed "s,@prefix@,$(from_pc "${prefix:-/}"),; s,@includedir@,$(from_pc "$includedir"),; s,@version@,$version," \
        sim/lib/ecube.pc.in >"$work/ecube.pc"
    put 644 "$work/ecube.pc" "$libdir/pkgconfig/ecube.pc"
    put 644 sim/lib/libecube.3 "$mandir/man3/libecube.3"
}

# The data first: the manifest lies there.
put_all() {
    for file in platforms/*.ini scenarios/*.ini scenarios/*.txt models/claims.tsv; do
        put 644 "$file" "$datadir/ecube/$file"
    done
    put 755 ecube "$bindir/ecube"
    if [ -e ecube-mpi ]; then   # if it has been made
        put 755 ecube-mpi "$bindir/ecube-mpi"
        put 644 sim/mpi/ecube-mpi.1 "$mandir/man1/ecube-mpi.1"
    fi
    if [ -e libecube-mpi.so ]; then
        put 755 libecube-mpi.so "$libdir/libecube-mpi.so"
        put 644 sim/preload/libecube-mpi.7 "$mandir/man7/libecube-mpi.7"
    fi
    put_library
    put 644 sim/commands/ecube.1 "$mandir/man1/ecube.1"
    # all pages, and the pictures: they lead to each other
    for file in $(find README.md CHANGELOG.md models platforms scenarios scripts sim tests/peers -name '*.md') \
        CITATION.cff models/claims.tsv scripts/figures/ipsc860.svg scripts/figures/report.png scripts/figures/scale.svg; do
        put 644 "$file" "$docdir/$file"
    done
    put 644 scripts/completion/ecube.bash "$bashcompletiondir/ecube"
    put 644 scripts/completion/_ecube "$zshcompletiondir/_ecube"
    put 644 scripts/completion/ecube.fish "$fishcompletiondir/ecube.fish"
}

# read_manifest: what is there, if anything, to $work/old, with the names of today. What lies outside the prefix belongs
# to the first installation as long as there is one.
read_manifest() {
    [ -e "$root$manifest" ] || return 0
    first=$(sed -n 's,^file \(.*/ecube/manifest\)$,\1,p' "$root$manifest" | head -n 1)
    if [ "$(realpath -m "$root$first")" = "$(realpath -m "$root$manifest")" ]; then
        cp "$root$manifest" "$work/old"
        return
    fi
    was=${first%"${manifest#"$prefix"}"}
    [ "$was" != "$first" ] || die "PREFIX: $root$manifest is that of ${first:-no installation}"
    while read -r kind path; do
        case $path in
        "$was" | "$was"/*) echo "$kind $prefix${path#"$was"}" ;;
        *) [ -e "$root$first" ] || echo "$kind $path" ;;
        esac
    done <"$root$manifest" >"$work/old"
}

# remove LIST: the files of a list, then the folders that are empty
remove() {
    sed -n 's/^file //p' "$1" | while IFS= read -r file; do
        rm -f "$root$file"
    done
    sed -n 's/^folder //p' "$1" | sort -r | while IFS= read -r folder; do
        [ ! -d "$root$folder" ] || rmdir --ignore-fail-on-non-empty "$root$folder"
    done
}

# keep_manifest LIST
keep_manifest() {
    [ -d "$root$datadir/ecube" ] || return 0
    { cat "$1"; grep '^folder ' "$work/old" || true; echo "file $manifest"; } | sort -u >"$work/manifest"
    install -m 644 "$work/manifest" "$root$manifest"
}

# Also what an install has made that fails can be removed.
keep_all() {
    cat "$work/old" >>"$work/new"
    keep_manifest "$work/new"
    rm -rf "$work"
}

do_install() {
    case $bindir$datadir in /*) ;; *) die "PREFIX: '$bindir' is not allowed; allowed: directories that begin with /" ;; esac
    mkdir -p "$root/"
    read_manifest
    trap keep_all EXIT
    put_all
    trap 'rm -rf "$work"' EXIT
    keep_manifest "$work/new"
    # what an earlier version had and this one has not
    sort -u "$work/old" | comm -23 - "$work/manifest" >"$work/gone"
    remove "$work/gone"
}

do_uninstall() {
    [ -e "$root$manifest" ] || die "uninstall: $root$manifest: there is none, so nothing is installed there"
    read_manifest
    remove "$work/old"
}

: >"$work/old"
: >"$work/new"
case ${1:-} in
install) do_install ;;
uninstall) do_uninstall ;;
*) die "usage: $0 install|uninstall" ;;
esac
