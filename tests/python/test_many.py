"""many: results as they come, in the same tree, with a journal to go on from."""
import json
import re

import opshift
import pytest


@pytest.fixture
def zoo(tmp_path, sample, blocked):
    (tmp_path / "zoo/deep dir").mkdir(parents=True)
    (tmp_path / "zoo/a.onnx").write_bytes(sample)
    (tmp_path / "zoo/deep dir/b.onnx").write_bytes(sample)
    (tmp_path / "zoo/broken.onnx").write_bytes(b"garbage")
    return tmp_path / "zoo"


def outcomes(found):
    return {one.name: one.outcome for one in found}


def test_tree(zoo, tmp_path, sample):
    found = list(opshift.many(zoo, "convert", out=tmp_path / "out", opset=18, jobs=2))
    assert outcomes(found) == {"a.onnx": "done", "deep dir/b.onnx": "done", "broken.onnx": "malformed"}
    wanted = opshift.convert(sample, opset=18).model
    assert (tmp_path / "out/deep dir/b.onnx").read_bytes() == wanted
    assert not (tmp_path / "out/broken.onnx").exists()
    assert isinstance(next(one.error for one in found if one.name == "broken.onnx"), opshift.Malformed)
    assert all(one.result.certificate.same for one in found if one.outcome == "done")


def test_journal(zoo, tmp_path, sample):
    def run(opset=18):
        return list(opshift.many(zoo, "convert", out=tmp_path / "out", opset=opset, journal=tmp_path / "run.jsonl"))
    assert [one.earlier for one in run()] == [False] * 3
    assert all(one.earlier for one in run())
    (zoo / "a.onnx").write_bytes(opshift.convert(sample, opset=13).model)
    assert [one.name for one in run() if not one.earlier] == ["a.onnx"]
    assert not any(one.earlier for one in run(17))


def test_bytes(zoo, sample):
    found = {one.name: one for one in opshift.many(zoo, "convert", opset=18, jobs=2)}
    assert found["deep dir/b.onnx"].result.model == opshift.convert(sample, opset=18).model
    assert found["broken.onnx"].outcome == "malformed"


def test_versions(zoo, tmp_path):
    list(opshift.many(zoo, "lint", journal=tmp_path / "run.jsonl"))
    head = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])
    assert head["command"] == "python lint" and re.fullmatch("rules [0-9a-f]{64}", head["versions"])


def test_lint(zoo):
    found = {one.name: one for one in opshift.many([zoo / "a.onnx", zoo / "broken.onnx"], "lint")}
    assert found["a.onnx"].result.errors == [] and found["broken.onnx"].result.errors


def test_wrong(zoo, tmp_path):
    for arguments in (dict(command="conver"), dict(command="lint", out=tmp_path)):
        with pytest.raises(ValueError):
            opshift.many(zoo, **arguments)
    with pytest.raises(ValueError, match="two models have the name"):
        opshift.many([zoo / "a.onnx", zoo / "deep dir/b.onnx", tmp_path / "zoo/../zoo/a.onnx", zoo / "deep dir/../a.onnx",
                      copy_of(zoo)], "convert", out=tmp_path / "out")


def copy_of(zoo):
    other = zoo / "deep dir/a.onnx"
    other.write_bytes((zoo / "a.onnx").read_bytes())
    return other
