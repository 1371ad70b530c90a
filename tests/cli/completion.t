#!/bin/sh
# Completion scripts, asked as a shell asks them.
. "${srcdir:-.}/tests/cli/tap.sh"

fails 2 "help: option '--completion': 'ksh' is not one of its values; give bash or zsh or fish" \
    "a shell that is not known" help --completion ksh

for shell in bash zsh fish; do
    "$opshift" help --completion $shell >$shell.script
    ok $? "there is a script for $shell"
done
mkdir out && : >out/model.onnx && : >'a blank.onnx' && : >model.onnx

# complete WORD...: what bash offers for the last word, sorted, on one line.
cat >complete.bash <<'END'
set -u
. ./bash.script
COMP_WORDS=(opshift "$@")
COMP_CWORD=$#
_opshift
[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' '|'
END
offers() { # WANTED WHAT WORD...
    wanted=$1 what=$2
    shift 2
    is "$wanted" "$(bash complete.bash "$@")" "bash: $what"
}
if command -v bash >/dev/null; then
    offers "convert|" "a command" conv
    offers "--version|" "an option of opshift itself" --v
    offers "--split-form|--split-sequences|" "options of a command" convert --split
    offers "a blank.onnx|" "a file name with a blank" convert a
    offers "out|" "a file name after -o" convert -o o
    offers "out|" "a directory after an option that wants one" run -o o
    offers "" "no file where a directory is wanted" run -o m
    offers "json|" "a value of a fixed list" show --format j
    offers "json|" "a value after a letter" show -f j
    offers "json|" "a value after a sign" show --format = j
    offers "json|ndjson|text|" "all values after a sign" show --format =
    offers "to-sequence|to-split|" "a value that may be absent, after a sign" convert --split-sequences = to
    offers "model.onnx|" "a value that may be absent takes no word of its own" convert --split-sequences mo
    offers "" "nothing for a number" convert --opset ""
    offers "convert|" "the commands after help" help con
    offers "bash|" "shells" help --completion b
    offers "coverage|" "words of a command" rules co
    offers "model.onnx|" "a file after them" rules check mo
    offers "" "nothing of an unknown command" conv --x
    for name in $("$opshift" help | sed -n '/^options of all commands:/q; s/^  \([a-z]*\) .*/\1/p'); do
        bash complete.bash "$name" -- | tr '|' '\n' | grep '^--' >offered
        "$opshift" "$name" --help | grep -v '^  opshift' | sed -n 's/^  -., \(--[a-z0-9-]*\).*/\1/p; s/^      \(--[a-z0-9-]*\).*/\1/p' | sort >helped
        is "$(cat helped)" "$(cat offered)" "bash: every option of $name"
    done
else
    skip "bash" "bash is not here"
fi

if command -v zsh >/dev/null; then
    zsh -n zsh.script
    ok $? "zsh: the script is read"
    # A terminal of zsh's own: zpty types a line and a tab.
    mkdir functions && cp zsh.script functions/_opshift
    cat >complete.zsh <<'END'
zmodload zsh/zpty
zpty asked zsh -f -i
zpty -w asked "PROMPT=; TERM=dumb; fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D; setopt no_list_beep; bindkey '^I' complete-word; print rea''dy"
zpty -r -m asked seen '*ready*'
zpty -n -w asked "$1"$'\t'
for i in {1..100}; do
    sleep 0.05
    while zpty -r -t asked part; do seen+=$part; done
    [[ $seen = *${~2}* ]] && print found && break
done
zpty -d asked
END
    for row in 'opshift conv|convert ' 'opshift show --format j|json ' 'opshift convert --split-f|--split-form' \
        'opshift convert mo|model.onnx' 'opshift help --completion fi|fish '; do
        is found "$(timeout 60 zsh -f complete.zsh "${row%|*}" "${row#*|}" 2>&1)" "zsh: ${row%|*}"
    done
else
    skip "zsh" "zsh is not here"
fi

if command -v fish >/dev/null; then
    HOME=$work
    export HOME
    for row in 'opshift conv|convert' 'opshift show --format j|json' 'opshift convert --split-f|--split-form' \
        'opshift convert -o mo|model.onnx' 'opshift help --completion fi|fish' 'opshift rules co|coverage'; do
        is "${row#*|}" "$(fish --no-config -c "source fish.script; complete -C '${row%|*}'" 2>&1 | cut -f 1)" "fish: ${row%|*}"
    done
else
    skip "fish" "fish is not here"
fi
done_testing
