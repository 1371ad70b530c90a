#!/bin/sh
# Help, and errors of the command line.
. "${srcdir:-.}/tests/cli/tap.sh"

run --version
is 0 "$status" "--version: exit status 0"
like '^opshift [0-9]' "$out" "--version says which"

run --help
is 0 "$status" "--help: exit status 0"
like '^usage: opshift COMMAND' "$out" "--help shows the usage"
overview=$out
run help
is "$overview" "$out" "help says the same as --help"

for name in $(printf '%s\n' "$overview" | sed -n '/^options of all commands:/q; s/^  \([a-z]*\) .*/\1/p'); do
    run "$name" --help
    is 0 "$status" "$name --help: exit status 0"
    like "^usage: opshift $name" "$out" "$name --help shows the usage"
    by_option=$out
    run help "$name"
    is "$by_option" "$out" "help $name says the same"
    run "$name" --version
    like '^opshift [0-9]' "$out" "$name --version says which"
    run "$name" --no-such-thing
    is 2 "$status" "$name: an unknown option gives exit status 2"
    run help --man "$name"
    like "^\.SH NAME" "$out" "$name has a man page"
    is 0 "$(printf '%s\n' "$out" | grep -c '[^\\]-[^-]*--' || true)" "$name: the man page's hyphens are escaped"
done

run version
is "$(run --version && printf '%s' "$out")" "$out" "version says the same as --version"
run
is "2 $overview" "$status $err" "no command: the list of commands, on standard error, and exit status 2"
for heading in 'look at models:' 'change models:' 'compare and compute:' 'rules and runtimes:'; do
    like "^$heading\$" "$overview" "commands stand in groups: $heading"
done
run help convert
is 'usual options:,what replaces nodes:,for a runtime:,verification:,what is printed:,many models:,writing the model:,reading the model:,all commands:,examples:' \
    "$(printf '%s\n' "$out" | sed -n 's/^[a-z].*:$/&/p' | paste -s -d , -)" "so do the options of convert, the usual ones first"
# Colours and --quiet. Nothing here is a terminal.
printf '<ir_version: 8, opset_import: ["" : 13]>\ng (float[6] x) => (float[6] y) { y = Neg (x) }' >neg.txt
"$opshift" assemble neg.txt -o neg.onnx
printf 'hello\n' >text.onnx
# seen: $out with the escape character as <, and their brackets left out.
seen() {
    printf '%s\n' "$1" | tr '\033' '<' | tr -d '['
}
TERM=xterm NO_COLOR='' CLICOLOR_FORCE=''
export TERM NO_COLOR CLICOLOR_FORCE
run lint text.onnx
is 0 "$(seen "$out" | grep -c '<')" "no colours where there is no terminal"
run lint text.onnx --color always
like ': <1;31merror<0m: ' "$(seen "$out")" "but with --color always"
CLICOLOR_FORCE=1 run lint text.onnx
like ': <1;31merror<0m: ' "$(seen "$out")" "or CLICOLOR_FORCE"
CLICOLOR_FORCE=1 NO_COLOR=1 run lint text.onnx
is 0 "$(seen "$out" | grep -c '<')" "NO_COLOR is stronger"
CLICOLOR_FORCE=1 run lint text.onnx --color never
is 0 "$(seen "$out" | grep -c '<')" "and --color never"
run convert neg.onnx out.onnx --opset 29 --color always
like '^<1;31mopshift:<0m convert: option' "$(seen "$err")" "messages have them, too"
fails 2 "convert: option '--color': 'red' is not one of its values; give auto or always or never" "no such colour" \
    convert neg.onnx --opset 18 -n --color red
for command in "convert neg.onnx -o out.onnx --opset 18" "verify neg.onnx out.onnx" "lint neg.onnx" "infer neg.onnx -o out.onnx" "show neg.onnx"; do
    # shellcheck disable=SC2086
    run $command --quiet
    is "0  " "$status $out $err" "$command --quiet prints nothing"
done
run lint text.onnx -q
is "3 " "$status $out" "lint -q: the exit status tells"
run convert text.onnx -q -n --opset 18
is "3 opshift: text.onnx: text, not a model in ONNX's binary form; check the name, or fetch the file again" "$status $err" "what went wrong is said"
run lint neg.onnx -q -f json
like '"findings"' "$out" "what was asked for is printed"

fails 2 "there is no command 'halp'; did you mean 'help'?" "a near miss" halp
fails 2 "there is no command 'frobnicate'; 'opshift help' lists the commands" "no near command" frobnicate
fails 2 "there is no option '-x' before a command; 'opshift help' lists the commands" "an option too early" -x
fails 2 "help: too many arguments; usage: opshift help [COMMAND]" "too many arguments" help a b
fails 2 "help: there is no option '--mam'; did you mean '--man'?" "a misspelt option" help --mam
fails 2 "help: option '--man' takes no value; write it without '=yes'" "a value for a flag" help --man=yes
fails 2 "help: there is no option '-z'; 'opshift help --help' lists the options" "an unknown letter" help -z

