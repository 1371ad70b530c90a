"""convert: kinds of models and of out, the same bytes as the command, refusals."""
import io
import os
import threading

import opshift
import pytest

WHY = ("input 1 is known only at run time (it is a graph input), and at opset 12 it would be attribute 'split'; make "
       "it constant, or go to opset 10 or up")


class Proto:
    """As onnx.ModelProto, as far as opshift uses it."""

    def __init__(self, data=b""):
        self.data = data

    def SerializeToString(self):
        return self.data

    def ParseFromString(self, data):
        self.data = data


@pytest.fixture
def converted(sample, command, tmp_path):
    """What the command writes."""
    (tmp_path / "in.onnx").write_bytes(sample)
    command("convert", tmp_path / "in.onnx", "--opset", "18", "-o", tmp_path / "command.onnx", "--verify")
    return (tmp_path / "command.onnx").read_bytes()


def test_each_kind_comes_back_as_it_was(sample, converted, tmp_path):
    assert opshift.convert(sample).model == converted
    assert opshift.convert(bytearray(sample)).model == converted
    assert opshift.convert(memoryview(sample)).model == converted
    made = opshift.convert(io.BytesIO(sample)).model
    assert isinstance(made, io.BytesIO) and made.read() == converted
    made = opshift.convert(Proto(sample)).model
    assert isinstance(made, Proto) and made.data == converted
    assert opshift.convert(tmp_path / "in.onnx").model == converted


def test_out(sample, converted, tmp_path):
    out = tmp_path / "out.onnx"
    for model in (sample, tmp_path / "in.onnx", str(tmp_path / "in.onnx")):
        assert opshift.convert(model, 18, out=out).model == out
        assert out.read_bytes() == converted
        out.unlink()
    file = io.BytesIO()
    assert opshift.convert(tmp_path / "in.onnx", out=file).model is file
    assert file.getvalue() == converted
    assert opshift.convert(tmp_path / "in.onnx", out=tmp_path / "in.onnx").target_opset == 18
    assert (tmp_path / "in.onnx").read_bytes() == converted


def test_report(sample):
    done = opshift.convert(sample)
    assert (done.source_opset, done.target_opset, done.rewritten_count, done.blockers) == (11, 18, 4, [])
    assert done.rewritten[0].becomes == "value, gate = Split <axis = -1, num_outputs = 2> (x)"
    assert done.certificate.same and done.certificate.counts["proved"] == 4
    assert {piece.verdict for piece in done.certificate.pieces} == {"proved"}
    assert str(done).endswith("<memory>: opset 11 to 18: 4 nodes rewritten, 3 constants added")
    assert opshift.convert(sample, verify=False).certificate is None


def test_html_is_the_page_in_a_frame(sample):
    shown = opshift.convert(sample)._repr_html_()
    assert "<svg" not in shown and "&lt;svg" in shown and shown.count("<iframe sandbox srcdoc=") == 1
    name = "<script>alert(1)</script>"
    assert "<script" not in opshift.Report(text=name)._repr_html_()


def test_refused(blocked, tmp_path):
    out = tmp_path / "out.onnx"
    with pytest.raises(opshift.Refused) as raised:
        opshift.convert(blocked, opset=9, out=out)
    assert raised.value.blockers == [opshift.Blocker("node 0 (Split)", "Split", 13, 12, WHY)]
    assert str(raised.value) == f"<memory>: node 0 (Split): 13 to 12: {WHY}"
    assert raised.value.report.nearest_opset == 10 or raised.value.report.nearest_opset == 13
    assert not out.exists()


def test_target(sample):
    done = opshift.convert(sample, target="opencv@4.6", shapes={"x": (4, 6)}, allow_remaining=True)
    assert done.certificate.same
    with pytest.raises(ValueError, match="profile"):
        opshift.convert(sample, target="no such target")


def test_failures(sample, tmp_path):
    missing = str(tmp_path / "missing.onnx")
    with pytest.raises(FileNotFoundError) as raised:
        opshift.convert(missing)
    assert str(raised.value) == f"{missing}: there is no such file; check its name"
    with pytest.raises(FileNotFoundError) as raised:
        opshift.show(missing)
    assert str(raised.value) == f"{missing}: there is no such file; check its name"
    with pytest.raises(opshift.Malformed) as raised:
        opshift.convert(b"")
    assert (str(raised.value), raised.value.fault) == ("<memory>: is empty; fetch or write it again", 1)
    with pytest.raises(ValueError) as raised:
        opshift.convert(sample, 99)
    assert type(raised.value) is ValueError and "99" in str(raised.value)
    with pytest.raises(ValueError) as raised:
        opshift.convert(sample, split_form="no")
    assert str(raised.value) == "split_form is 'no'; it must be one of keep, lengths, num_outputs, equal"
    with pytest.raises(ValueError) as raised:
        opshift.convert(sample, ir_version="newest")
    assert str(raised.value) == "ir_version is 'newest'; it must be a number or 'match'"
    with pytest.raises(TypeError) as raised:
        opshift.convert(sample, shapes=[("x", (4, 6))])
    assert str(raised.value) == "shapes is a mapping by name, {'x': ...}, not list"
    for out, kind in ((5, "int"), (io.StringIO(), "StringIO")):
        with pytest.raises(TypeError) as raised:
            opshift.convert(sample, out=out)
        assert str(raised.value) == f"out is a path or a file object that is open for binary writing, not {kind}"
    with pytest.raises(OSError) as raised:
        opshift.convert(tmp_path)
    assert str(raised.value) == str(pytest.raises(OSError, opshift.show, tmp_path).value)
    with pytest.raises(ValueError, match="embedded null byte"):
        opshift.show("a\0b")
    with pytest.raises(TypeError) as raised:
        opshift.convert(1)
    assert str(raised.value) == ("a model is a path, bytes, a binary file object or an object with SerializeToString, "
                                 "not int")
    with pytest.raises(TypeError) as raised:
        opshift.convert(io.StringIO("x"))
    assert str(raised.value) == "a model's file must be opened in binary mode: open(path, 'rb')"
    with pytest.raises(OSError, match="there is no such directory|cannot be"):
        opshift.convert(sample, out=tmp_path / "no" / "such.onnx")


def test_weights_are_not_copied(tmp_path):
    """Bytes of 256 MiB are converted to a path with less than a quarter of it in memory beyond them."""
    import resource
    import sys
    if not sys.platform.startswith("linux") or not hasattr(resource, "RLIMIT_DATA"):
        pytest.skip("limits of memory are those of Linux")
    size = 256 << 20
    head = opshift.assemble('<ir_version: 8, opset_import: ["" : 11]>\n'
                            "g (float[6] x) => (float[3] a, float[3] b) { a, b = Split <axis = 0> (x) }")
    # ModelProto.metadata_props with a value that long: a field as a model may have it.
    def varint(n):
        made = b""
        while n > 127:
            made, n = made + bytes([n & 127 | 128]), n >> 7
        return made + bytes([n])
    entry = b"\x0a\x01k\x12" + varint(size)
    model = head + b"\x72" + varint(len(entry) + size) + entry + bytes(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    opshift.convert(model, out=tmp_path / "big.onnx", verify=False)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < (64 << 10), f"{grown} KiB"
    assert (tmp_path / "big.onnx").stat().st_size > size
    os.unlink(tmp_path / "big.onnx")


def test_many_threads(sample, converted):
    results = []

    def work():
        for _ in range(10):
            results.append(opshift.convert(sample).model == converted)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 80
