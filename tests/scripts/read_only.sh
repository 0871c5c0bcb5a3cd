#!/bin/sh
# Installs from a copy of the built tree that nobody may write to, and takes it away again: as somebody else if this is
# root, to whom nothing is read-only. Nothing in the tree may change.
set -eu
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tree=$work/tree
mkdir -p "$tree/build" "$work/root"
find . -mindepth 1 -maxdepth 1 ! -name build -exec cp -a -t "$tree" {} +
find build -mindepth 1 -maxdepth 1 \( -name '*.[cdho]' -o -name '*.mk' -o -name page.js -o -name ecube -o -name 'libecube*' \
    -o -name sim -o -name models \) -exec cp -a -t "$tree/build" {} +
chmod -R a+rX,a-w "$tree"
chmod 755 "$work"
touch "$work/start"
if [ "$(id -u)" = 0 ]; then
    chown 65534:65534 "$work/root"
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups
fi
for goal in install uninstall; do
    env -u MAKEFLAGS -u MAKELEVEL TMPDIR=/tmp "$@" make -s -C "$tree" $goal DESTDIR="$work/root" >/dev/null
    find "$work/root" -name ecube -type f | sort
done | sed 's,.*/root/,,'
find "$tree" -newer "$work/start"
