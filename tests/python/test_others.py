"""verify, diff, show, infer, rules and the rest."""
import io
import os

import opshift
import pytest
from opshift._native import spoken


def test_verify_and_diff(sample):
    after = opshift.convert(sample).model
    certificate = opshift.verify(sample, after)
    assert certificate.same and certificate.page.startswith("<!DOCTYPE html>")
    difference = opshift.diff(sample, after)
    assert not difference.same and difference.counts["added"] == 4
    assert difference.differences[0].after == "2"
    assert opshift.diff(sample, sample).same
    other = opshift.assemble('<ir_version: 8, opset_import: ["" : 11]>\n'
                             "g (float[N,6] x, bool left) => (float[N,3] gated, float[N,2] side, float[N,3] half)"
                             "{ gated, half = Split <axis = 1> (x) side, u = Split <axis = 1, split = [2,4]> (x) }")
    assert not opshift.verify(sample, other).same
    body = '(float[2] x) => (float[2] y) { y = Relu (x) }'
    names = [opshift.assemble(f'<ir_version: 8, opset_import: ["" : 13]> {name} {body}') for name in ("a", "b")]
    certificate = opshift.verify(*names)
    assert certificate.same and not certificate.nothing_else and len(certificate.changes) == 1
    assert not opshift.verify(*names, nothing_else=True).same and opshift.verify(names[0], names[0]).nothing_else


def test_verify_map_and_reduce(tmp_path):
    head = '<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y)'
    before, after = (opshift.assemble(f"{head} {{ [one] a = Relu (x) [two] y = {kind} (a) }}") for kind in ("Exp", "Sin"))
    certificate = opshift.verify(before, after, map=True, reduce=tmp_path / "cut", exact=True)
    assert not certificate.same and certificate.reduced["region"] == "node 'two' (Exp)"
    assert certificate.map[0] == {"before": ["node 'one' (Relu)"], "after": ["node 'one' (Relu)"]}
    assert not opshift.verify(tmp_path / "cut" / "before.onnx", tmp_path / "cut" / "after.onnx").same
    assert opshift.verify(before, before).reduced is None