# Convert has every kind of option.
fails 2 "convert: too few arguments; usage: opshift convert MODEL... --opset N|--target NAME [-o] OUT [OPTION]..." "no model" convert --opset 18 -o x
fails 2 "convert: option '--opset' is missing; write --opset N, with N from 1 to 28" "no opset" convert a.onnx -o b.onnx
fails 2 "convert: option '--output' is missing; write -o OUT, or --dry-run to see what would be done" "no output" \
    convert a.onnx --opset 18
echo there >there.onnx
fails 2 "convert: 'there.onnx' is there; write -o there.onnx to replace it, or -o DIR/ if both are models to read" \
    "an output as an argument that is there" convert a.onnx there.onnx --opset 18
fails 2 "infer: 'there.onnx' is there; write -o there.onnx to replace it, or -o DIR/ if both are models to read" \
    "of infer, too" infer a.onnx there.onnx
fails 2 "convert: options '--pieces' and '--output' exclude each other: the pieces are instead of a model or a plan; leave one of them out" \
    "no argument is the output beside --pieces" convert a.onnx -o b.onnx --pieces c --opset 18
fails 2 "convert: option '--opset' needs a value; write --opset N|DOMAIN=N" "a missing value" convert a.onnx -o b.onnx --opset
fails 2 "convert: option '--opset': 'x' is not an integer from 1 to 28" "a word for a number" convert a.onnx --opset x
fails 2 "convert: option '--opset': '29' is not an integer from 1 to 28" "a number too big" convert a.onnx --opset=29
fails 2 "convert: option '--opset': '0' is not an integer from 1 to 28" "a number too small" convert a.onnx --opset 0
fails 2 "convert: option '--opset': '99999999999999999999' is not an integer from 1 to 28" "a number beyond any" \
    convert a.onnx --opset 99999999999999999999
fails 2 "convert: option '--opset': '\\x1b[31m\\x0a1' is not an integer from 1 to 28" "a value that steers a terminal" \
    convert a.onnx --opset "$(printf '\033[31m\n1')"
fails 2 "convert: option '--output' has an empty value; write --output OUT" "an empty value" convert a.onnx --opset 18 -o ""
fails 2 "convert: option '--format': 'yaml' is not one of its values; give text or json" "a value that is none" \
    convert a.onnx --opset 18 -n -f yaml
fails 2 "convert: options '--split-form' and '--split-sequences=to-sequence' exclude each other: no Split would be left; leave one of them out" \
    "a form of Splits that become sequences" convert a.onnx --split-form lengths --split-sequences=to-sequence -o b
fails 2 "convert: option '--opset' is missing; write --opset N, with N from 1 to 28" "a split form that changes nothing" \
    convert a.onnx --split-form keep -o b
fails 2 "convert: option '--ir-version': 'new' is neither a version from 1 up nor 'match'" "a wrong IR version" \
    convert a.onnx --opset 18 -o b --ir-version new
fails 2 "convert: options '--dry-run' and '--verify' exclude each other: a plan has no outputs to compare; leave one of them out" \
    "dry-run and verify" convert a.onnx --opset 18 -o b --dry-run --verify
fails 2 "convert: option '--output' and option '--report' are the same file, 'b'; name another one" "one file for two things" \
    convert a.onnx --opset 18 -o b --report b
fails 4 "a.onnx: there is no such file; check its name" "a value that may be left out, before the model" \
    convert --split-sequences a.onnx -o b.onnx
fails 4 "a.onnx: there is no such file; check its name" "or given as the next word" \
    convert --split-sequences to-sequence a.onnx -o b.onnx
fails 2 "convert: option '--split-sequences': 'both' is not one of its values; give to-split or to-sequence" "but not any" \
    convert a.onnx -o b.onnx --split-sequences=both
fails 2 "convert: there is no option '--opsett'; did you mean '--opset'?" "a misspelt long option" convert a.onnx --opsett=18
fails 2 "show: options '--text' and '--format' exclude each other; leave one of them out" "text and json" show a.onnx --text -f json
fails 2 "verify: only one of the two models can be standard input; give the other as a file" "two standard inputs" verify - -
fails 2 "assemble: option '--output' is missing; write -o OUT, or -o - for standard output" "no output" assemble a.txt
fails 2 "rules: there is no 'lst'; write opshift rules list, opshift rules coverage, or opshift rules check FILE" "no such deed" rules lst
fails 2 "rules check: the file is missing; write opshift rules check FILE" "nothing to check" rules check

# Failing output is an error, so that no incomplete result is taken as complete.
if [ -w /dev/full ]; then
    status=0
    err=$("$opshift" help 2>&1 >/dev/full) || status=$?
    is 4 "$status" "a full device: exit status 4"
    is "opshift: standard output: cannot be written: No space left on device" "$err" "a full device: message"
fi
status=0
err=$("$opshift" help 2>&1 >&-) || status=$?
is 4 "$status" "standard output closed: exit status 4"
is "opshift: standard output: cannot be written: Bad file descriptor" "$err" "standard output closed: message"

done_testing
