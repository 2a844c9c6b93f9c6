#!/bin/sh
# A scripted agent: plays the talk in file $1 word for word.
# `> line`  expects this very line on standard input; `@ID@` in it stands for anything and is kept,
#           `@ANY@` for anything
# `< line`  prints it; `@ID@` becomes what was kept last
# `! words` does what the shell does with them
while IFS= read -r step <&3; do
    case $step in
    '> '*)
        want=${step#> }
        if ! IFS= read -r got; then
            echo "the talk was cut off before: $want" >&2
            exit 97
        fi
        heard=$got
        rest=$want
        while :; do
            case $rest in
            *@ID@* | *@ANY@*)
                before=${rest%%@*}
                rest=${rest#"$before"@}
                kind=${rest%%@*}
                rest=${rest#"$kind"@}
                next=${rest%%@*}
                case $heard in "$before"*) ;; *) break ;; esac
                heard=${heard#"$before"}
                part=${heard%%"$next"*}
                heard=${heard#"$part"}
                [ "$kind" = ID ] && id=$part
                ;;
            *) break ;;
            esac
        done
        if [ "$heard" != "$rest" ]; then
            echo "expected $want
but heard $got" >&2
            exit 98
        fi
        ;;
    '< '*)
        say=${step#< }
        case $say in
        *@ID@*) printf '%s%s%s\n' "${say%%@ID@*}" "$id" "${say#*@ID@}" ;;
        *) printf '%s\n' "$say" ;;
        esac
        ;;
    '! '*) eval "${step#! }" ;;
    esac
done 3<"$1"
