#!/bin/sh
# The steps of the GitHub Action, run as by the runner, in a repository with models; and the hook, by pre-commit itself.
. "${srcdir:-.}/tests/cli/tap.sh"
command -v git >/dev/null || skip_all "git is not here"

PATH=$builddir:$PATH
HOME=$work
GIT_CONFIG_NOSYSTEM=1
GITHUB_ACTION_PATH=$srcdir
GITHUB_OUTPUT=$work/output
GITHUB_PATH=$work/path
export PATH HOME GIT_CONFIG_NOSYSTEM GITHUB_ACTION_PATH GITHUB_OUTPUT GITHUB_PATH
git config --global user.name Tester
git config --global user.email tester@example.org
git config --global init.defaultBranch main

head='<ir_version: 8, opset_import: ["" : 13]>'
model() {
    printf '%s\n%s\n' "$head" "$2" >"$work/model.txt"
    "$opshift" assemble "$work/model.txt" -o "$1"
}
good='g (float[2] x) => (float[2] y) { y = Neg (x) }'
bad='g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }'
commit() {
    git add -A && git commit -q -m "$1"
}

mkdir repository
cd repository || exit 1
git init -q .
mkdir -p nets/inner
model nets/old.onnx "$bad"
model nets/going.onnx "$bad"
model nets/inner/a.onnx "$good"
commit first
base=$(git rev-parse HEAD)
git checkout -q -b work
model "nets/new one.ONNX" "$bad"
model nets/inner/a.onnx "g (float[3] x) => (float[3] y) { y = Neg (x) }"
git rm -q nets/going.onnx
commit second

# step NUMBER: runs that step of the action; leaves $status and $out. The environment is what action.yml sets.
step() {
    : >"$GITHUB_OUTPUT"
    command=$(sed -n "s/^      run: '\(.*\)'\$/\1/p" "$srcdir/action.yml" | sed -n "$1p")
    status=0
    out=$(bash -e -c "$command" 2>&1) || status=$?
}

: >"$GITHUB_PATH"
step 1
is 0 "$status" "the first step takes the opshift that is there"
like "^opshift [0-9]" "$out" "and says which"
is "" "$(cat "$GITHUB_PATH")" "without building another"

error='::error file=nets/new one.ONNX,title=GRF001 duplicate-output::node 1 (Abs): '
export OPSHIFT_MODELS=changed OPSHIFT_BASE="$base" OPSHIFT_ARGS= OPSHIFT_SARIF=
step 2
is 1 "$status" "changed models are linted: exit status 1"
like "^$error" "$out" "what is wrong is annotated"
like "^2 files checked: 1 error, 0 warnings, 0 notes$" "$out" "those that did not change, or went, are left out"
is "status=1" "$(cat "$GITHUB_OUTPUT")" "the status is an output"

cd nets || exit 1
OPSHIFT_SARIF=lint.sarif
step 2
like "^$error" "$out" "in a directory of the repository, paths are still the repository's"
is "status=1
sarif=lint.sarif" "$(cat "$GITHUB_OUTPUT")" "SARIF is an output"
cd .. || exit 1
is "" "$(perl "$tests/lint/sarif.pl" lint.sarif)" "and is SARIF"
rm -f lint.sarif
OPSHIFT_SARIF=

OPSHIFT_BASE=$(git rev-parse HEAD)
step 2
is 0 "$status" "nothing changed: exit status 0"
is "opshift: no models to lint" "$out" "and it says so"
is "status=0" "$(cat "$GITHUB_OUTPUT")" "status is 0"
for none in "" 0000000000000000000000000000000000000000 1234567890123456789012345678901234567890; do
    OPSHIFT_BASE=$none
    step 2
    like "^opshift: the base of this change is not known; all models are linted$" "$out" "base '$none': says what it does"
    like "^3 files checked: 2 errors, " "$out" "and lints all that git knows"
