#!/bin/sh
# The page in a real browser: tests/web/page*.test.mjs. OPSHIFT_PAGE: the directory of a built page; OPSHIFT_CHROMIUM: the browser.
. "${srcdir:-.}/tests/cli/tap.sh"

page=${OPSHIFT_PAGE:-$srcdir/build-web/page}
chromium=${OPSHIFT_CHROMIUM:-chromium}
major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
[ -f "$page/opshift/opshift.wasm" ] || skip_all "make page has not been run"
[ "$major" -ge 18 ] || skip_all "Node.js 18 or newer is not here"
command -v "$chromium" >/dev/null || skip_all "chromium is not here"

OPSHIFT=$opshift OPSHIFT_PAGE=$page OPSHIFT_CHROMIUM=$chromium OPSHIFT_SAMPLE=$tests/models/sample.txt TMPDIR=$work \
    timeout -k 10 300 node --test "$tests"/web/page*.test.mjs >page.log 2>&1
ok $? "the page"
grep '^# 1\|^# 3' page.log
grep -A 30 '^not ok\|^    not ok\|✖' page.log | sed 's/^/# /' | head -n 150
done_testing
