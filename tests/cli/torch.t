#!/bin/sh
# The example that exports from PyTorch: examples/torch_export.py.
. "${srcdir:-.}/tests/cli/tap.sh"

python=/usr/bin/python3
library=${builddir:-.}/.libs/libopshift.so
[ -e "$library" ] || skip_all "built without a shared library"
$python -c 'import numpy, torch, torch.onnx' 2>/dev/null || skip_all "python3-torch is not here"

mkdir -p package/opshift
cp "$srcdir"/python/opshift/*.py package/opshift/
ln -s "$library" package/opshift/libopshift.so
$python -c 'import sys; sys.path.insert(0, sys.argv[1]); import mirror; open(sys.argv[2], "w").write(mirror.write(mirror.HEADER.read_text()))' \
    "$srcdir/python" package/opshift/_library.py
PYTHONPATH=package PYTHONDONTWRITEBYTECODE=1 $python "$srcdir/examples/torch_export.py" >torch.log 2>&1
ok $? "a module is exported, moved and compared"
sed 's/^/# /' torch.log | tail -n 5
done_testing
