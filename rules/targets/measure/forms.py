"""forms.py ANSWERS...: prints which operators a runtime takes, which it lacks, and the shortest constraints that tell the models of one node that it
refuses from those that it takes, as entries of a profile. ANSWERS are files of load.py, as VERSION=FILE,FILE; the oldest first."""
import collections
import functools
import itertools
import os
import re
import sys
import zlib

import onnx

import models

KINDS = {"absent", "empty", "constant", "computed"}
TYPES = {number: name for name, number in models.NUMBERS.items()}
SOURCE = os.environ.get("SOURCE", "measured, OpenCV %s")
DATE = os.environ.get("DATE", "2026-11-27")
LACKING = re.compile(r"Can't create layer|\(bool\)layer|'Graph' is not supported|has_tensor_type")
# Constants of these types are refused, whatever the operator is: an entry for all operators, and no ground for others.
CONSTANTS = re.compile(r"Unsupported data type: (?:BOOL|U?INT16|UINT32|UINT64|FLOAT16)")
HALF = os.environ.get("HALF")  # learn from every second model: the others then are a test
SUPPORT = int(os.environ.get("SUPPORT", "2"))  # a constraint needs as many models


@functools.lru_cache(maxsize=None)
def facts(path):
    """(operator, {fact: value}) of a model of one node, None for others."""
    try:
        model = onnx.load(path, load_external_data=False)
    except Exception:
        return None
    graph = model.graph
    if len(graph.node) != 1:
        return None
    node = graph.node[0]
    result = {"outputs": len(node.output)}
    for entry in model.opset_import:
        if entry.domain == node.domain:
            result["opset"] = entry.version
    values = {value.name: value.type.tensor_type for value in graph.input if value.type.HasField("tensor_type")}
    constants = {value.name: value for value in graph.initializer}
    for at in range(8):
        name = node.input[at] if at < len(node.input) else None
        kind = "absent" if name is None else "empty" if not name else "constant" if name in constants else "computed"
        result["input.%d" % at] = kind
        if kind == "constant":
            result["rank.%d" % at], result["type.%d" % at] = len(constants[name].dims), TYPES.get(constants[name].data_type)
        elif name in values:
            result["type.%d" % at] = TYPES.get(values[name].elem_type)
            if values[name].HasField("shape"):
                result["rank.%d" % at] = len(values[name].shape.dim)
    for attribute in node.attribute:
        result["attribute." + attribute.name] = str(attribute.i) if attribute.type == onnx.AttributeProto.INT else "present"
    return (node.domain + "." if node.domain else "") + node.op_type, result


def holds(condition, case):
    fact, comparison, operand = condition
    value = case.get(fact, "absent" if fact.startswith("attribute.") else None)
    if value is None:
        return None
    if comparison.startswith("is"):
        return (value in operand) == (comparison == "is")
    return value >= operand if comparison == ">=" else value <= operand


def candidates(cases):
    """Conditions that could be required."""
    for at in range(8):
        fact = "input.%d" % at
        kinds = {case[fact] for case in cases}
        if len(kinds) > 1:
            for count in range(1, len(kinds)):
                for words in itertools.combinations(sorted(kinds), count):
                    yield fact, "is", words + tuple(sorted(KINDS - kinds))  # no model speaks against those
        for fact in ("rank.%d" % at,):
            ranks = sorted({case[fact] for case in cases if fact in case})
            for rank in ranks[1:]:
                yield fact, ">=", rank
            for rank in ranks[:-1]:
                yield fact, "<=", rank
        fact = "type.%d" % at
        kinds = {case[fact] for case in cases if fact in case}
        bad = tuple(sorted(kind for kind in kinds if not any(case["ok"] for case in cases if case.get(fact) == kind)))
        if bad and len(bad) < len(kinds):
            yield fact, "is not", bad
    for fact in sorted({name for case in cases for name in case if name.startswith("attribute.")}):
        kinds = {case.get(fact, "absent") for case in cases}
        bad = tuple(sorted(kind for kind in kinds if not any(case["ok"] for case in cases if case.get(fact, "absent") == kind)))
        if bad and len(bad) < len(kinds):
            yield fact, "is not", bad
    counts = sorted({case["outputs"] for case in cases})
    for count in counts[:-1]:
        yield "outputs", "<=", count


def conditions(cases):
    """Conditions of when: none, or one input's kind."""
    yield None
    for at in range(3):
        kinds = {case["input.%d" % at] for case in cases}
        if len(kinds) > 1:
            for kind in sorted(kinds - {"empty"}):
                yield "input.%d" % at, "is", (kind,)


def spans(cases):
    numbers = sorted({case["opset"] for case in cases if "opset" in case})
    yield 1, None
    for number in numbers[1:]:
        yield number, None
        yield 1, number - 1


