# Changes valid models in one place, and compares what `opshift lint` finds with what ONNX Runtime refuses at load.
# Usage: mutate_models.py OPSHIFT DIRECTORY COUNT SEED MODEL... Prints a line per model on which they differ, then how
# many of what ONNX Runtime refuses lint finds. OPSHIFT_ORT_NODE names the package onnxruntime-node.
import json
import os
import random
import subprocess
import sys

import onnx
from onnx import AttributeProto

HERE = os.path.dirname(os.path.abspath(__file__))
# Refusals that are about what this runtime has (kernels, locales, padding beyond a pool's kernel), not about the model.
OTHER_REASONS = ("NOT_IMPLEMENTED", "Could not find an implementation", "is not a registered function",
                 "under development", "is till opset", "not supported yet", "Unsupported model IR version",
                 "Unsupported data type", "string_normalizer", "pool_attributes", "layout_ == 0")


def change_int(value, rng):
    return rng.choice([value + 1, value - 1, 0, -1, -value, value * 2, 7, -5])


def change_list(values, rng):
    kind = rng.randrange(3)
    if kind == 0 and len(values):
        values.pop(rng.randrange(len(values)))
    elif kind == 1:
        values.append(values[-1] if len(values) else 1)
    elif len(values):
        at = rng.randrange(len(values))
        values[at] = type(values[at])(change_int(int(values[at]), rng))


def change_attribute(node, rng):
    """An attribute is removed, renamed, added, or has another value or type."""
    if not node.attribute or rng.random() < 0.1:
        node.attribute.add(name="extra", type=AttributeProto.INT, i=1)
        return "an attribute is added"
    attribute = rng.choice(node.attribute)
    what = rng.random()
    name = attribute.name
    if what < 0.15:
        node.attribute.remove(attribute)
        return "%s is removed" % name
    if what < 0.2:
        attribute.name += "x"
        return "%s is renamed" % name
    if what < 0.25:
        attribute.type = AttributeProto.FLOATS if attribute.type == AttributeProto.INTS else AttributeProto.INTS
        return "%s has another type" % name
    if attribute.type == AttributeProto.INT:
        attribute.i = change_int(attribute.i, rng)
    elif attribute.type == AttributeProto.INTS:
        values = list(attribute.ints)
        change_list(values, rng)
        attribute.ints[:] = values
    elif attribute.type == AttributeProto.FLOAT:
        attribute.f = rng.choice([-1.0, 0.0, -attribute.f, attribute.f + 1])
    elif attribute.type == AttributeProto.FLOATS:
        values = list(attribute.floats)
        change_list(values, rng)
        attribute.floats[:] = values
    elif attribute.type == AttributeProto.STRING:
        attribute.s = rng.choice([attribute.s + b"x", attribute.s.swapcase(), b"", attribute.s[:-1]])
    elif attribute.type == AttributeProto.STRINGS:
        values = list(attribute.strings)
        values.append(b"x") if rng.random() < 0.5 or not values else values.pop()
        attribute.strings[:] = values
    elif attribute.type == AttributeProto.TENSOR:
        attribute.t.data_type = rng.choice([1, 6, 7, 8, 9, 11])
    else:
        return None
    return "%s has another value" % name


def change_shape(graph, rng):
    infos = [info for info in graph.input if info.type.HasField("tensor_type")]
    if not infos:
        return None
    info = rng.choice(infos)
    dims = info.type.tensor_type.shape.dim
    what = rng.randrange(4)
    if what == 0 and len(dims):
        del dims[rng.randrange(len(dims))]
        return "%s has an axis less" % info.name
    if what == 1:
        dims.add(dim_value=rng.choice([1, 2, 3]))
        return "%s has an axis more" % info.name
    if not len(dims):
        return None
    dim = rng.choice(dims)
    dim.dim_value = max(0, rng.choice([dim.dim_value + 1, dim.dim_value - 1, dim.dim_value * 2, 0, 1, 5]))
    return "%s has another dim" % info.name


def change_type(graph, rng):
    infos = [info for info in list(graph.input) + list(graph.output) if info.type.HasField("tensor_type")]
    if not infos:
        return None
    info = rng.choice(infos)
    info.type.tensor_type.elem_type = rng.choice([1, 2, 3, 6, 7, 8, 9, 10, 11, 13])
    return "%s has another type" % info.name


def change_inputs(node, rng):
    what = rng.randrange(5)
    if not len(node.input):
        return None
    if what == 0:
        del node.input[rng.randrange(len(node.input))]
        return "an input is removed"
    if what == 1:
        node.input.append(rng.choice(node.input))
        return "an input is added"
    if what == 2:
        node.input[rng.randrange(len(node.input))] = ""
        return "an input is omitted"
    if what == 3 and len(node.input) > 1:
        a, b = rng.sample(range(len(node.input)), 2)
        node.input[a], node.input[b] = node.input[b], node.input[a]
        return "two inputs are swapped"
    return None


