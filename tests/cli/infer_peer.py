# Holds what `opshift infer` writes against onnx.shape_inference: nothing that it infers stays unknown, and nothing
# contradicts. Types of outputs and value infos are taken off before; a model with value infos is also compared with
# them.
# Usage: infer_peer.py OPSHIFT DIRECTORY MODEL...; prints a line per difference, then the number of values compared.
import os
import subprocess
import sys

import onnx
from onnx import shape_inference


def strip(graph):
    """Takes what is declared off a graph; names stay."""
    del graph.value_info[:]
    for output in graph.output:
        output.ClearField("type")
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
                strip(inner)


def types(graph, found, prefix=""):
    """Each value's type by its place and name."""
    for info in list(graph.value_info) + list(graph.output):
        if info.HasField("type"):
            found[prefix + info.name] = info.type
    for index, node in enumerate(graph.node):
        for attribute in node.attribute:
            for inner in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
                types(inner, found, "%s%d.%s/" % (prefix, index, attribute.name))
    return found


def differ(peer, ours):
    """None, or in which way one type lacks or contradicts what the other has."""
    kind = peer.WhichOneof("value")
    if kind is None:
        return None
    if ours is None or ours.WhichOneof("value") is None:
        return "unknown"
    if kind != ours.WhichOneof("value"):
        return "another kind of type"
    if kind in ("sequence_type", "optional_type"):
        return differ(getattr(peer, kind).elem_type, getattr(ours, kind).elem_type)
    if kind != "tensor_type":
        return None
    peer, ours = peer.tensor_type, ours.tensor_type
    if peer.elem_type and peer.elem_type != ours.elem_type:
        return "another element type" if ours.elem_type else "no element type"
    if not peer.HasField("shape"):
        return None
    if not ours.HasField("shape"):
        return "no rank"
    if len(peer.shape.dim) != len(ours.shape.dim):
        return "another rank"
    for at, (a, b) in enumerate(zip(peer.shape.dim, ours.shape.dim)):
        if a.HasField("dim_value") and not b.HasField("dim_value"):
            return "dim %d is unknown" % at
        if a.HasField("dim_value") and a.dim_value != b.dim_value:
            return "dim %d is another" % at
    return None


def text(type_):
    return " ".join(str(type_).split())


def peer_infer(model):
    """As strictly as onnx can; None: onnx fails."""
    for options in ({"strict_mode": True, "data_prop": True}, {"data_prop": True}, {}):
        try:
            return shape_inference.infer_shapes(model, **options)
        except Exception:
            pass
    return None


def compare(opshift, directory, path, model):
    peer = peer_infer(model)
    if peer is None:
        return 0
    given, typed = os.path.join(directory, "given.onnx"), os.path.join(directory, "typed.onnx")
    with open(given, "wb") as file:
        file.write(model.SerializeToString())
    run = subprocess.run([opshift, "infer", given, "-o", typed], capture_output=True, text=True)
    if run.returncode:
        print("%s: %s" % (path, run.stderr.strip()))
        return 0
    ours = types(onnx.load(typed, load_external_data=False).graph, {})
    wanted = types(peer.graph, {})
    for name, peer_type in sorted(wanted.items()):
        what = differ(peer_type, ours.get(name))
        if what:
            print("%s: '%s': %s; onnx: %s; here: %s" % (path, name, what, text(peer_type), text(ours.get(name, ""))))
    return len(wanted)


def main():
    opshift, directory, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    count = 0
    for path in paths:
        model = onnx.load(path, load_external_data=False)
        if model.graph.value_info:
            count += compare(opshift, directory, path, model)
        strip(model.graph)
        count += compare(opshift, directory, path + " without types", model)
    print("%d values" % count)


main()
