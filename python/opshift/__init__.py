"""Moves ONNX models between opsets and proves that nothing else changed.

    import opshift
    done = opshift.convert("net.onnx", opset=18, out="net18.onnx")    # verified; Refused lists what is in the way
    assert opshift.lint("net18.onnx").errors == []
    print(done.certificate)

A model is a path, bytes, a binary file object, or anything with SerializeToString, such as onnx.ModelProto. The library
works without the GIL, and on a model in each thread at once.
"""
TYPE_CHECKING = False  # as typing's, without importing it
if TYPE_CHECKING:
    from ._api import (assemble, convert, diff, explain, export, how_far, import_, infer, lint, rules, run, show,
                       targets, to_text, verify, version)
    from ._errors import Cancelled, Malformed, ModelError, Refused, Unsupported
    from ._results import (Blocker, Certificate, Change, Conversion, Description, Difference, Export, Finding, HowFar,
                           Inference, Lint, Piece, Report, Rewritten, Rule, Target)
    from ._tensor import Tensor

    __version__: str

# Where each name is. A module is imported when it is first needed, so that `import opshift` is quick.
_PLACES = {
    "_api": ("assemble", "convert", "diff", "explain", "export", "how_far", "import_", "infer", "lint", "rules", "run",
             "show", "targets", "to_text", "verify", "version"),
    "_errors": ("Cancelled", "Malformed", "ModelError", "Refused", "Unsupported"),
    "_results": ("Blocker", "Certificate", "Change", "Conversion", "Description", "Difference", "Export", "Finding",
                 "HowFar", "Inference", "Lint", "Piece", "Report", "Rewritten", "Rule", "Target"),
    "_tensor": ("Tensor",),
}
__all__ = [name for names in _PLACES.values() for name in names]


def __getattr__(name):
    from importlib import import_module
    if name == "__version__":
        return import_module("._api", __name__).version()
    for module, names in _PLACES.items():
        if name in names:
            found = globals()[name] = getattr(import_module("." + module, __name__), name)
            return found
    raise AttributeError(f"module 'opshift' has no attribute '{name}'")


def __dir__():
    return sorted(list(globals()) + __all__)
