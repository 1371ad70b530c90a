"""variants.py OUT: makes more valid models of ONNX's backend test cases (BACKEND_CASES: directories with model.onnx and test_data_set_0):
those whose inputs are constants, as their data set gives them: all but the first, each alone, and all; and those of forms.txt.
Prints the paths."""
import glob
import os
import subprocess
import sys

import onnx

CASES = os.environ.get("BACKEND_CASES", "/usr/share/libonnx-testdata/data/node")


def tensors(directory, count):
    for at in range(count):
        tensor = onnx.TensorProto()
        with open("%s/test_data_set_0/input_%d.pb" % (directory, at), "rb") as file:
            tensor.ParseFromString(file.read())
        yield tensor


def variant(model, values, constant):
    result = onnx.ModelProto()
    result.CopyFrom(model)
    result.ir_version = max(result.ir_version, 4)  # before, initializers are inputs, too
    for at in sorted(constant, reverse=True):
        value = result.graph.initializer.add()
        value.CopyFrom(values[at])
        value.name = result.graph.input[at].name
        del result.graph.input[at]
    return result


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    for directory in sorted(glob.glob(CASES + "/test_*")):
        model = onnx.load(directory + "/model.onnx")
        inputs = model.graph.input
        if any(not value.type.HasField("tensor_type") for value in inputs) or not inputs:
            continue
        try:
            values = list(tensors(directory, len(inputs)))
        except Exception:  # a data set that is not there, or of sequences
            continue
        count = len(inputs)
        sets = [{at} for at in range(count)] if count < 6 else []
        sets += [set(range(1, count)), set(range(count))]
        seen = []
        for constant in sets:
            if not constant or constant in seen:
                continue
            seen.append(constant)
            path = "%s/%s-%s.onnx" % (sys.argv[1], os.path.basename(directory), "".join(map(str, sorted(constant))))
            with open(path, "wb") as file:
                file.write(variant(model, values, constant).SerializeToString())
            print(path)
    with open(os.path.dirname(os.path.abspath(__file__)) + "/forms.txt", encoding="utf-8") as file:
        texts = [text for text in "".join(line for line in file if not line.startswith("#")).split("\n\n") if text.strip()]
    for at, text in enumerate(texts):
        path = "%s/form-%d.onnx" % (sys.argv[1], at)
        subprocess.run([os.environ.get("OPSHIFT", "opshift"), "assemble", "-", "-o", path], input=text, text=True, check=True)
        print(path)


main()
