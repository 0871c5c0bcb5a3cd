#!/bin/sh
# about.sh commit FILE, about.sh place FILE BINDIR DATADIR: writes a header for the program, if it would be another one.
#
# commit: ECUBE_COMMIT, for --version: what git says of this tree, with -dirty if files differ from the commit; or the
#   commit that `git archive` made it of; "" for a release, whose tag is v and the version, and where nothing is known.
# place: ECUBE_DATA_INSTALLED, the folder DATADIR, and ECUBE_DATA_FROM_PROGRAM, the way to it from BINDIR.
set -eu
header=$2
top=$(cd "$(dirname "$0")/.." && pwd -P)

# put in by `git archive` (.gitattributes)
archived='$Format:%h$'
archived_tag='$Format:%(describe:tags=true)$'

# without writing to the index, and in the tree of another user as well (sudo make install)
git_here() { git --no-optional-locks -c safe.directory="$top" -C "$top" "$@" 2>/dev/null; }

commit() {
    release=$(sed -n 's/^#define ECUBE_VERSION "\(.*\)"$/\1/p' "$top/sim/text/version.h")
    if is_top=$(git_here rev-parse --show-cdup) && [ -z "$is_top" ]; then
        name=$(git_here describe --tags --always) || name=
        [ -z "$(git_here status --porcelain --untracked-files=no)" ] || name=$name-dirty
    else
        name=$archived_tag
        case $name in '' | *Format:*) name=$archived ;; esac
        case $name in *Format:*) name= ;; esac
    fi
    [ "$name" != "v$release" ] || name=
    echo "$name"
}

# A C string.
quoted() { printf '"%s"\n' "$(printf '%s\n' "$1" | sed 's/[\\"]/\\&/g')"; }

define() {
    case $1 in
    commit) echo "#define ECUBE_COMMIT $(quoted "$(commit)")" ;;
    place)
        echo "#define ECUBE_DATA_INSTALLED $(quoted "$4")"
        echo "#define ECUBE_DATA_FROM_PROGRAM $(quoted "$(realpath -ms --relative-to="$3" "$4")")"
        ;;
    esac
}

# What says the same already is only read: who installs need not be allowed to write to the tree. Two makes in one tree
# may be here at a time: to each its own file.
text=$(define "$@")
if ! printf '%s\n' "$text" | cmp -s - "$header"; then
    mkdir -p "$(dirname "$header")"
    printf '%s\n' "$text" >"$header.$$"
    mv "$header.$$" "$header"
fi
