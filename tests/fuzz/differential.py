#!/usr/bin/python3
"""Holds opshift against the official parser (python3-onnx): mutated models that opshift reads and converts must be read by
it too, with the same content outside of what was rewritten, and in what it cannot parse `opshift lint` must find an error.

    differential.py OPSHIFT COUNT SEED MODEL...

Tries so many mutations, drawn from the seed. Prints each difference with the file that makes it, kept in the directory it is run in; exits with 1 where there is one.

What may differ, on purpose:
  - opshift reads texts that are no UTF-8 (and lint says so); the parser, which is proto3 for these fields, does not;
  - show and convert decode only the messages that they need, and copy the others byte by byte: a fault inside an
    initializer or a type that nobody asks for is lint's to find, and what is written from such a model has it still;
  - opshift refuses what is beyond its limits, what has no graph, or a graph twice where there is one: the parser reads on.
"""
import os
import random
import subprocess
import sys
import warnings

try:
    import onnx
except ImportError:
    print("python3-onnx is not here: nothing was compared")
    sys.exit(0)
from google.protobuf.message import DecodeError

KNOWN_STATUS = {0, 1, 2, 3, 4, 5}


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def fields(data):
    """The fields of a message as [tag, payload, is a message or text]; None where it is no message."""
    out, at = [], 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            if at >= len(data) or shift > 63:
                raise ValueError
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    try:
        while at < len(data):
            tag = number()
            kind = tag & 7
            start = at
            if kind == 0:
                number()
            elif kind in (1, 5):
                at += 8 if kind == 1 else 4
            elif kind == 2:
                size = number()
                start = at
                at += size
            else:
                return None
            if at > len(data) or tag < 8:
                return None
            out.append([tag, data[start:at], kind == 2])
    except ValueError:
        return None
    return out


def joined(parts):
    return b"".join(varint(tag) + (varint(len(data)) if sized else b"") + data for tag, data, sized in parts)


def mutated_inside(data, draw, depth=0):
    """One change to the structure: a field of some message goes, comes twice, moves, or gets other bytes."""
    parts = fields(data)
    if not parts:
        return mutated_bytes(data, draw)
    at = draw.randrange(len(parts))
    tag, inner, sized = parts[at]
    if sized and inner and draw.random() < 0.75 and depth < 12:
        parts[at][1] = mutated_inside(inner, draw, depth + 1)
        return joined(parts)
    deed = draw.randrange(6)
    if deed == 0:
        del parts[at]
    elif deed == 1:
        parts.insert(draw.randrange(len(parts) + 1), list(parts[at]))
    elif deed == 2:
        other = draw.randrange(len(parts))
        parts[at], parts[other] = parts[other], parts[at]
    elif deed == 3:
        parts[at][1] = mutated_bytes(inner, draw) if sized else varint(draw.choice([0, 1, 2, 13, 2**31, 2**32, 2**63]))
        if not sized and tag & 7 != 0:
            parts[at][0] = tag & ~7
    elif deed == 4:
        parts[at][0] = draw.randrange(1, 30) << 3 | tag & 7
    else:
        parts[at][1] = draw.choice(parts)[1] if sized else inner
    return joined(parts)


def mutated_bytes(data, draw):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 4])):
        at = draw.randrange(len(data) + 1)
        if at == len(data) or draw.random() < 0.2:
            data[at:at] = bytes([draw.randrange(256)])
        elif draw.random() < 0.2:
            del data[at]
        else:
            data[at] = draw.choice([data[at] ^ 1 << draw.randrange(8), draw.randrange(256), 0, 255])
    return bytes(data)


def parsed(data):
    model = onnx.ModelProto()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            model.ParseFromString(data)
        except (DecodeError, ValueError):
            return None
    return None if said else model  # the end of a group where none began is told in a warning


def is_bad_text(data, depth=0):
    """Does some length-delimited field hold bytes that are no UTF-8? Then the parser may refuse it as a text."""
    for _, inner, sized in fields(data) or []:
        if not sized:
            continue
        try:
            inner.decode()
        except UnicodeDecodeError:
            if depth > 100 or not fields(inner) or is_bad_text(inner, depth + 1):
                return True
    return False


def graphs(model):
    def below(nodes):
        for node in nodes:
            for attribute in node.attribute:
                for graph in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
                    yield graph
                    yield from below(graph.node)

    yield model.graph
    yield from below(model.graph.node)
    for function in model.functions:
        yield from below(function.node)


def kept(model):
    """What no rule of a conversion between opsets 11 and 18 touches, as a text that can be compared."""
    out = [model.producer_name, model.producer_version, model.domain, model.model_version, model.doc_string,
           [(one.key, one.value) for one in model.metadata_props]]
    for graph in graphs(model):
        out.append([graph.name, graph.doc_string, [v.SerializeToString(deterministic=True) for v in graph.output],
                    [n.SerializeToString(deterministic=True) for n in graph.node
                     if n.domain not in ("", "ai.onnx") and not n.attribute]])
    return out


def run(opshift, arguments):
    try:
        done = subprocess.run([opshift, *arguments], capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return -1, "took more than 20 seconds"
    return done.returncode, (done.stderr + done.stdout).decode(errors="replace")


def differs(opshift, data, opset, directory):
    """What is wrong with the answers to these bytes; None: nothing."""
    source, target = os.path.join(directory, "in.onnx"), os.path.join(directory, "out.onnx")
    with open(source, "wb") as file:
        file.write(data)
    if os.path.exists(target):
        os.unlink(target)
    before = parsed(data)
    shown, said = run(opshift, ["show", source])
    if shown not in KNOWN_STATUS:
        return f"show ended with {shown}: {said}"
    linted, said = run(opshift, ["lint", source])
    if linted not in KNOWN_STATUS:
        return f"lint ended with {linted}: {said}"
    if before is None and linted == 0 and not is_bad_text(data):
        return "lint finds no error in what the parser does not read"
    status, said = run(opshift, ["convert", source, "--opset", str(opset), "-o", target, "--external-data", "keep"])
    if status not in KNOWN_STATUS or (status != 0 and not said.strip()):
        return f"convert ended with {status}: {said}"
    if status != 0:
        return "a file is there although it failed" if os.path.exists(target) else None
    with open(target, "rb") as file:
        after = parsed(file.read())
    if before is None:
        return None
    if after is None:
        return "the parser does not read what was written"
    if kept(before) != kept(after):
        return "what is not rewritten is not the same"
    versions = [one.version for one in after.opset_import if one.domain in ("", "ai.onnx")]
    if opset not in versions and "nothing to do" not in said:
        return "the opset is not the one that was asked for"
    return None


def main():
    opshift, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    models = []
    for path in sys.argv[4:]:
        with open(path, "rb") as file:
            models.append(file.read())
    draw = random.Random(seed)
    directory = f"differential.{os.getpid()}"
    os.makedirs(directory)
    found = 0
    for tried in range(count):
        data = draw.choice(models)
        for _ in range(draw.choice([0, 1, 1, 1, 2, 3])):
            data = mutated_inside(data, draw) if draw.random() < 0.8 else mutated_bytes(data, draw)
        opset = draw.choice([11, 12, 13, 14, 17, 18])
        wrong = differs(opshift, data, opset, directory)
        if wrong:
            found += 1
            kept_as = f"difference-{seed}-{tried}.onnx"
            with open(kept_as, "wb") as file:
                file.write(data)
            print(f"{kept_as}: to opset {opset}: {wrong}", flush=True)
    for name in os.listdir(directory):
        os.unlink(os.path.join(directory, name))
    os.rmdir(directory)
    print(f"{count} models, {found} differences")
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
