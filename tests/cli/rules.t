#!/bin/sh
# The active rules, user rules, and invalid rule files.
. "${srcdir:-.}/tests/cli/tap.sh"

run rules list
is 0 "$status" "rules list: exit status 0"
for step in 1-2 10-11 12-13 17-18; do
    like "^Split  *$step  *rule  *both " "$out" "the rule of Split for the step $step is listed"
done
run rules list -f json
printf '%s' "$out" | perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)'
ok $? "the list as JSON"
like "^  \"kind\": \"rules\",$" "$out" "which says what it is"
like "^  \"version\": " "$out" "and of which version"
like '^      "domain": "ai.onnx",$' "$out" "domains are named as 'show' names them"
run rules list
like "^Tile  *5-6  *refusal  *both " "$out" "a step that blocks on purpose is listed as what it is"

for file in "$srcdir"/rules/opset-*/split.yaml; do
    run rules check "$file"
    is 0 "$status" "$(basename "$(dirname "$file")")/split.yaml is right"
done

run rules check "$srcdir/rules/opset-13/split.yaml" -f json
like "^  \"kind\": \"rules check\",$" "$out" "a check says what it is"
like "^  \"version\": " "$out" "and of which version"

mkdir -p mine/opset-13
printf 'op: Split\nwhy: to see.\nup:\n  - no_such_verb: {attribute: split}\n' >mine/opset-13/split.yaml
run rules check mine/opset-13/split.yaml
is 2 "$status" "an unknown verb gives exit status 2"
like "^opshift: mine/opset-13/split.yaml:4:[0-9]*: " "$err" "with its line and column"
run rules list --rules mine
is 2 "$status" "so it does where it is to be used"
run rules list --rules nowhere
is 2 "$status" "a directory that is not there gives exit status 2"
like "nowhere" "$err" "and is named"

done_testing
