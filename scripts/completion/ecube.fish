# Completion of ecube for fish: the program says what may come next (`ecube complete --help`).

function __fish_ecube
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] $word 2>/dev/null)
        if test "$line" = :files
            set -l option (string match -r -- '^--[^=]*=' $word)
            for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $word))
                echo -- "$option$path"
            end
        else
            echo -- $line
        end
    end
end

complete -c ecube -f -a '(__fish_ecube)'
