# Completion of ecube for bash: the program says what may come next (`ecube complete --help`).

_ecube() {
    local IFS=$' \t\n' words=() word glue='' i line
    # bash has cut the line at = and : as well, where they are among COMP_WORDBREAKS; the program has not
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -n $glue || $word == [=:]* ]] && ((${#words[@]})); then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        [[ $word == *[=:] ]] && glue=1 || glue=''
    done
    word=${words[-1]#[\"\']}
    words[-1]=$word
    # what bash keeps of the word: all up to the last place where it has cut
    local kept=${word%"${word##*[=:]}"}
    [[ $COMP_WORDBREAKS == *[=:]* ]] || kept=''

    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            word=${word##*=}
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do
                COMPREPLY+=("$line")
            done < <(compgen -f -- "$word")
        else
            line=${line%%$'\t'*}
            COMPREPLY+=("${line#"$kept"}")
        fi
    done < <("${1/#\~/$HOME}" complete -- "${words[@]}" 2>/dev/null)
    # a list or a setting goes on
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}

complete -F _ecube ecube
