"""lint: findings, and what fix does."""
import io
import os

import opshift
import pytest

BAD = 'g (float[2] x) => (float[2] y) { y = Neg (x) y = Abs (x) }'


def test_lint(sample, command, tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(sample)
    assert opshift.lint(path).errors == []
    assert opshift.lint(sample).errors == []
    assert [found.id for found in opshift.lint(path).notes] == ["SPL042"] * 3
    assert opshift.lint(path, ignore=["SPL"]).findings == opshift.lint(path, ignore="SPL").findings == []
    assert opshift.lint(sample, to=9).data["opset"] == 11
    path.write_bytes(opshift.assemble('<ir_version: 8, opset_import: ["" : 13]>\n' + BAD))
    found = opshift.lint(path)
    assert f"{path}: {found.errors[0]}\n" == str(found).splitlines(True)[0]
    assert found.errors[0].id == "GRF001" and found.outcome == "failed"


def test_lint_of_what_is_no_model(tmp_path):
    found = opshift.lint(b"")
    assert [finding.id for finding in found.errors] == ["PRT002"] and found.failure.startswith("<memory>: ")
    with pytest.raises(FileNotFoundError):
        opshift.lint(tmp_path / "missing.onnx")
    with pytest.raises(FileNotFoundError):
        opshift.lint(b"", config=tmp_path / "missing.yaml")
    with pytest.raises(ValueError, match="NOPE"):
        opshift.lint(b"", select=["NOPE"])


# A short last part, and an initializer that nothing uses.
FIXABLE = '''<ir_version: 8, opset_import: ["" : 18]>
g (float[9] x) => (float[] a, float[] b) <float[1] w = {1.0}> { a, b = Split <num_outputs = 2> (x) }'''


@pytest.fixture
def fixable(tmp_path):
    path = tmp_path / "fixable.onnx"
    path.write_bytes(opshift.assemble(FIXABLE))
    return path


@pytest.fixture
def fixed_bytes(fixable, tmp_path, command):
    """What the command writes."""
    command("lint", fixable, "--fix", "-o", tmp_path / "command.onnx")
    return (tmp_path / "command.onnx").read_bytes()


def test_fix(fixable, fixed_bytes, tmp_path):
    before = fixable.read_bytes()
    done = opshift.lint(fixable, fix=True)
    assert done.model == fixed_bytes != before and fixable.read_bytes() == before
    assert [(fix.id, fix.place) for fix in done.fixed] == [("SPL025", "node 0 (Split)"), ("GRF013", "")]
    assert done.fixed[1].before == "float[1] w = {1.0}\n" and done.fixed[1].after == ""
    assert done.findings == [] and str(done) == "1 file checked: 0 errors, 0 warnings, 0 notes; 2 fixed"
    assert opshift.lint(before, fix=True).model == fixed_bytes
    made = opshift.lint(io.BytesIO(before), fix=True).model
    assert isinstance(made, io.BytesIO) and made.read() == fixed_bytes
    out = tmp_path / "out.onnx"
    assert opshift.lint(before, fix=True, out=out).model == out and out.read_bytes() == fixed_bytes
    assert opshift.lint(fixable, fix=True, out=fixable).model == fixable and fixable.read_bytes() == fixed_bytes
    os.utime(fixable, (1, 1))
    again = opshift.lint(fixable, fix=True, out=fixable)
    assert again.fixed == [] and again.model == fixable
    assert fixable.stat().st_mtime == 1, "where nothing changes nothing is written"
    assert opshift.lint(before, fix=True, ignore=["SPL", "GRF"]).model == before


def test_what_cannot_be_read_is_not_fixed(tmp_path):
    done = opshift.lint(b"", fix=True, out=tmp_path / "out.onnx")
    assert done.model is None and [found.id for found in done.errors] == ["PRT002"] and done.fixed == []
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        opshift.lint(tmp_path / "missing.onnx", fix=True)
    with pytest.raises(ValueError) as raised:
        opshift.lint(b"", out=tmp_path / "out.onnx")
    assert str(raised.value) == "out is for fix=True; without it lint writes nothing"
