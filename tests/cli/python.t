#!/bin/sh
# The Python package: its wheel, installed into an empty environment without a network, and tests/python.
. "${srcdir:-.}/tests/cli/tap.sh"
python=/usr/bin/python3
[ -e "$builddir/.libs/libopshift.so" ] || skip_all "built without a shared library"
[ -x $python ] || skip_all "python3 is not here"
$python -c 'import pytest, venv, ensurepip' 2>/dev/null || skip_all "pytest or venv is not here"

unset MAKEFLAGS MAKELEVEL MFLAGS PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1
make -s -C "$builddir" wheel PYTHON3=$python >make.log 2>&1
ok $? "make wheel"
wheel=$builddir/$(tail -n 1 make.log)
case $wheel in
*/opshift-*-py3-none-*.whl) true ;;
*) false ;;
esac
ok $? "its name has no version of Python"
$python -m venv venv && venv/bin/pip -q --disable-pip-version-check install --no-index --no-deps "$wheel" >pip.log 2>&1
ok $? "pip installs it offline"
sed 's/^/# /' pip.log

if $python -c 'import build' 2>/dev/null; then
    mkdir built && OPSHIFT_BUILD=$builddir $python -m build --wheel --no-isolation -o built "$srcdir" >build.log 2>&1
    ok $? "python3 -m build --wheel --no-isolation"
    cmp "$wheel" built/*.whl
    ok $? "gives the same bytes"
else
    skip "python3 -m build --wheel" "python3-build is not here"
fi
if ! $python -c 'import build' 2>/dev/null; then
    skip "python3 -m build --sdist" "python3-build is not here"
elif [ ! -e "$srcdir/.git" ]; then
    skip "python3 -m build --sdist" "this is no clone"
else
    $python -m build --sdist --no-isolation -o sdist "$srcdir" >sdist.log 2>&1
    ok $? "python3 -m build --sdist --no-isolation"
    tar -xzf sdist/*.tar.gz
    is "$(git -C "$srcdir" ls-files | grep -c .)" "$(find opshift-*/ -type f ! -name PKG-INFO | grep -c .)" "it has all files"
    grep -q '^License-Expression: Apache-2.0$' opshift-*/PKG-INFO
    ok $? "and what it is"
    OPSHIFT_BUILD=$builddir $python -m build --no-isolation -o again opshift-*/ >again.log 2>&1
    ok $? "a wheel and a source distribution are made of it"
    cmp sdist/*.tar.gz again/*.tar.gz && cmp "$wheel" again/*.whl
    ok $? "with the same bytes"
    sed 's/^/# /' sdist.log again.log
fi

OPSHIFT_VENV=$work/venv OPSHIFT_WHEEL=$wheel OPSHIFT_COMMAND=$opshift PYTHONPATH=$(echo "$work"/venv/lib/python3*/site-packages)
export OPSHIFT_VENV OPSHIFT_WHEEL OPSHIFT_COMMAND PYTHONPATH
$python -m pytest -v -rs --tb=short -p no:cacheprovider "$tests/python" >pytest.log 2>&1
ok $? "tests/python"
sed -n 's/^[^ ]*::\([^ ].*\) \(PASSED\|FAILED\|ERROR\|SKIPPED\).*/\2 \1/p' pytest.log >results
while read -r result name; do
    case $result in
    PASSED) ok 0 "$name" ;;
    SKIPPED) skip "$name" "see pytest.log" ;;
    *) ok 1 "$name" ;;
    esac
done <results
sed -n '/^=.* FAILURES/,$p; /^=.* ERRORS/,$p; /^SKIPPED/p' pytest.log | sed 's/^/# /'
done_testing
