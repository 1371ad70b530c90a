#!/bin/sh
# The npm package, by Node.js's own test runner: tests/web/.
. "${srcdir:-.}/tests/cli/tap.sh"

npm=${OPSHIFT_NPM:-$srcdir/build-web/npm}
major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
[ -f "$npm/opshift.wasm" ] || skip_all "make wasm has not been run"
[ "$major" -ge 18 ] && command -v npm >/dev/null || skip_all "Node.js 18 or newer and npm are not here"

OPSHIFT=$opshift OPSHIFT_NPM=$npm OPSHIFT_PACKAGING=$srcdir/packaging/npm OPSHIFT_SAMPLE=$tests/models/sample.txt \
    node --test "$tests"/web/module.test.mjs >node.log 2>&1
ok $? "the npm package"
grep -A 20 '^not ok\|^    not ok\|✖' node.log | sed 's/^/# /' | head -n 60
if ! command -v tsc >/dev/null; then
    skip "the types" "tsc is not here"
else
    mkdir types && cp "$tests/web/types.ts" "$npm/index.d.ts" types/
    (cd types && tsc --noEmit --strict --target es2020 --module es2020 --moduleResolution node --lib es2020,dom --typeRoots . types.ts) >tsc.log 2>&1
    ok $? "the types"
    sed 's/^/# /' tsc.log
fi
done_testing
