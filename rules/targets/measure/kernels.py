"""kernels.py RUNTIME DIRECTORY [TYPE...]: measures which kernels ONNX Runtime lacks, and prints without_kernel and constraints of a
profile. The models and answers stay in the directory. The types are left out (those of without_types)."""
import collections
import itertools
import os
import sys

import cases
import models

SCHEMAS = {(schema["domain"], schema["operator"], schema["since"]): schema for schema in models.schemas()}
SOURCE = os.environ.get("SOURCE", "measured, ONNX Runtime 1.30.0")
SINCE = os.environ.get("SINCE", "1.30")
DATE = os.environ.get("DATE", "2026-11-27")


def merged(first, every):
    """Both measurements as one; the second has each opset."""
    for name, versions in every.items():
        for since, opsets in versions.items():
            first[name][since].update(opsets)
    return first


def differing(result):
    """The versions whose answers depend on the opset."""
    return {(domain, operator, since) for (domain, operator), versions in result.items() for since, opsets in versions.items()
            if any(table != other for table, other in itertools.combinations(opsets.values(), 2))}


def always(opsets):
    """Of all opsets of a version: found where any has it."""
    result = {}
    for table in opsets.values():
        for key, word in table.items():
            if result.get(key) != "found":
                result[key] = word if word != "invalid" or key not in result else result[key]
    return result


def gaps(table, ignored):
    """(all are lacking, {variable: types that no kernel has}, what else is lacking)"""
    valid = {key: word for key, word in table.items() if word != "invalid" and not any(kind in ignored for _, kind in key)}
    if not valid:
        return None, {}, []
    if "found" not in valid.values():
        return True, {}, []
    seen, had = collections.defaultdict(set), collections.defaultdict(set)
    for key, word in valid.items():
        for name, kind in key:
            seen[name].add(kind)
            if word == "found":
                had[name].add(kind)
    lacking = {name: sorted(kind for kind in seen[name] - had[name] if "(" not in kind) for name in seen}
    rest = [key for key, word in valid.items() if word == "lacking" and all(kind in had[name] for name, kind in key)]
    return False, {name: kinds for name, kinds in lacking.items() if kinds}, rest


def ranges(sinces, facts):
    """Joins versions that follow each other and have the same fact."""
    start = None
    for at, since in enumerate(sinces + [None]):
        if start is not None and (since is None or facts.get(since) != facts[start]):
            yield start, sinces[at - 1], facts[start]
            start = None
        if since is not None and start is None and facts.get(since):
            start = since


def without_kernel(result, ignored):
    for (domain, operator), versions in sorted(result.items(), key=lambda item: (item[0][0] != "ai.onnx", item[0])):
        sinces = sorted(versions)
        name = operator if domain == "ai.onnx" else domain + "." + operator

        def to(since):
            last = SCHEMAS[domain, operator, since]["last"]
            return "" if last == (models.NEWEST if domain == "ai.onnx" else models.NEWEST_ML) else last

        found = {since: gaps(always(versions[since]), ignored) for since in sinces}
        lines = [(first, "%s %d-%s" % (name, first, to(last)))
                 for first, last, _ in ranges(sinces, {since: found[since][0] for since in sinces})]
        for variable in sorted({variable for fact in found.values() for variable in fact[1]}):
            types = {since: " ".join(found[since][1].get(variable, [])) for since in sinces}
            lines += [(first, "%s %d-%s %s %s" % (name, first, to(last), variable, fact)) for first, last, fact in ranges(sinces, types)]
        for _, line in sorted(lines):
            yield line


def place(schema, variable):
    """The fact of a condition that gives the type of a variable."""
    for at, entry in enumerate(schema["input"]):
        if entry["type"] == variable:
            return "type.%d" % at
    names = {attribute["name"] for attribute in schema["attributes"] if attribute["type"] == "INT"}
    return next(("attribute.%s" % name for name in models.TYPE_ATTRIBUTES if name in names), None)


def words(where, kinds):
    return " ".join(sorted(kinds) if where.startswith("type.") else [str(number) for number in sorted(models.NUMBERS[kind] for kind in kinds)])


