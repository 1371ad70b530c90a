"""The installed package: declarations, start, the command, other interpreters, the notebook."""
import ctypes
import os
import pathlib
import shutil
import subprocess
import sys

import opshift
import pytest
from opshift import _library

TOP = pathlib.Path(__file__).resolve().parents[2]


def test_declarations_have_the_names_and_sizes_of_the_interface():
    functions, structs = set(), {}
    for line in (TOP / "tests/library/interface.txt").read_text().splitlines():
        words = line.split()
        if words[0] == "function":
            functions.add(words[1])
        else:
            structs[words[1]] = int(words[2])
    assert set(_library.FUNCTIONS) == functions
    assert {name: ctypes.sizeof(getattr(_library, name)) for name in structs} == structs


def test_import_takes_less_than_30_ms(venv):
    program = "import time; a = time.process_time(); import opshift; print(time.process_time() - a)"
    seen = [float(subprocess.run([venv / "bin/python", "-c", program], stdout=subprocess.PIPE, check=True).stdout)
            for _ in range(5)]
    assert min(seen) < 0.030


def test_the_empty_environment(venv, tmp_path, sample):
    """Without NumPy, and with the command on the path."""
    (tmp_path / "net.onnx").write_bytes(sample)
    program = ("import opshift, sys\n"
               "made = opshift.convert('net.onnx', out='out.onnx')\n"
               "out = opshift.run('net.onnx', random=True, shapes={'x': (4, 6)})\n"
               "print(made.target_opset, type(out['half']).__name__, out['half'].shape, 'numpy' in sys.modules)\n")
    done = subprocess.run([venv / "bin/python", "-I", "-c", program], cwd=tmp_path, stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"18 Tensor (4, 3) False\n"
    for command in ([venv / "bin/opshift"], [venv / "bin/python", "-m", "opshift"]):
        done = subprocess.run([*command, "show", "net.onnx", "-f", "json"], cwd=tmp_path, stdout=subprocess.PIPE,
                              check=True)
        assert b'"opset"' in done.stdout or b'"opsets"' in done.stdout
        done = subprocess.run([*command, "no-such-command"], stderr=subprocess.PIPE)
        assert done.returncode == 2
        out = subprocess.run([*command, "run", "net.onnx", "--random", "--shape", "N=4", "--engine", "onnxruntime",
                              "--ort", "/absent.so"], cwd=tmp_path, stderr=subprocess.PIPE).stderr
        assert b"ONNX Runtime cannot be loaded: /absent.so" in out, "the helper program is found"
    with pytest.raises(ValueError, match="opshift-ort|ONNX Runtime|cannot be loaded|onnxruntime"):
        opshift.run(sample, random=True, shapes={"x": (4, 6)}, engine="no such engine onnxruntime")


def test_pypy(tmp_path, sample):
    pypy = shutil.which("pypy3")
    if pypy is None:
        pytest.skip("pypy3 is not here")
    (tmp_path / "net.onnx").write_bytes(sample)
    program = ("import opshift\n"
               "data = open('net.onnx', 'rb').read()\n"
               "opshift.convert('net.onnx', out='out.onnx')\n"
               "assert opshift.convert(data).model == open('out.onnx', 'rb').read()\n"
               "assert opshift.convert(bytearray(data)).model == open('out.onnx', 'rb').read()\n"
               "assert opshift.run(data, random=True, shapes={'x': (4, 6)})['half'].shape == (4, 3)\n"
               "try: opshift.convert(data, progress=lambda step: False)\n"
               "except opshift.Cancelled: pass\n"
               "print(opshift.lint(data).errors)\n")
    path = str(pathlib.Path(opshift.__file__).parents[1])
    done = subprocess.run([pypy, "-c", program], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path},
                          stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"[]\n"


def test_notebook(tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    shutil.copy(TOP / "examples/opshift.ipynb", tmp_path)
    subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "opshift.ipynb", "--output",
                    "executed.ipynb"], cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}, check=True,
                   stderr=subprocess.PIPE)
    executed = (tmp_path / "executed.ipynb").read_text()
    assert "<iframe sandbox" in executed and "Refused" in executed


def test_onnx(sample):
    onnx = pytest.importorskip("onnx")
    proto = onnx.load_from_string(sample)
    made = opshift.convert(proto, 17).model
    assert isinstance(made, onnx.ModelProto) and made.opset_import[0].version == 17
    onnx.checker.check_model(made)
