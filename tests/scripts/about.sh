#!/bin/sh
# Asks scripts/about.sh which commit a tree is: a git tree of its own, changed and released, and an archive of it.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tree=$work/tree

# expect WHAT PATTERN TREE
expect() {
    "$3/scripts/about.sh" commit "$work/commit.h"
    got=$(sed -n 's/^#define ECUBE_COMMIT "\(.*\)"$/<\1>/p' "$work/commit.h")
    # shellcheck disable=SC2254 # a pattern
    case $got in
    "<"$2">") ;;
    *)
        echo "about.sh: $1: $got instead of <$2>"
        exit 1
        ;;
    esac
}

here() { git -C "$tree" -c user.name=nobody -c user.email=nobody@localhost -c commit.gpgsign=false "$@"; }

version=$(sed -n 's/^#define ECUBE_VERSION "\(.*\)"$/\1/p' sim/text/version.h)
mkdir -p "$tree/scripts" "$tree/sim/text" "$work/archive"
cp scripts/about.sh "$tree/scripts" && cp sim/text/version.h "$tree/sim/text" && cp .gitattributes "$tree"
expect "a tree without git" "" "$tree"
if command -v git >/dev/null; then
    here init --quiet && here add . && here commit --quiet -m first
    hash=$(here rev-parse --short HEAD)
    expect "a commit" "$hash" "$tree"
    mkdir "$tree/inner" && cp -r "$tree/scripts" "$tree/sim" "$tree/inner"
    expect "a tree within that of somebody else" "" "$tree/inner"
    here archive HEAD | tar -x -C "$work/archive"
    expect "an archive" "$hash" "$work/archive"
    echo >>"$tree/sim/text/version.h"
    expect "a changed tree" "$hash-dirty" "$tree"
    here tag "v$version"
    expect "a changed release" "v$version-dirty" "$tree"
    here commit --quiet -a -m second
    expect "a commit after a release" "v$version-1-g*" "$tree"
    here tag -f "v$version" >/dev/null
    expect "a release" "" "$tree"
    here archive HEAD | tar -x -C "$work/archive"
    expect "an archive of a release" "" "$work/archive"
fi
before=$(stat -c %y "$work/commit.h")
expect "a header that says the same" "" "$work/archive"
[ "$(stat -c %y "$work/commit.h")" = "$before" ] || { echo "about.sh: wrote what was there"; exit 1; }
echo "about.sh: ok"
