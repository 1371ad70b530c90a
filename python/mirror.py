"""Makes _library.py, the ctypes declarations of lib/opshift.h. A wheel gets it when it is built (python/backend.py).

    python3 python/mirror.py    writes python/opshift/_library.py, to use the package in the source tree
"""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parent / "lib" / "opshift.h"
MIRROR = HERE / "opshift" / "_library.py"

BASIC = {
    "void": "None", "char": "c_char", "bool": "c_bool", "size_t": "c_size_t", "int": "c_int", "unsigned": "c_uint", "float": "c_float",
    "double": "c_double", "int64_t": "c_int64", "uint64_t": "c_uint64", "uint32_t": "c_uint32",
}

HEAD = '''"""The C interface of libopshift, made from lib/opshift.h by python/mirror.py."""
from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int64,
                    c_size_t, c_uint, c_uint32, c_uint64, c_void_p)
from typing import Any
'''

TAIL = '''

class Library:
    """Functions by their names in C. A function is declared when it is first used."""

    def __init__(self, path: str):
        self._dll = CDLL(path)

    def __getattr__(self, name: str) -> Any:
        try:
            result, arguments = FUNCTIONS[name]
        except KeyError:
            raise AttributeError(name) from None
        function = getattr(self._dll, name)
        function.restype = result
        function.argtypes = arguments
        setattr(self, name, function)
        return function
'''


class Mirror:
    def __init__(self, text):
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        self.defines = re.findall(r"^#define (OPSHIFT_\w+) +\(?(-?\d+)u?\)?\s*$", text, flags=re.M)
        text = re.sub(r"^#.*$", "", text, flags=re.M).replace('extern "C" {', "")
        self.text = re.sub(r"\s+", " ", text)
        self.structs = re.findall(r"struct (opshift_\w+) \{(.*?)\};", self.text)
        self.complete = {name for name, _ in self.structs}
        self.callbacks = {name for name in re.findall(r"typedef [^;]*?\(\*(opshift_\w+)\)", self.text)}

    def type_of(self, words, stars, is_result=False):
        """The ctypes name of a C type; words are its words without const."""
        if stars == 0:
            if words[0] == "enum":
                return "c_int"
            if words[0] == "struct":
                return words[1]
            return words[0] if words[0] in self.callbacks else BASIC[words[0]]
        if words[0] == "char":
            # A result is read from the address, so that it can be freed, too.
            return {1: "c_char_p", 2: "POINTER(c_void_p)"}[stars]
        if words[0] == "void":
            return {1: "c_void_p", 2: "POINTER(c_void_p)"}[stars]
        if words[0] == "struct" and words[1] not in self.complete:
            return {1: "c_void_p", 2: "POINTER(c_void_p)"}[stars]
        inner = self.type_of(words, stars - 1)
        return f"POINTER({inner})"

    def declared(self, text, is_argument=False):
        """(name, ctypes name) of a declaration such as `const char *const *shapes`."""
        array = re.search(r"\[(\w+)\]$", text)
        text = re.sub(r"\[\w+\]$", "", text)
        given_texts = re.search(r"const char \*const \*", text)
        stars = text.count("*")
        words = [word for word in text.replace("*", " ").split() if word != "const"]
        named = len(words) > (2 if words[0] in ("struct", "enum") else 1)
        name = words.pop() if named else ""
        kind = "POINTER(c_char_p)" if given_texts else self.type_of(words, stars)
        if is_argument and re.match(r"char \*text$", text):
            kind = "c_void_p"  # opshift_text_free
        return name, f"{kind} * {array.group(1)}" if array else kind

    def fields(self, body):
        found = []
        for line in body.split(";"):
            if not line.strip():
                continue
            first, *others = line.strip().split(",")
            name, kind = self.declared(first.strip())
            found.append((name, kind))
            for other in others:
                other = other.strip()
                found.append((other.lstrip("*"), kind))
        return found

    def enums(self):
        for body in re.findall(r"enum opshift_\w+ \{(.*?)\}", self.text):
            value = -1
            for item in body.split(","):
                name, _, given = item.strip().partition("=")
                if name.strip():
                    value = int(given) if given else value + 1
                    yield name.strip(), value

    def functions(self):
        for result, name, arguments in re.findall(r"OPSHIFT_API ([^;{()]*?)(opshift_\w+) ?\(([^;]*?)\);", self.text):
            _, result = self.declared(result.strip())
            kinds = [] if arguments == "void" else [self.declared(a.strip(), True)[1] for a in arguments.split(",")]
            if result == "c_char_p" and "size_t *size" in arguments:
                result = "c_void_p"  # may hold a NUL
            yield name, result, kinds

    def callback_types(self):
        for result, name, arguments in re.findall(r"typedef ([^;(]*?)\(\*(opshift_\w+)\)\(([^;]*?)\);", self.text):
            _, result = self.declared(result.strip())
            kinds = [self.declared(a.strip())[1].replace("c_char_p", "c_void_p") for a in arguments.split(",")]
            yield name, result, kinds


def write(text):
    mirror = Mirror(text)
    lines = [HEAD]
    lines += [f"{name} = {value}" for name, value in list(mirror.enums()) + mirror.defines]

    for name, _ in mirror.structs:
        lines.append(f"\n\nclass {name}(Structure):\n    pass")
    lines.append("\n")
    for name, result, kinds in mirror.callback_types():
        lines.append(f"{name} = CFUNCTYPE({', '.join([result] + kinds)})")
    lines.append("")
    for name, body in mirror.structs:
        lines.append(f"{name}._fields_ = [")
        lines += [f'    ("{field}", {kind}),' for field, kind in mirror.fields(body)]
        lines.append("]")
    lines.append("\n# Result and arguments.\nFUNCTIONS = {")
    for name, result, kinds in mirror.functions():
        lines.append(f'    "{name}": ({result}, [{", ".join(kinds)}]),')
    lines.append("}")
    return "\n".join(lines) + "\n" + TAIL


if __name__ == "__main__":
    MIRROR.write_text(write(HEADER.read_text()))
