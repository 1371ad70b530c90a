#!/bin/sh
# For action.yml: makes opshift callable for the steps that follow. One that is installed already is taken.
set -eu

if command -v opshift >/dev/null; then
    opshift --version
    exit 0
fi
here=$(cd "$(dirname "$0")/.." && pwd)
echo "::group::Build opshift"
"$here/bootstrap"
echo "::endgroup::"
echo "$here/build" >>"$GITHUB_PATH"
