"""Runs models in OpenCV's dnn module. opencv.py inputs CASE TYPES: draws CASE/in/NAME.npy for "float[1, 6] x, ...".
networks DIR OPSHIFT: makes models and prints their names. compare CASES: a line "STATUS NAME WORDS" for each case.
source CASE: the same for its source model; exit status 1 if it differs."""
import os
import random
import re
import subprocess
import sys

import cv2
import numpy


def draw_inputs(case, types):
    os.makedirs(case + "/in")
    drawn = numpy.random.RandomState(7)
    for dims, name in re.findall(r'float\[([^\]]*)\] "?([\w.]+)"?', types):
        shape = [int(dim) if dim.strip().isdigit() else 6 for dim in dims.split(",")]
        numpy.save(f"{case}/in/{name}.npy", drawn.standard_normal(shape).astype("f4"))


def difference(case, model):
    """What differs; "": nothing."""
    net = cv2.dnn.readNetFromONNX(f"{case}/{model}")
    for file in os.listdir(case + "/in"):
        value = numpy.load(f"{case}/in/{file}")
        assert value.ndim != 3, "OpenCV's Python module reads an array of three dims as one of two"
        net.setInput(value, file[: -len(".npy")])
    names = [file[: -len(".npy")] for file in sorted(os.listdir(case + "/want"))]
    for name, seen in zip(names, net.forward(names)):
        wanted = numpy.load(f"{case}/want/{name}.npy")
        if seen.shape != wanted.shape and seen.size != wanted.size:
            return f"{name} has shape {seen.shape}, not {wanted.shape}"
        if not numpy.allclose(seen.reshape(wanted.shape), wanted, rtol=1e-4, atol=1e-5):
            return f"{name} differs by {abs(seen.reshape(wanted.shape) - wanted).max()}"
    return ""


def tell(case, model):
    try:
        words = difference(case, model)
    except Exception as error:
        words = " ".join(str(error).split())
    print(1 if words else 0, os.path.basename(case), words)
    return words != ""


def network(seed, opset):
    """Blocks that split the channels, compute on the parts and join them again, as ShuffleNet, CSP and GLU do."""
    draw = random.Random(seed)
    nodes, constants, value, channels = [], [], "x", 12
    for block in range(4):
        count = draw.choice([2, 2, 3, 4])
        even = draw.random() < 0.5
        cuts = sorted(draw.sample(range(1, channels), count - 1)) if not even or channels % count else None
        lengths = [b - a for a, b in zip([0] + cuts, cuts + [channels])] if cuts else [channels // count] * count
        parts = [f"p{block}_{i}" for i in range(count)]
        axis = draw.choice([1, -3])
        attributes, inputs = f"axis = {axis}", value
        if cuts and opset < 13:
            attributes += f", split = {lengths}"
        elif cuts or (opset >= 18 and draw.random() < 0.3):
            constants.append(f"int64[{count}] l{block} = {{{', '.join(map(str, lengths))}}}")
            inputs += f", l{block}"
        elif opset >= 18:
            attributes += f", num_outputs = {count}"
        nodes.append(f"{', '.join(parts)} = Split <{attributes}> ({inputs})")
        done = []
        for i, part in enumerate(parts):
            name = f"d{block}_{i}"
            nodes.append(f"{name} = {draw.choice(['Relu', 'Sigmoid', 'Tanh', 'Neg'])} ({part})")
            done.append(name)
        draw.shuffle(done)
        value = f"v{block}"
        nodes.append(f"{value} = Concat <axis = 1> ({', '.join(done)})")
    nodes.append(f"y = Relu ({value})")
    return (f'<ir_version: 8, opset_import: ["" : {opset}]>\ng (float[1, 12, 3, 5] x) => (float[1, 12, 3, 5] y)\n'
            f"<{', '.join(constants)}>\n{{ {chr(10).join(nodes)} }}\n")


def make_networks(directory, opshift):
    for seed in range(12):
        name = f"network-{seed}"
        with open(f"{directory}/{name}.txt", "w") as file:
            file.write(network(seed, [11, 13, 17, 18, 21, 23][seed % 6]))
        subprocess.run([opshift, "assemble", f"{directory}/{name}.txt", "-o", f"{directory}/{name}.onnx"], check=True)
        print(name)


if sys.argv[1] == "inputs":
    draw_inputs(*sys.argv[2:])
elif sys.argv[1] == "networks":
    make_networks(*sys.argv[2:])
elif sys.argv[1] == "source":
    sys.exit(tell(sys.argv[2], "source.onnx"))
else:
    for name in sorted(os.listdir(sys.argv[2])):
        tell(f"{sys.argv[2]}/{name}", "model.onnx")
