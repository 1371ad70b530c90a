#!/bin/sh
# Explanations of checks: on a terminal, as a list, and in docs/checks.md, which must be up to date.
. "${srcdir:-.}/tests/cli/tap.sh"

run explain GRF001
is 0 "$status" "explain: exit status 0"
like '^GRF001 duplicate-output (error)$' "$out" "with id, name and severity"
for head in "What it means: " "Why it matters: " "How to fix it: " "Before:" "After:"; do
    like "^$head" "$out" "with '$head'"
done
is "" "$(printf '%s\n' "$out" | grep -v '^    ' | grep -E '.{101}')" "no line is wider than a terminal, but for examples"
by_id=$out
run explain grf001
is "$by_id" "$out" "an id in small letters is the same"
run explain Duplicate-Output
is "$by_id" "$out" "so is the name"
run explain GRF001 --markdown
like '^### GRF001 `duplicate-output`$' "$out" "in Markdown"

run explain
is 0 "$status" "without an ID: exit status 0"
like '^  GRF  *[0-9]* checks*  *graphs, names and functions$' "$out" "the families are listed"
run explain GRF001 GRF001
is 2 "$(printf '%s\n' "$out" | grep -c '^GRF001 duplicate-output (error)$')" "several ids are explained one after the other"

fails 2 "explain: there is no check 'duplicate-otput'; did you mean GRF001 (duplicate-output)?" "a misspelt name" \
    explain duplicate-otput
fails 2 "explain: there is no check 'frobnicate'; 'opshift lint --list-checks' lists them" "no such name" explain frobnicate
fails 2 "explain: option '--all' explains 'GRF001', too; remove one of them" "all and one" explain --all GRF001
fails 2 "lint: option '--list-checks' prints text or json; write -f text or -f json" "checks as something else" \
    lint --list-checks -f sarif

# Every listed check can be explained, and ids and names are unique.
run lint --list-checks
is 0 "$status" "--list-checks: exit status 0"
names=$(printf '%s\n' "$out" | awk '{print $1; print $3}')
is "" "$(printf '%s\n' "$names" | sort | uniq -d)" "each id and each name is there once"
is "" "$(printf '%s\n' "$out" | awk '$1 !~ /^[A-Z][A-Z][A-Z][0-9][0-9][0-9]$/ || $3 !~ /^[a-z0-9]+(-[a-z0-9]+)*$/')" \
    "ids are three letters and three digits, names are small words"
# shellcheck disable=SC2086
run explain $names
is 0 "$status" "each is explained by its id and by its name"
is "$(printf '%s\n' "$names" | wc -l)" "$(printf '%s\n' "$out" | grep -c '^How to fix it: ')" "each tells how to fix it"
is "$(printf '%s\n' "$names" | wc -l)" "$(printf '%s\n' "$out" | grep -c '^Why it matters: ')" "each says why it matters"
run explain --all
is "$(printf '%s\n' "$names" | wc -l)" "$(($(printf '%s\n' "$out" | grep -c '^What it means: ') * 2))" \
    "--all leaves none out: each belongs to a family"

run lint --list-checks -f json
printf '%s' "$out" | perl -MJSON::PP -e 'local $/; my $list = decode_json(<STDIN>);
    exit($list->{kind} eq "checks" && @{$list->{checks}} * 2 == $ARGV[0] ? 0 : 1)' "$(printf '%s\n' "$names" | wc -l)"
ok $? "--list-checks as JSON holds as many"

"$opshift" explain --all --markdown >checks.md
cmp -s checks.md "$srcdir/docs/checks.md"
ok $? "docs/checks.md is what the checks say ('make docs' makes it anew)"

"$opshift" rules coverage >coverage.md
cmp -s coverage.md "$srcdir/docs/coverage.md"
ok $? "docs/coverage.md is what the rules make of operators ('make docs' makes it anew)"
"$opshift" rules coverage -f json | perl -MJSON::PP -e 'local $/;
    my ($step) = grep { $_->{operator} eq "Mish" && $_->{opset} == 18 } @{decode_json(<STDIN>)->{steps}};
    exit($step->{up} eq "new" && $step->{down} =~ /^replaced \(definition\)/ ? 0 : 1)'
ok $? "as JSON: Mish is new at 18, and below replaced by its definition"

done_testing
