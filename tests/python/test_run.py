"""run: values without copies."""
import gc

import opshift
import pytest

np = pytest.importorskip("numpy")
HEAD = '<ir_version: 8, opset_import: ["" : 18]>\n'


def net(text):
    return opshift.assemble(HEAD + text)


def test_arrays():
    outputs = opshift.run(net("g (float[N,6] x) => (float[N,2] a, float[N,4] b) <int64[2] l = {2, 4}>"
                              "{ a, b = Split <axis = 1> (x, l) }"), {"x": np.arange(12, dtype="f4").reshape(2, 6)})
    assert list(outputs) == ["a", "b"]
    gc.collect()
    assert outputs["a"].tolist() == [[0, 1], [6, 7]] and outputs["a"].dtype == np.float32
    assert not outputs["a"].flags.writeable and not outputs["a"].flags.owndata
    part = outputs.pop("b")[1]
    del outputs
    gc.collect()
    assert part.tolist() == [8, 9, 10, 11]


def test_inputs_are_not_copied():
    """A contiguous, aligned array is read where it is: 512 MiB more would show."""
    import resource
    x = np.zeros(64 << 20, dtype="f8")
    x[:] = 1
    model = net("g (double[N] x) => (int64[1] y) { y = Shape (x) }")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert opshift.run(model, {"x": x}, memory=1 << 31)["y"].tolist() == [64 << 20]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


@pytest.mark.parametrize("given", [
    np.arange(10, dtype="f4")[::2], np.arange(5, dtype=">f4"), np.frombuffer(b"\0" + np.arange(5, dtype="f4").tobytes(),
                                                                             dtype="u1")[1:].view("f4"),
], ids=["strided", "big-endian", "misaligned"])
def test_other_arrays_are_copied(given):
    wanted = (-given.astype("f4")).tolist()
    assert opshift.run(net("g (float[5] x) => (float[5] y) { y = Neg (x) }"), {"x": given})["y"].tolist() == wanted


def test_types():
    for name, dtype in [("int8", "i1"), ("uint16", "u2"), ("int64", "i8"), ("bool", "?"), ("float16", "f2"),
                        ("double", "f8"), ("complex64", "c8")]:
        x = np.array([0, 1, 1], dtype=dtype)
        y = opshift.run(net(f"g ({name}[3] x) => ({name}[3] y) {{ y = Identity (x) }}"), {"x": x})["y"]
        assert y.dtype == x.dtype and y.tolist() == x.tolist()


def test_strings_scalars_sequences_and_foreign_types():
    identity = "g ({0} x) => ({0} y) {{ y = Identity (x) }}".format
    assert opshift.run(net(identity("string[2]")), {"x": np.array(["a\0b", "ü"])})["y"].tolist() == ["a\0b", "ü"]
    assert opshift.run(net(identity("float")), {"x": np.float32(2)})["y"].shape == ()
    assert opshift.run(net(identity("bool")), {"x": True})["y"].tolist() is True
    assert opshift.run(net(identity("float[0,3]")), {"x": np.zeros((0, 3), "f4")})["y"].shape == (0, 3)
    given = opshift.Tensor("bfloat16", (2,), b"\1\2\3\4")
    made = opshift.run(net(identity("bfloat16[2]")), {"x": given})["y"]
    assert (made.type, made.shape, bytes(made.data)) == ("bfloat16", (2,), b"\1\2\3\4")
    made = opshift.run(net("g (float[2] x, float[3] z) => (seq(float[N]) y) { y = SequenceConstruct (x, z) }"),
                       {"x": np.ones(2, "f4"), "z": np.zeros(3, "f4")})["y"]
    assert [item.tolist() for item in made] == [[1, 1], [0, 0, 0]]


def test_wrong_inputs():
    model = net("g (float[2] x) => (float[2] y) { y = Neg (x) }")
    with pytest.raises(ValueError, match="input 'x' is missing"):
        opshift.run(model)
    with pytest.raises(TypeError) as raised:
        opshift.run(model, np.zeros(2, "f4"))
    assert str(raised.value) == "inputs is a mapping by name, {'x': ...}, not ndarray"
    with pytest.raises(ValueError, match="there is no input 'z'"):
        opshift.run(model, {"x": np.zeros(2, "f4"), "z": np.zeros(2, "f4")})
    with pytest.raises(ValueError, match="float"):
        opshift.run(model, {"x": np.zeros(2, "f8")})
    with pytest.raises(TypeError) as raised:
        opshift.run(model, {"x": np.zeros(2, "M8[s]")})
    assert str(raised.value) == "NumPy's type datetime64[s] has no counterpart in ONNX; convert it first (astype)"
    assert opshift.run(model, random=True, seed=1)["y"].shape == (2,)


def test_outputs_outlive_the_interpreter_quietly():
    import subprocess
    import sys
    program = ("import opshift\n"
               f"kept = opshift.run({net('g (float[2] x) => (float[2] y) { y = Neg (x) }')!r}, random=True)\n"
               "import builtins; builtins.kept = kept\n")
    done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
