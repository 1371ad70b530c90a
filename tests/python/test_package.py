"""The installed package: declarations, start, the command, other interpreters, the notebook."""
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

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


@pytest.fixture
def programs(wheel, tmp_path):
    """What the wheel holds in machine code: {path in it: what readelf shows}."""
    if shutil.which("readelf") is None:
        pytest.skip("readelf is not here")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    files = {name: tmp_path / name for name in archive.namelist()}
    return {name: subprocess.run(["readelf", "--wide", "--dynamic", "--version-info", file], check=True,
                                 stdout=subprocess.PIPE).stdout.decode()
            for name, file in files.items() if file.read_bytes()[:4] == b"\x7fELF"}


def test_the_wheel_needs_nothing_but_glibc(programs):
    """All other libraries are in it, beside the file that needs them."""
    glibc = re.compile(r"lib(c|m|dl|pthread|rt)\.so\.\d+|ld-linux[-a-z0-9_]*\.so\.\d+")
    assert "opshift/libopshift.so" in programs and len([name for name in programs if name.endswith("opshift")]) == 1
    for name, shown in programs.items():
        needed = {library for library in re.findall(r"NEEDED.*\[(.*)\]", shown) if not glibc.fullmatch(library)}
        beside = {os.path.basename(other) for other in programs if os.path.dirname(other) == os.path.dirname(name)}
        assert needed <= beside, f"{name} needs {needed - beside}"
        assert not needed or re.search(r"R(UN)?PATH.*\[\$ORIGIN\]", shown), f"{name} does not look beside itself"


def test_the_tag_names_the_newest_glibc_that_is_needed(programs, wheel):
    versions = {tuple(map(int, found.split("."))) for shown in programs.values()
                for found in re.findall(r"Name: GLIBC_([0-9.]+)", shown)}
    machine = os.uname().machine
    newest = ".".join(map(str, max(versions))).replace(".", "_")
    assert wheel.name.endswith(f"-py3-none-manylinux_{newest}_{machine}.whl")
    assert f"Tag: py3-none-manylinux_{newest}_{machine}\n" in zipfile.ZipFile(wheel).read(
        f"opshift-{opshift.__version__}.dist-info/WHEEL").decode()


def test_licences_of_all_libraries_are_in_the_wheel(wheel, programs):
    from importlib.metadata import distribution
    made = distribution("opshift").metadata
    assert made["License-Expression"].startswith("Apache-2.0 AND BSD-2-Clause AND MIT AND Zlib AND (LGPL-3.0-or-later ")
    assert made.get_all("License-File") == ["LICENSE", "LIBRARIES"]
    info = zipfile.ZipFile(wheel)
    place = f"opshift-{opshift.__version__}.dist-info/licenses"
    assert info.read(f"{place}/LICENSE") == (TOP / "LICENSE").read_bytes()
    texts = info.read(f"{place}/LIBRARIES").decode()
    for words in ("Redistribution and use in source and binary forms", "Permission is hereby granted, free of charge",
                  "This software is provided 'as-is'", "GNU LESSER GENERAL PUBLIC LICENSE"):
        assert words in texts
    listed = re.findall(r"^======== (\S+):", texts, re.M)
    shipped = [os.path.basename(name) for name in programs if re.search(r"\.so\.\d", name)]
    known = {"libprotobuf-c": "protobuf-c", "libyaml-0": "libyaml", "libjansson": "jansson", "libz": "zlib",
             "libnettle": "nettle"}
    assert {known[name.split(".so")[0]] for name in shipped} <= set(listed)


TYPED = '''
import opshift
from typing import List

def converted(path: str) -> List[str]:
    done: opshift.Conversion = opshift.convert(path, opset=18, out="out.onnx", progress=lambda step: step < 1)
    names: List[str] = [blocker.node for blocker in done.blockers]
    found: opshift.Lint = opshift.lint(path, fix=True)
    return names + [fix.id for fix in found.fixed] + [finding.id for finding in found.errors]

opshift.convrt("net.onnx")
opshift.convert("net.onnx", opsets=18)
opshift.show("net.onnx").opset + "18"
'''


def test_types(tmp_path):
    """mypy --strict finds nothing in the package, and what is wrong in a program that uses it."""
    if shutil.which("mypy") is None:
        pytest.skip("mypy is not here")
    # mypy takes no notice of what is in a directory of installed packages that it was given by name.
    shutil.copytree(pathlib.Path(opshift.__file__).parent, tmp_path / "opshift", ignore=shutil.ignore_patterns("*.so*"))
    (tmp_path / "program.py").write_text(TYPED)

    def mypy(*arguments):
        return subprocess.run(["mypy", "--strict", "--no-error-summary", *arguments], cwd=tmp_path,
                              env={**os.environ, "PYTHONPATH": ""}, stdout=subprocess.PIPE).stdout.decode()
    assert mypy("-p", "opshift") == ""
    lines = TYPED.count("\n", 0, TYPED.index("opshift.convrt")) + 1
    wrong = mypy("program.py").splitlines()
    assert [int(line.split(":")[1]) for line in wrong if ": error:" in line] == [lines, lines + 1, lines + 2, lines + 2]


def test_pypy(tmp_path, sample):
    pypy = shutil.which("pypy3")
    if pypy is None:
        pytest.skip("pypy3 is not here")
    (tmp_path / "net.onnx").write_bytes(sample)
    nodes = "".join(f"a{i}, b{i} = Split <axis = 0> (x) " for i in range(3000))
    (tmp_path / "many.onnx").write_bytes(opshift.assemble(
        '<ir_version: 8, opset_import: ["" : 11]> g (float[6] x) => (float[3] a0) {' + nodes + "}"))
    program = ("import opshift\n"
               "data = open('net.onnx', 'rb').read()\n"
               "opshift.convert('net.onnx', out='out.onnx')\n"
               "assert opshift.convert(data).model == open('out.onnx', 'rb').read()\n"
               "assert opshift.convert(bytearray(data)).model == open('out.onnx', 'rb').read()\n"
               "assert opshift.run(data, random=True, shapes={'x': (4, 6)})['half'].shape == (4, 3)\n"
               "try: opshift.convert(data, progress=lambda step: False)\n"
               "except opshift.Cancelled: pass\n"
               "import os, signal\n"
               "try: opshift.show('many.onnx', progress=lambda step: os.kill(os.getpid(), signal.SIGINT))\n"
               "except KeyboardInterrupt: pass\n"
               "else: raise AssertionError('not interrupted')\n"
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
