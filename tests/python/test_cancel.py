"""Progress, and what stops the work."""
import os
import signal
import subprocess
import sys

import opshift
import pytest

HEAD = '<ir_version: 8, opset_import: ["" : 11]>\n'


@pytest.fixture(scope="module")
def big():
    """Many nodes, so that there is progress."""
    body = "".join(f"a{i}, b{i} = Split <axis = 0> (x)\n" for i in range(20000))
    return opshift.assemble(HEAD + "g (float[6] x) => (float[3] a0, float[3] b0) {" + body + "}")


def test_progress(big):
    seen = []
    opshift.convert(big, progress=seen.append, verify=False)
    assert seen and all(0 <= step <= 1 for step in seen)


def test_false_cancels(big, tmp_path):
    out = tmp_path / "out.onnx"
    with pytest.raises(opshift.Cancelled):
        opshift.convert(big, out=out, progress=lambda step: False)
    assert list(tmp_path.iterdir()) == []


def test_an_exception_of_the_callback_is_raised(big):
    def fail(step):
        raise LookupError("mine")
    with pytest.raises(LookupError, match="mine"):
        opshift.convert(big, progress=fail)


def test_interrupt(big, tmp_path):
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        opshift.convert(big, out=tmp_path / "out.onnx", progress=lambda step: os.kill(os.getpid(), signal.SIGINT))
    assert signal.getsignal(signal.SIGINT) is before
    assert list(tmp_path.iterdir()) == []


def test_interrupt_is_quiet(big, tmp_path):
    """Nothing is printed but what KeyboardInterrupt prints."""
    (tmp_path / "big.onnx").write_bytes(big)
    program = ("import opshift, os, signal, threading\n"
               "threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
               "try:\n"
               f"    while True: opshift.convert({str(tmp_path / 'big.onnx')!r}, out={str(tmp_path / 'o')!r})\n"
               "except KeyboardInterrupt: print('interrupted')\n")
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert (done.stdout, done.stderr) == (b"interrupted\n", b"")
