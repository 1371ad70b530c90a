#!/bin/sh
# For action.yml: makes opshift available to the following steps. An installed one is used.
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
