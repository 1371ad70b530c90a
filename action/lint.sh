#!/bin/sh
# For action.yml: lints the models in OPSHIFT_MODELS, in the repository of the working directory.
#   OPSHIFT_MODELS   "changed", "all", or files and directories, one per line
#   OPSHIFT_BASE     the commit that "changed" compares with
#   OPSHIFT_ARGS     more options
#   OPSHIFT_SARIF    path of the SARIF file; empty: none
# The exit status is that of opshift lint; it and the SARIF file's name are added to GITHUB_OUTPUT.
set -eu

list=$(mktemp)
trap 'rm -f "$list"' EXIT
models=${OPSHIFT_MODELS:-changed}

# A name with a line break would become two names.
tell() {
    case $2 in *"
"*) return ;; esac
    [ -z "${GITHUB_OUTPUT:-}" ] || printf '%s\n' "$1=$2" >>"$GITHUB_OUTPUT"
}

# A name that git may parse as an option, or as more than one commit, is refused.
base_check() {
    case ${OPSHIFT_BASE:-} in
    -* | *[!0-9A-Za-z_./~^@{}-]*)
        echo "opshift: OPSHIFT_BASE names no commit; write a hash, a branch or a tag" >&2
        exit 2
        ;;
    esac
}

is_here() {
    git rev-parse --verify -q "$OPSHIFT_BASE^{commit}" >/dev/null 2>&1
}

# A shallow clone may lack the base; a branch's first push has none (its name is all zeros).
has_base() {
    case ${OPSHIFT_BASE:-} in
    '' | *[!0]*) ;;
    *) return 1 ;;
    esac
    [ -n "${OPSHIFT_BASE:-}" ] || return 1
    is_here && return 0
    git fetch -q --depth=1 origin "$OPSHIFT_BASE" 2>/dev/null && is_here
}

# Links may lead out of the repository, and directories are submodules: both are skipped.
keep_files() {
    # shellcheck disable=SC2016
    xargs -0 sh -c 'for path; do [ -L "$path" ] || [ -d "$path" ] || printf "%s\0" "$path"; done' sh >"$list"
}

list_all() {
    git ls-files -z -- ':(icase)*.onnx' | keep_files
}

# Changes of this branch to models that still exist; without a common ancestor, all differences.
list_changed() {
    if has_base; then
        from=$(git merge-base "$OPSHIFT_BASE" HEAD 2>/dev/null || git rev-parse --verify -q "$OPSHIFT_BASE^{commit}")
        git diff --name-only -z --diff-filter=d "$from" HEAD -- ':(icase)*.onnx' | keep_files
    else
        echo "opshift: the base of this change is not known; all models are linted"
        list_all
    fi
}

recursive=
case $models in
changed)
    base_check
    cd "$(git rev-parse --show-toplevel)"
    list_changed
    ;;
all)
    cd "$(git rev-parse --show-toplevel)"
    list_all
    ;;
*)
    printf '%s\n' "$models" | sed '/^$/d' | tr '\n' '\0' >"$list"
    recursive=-r
    ;;
esac
if [ ! -s "$list" ]; then
    echo "opshift: no models to lint"
    tell status 0
    exit 0
fi

set -f
# shellcheck disable=SC2086
set -- lint $recursive --files0-from "$list" -f github
[ -z "${OPSHIFT_SARIF:-}" ] || set -- "$@" -f "sarif=$OPSHIFT_SARIF"
status=0
# shellcheck disable=SC2086
opshift "$@" ${OPSHIFT_ARGS:-} || status=$?
tell status "$status"
[ -z "${OPSHIFT_SARIF:-}" ] || [ ! -f "$OPSHIFT_SARIF" ] || tell sarif "$OPSHIFT_SARIF"
exit "$status"
