#!/bin/sh
# For action.yml: lints the models that OPSHIFT_MODELS means, in the repository around the working directory.
#   OPSHIFT_MODELS   "changed", "all", or files and folders, one a line
#   OPSHIFT_BASE     the commit that "changed" compares with
#   OPSHIFT_ARGS     more options
#   OPSHIFT_SARIF    where SARIF goes; empty: nowhere
# The exit status is that of opshift lint; it and the SARIF file's name are added to GITHUB_OUTPUT.
set -eu

list=$(mktemp)
trap 'rm -f "$list"' EXIT
models=${OPSHIFT_MODELS:-changed}

tell() {
    [ -z "${GITHUB_OUTPUT:-}" ] || echo "$1=$2" >>"$GITHUB_OUTPUT"
}

# A shallow clone may lack the base; a branch's first push has none (its name is all zeros).
has_base() {
    case ${OPSHIFT_BASE:-} in
    '' | *[!0]*) ;;
    *) return 1 ;;
    esac
    [ -n "${OPSHIFT_BASE:-}" ] || return 1
    git cat-file -e "$OPSHIFT_BASE^{commit}" 2>/dev/null && return 0
    git fetch -q --depth=1 origin "$OPSHIFT_BASE" 2>/dev/null && git cat-file -e "$OPSHIFT_BASE^{commit}" 2>/dev/null
}

list_all() {
    git ls-files -z -- ':(icase)*.onnx' >"$list"
}

# What this branch did to models that are still there; without a common ancestor, what differs at all.
list_changed() {
    if has_base; then
        from=$(git merge-base "$OPSHIFT_BASE" HEAD 2>/dev/null || echo "$OPSHIFT_BASE")
        git diff --name-only -z --diff-filter=d "$from" HEAD -- ':(icase)*.onnx' >"$list"
    else
        echo "opshift: the base of this change is not known; all models are linted"
        list_all
    fi
}

case $models in
changed)
    cd "$(git rev-parse --show-toplevel)"
    list_changed
    ;;
all)
    cd "$(git rev-parse --show-toplevel)"
    list_all
    ;;
*) printf '%s\n' "$models" | sed '/^$/d' | tr '\n' '\0' >"$list" ;;
esac
if [ ! -s "$list" ]; then
    echo "opshift: no models to lint"
    tell status 0
    exit 0
fi

set -f
set -- lint -r --files0-from "$list" -f github
[ -z "${OPSHIFT_SARIF:-}" ] || set -- "$@" -f "sarif=$OPSHIFT_SARIF"
status=0
# shellcheck disable=SC2086
opshift "$@" ${OPSHIFT_ARGS:-} || status=$?
tell status "$status"
[ -z "${OPSHIFT_SARIF:-}" ] || [ ! -f "$OPSHIFT_SARIF" ] || tell sarif "$OPSHIFT_SARIF"
exit "$status"
