#!/bin/sh
# The npm package, by Node.js's own test runner: tests/web/.
. "${srcdir:-.}/tests/cli/tap.sh"

npm=${OPSHIFT_NPM:-$srcdir/build-web/npm}
major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
if [ ! -f "$npm/opshift.wasm" ]; then
    skip "the npm package" "make wasm has not been run"
elif [ "$major" -lt 18 ] || ! command -v npm >/dev/null; then
    skip "the npm package" "Node.js 18 or newer and npm are not here"
else
    OPSHIFT=$opshift OPSHIFT_NPM=$npm OPSHIFT_SAMPLE=$tests/models/sample.txt \
        node --test "$tests"/web/module.test.mjs >node.log 2>&1
    ok $? "the npm package"
    grep -A 20 '^not ok\|^    not ok\|✖' node.log | sed 's/^/# /' | head -n 60
fi
done_testing
