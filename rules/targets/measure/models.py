"""Makes valid models of one node: each operator, version and combination of types, with the attributes that its schema requires.

The facts about operators are lib/schema/operators.jsonl; ONNX's Python package writes the files."""
import itertools
import json
import os
import re

from onnx import AttributeProto, TensorProto, TypeProto, helper

HERE = os.path.dirname(os.path.abspath(__file__))
NUMBERS = {
    "float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9, "float16": 10,
    "double": 11, "uint32": 12, "uint64": 13, "complex64": 14, "complex128": 15, "bfloat16": 16, "float8e4m3fn": 17,
    "float8e4m3fnuz": 18, "float8e5m2": 19, "float8e5m2fnuz": 20, "uint4": 21, "int4": 22, "float4e2m1": 23, "float8e8m0": 24,
    "uint2": 25, "int2": 26}
NEWEST = 26  # the newest opset that ONNX Runtime 1.30 takes without being asked
NEWEST_ML = 5
COMBINATIONS = 2000

# What an attribute is where the schema requires it, or where an operator has no sense without it.
VALUES = {
    "axis": 0, "direction": "LEFT", "kernel_shape": [1, 1], "consumed_inputs": [0, 0, 0, 1, 1], "border": [0, 0, 0, 0], "blocksize": 1,
    "equation": "i->i", "num_groups": 1, "bias": [0.0], "size": 1, "kv_num_heads": 1, "q_num_heads": 1, "pooled_shape": [1, 1],
    "paddings": [0, 0], "pads": [0, 0], "alpha": 1.0, "beta": 1.0, "shape": [1], "starts": [0], "ends": [1], "max_gram_length": 1,
    "max_skip_count": 0, "min_gram_length": 1, "mode": "TF", "ngram_counts": [0], "ngram_indexes": [0], "k": 1, "axes": [0],
    "height_scale": 1.0, "width_scale": 1.0, "scales": [1.0, 1.0], "coefficients": [1.0]}
MORE = {
    "RNN": {"hidden_size": 3}, "GRU": {"hidden_size": 3}, "LSTM": {"hidden_size": 3}, "Upsample": {"mode": "nearest"},
    "ImageDecoder": {}, "LpPool": {"kernel_shape": [1, 1]}, "Upsample-7": {"scales": [1.0, 1.0]}, "Attention": {"q_num_heads": 1, "kv_num_heads": 1},
    "ConvTranspose": {}, "StringNormalizer": {}, "Imputer": {"imputed_value_floats": [1.0]}, "Scaler": {"scale": [1.0], "offset": [0.0]}}
# The attribute that gives the type of an output that no input gives.
TYPE_ATTRIBUTES = ("to", "dtype", "output_datatype", "output_dtype")
OMITTED = {"If", "Loop", "Scan", "SequenceMap", "Constant"}  # with bodies, or folded before a kernel is looked for


def schemas():
    """Each with "last", the newest opset in which it is in force."""
    with open(HERE + "/../../../lib/schema/operators.jsonl", encoding="utf-8") as lines:
        every = [json.loads(line) for line in lines]
    for schema in every:
        later = [other["since"] for other in every if (other["operator"], other["domain"]) == (schema["operator"], schema["domain"]) and
                 other["since"] > schema["since"]]
        schema["last"] = min(later) - 1 if later else NEWEST if schema["domain"] == "ai.onnx" else NEWEST_ML
        if schema["domain"] == "ai.onnx":
            schema["last"] = min(schema["last"], NEWEST)
        if not schema["deprecated"] and schema["operator"] not in OMITTED and schema["since"] <= schema["last"]:
            yield schema


def type_proto(text):
    result = TypeProto()
    kind, inner = re.fullmatch(r"(\w+)\((.*)\)", text).groups()
    if kind == "tensor":
        result.tensor_type.elem_type = NUMBERS[inner]
    elif kind == "seq":
        result.sequence_type.elem_type.CopyFrom(type_proto(inner))
    elif kind == "optional":
        result.optional_type.elem_type.CopyFrom(type_proto(inner))
    else:
        key, value = re.fullmatch(r"(.*?),\s*(.*)", inner).groups()
        result.map_type.key_type = NUMBERS[re.sub(r"tensor\((.*)\)", r"\1", key)]
        result.map_type.value_type.CopyFrom(type_proto(value if "(" in value else "tensor(%s)" % value))
    return result


def element(text):
    return re.sub(r".*\((\w+)\)+$", r"\1", text)


def combinations(schema):
    """Each is a map from the schema's type variables to types."""
    variables = sorted(schema["types"])
    for types in itertools.islice(itertools.product(*(schema["types"][name] for name in variables)), COMBINATIONS):
        yield dict(zip(variables, types))