done
OPSHIFT_MODELS=all
step 2
like "^3 files checked: 2 errors, " "$out" "all: what git knows"
OPSHIFT_MODELS='nets/inner
nets/old.onnx
' OPSHIFT_ARGS='--jobs 2'
step 2
like "^2 files checked: 1 error, " "$out" "files and directories, a line each; options are handed on"
OPSHIFT_ARGS='--no-such-option $(touch made)'
step 2
is 2 "$status" "a wrong option: exit status 2"
[ ! -e made ]
ok $? "and nothing in it is run"

# Hostile repositories and branch names.
OPSHIFT_ARGS='' OPSHIFT_MODELS=changed
for evil in --upload-pack=touch\ made --output=made +refs/heads/*:refs/heads/* 'a b' a:b; do
    OPSHIFT_BASE=$evil
    step 2
    is 2 "$status" "base '$evil': exit status 2"
    is "opshift: OPSHIFT_BASE names no commit; write a hash, a branch or a tag" "$out" "base '$evil': in these words"
done
[ ! -e made ]
ok $? "and none of it is an option of git"
OPSHIFT_BASE=$base
ln -s / nets/root.onnx
ln -s old.onnx nets/link.onnx
model ./-ftext=nets.onnx "$good"
commit links
step 2
like "^3 files checked: 1 error, " "$out" "links are left out, also one to the root"
OPSHIFT_MODELS=all
step 2
like "^4 files checked: 2 errors, " "$out" "of all models too"
git reset -q --hard HEAD~1

# The action sets every variable that the script reads.
for name in $(sed -n 's/.*\${*\(OPSHIFT_[A-Z]*\).*/\1/p' "$srcdir/action/lint.sh" | sort -u); do
    grep -q "^        $name: " "$srcdir/action.yml"
    ok $? "action.yml sets $name"
done

# ---- pre-commit ----
if command -v pre-commit >/dev/null; then
    pre-commit validate-manifest "$srcdir/.pre-commit-hooks.yaml"
    ok $? "the hook's manifest is valid"
    mkdir -p "$work/hooks/lib"
    cp -R "$srcdir/.pre-commit-hooks.yaml" "$srcdir/pyproject.toml" "$srcdir/python" "$srcdir/configure.ac" \
        "$srcdir/README.md" "$srcdir/LICENSE" "$work/hooks"
    cp "$srcdir/lib/opshift.h" "$work/hooks/lib"
    chmod -R u+w "$work/hooks"
    # pre-commit installs it from this build; without a shared library there is no package, and it takes what is on PATH.
    OPSHIFT_BUILD=$builddir
    export OPSHIFT_BUILD
    if [ -e "$builddir/.libs/libopshift.so" ]; then
        env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$builddir" python-files >"$work/files.log" 2>&1
        ok $? "what the hook installs is built"
    else
        sed 's/^  language: python$/  language: system/' "$srcdir/.pre-commit-hooks.yaml" >"$work/hooks/.pre-commit-hooks.yaml"
    fi
    (cd "$work/hooks" && git init -q . && git add -A && git commit -q -m hooks)
    cat >.pre-commit-config.yaml <<END
repos:
  - repo: $work/hooks
    rev: $(git -C "$work/hooks" rev-parse HEAD)
    hooks:
      - id: opshift-lint
END
    git config --global protocol.file.allow always
    git add .pre-commit-config.yaml
    status=0
    out=$(pre-commit run 2>&1) || status=$?
    is 0 "$status" "a commit without models passes"
    model nets/third.onnx "$bad"
    git add nets/third.onnx
    status=0
    out=$(pre-commit run 2>&1) || status=$?
    is 1 "$status" "a commit with a broken model does not"
    like "^nets/third.onnx: node 1 (Abs): error: " "$out" "which is told why"
    like "^1 file checked: " "$out" "and only its model is linted"
    git reset -q
    model victim.onnx "$good"
    cp victim.onnx ./-ftext=victim.onnx
    git add victim.onnx ./-ftext=victim.onnx
    status=0
    out=$(pre-commit run 2>&1) || status=$?
    is 0 "$status" "a name of a file that looks like an option is none"
    cmp -s victim.onnx ./-ftext=victim.onnx
    ok $? "and nothing is written"
else
    skip "the hook, by pre-commit" "pre-commit is not here"
fi

done_testing
