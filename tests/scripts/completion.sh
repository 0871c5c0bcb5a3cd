#!/bin/sh
# Asks the completions of scripts/completion/ what may follow lines: bash, and zsh and fish where they are. Prints a line
# for each shell; exit code 1 if one of them offers anything else than it should.
set -u
cd "$(dirname "$0")/../.." || exit 1
PATH=$PWD:$PATH
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# lines, each up to the cursor, and all that may stand there in place of its last word; files are those of the tree
cat >"$work/expected" <<'END'
ecube ru|run
ecube li|list
ecube run --pat|--pattern
ecube run -m ipsc8|ipsc860 ipsc860:unforced
ecube run -m ipsc860:|ipsc860:unforced
ecube run --machine=ncube2:d|--machine=ncube2:dongarra
ecube run -m ./plat|./platforms/
ecube run --pattern=all-b|--pattern=all-broadcast
ecube run --pattern red|reduce reduce-scatter reduction
ecube run -d 3 -a m|multiphase multiphase-linear
ecube run --pattern broadcast -a |circuits gc knomial nesbt nrsbt sbnt sbt tcbt
ecube run --pattern=broadcast -a sbt,n|sbt,nesbt sbt,nrsbt
ecube run -s pattern=broadcast -a ne|nesbt
ecube run johnsson1987-figure3 -a ne|nesbt
ecube run --format |csv json table
ecube tree |circuits nesbt nrsbt path sbnt sbt tcbt
ecube tree sbt --format=|--format=dot --format=svg --format=text
ecube hull -s dup|duplex=
ecube hull -s dim|
ecube run -s dim|dimension=
ecube run -s duplex=|duplex=full duplex=half duplex=synchronized
ecube run -s algorithm=standard,mul|algorithm=standard,multiphase algorithm=standard,multiphase-linear
ecube sweep -m ipsc1,ipsc8|ipsc1,ipsc860 ipsc1,ipsc860:unforced
ecube run -p '2,2;1,3' --packet opt|optimal
ecube run cross|crossover
ecube run scenarios/cross|scenarios/crossover.ini
ecube run --output=scen|--output=scenarios/
ecube platform ips|ipsc1 ipsc1:first ipsc1:second ipsc2 ipsc860 ipsc860:unforced
ecube list |algorithms keys machines patterns scenarios
ecube hull ipsc860 --mod|--model
ecube hull --family |offsets partitions rings
ecube run -a offsets --offsets |all k=
ecube run --noncontiguous=p|--noncontiguous=pieces
ecube run -d |
ecube nonsense |
END

# Bash cuts a line at = and :, and puts what it is given in the place of what comes after; a folder gets its / later.
cat >"$work/bash" <<'END'
source scripts/completion/ecube.bash
compopt() { [[ $* != *filenames* ]] || files=1; }
while IFS='|' read -r line _; do
    [[ $line == *' ' ]] && last='' || last=${line##* }
    mapfile -t COMP_WORDS < <(grep -oE "[=:]+|[^=: ]+" <<<"$line")
    [[ $line == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) files=''
    _ecube ecube "${COMP_WORDS[COMP_CWORD]}" ''
    kept=${last%"${last##*[=:]}"}
    for i in "${!COMPREPLY[@]}"; do
        [[ -n $files && -d ${COMPREPLY[i]} ]] && COMPREPLY[i]+=/
        COMPREPLY[i]=$kept${COMPREPLY[i]}
    done
    ((${#COMPREPLY[@]} == 0)) || mapfile -t COMPREPLY < <(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort)
    echo "$line|${COMPREPLY[*]}"
done
END

# In zsh a terminal of its own is needed; what goes to compadd is written down.
cat >"$work/zsh" <<'END'
zmodload zsh/zpty
wait_for() { repeat 12000; do [[ -e $1 ]] && return; sleep 0.05; done; exit 1; }
cat >$1/.zshrc <<'RC'
fpath=($PWD/scripts/completion $fpath)
autoload -U compinit && compinit -u -D
# -O leaves what matches in an array; -p is what is put before, as the folder of a file; folders get their / later
compadd() {
    local -a hits before; local name given=" ${(j: :)@[1,(i)(-|--)]} "
    [[ $given == *' -'(O|A|D)* ]] && { builtin compadd "$@"; return }
    builtin compadd -O hits "$@"
    before=("${@[(I)-p]}")
    (( before[1] )) && hits=("${@[before[1]+1]}"$^hits)
    for name in $hits; do
        [[ $given == *' -'(|Q)'f '* && -d $name ]] && name=$name/
        print -r -- "$IPREFIX$name" >>$ZDOTDIR/hits
    done
    builtin compadd "$@"
}
answer() {
    BUFFER=$(<$ZDOTDIR/line); CURSOR=$#BUFFER
    : >$ZDOTDIR/hits
    zle complete-word
    : >$ZDOTDIR/done
    BUFFER=
}
zle -N answer
bindkey '^T' answer
setopt no_beep
: >$ZDOTDIR/ready
RC
zpty shell "env ZDOTDIR=$1 zsh -d -i"     # it reads .zshrc at once
wait_for $1/ready
while IFS='|' read -r line _; do
    rm -f $1/done; print -rn -- "$line" >$1/line
    zpty -w -n shell $'\x14'
    wait_for $1/done
    zpty -rt shell _ || true
    print -r -- "$line|${(j: :)${(fou)$(LC_ALL=C sort $1/hits)}}"
done
zpty -d shell
END

cat >"$work/fish" <<'END'
source scripts/completion/ecube.fish
while read -l case
    set -l line (string replace -r '\|.*' '' -- $case)
    set -l names (complete -C $line | string replace -r '\t.*' '' | LC_ALL=C sort)
    echo "$line|$names"
end
END

# check SHELL COMMAND...
check() {
    shell=$1
    if ! command -v "$shell" >/dev/null; then
        echo "$shell: not installed"
        return
    fi
    "$@" <"$work/expected" >"$work/actual" 2>&1
    if diff -u "$work/expected" "$work/actual" | sed 1,2d >"$work/diff" && [ -s "$work/diff" ]; then
        failed=1
        cat "$work/diff"
        echo "$shell: not as expected"
    else
        echo "$shell: $(wc -l <"$work/expected") lines completed as expected"
    fi
}

check bash --norc "$work/bash"
check zsh -f "$work/zsh" "$work"
check fish --no-config "$work/fish"
exit $failed