def required_inputs(schema):
    """Those that are not optional, and the first of each variable that no other input has."""
    seen = set()
    result = []
    for at, entry in enumerate(schema["input"]):
        wanted = entry["option"] != "optional" and at < max(schema["inputs"][0], 1)
        if not wanted and entry["type"] in schema["types"] and entry["type"] not in seen:
            wanted = True
        if wanted:
            seen.add(entry["type"])
        result.append(wanted)
    if schema["operator"] == "Resize" and schema["since"] >= 13:
        result = [True, True, True, False]
    while result and not result[-1]:
        result.pop()
    return result


def mapped(schema, types):
    """Lists of ai.onnx.ml that stand for the types."""
    values = {"string": ("strings", ["a"]), "int64": ("int64s", [1]), "float": ("floats", [1.0])}
    name, since = schema["operator"], schema["since"]
    if name == "LabelEncoder" and since == 1:
        return {"classes_strings": ["a"]}
    if name == "LabelEncoder":
        result = {}
        for prefix, variable in (("keys", "T1"), ("values", "T2")):
            kind = values.get(element(types[variable]))
            if kind:
                result["%s_%s" % (prefix, kind[0])] = kind[1]
        return result
    return {"CategoryMapper": {"cats_int64s": [1], "cats_strings": ["a"]}, "OneHotEncoder": {"cats_int64s": [1]},
            "TreeEnsembleClassifier": {"classlabels_int64s": [1]}}.get(name, {})


def attributes(schema, types):
    """None: no model can have these types."""
    result = {}
    more = dict(MORE.get(schema["operator"], {}))
    more.update(MORE.get("%s-%d" % (schema["operator"], schema["since"]), {}))
    names = {attribute["name"]: attribute for attribute in schema["attributes"]}
    given = {entry["type"] for entry, wanted in zip(schema["input"], required_inputs(schema)) if wanted}
    for name, attribute in names.items():
        if attribute["required"] or name in more:
            value = more.get(name, VALUES.get(name))
            if value is not None:
                result[name] = value
    result.update(mapped(schema, types))
    for entry in schema["output"]:
        if entry["type"] not in schema["types"]:
            continue
        number = NUMBERS.get(element(types[entry["type"]]), 0)
        if entry["type"] in given and schema["operator"] not in ("RandomNormalLike", "RandomUniformLike"):
            continue
        for name in TYPE_ATTRIBUTES:
            if name in names:
                result[name] = number if names[name]["type"] == "INT" else TensorProto.DataType.Name(number)
                break
        else:
            if schema["operator"] == "ConstantOfShape":
                if number > 16:
                    return None
                result["value"] = helper.make_tensor("value", number, [1], [b"a" if number == 8 else 0] * (2 if number in (14, 15) else 1)) \
                    if number not in (14, 15) else None
                if result["value"] is None:
                    return None
    return result


def model(schema, types, extra=None, opset=None, shapes=None, omit=()):
    """shapes: of inputs, by number; else they are not known."""
    values = attributes(schema, types)
    if values is None:
        return None
    values.update(extra or {})
    domain = "" if schema["domain"] == "ai.onnx" else schema["domain"]
    inputs, names, outputs, results = [], [], [], []
    for at, wanted in enumerate(required_inputs(schema)):
        entry = schema["input"][at]
        copies = max(1, schema["inputs"][0] - at) if entry["option"] == "variadic" else 1
        for copy in range(copies):
            name = "x%d_%d" % (at, copy) if wanted and at not in omit else ""
            names.append(name)
            if not name:
                continue
            kind = type_proto(types.get(entry["type"], entry["type"]))
            if shapes and at in shapes:
                for dim in shapes[at]:
                    kind.tensor_type.shape.dim.add().dim_value = dim
                kind.tensor_type.shape.SetInParent()
            value = helper.make_value_info(name, kind)
            inputs.append(value)
    for at, entry in enumerate(schema["output"]):
        if at >= max(1, schema["outputs"][0]):
            break
        results.append("y%d" % at)
        outputs.append(helper.make_value_info("y%d" % at, type_proto(types.get(entry["type"], entry["type"]))))
    node = helper.make_node(schema["operator"], names, results, domain=domain)
    for name, value in values.items():
        node.attribute.append(helper.make_attribute(name, value))
    graph = helper.make_graph([node], "g", inputs, outputs)
    opset = opset or schema["since"]
    imports = [helper.make_opsetid(domain, opset)] if not domain else [helper.make_opsetid("", 21), helper.make_opsetid(domain, opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=13 if opset > 21 else 8 if opset < 19 else 10)