def test_show_and_infer(sample, command, tmp_path):
    assert opshift.show(sample).splits[0]["form"] == "equal"
    assert opshift.show(sample).opsets[0] == {"domain": "ai.onnx", "version": 11} and opshift.show(sample).opset == 11
    done = opshift.infer(sample, shapes={"x": (4, 6)})
    (tmp_path / "in.onnx").write_bytes(sample)
    command("infer", tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--shape", "x=4x6")
    assert done.model == (tmp_path / "out.onnx").read_bytes() and done.values == 10


def test_join():
    first, second = (opshift.assemble(f'<ir_version: 8, opset_import: ["" : 13]> g (float[2] {x}) => (float[2] {y})'
                                      f' {{ {y} = {kind} ({x}) }}') for x, y, kind in (("a", "b", "Exp"), ("c", "d", "Neg")))
    done = opshift.join(first, second)
    assert done.verified["verdict"] == "proved" and opshift.show(done.model).outputs[0]["name"] == "d"
    assert opshift.join(first, first, connect={"b": "a"}, prefix="p/").verified["verdict"] == "proved"
    with pytest.raises(ValueError, match="the first model has no value 'x'"):
        opshift.join(first, second, connect={"x": "c"})


def test_edit(sample, command, tmp_path):
    done = opshift.edit(sample, rename={"x": "input"}, dims={"input.0": "rows"}, unique_names=True)
    (tmp_path / "in.onnx").write_bytes(sample)
    command("edit", tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--rename", "x=input", "--dim", "input.0=rows",
            "--unique-names")
    assert done.model == (tmp_path / "out.onnx").read_bytes() and done.verified["verdict"] == "proved"
    assert done.edits[0]["text"].startswith("1 value, in ") and str(done) == str(done.text).rstrip("\n")
    assert opshift.edit(done.model, rename={"input": "x"}, verify=False).verified == {}
    opshift.edit(sample, tmp_path / "moved.onnx", external="w.bin", external_from=0)
    assert opshift.diff(tmp_path / "moved.onnx", sample).same
    with pytest.raises(ValueError, match="give a path as out"):
        opshift.edit(sample, external="w.bin")
    with pytest.raises(ValueError, match="the model has no value 'nope'"):
        opshift.edit(sample, rename={"nope": "x"})


def test_the_rest(sample, blocked, tmp_path):
    assert {rule.kind for rule in opshift.rules()} >= {"rule", "compatible"}
    assert opshift.targets(["opencv@4.6"])[0].version == "4.6"
    assert 9 not in opshift.how_far(blocked).reachable and 20 in opshift.how_far(blocked).reachable
    assert opshift.explain("SPL004").startswith("SPL004 ")
    with pytest.raises(ValueError, match="there is no check 'nope'"):
        opshift.explain("nope")
    assert opshift.assemble(opshift.to_text(sample)) == sample or "Half" in opshift.to_text(sample)
    with pytest.raises(opshift.Malformed, match="^<text>:1:1: "):
        opshift.assemble("?")
    assert opshift.__version__ == opshift.version()


def test_openvino(tmp_path):
    net = opshift.assemble('<ir_version: 8, opset_import: ["" : 18]>\n'
                           "g (float[2,6] x) => (float[2,3] a, float[2,3] b)"
                           "{ a, b = Split <axis = 1, num_outputs = 2> (x) }")
    done = opshift.export(net, "openvino", tmp_path / "net.xml")
    assert done.path == str(tmp_path / "net.xml") and (tmp_path / "net.bin").exists()
    opshift.import_(tmp_path / "net.xml", tmp_path / "back.onnx", opset=18)
    assert opshift.show(tmp_path / "back.onnx").counts["nodes"] >= 1


@pytest.mark.parametrize("function, name, value", [
    ("convert", "opset", 2**64 + 13), ("convert", "opset", -2**64 + 13), ("convert", "seed", 2**64), ("convert", "seed", -1),
    ("convert", "ir_version", 2**64 + 8), ("convert", "ir_version", -1), ("run", "seed", -1), ("run", "memory", -1),
    ("run", "steps", 2**64), ("lint", "to", 2**64 + 13)])
def test_numbers_that_do_not_fit(sample, function, name, value):
    """ctypes would cut them."""
    more = {"random": True} if function == "run" else {}
    with pytest.raises(ValueError, match=f"^{name} is {value}; it must be "):
        getattr(opshift, function)(sample, **{name: value}, **more)


@pytest.mark.parametrize("draws", [-1, 2**32, 2**64])
def test_draws_that_do_not_fit(sample, draws):
    with pytest.raises(ValueError, match=f"^draws is {draws}; it must be from 0 to 4294967295$"):
        opshift.verify(sample, sample, engine="builtin", draws=draws)


def test_what_is_no_number(sample, tmp_path):
    for value in ("18", 18.0, None):
        with pytest.raises(TypeError, match="^opset is .*; it must be a whole number$"):
            opshift.import_(tmp_path / "net.xml", tmp_path / "out.onnx", opset=value)
    with pytest.raises(TypeError, match="^draws is 2.5; it must be a whole number$"):
        opshift.verify(sample, sample, draws=2.5)


def test_dims_that_do_not_fit(sample):
    huge = 2**64 + 6
    for shape in ((huge,), (2**63,), (-2**63 - 1,)):
        with pytest.raises(ValueError, match=f"^a dim of the shape is {shape[0]}; it must be from "):
            opshift.run(sample, {"x": opshift.Tensor("float", shape, bytes(24))})
    for call in (opshift.convert, opshift.infer):
        with pytest.raises(ValueError, match=f"'N={huge}'"):
            call(sample, dims={"N": huge})
        with pytest.raises(ValueError, match=f"'x={huge},6': '{huge}' is too large for a dim"):
            call(sample, shapes={"x": (huge, 6)})
    with pytest.raises(ValueError, match=f"ai.onnx.ml={huge}"):
        opshift.convert(sample, domains={"ai.onnx.ml": huge})


def test_a_file_object_that_has_just_been_written(sample):
    """Read from its start; one that cannot go there is told."""
    file = io.BytesIO()
    file.write(sample)
    assert opshift.show(file).size == len(sample)
    read, write = os.pipe()
    os.close(write)
    with open(read, "rb") as pipe, pytest.raises(ValueError) as raised:
        opshift.show(pipe)
    assert str(raised.value) == "the file object is at its end, and it cannot seek; give one that is at the model's start"


def test_an_exported_program(sample):
    """As torch.onnx.export gives it: its model_proto has the bytes."""
    class Proto:
        data = sample

        def SerializeToString(self):
            return self.data

        def ParseFromString(self, data):
            self.data = data

    class Program:
        model_proto = Proto()

    assert opshift.convert(Program(), 18).model.data == opshift.convert(sample, 18).model


def test_several_models_at_once(sample):
    with pytest.raises(TypeError, match="SerializeToString, not list; opshift.many takes several$"):
        opshift.convert([sample])


def test_messages_name_arguments(sample):
    with pytest.raises(ValueError, match=r"give it with inputs={'x': ...}, or draw it with random=True$"):
        opshift.run(sample)
    with pytest.raises(ValueError, match="name one of its inputs with shapes$"):
        opshift.convert(sample, dims={"none": 2})
    with pytest.raises(opshift.Unsupported, match="raise it with steps$"):
        opshift.run(sample, random=True, dims={"N": 2}, steps=1)
    with pytest.raises(ValueError, match=r"which has no size; give one: dims={'N': 4}$"):
        opshift.run(sample, random=True)
    assert spoken("give the shape with 'opshift infer --shape'; --no-such stays") == \
        "give the shape with 'opshift infer --shape'; --no-such stays"
    assert spoken("give it by --shape x=..., or take --assume-even") == "give it by shapes={'x': ...}, or take assume_even=True"


def test_short_representations(sample):
    done = opshift.convert(sample, 18)
    assert isinstance(done, opshift.Verified)
    assert repr(done) == f"<Verified: {done.text.splitlines()[0]}>"
    assert repr(done.certificate) == f"<Certificate: {done.certificate.text.splitlines()[-1][:117]}...>"
    assert type(opshift.convert(sample, 18, verify=False)) is opshift.Conversion
    assert repr(opshift.Report()) == "<Report: >"


def test_sizes_of_dims_for_a_run():
    model = opshift.assemble('<ir_version: 8, opset_import: ["" : 18]>\ng (float[N] x) => (float[N] y) { y = Relu(x) }')
    y = opshift.run(model, random=True, dims={"N": 7})["y"]
    assert tuple(y.shape) == (7,)
