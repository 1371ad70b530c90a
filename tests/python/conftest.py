"""What the tests share. OPSHIFT_VENV: an environment in which nothing but the wheel is installed; OPSHIFT_WHEEL: the
wheel; OPSHIFT_COMMAND: the command of the build. tests/cli/python.t sets them."""
import os
import pathlib
import subprocess

import opshift
import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
HEAD = '<ir_version: 8, opset_import: ["" : 18]>\n'


@pytest.fixture
def venv():
    return pathlib.Path(os.environ["OPSHIFT_VENV"])


@pytest.fixture
def wheel():
    return pathlib.Path(os.environ["OPSHIFT_WHEEL"])


@pytest.fixture
def command():
    """Runs the command of the build; its output."""
    def run(*arguments):
        return subprocess.run([os.environ["OPSHIFT_COMMAND"], *map(str, arguments)], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout
    return run


@pytest.fixture
def sample():
    """The bytes of the sample model, of opset 11."""
    return opshift.assemble((TOP / "tests/models/sample.txt").read_text())


@pytest.fixture
def blocked():
    """A model that cannot go below opset 10: the lengths of its Split are an input."""
    return opshift.assemble(HEAD + "g (float[N,6] x, int64[2] l) => (float[N,K] a, float[N,L] b)"
                            "{ a, b = Split <axis = 1> (x, l) }")
