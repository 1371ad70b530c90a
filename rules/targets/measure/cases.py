"""The cases of one operator in each version, combination of types and opset; what a runtime answers to them."""
import collections
import json
import os
import re

import models
import runtime

# The model itself is wrong (types that do not fit together, lists that an operator needs): nothing follows from it.
INVALID = re.compile(r"(Shape|Type)InferenceError|of output arg \(y\d+\)|bound to different types|Required attribute")
# A kernel was found, and then asked for an attribute; or the model was loaded and Node's binding does not know a type.
FOUND = re.compile(r"^ok$|Exception during initialization|core/providers/cpu/|op_node_proto_helper|^[Uu]nsupported data type")


def verdict(answer):
    return "found" if FOUND.search(answer) else "invalid" if INVALID.search(answer) else "lacking"


def write(directory, opsets_of, only=None):
    """Writes the models; opsets_of gives the opsets for a schema. Returns the cases, each with the path of its model."""
    os.makedirs(directory, exist_ok=True)
    result = []
    for schema in models.schemas():
        if only is not None and not only(schema):
            continue
        for types in models.combinations(schema):
            for opset in opsets_of(schema):
                model = models.model(schema, types, opset=opset)
                if model is None:
                    continue
                path = "%s/%d.onnx" % (directory, len(result))
                with open(path, "wb") as file:
                    file.write(model.SerializeToString())
                result.append({"path": path, "operator": schema["operator"], "domain": schema["domain"], "since": schema["since"],
                               "opset": opset, "types": types})
    return result


def key_of(types):
    return tuple(sorted((name, models.element(text) if text.startswith("tensor(") else text) for name, text in types.items()))


def label(case):
    return "%s.%s-%d %d %s" % (case["domain"], case["operator"], case["since"], case["opset"], " ".join(kind for _, kind in key_of(case["types"])))


def answers(name, directory, cases):
    """Those that the directory keeps from the same cases, else the runtime's."""
    path = "%s/%s.tsv" % (directory, name)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t", 1) for line in file]
        if [line[0] for line in lines] == [label(case) for case in cases]:
            return [line[1] for line in lines]
    result = list(runtime.answers(name, [case["path"] for case in cases]))
    with open(path, "w", encoding="utf-8") as file:
        for case, answer in zip(cases, result):
            print(label(case), answer, sep="\t", file=file)
    return result


def measure(name, directory, cases):
    """(domain, operator) -> since -> opset -> {types: verdict}."""
    result = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(dict)))
    for case, answer in zip(cases, answers(name, directory, cases)):
        result[case["domain"], case["operator"]][case["since"]][case["opset"]][key_of(case["types"])] = verdict(answer)
    return result