def pairs(schema, table, rest):
    """Conditions (when, require) that tell what is lacking of types together, as far as two variables do."""
    names = [name for name, _ in rest[0]]
    found = [dict(key) for key, word in table.items() if word == "found"]
    left = [dict(key) for key in rest]
    for one, other in itertools.permutations(names, 2):
        where, whose = place(schema, one), place(schema, other)
        if where is None or whose is None or not where.startswith("type."):
            continue
        had = collections.defaultdict(set)
        for key in found:
            had[key[one]].add(key[other])
        every = set().union(*had.values())
        told = [key for key in left if key[other] not in had[key[one]]]
        if not told:
            continue
        left = [key for key in left if key not in told]
        for kinds in sorted({tuple(sorted(kinds)) for kinds in had.values() if kinds != every}):
            values = [value for value in had if tuple(sorted(had[value])) == kinds]
            if any(key[one] in values for key in told):
                absent = "absent " if whose.startswith("attribute.") else ""
                yield "%s is %s" % (where, words(where, values)), "%s is %s%s" % (whose, absent, words(whose, kinds))
    # What three variables tell: each by itself.
    for key in left:
        facts = [(place(schema, name), kind) for name, kind in key.items()]
        if all(fact for fact, _ in facts):
            yield ", ".join("%s is %s" % (fact, words(fact, [kind])) for fact, kind in facts), None


def span(first, last, domain):
    return "%d-%s" % (first, "" if last == models.NEWEST and domain == "ai.onnx" else last)


def found_constraints(result, ignored):
    """Each as [domain, operator, first opset, last opset, when, require]."""
    for (domain, operator), versions in sorted(result.items()):
        for since, opsets in sorted(versions.items()):
            schema = SCHEMAS[domain, operator, since]
            whole = always(opsets)
            rest = gaps(whole, ignored)[2]
            for when, require in pairs(schema, whole, rest) if rest else ():
                yield [domain, operator, since, schema["last"], when, require]
            # What some opsets lack.
            lacking = collections.defaultdict(list)
            for opset in sorted(opsets):
                for key, word in opsets[opset].items():
                    if word == "lacking" and whole[key] == "found" and not any(kind in ignored for _, kind in key):
                        lacking[key].append(opset)
            by_opsets = collections.defaultdict(list)
            for key, numbers in lacking.items():
                for _, group in itertools.groupby(enumerate(numbers), lambda item: item[1] - item[0]):
                    run = [opset for _, opset in group]
                    by_opsets[run[0], run[-1]].append(key)
            for (first, last), keys in sorted(by_opsets.items()):
                if len(keys[0]) == 1 and place(schema, keys[0][0][0]) == "type.0":
                    yield [domain, operator, first, last, "type.0 is " + words("type.0", [key[0][1] for key in keys]), None]
                    continue
                for key in keys:
                    facts = [(place(schema, name), kind) for name, kind in key]
                    if all(fact for fact, _ in facts):
                        yield [domain, operator, first, last, ", ".join("%s is %s" % (fact, words(fact, [kind])) for fact, kind in facts), None]


def constraints(result, ignored):
    every = []
    for found in found_constraints(result, ignored):
        domain, operator, first, last, when, require = found
        # Below opset 6 float16 is cast by a Cast whose attribute is a text, which fails: one entry for all operators.
        if last == 5 and when.startswith("type.0 is float16"):
            continue
        before = next((other for other in every if other[:2] == found[:2] and other[3] + 1 == first and other[4:] == [when, require]), None)
        if before:
            before[3] = last
        else:
            every.append(found)
    numbers = collections.Counter()
    every.append(["ai.onnx", "*", 1, 5, "type.0 is float16", None])
    for domain, operator, first, last, when, require in every:
        numbers[operator] += 1
        print("  - key: %s-types-%d" % (operator.lower() if operator != "*" else "old-float16", numbers[operator]))
        print("    operator: %s" % ('"*"' if operator == "*" else operator if domain == "ai.onnx" else domain + "." + operator))
        print('    opset: "%s"' % span(first, last, domain))
        if SINCE:
            print('    since: "%s"' % SINCE)
        print("    when: [%s]" % when)
        if require:
            print("    require: [%s]" % require)
        print("    why: %s" % ("below opset 6 most operators fail with float16" if operator == "*" else
                               "it has no kernel for these types together" if require or "," in when else
                               "it has no kernel for this type at these opsets"))
        print("    mend: %s" % ("convert to opset 6 or newer" if operator == "*" else "insert a Cast"))
        print("    source: %s" % SOURCE)
        print("    date: %s" % DATE)


def main():
    name, directory, ignored = sys.argv[1], sys.argv[2], set(sys.argv[3:])
    result = cases.measure(name, directory + "/two", cases.write(directory + "/two", lambda schema: sorted({schema["since"], schema["last"]})))
    again = differing(result)
    every = cases.write(directory + "/every", lambda schema: range(schema["since"], schema["last"] + 1),
                        lambda schema: (schema["domain"], schema["operator"], schema["since"]) in again)
    result = merged(result, cases.measure(name, directory + "/every", every))
    print("    without_kernel:")
    for line in without_kernel(result, ignored):
        print("        - " + line)
    print("constraints:")
    constraints(result, ignored)
    print("# not measured:", " ".join(sorted({"%s-%d" % (operator, since) for (_, operator), versions in result.items()
                                             for since in versions if gaps(always(versions[since]), set())[0] is None})))


main()
