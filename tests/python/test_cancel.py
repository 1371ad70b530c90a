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
    return splits(20000)


@pytest.fixture(scope="module")
def some():
    """Enough for several calls of a callback."""
    return splits(3000)


def splits(count):
    body = "".join(f"a{i}, b{i} = Split <axis = 0> (x)\n" for i in range(count))
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


LONG = {
    "convert": lambda model, **more: opshift.convert(model, **more),
    "verify": lambda model, **more: opshift.verify(model, model, **more),
    "lint": lambda model, **more: opshift.lint(model, **more),
    "lint, fix": lambda model, **more: opshift.lint(model, fix=True, **more),
    "show": lambda model, **more: opshift.show(model, **more),
    "infer": lambda model, **more: opshift.infer(model, **more),
    "diff": lambda model, **more: opshift.diff(model, model, **more),
    "how_far": lambda model, **more: opshift.how_far(model, **more),
}


@pytest.mark.parametrize("name", LONG)
def test_all_that_takes_long_reports_and_is_cancelled(some, name):
    seen = []
    LONG[name](some, progress=seen.append)
    assert len(seen) > 1 and all(0 <= step <= 1 for step in seen)
    with pytest.raises(opshift.Cancelled):
        LONG[name](some, progress=lambda step: False)
    with pytest.raises(KeyboardInterrupt):
        LONG[name](some, progress=lambda step: os.kill(os.getpid(), signal.SIGINT))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("name", LONG)
def test_interrupt_without_a_callback(some, name, tmp_path):
    """Ctrl-C ends the work soon, wherever it arrives, and prints nothing."""
    (tmp_path / "some.onnx").write_bytes(some)
    program = ("import opshift, os, signal, sys, threading\n"
               "sys.path.insert(0, sys.argv[1])\n"
               "from test_cancel import LONG\n"
               "work, model = LONG[sys.argv[2]], open('some.onnx', 'rb').read()\n"
               "work(model)\n"
               "threading.Timer(0.02, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
               "try:\n"
               "    while True: work(model)\n"
               "except KeyboardInterrupt: print('interrupted')\n")
    done = subprocess.run([sys.executable, "-c", program, os.path.dirname(__file__), name], cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert (done.stdout, done.stderr) == (b"interrupted\n", b"")


def test_interrupt_while_a_file_object_is_read():
    """It is Python's own: the library is not at work."""
    class Slow:
        def read(self):
            os.kill(os.getpid(), signal.SIGINT)
            raise AssertionError("not interrupted")
    with pytest.raises(KeyboardInterrupt):
        opshift.convert(Slow())