def change_name(graph, node, rng):
    what = rng.randrange(4)
    if what == 0 and len(node.input):
        node.input[rng.randrange(len(node.input))] = "nothing"
        return "an input has another name"
    if what == 1 and len(node.output):
        node.output[rng.randrange(len(node.output))] = "nothing"
        return "an output has another name"
    if what == 2:
        node.op_type = node.op_type[:-1]
        return "the operator has another name"
    if what == 3 and len(graph.input):
        rng.choice(graph.input).name = "nothing"
        return "a graph input has another name"
    return None


def mutate(model, rng):
    """What was changed; None: nothing."""
    node = rng.choice(model.graph.node)
    kind = rng.random()
    if kind < 0.4:
        words = change_attribute(node, rng)
    elif kind < 0.65:
        words = change_shape(model.graph, rng)
    elif kind < 0.75:
        words = change_type(model.graph, rng)
    elif kind < 0.9:
        words = change_inputs(node, rng)
    else:
        words = change_name(model.graph, node, rng)
    return words and "%s: %s" % (node.op_type, words)


def freeze(model, path):
    """Inputs whose values the case gives become initializers where they are small integers or scalars."""
    for at, info in reversed(list(enumerate(model.graph.input))):
        file = os.path.join(os.path.dirname(path), "test_data_set_0", "input_%d.pb" % at)
        type_ = info.type.tensor_type
        count = 1
        for dim in type_.shape.dim:
            count *= dim.dim_value
        if not info.type.HasField("tensor_type") or count > 8 or not os.path.exists(file):
            continue
        if type_.elem_type not in (6, 7) and len(type_.shape.dim) > 1:
            continue
        with open(file, "rb") as data:
            tensor = onnx.TensorProto.FromString(data.read())
        tensor.name = info.name
        if len(model.graph.input) > 1:
            model.graph.initializer.append(tensor)
            del model.graph.input[at]


def judge_lint(opshift, paths):
    """The errors of each model, as a list of ids and words."""
    with open("list", "w") as file:
        file.write("\0".join(paths) + "\0")
    out = subprocess.run([opshift, "lint", "--files0-from", "list", "-f", "json"], stdout=subprocess.PIPE, check=False).stdout
    found = {path: [] for path in paths}
    for model in json.loads(out)["files"]:
        for finding in model["findings"]:
            if finding["severity"] == "error":
                found[model["file"]].append("%s %s" % (finding["id"], finding["message"]))
    return found


def judge_runtime(paths):
    """What ONNX Runtime says of each model. A crash counts as a refusal."""
    answers = []
    while len(answers) < len(paths):
        run = subprocess.run(["node", os.path.join(HERE, "load_models.js")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                             input="\n".join(paths[len(answers):]).encode())
        lines = run.stdout.decode("utf-8", "replace").splitlines()
        if not answers and not lines:
            sys.exit("ONNX Runtime does not load: set OPSHIFT_ORT_NODE")
        answers += lines
        if len(answers) < len(paths):
            answers.append("crash")
    return dict(zip(paths, answers))


def main():
    opshift, directory, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    models = [os.path.abspath(path) for path in sys.argv[5:]]
    rng = random.Random(seed)
    os.chdir(directory)
    words, sources = {}, {}
    while len(words) < count:
        path = rng.choice(models)
        model = onnx.load(path)
        for output in model.graph.output:  # a declared shape would tell of many changes
            if output.type.HasField("tensor_type"):
                output.type.tensor_type.ClearField("shape")
        if rng.random() < 0.4:
            freeze(model, path)
        what = mutate(model, rng)
        if what is None:
            continue
        name = "%05d.onnx" % len(words)
        with open(name, "wb") as file:
            file.write(model.SerializeToString())
        words[name] = what
        sources[name] = os.path.basename(os.path.dirname(path))
    lint, runtime = judge_lint(opshift, list(words)), judge_runtime(list(words))
    refused = found = 0
    for name in words:
        answer = runtime[name]
        invalid = answer != "ok" and not any(reason in answer for reason in OTHER_REASONS)
        refused += invalid
        found += invalid and len(lint[name]) > 0
        if invalid and not lint[name]:
            print("missed %s %s: %s: %s" % (name, sources[name], words[name], answer))
        elif answer == "ok" and lint[name]:
            print("loaded %s %s: %s: %s" % (name, sources[name], words[name], lint[name][0]))
    print("%d of %d found" % (found, refused))


if __name__ == "__main__":
    main()