def learn(cases):
    """Yields constraints (span, when, require), each of which no model breaks that is taken."""
    left = [case for case in cases if not case["ok"]]
    options = []
    for span, when, require in itertools.product(list(spans(cases)), list(conditions(cases)), list(candidates(cases))):
        if when and when[0] == require[0]:
            continue
        broken = [case for case in cases if span[0] <= case["opset"] <= (span[1] or 99) and (when is None or holds(when, case)) and
                  holds(require, case) is False]
        if broken and not any(case["ok"] for case in broken):
            options.append((span, when, require, {id(case) for case in broken}))
    while left:
        ids = {id(case) for case in left}
        best = max(options, key=lambda option: (len(option[3] & ids), option[2][0].startswith("input."), option[1] is None, option[0] == (1, None), option[2][1].startswith("is"),
                                                -len(option[2][2]) if option[2][1].startswith("is") else 0), default=None)
        if best is None or len(best[3] & ids) < (1 if best[2][0] == "input.0" and "computed" in best[2][2] else SUPPORT):
            return
        yield best[:3]
        left = [case for case in left if id(case) not in best[3]]


def words(condition):
    fact, comparison, operand = condition
    return "%s %s %s" % (fact, comparison, " ".join(operand) if comparison.startswith("is") else operand)


def reason(require):
    """(why, what to do) in words."""
    fact, comparison, operand = require
    what, _, name = fact.partition(".")
    if what == "input":
        if "computed" in operand and "constant" not in operand:
            return "input %s must not be a constant" % name, "let the exporter compute the node"
        if "constant" in operand and "computed" not in operand:
            return "input %s must be a constant" % name, "make it an initializer"
        if "constant" not in operand and "computed" not in operand:
            return "input %s is refused" % name, "convert to an older opset, or leave it out"
        return "input %s must be %s" % (name, " or ".join(operand)), "change the input"
    if what == "rank":
        return "input %s must have %s %d dims" % (name, "at least" if comparison == ">=" else "at most", operand), "insert a Reshape"
    if what == "type":
        return "%s %s refused for input %s" % (", ".join(operand), "are" if len(operand) > 1 else "is", name), "insert a Cast"
    if what == "attribute":
        return ("attribute %s must be given" % name, "write it") if operand == ("absent",) else \
            ("attribute %s is refused%s" % (name, "".join(" where it is " + word for word in operand if word not in ("absent", "present"))[:60]), "leave it out")
    return "only %d outputs are taken" % operand, "remove the others"


def key(name, require):
    return "%s-%s" % (name.split(".")[-1].lower(), require[0].replace(".", "-").replace("_", "-"))


def read(argument):
    version, files = argument.split("=")
    answers = {}
    for name in files.split(","):
        with open(name, encoding="utf-8") as lines:
            answers.update(line.rstrip("\n").split("\t", 1) for line in lines)
    tables = collections.defaultdict(list)
    for path, answer in answers.items():
        found = facts(path)
        if found and "opset" in found[1] and not CONSTANTS.search(answer) and not (HALF and zlib.crc32(path.encode()) % 2):
            tables[found[0]].append(dict(found[1], ok=answer == "ok", answer=answer))
    return version, tables


def main():
    versions = [read(argument) for argument in sys.argv[1:]]
    names = [version for version, _ in versions]
    found = collections.defaultdict(list)
    for version, tables in versions:
        taken = sorted(name for name, cases in tables.items() if any(case["ok"] for case in cases))
        lacking = sorted(name for name, cases in tables.items() if name not in taken and any(LACKING.search(case["answer"]) for case in cases))
        print("#", version, "taken:", ", ".join(taken))
        print("#", version, "lacks:", ", ".join(lacking))
        print("#", version, "no model was loaded:", ", ".join(sorted(set(tables) - set(taken) - set(lacking))))
        for name in taken:
            for constraint in learn(tables[name]):
                found[name, constraint].append(version)
            broken = [constraint for (operator, constraint), where in found.items() if operator == name and version in where]
            missed = sum(not case["ok"] and not any(
                span[0] <= case["opset"] <= (span[1] or 99) and (when is None or holds(when, case)) and holds(require, case) is False
                for span, when, require in broken) for case in tables[name])
            if missed:
                print("#", version, name, missed, "not told of", len(tables[name]))
    numbers = collections.Counter()
    print("constraints:")
    for (name, (span, when, require)), where in sorted(found.items(), key=str):
        # Versions in a row are one entry.
        for _, group in itertools.groupby(enumerate(names.index(version) for version in where), lambda item: item[1] - item[0]):
            run = [at for _, at in group]
            label = key(name, require)
            numbers[label] += 1
            print("  - key: %s%s" % (label, "-%d" % numbers[label] if numbers[label] > 1 else ""))
            print("    operator: %s" % name)
            if span != (1, None):
                print('    opset: "%d-%s"' % (span[0], span[1] or ""))
            if run[0] > 0:
                print('    since: "%s"' % names[run[0]])
            if run[-1] + 1 < len(names):
                print('    before: "%s"' % names[run[-1] + 1])
            if when:
                print("    when: [%s]" % words(when))
            print("    require: [%s]" % words(require))
            print("    why: %s\n    mend: %s" % reason(require))
            print("    source: %s" % (SOURCE % ("%s to %s" % (names[run[0]], names[run[-1]]) if len(run) > 1 else names[run[0]])))
            print("    date: %s" % DATE)


main()
