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
    # "as" tells a type checker that the name is this module's, too.
    from ._api import (assemble as assemble, convert as convert, diff as diff, edit as edit, explain as explain,
                       export as export, how_far as how_far, import_ as import_, infer as infer, rules as rules,
                       run as run, show as show, targets as targets, to_text as to_text, verify as verify,
                       version as version)
    from ._errors import (Cancelled as Cancelled, Malformed as Malformed, ModelError as ModelError, Refused as Refused,
                          Unsupported as Unsupported)
    from ._lint import lint as lint
    from ._many import Outcome as Outcome, many as many
    from ._results import (Blocker as Blocker, Certificate as Certificate, Change as Change, Conversion as Conversion,
                           Description as Description, Difference as Difference, Edit as Edit, Export as Export,
                           Finding as Finding, Fix as Fix, HowFar as HowFar, Inference as Inference, Lint as Lint,
                           Piece as Piece,
                           Report as Report, Rewritten as Rewritten, Rule as Rule, Target as Target,
                           Verified as Verified)
    from ._tensor import Tensor as Tensor

    __version__: str

# Where each name is. A module is imported when it is first needed, so that `import opshift` is quick.
_PLACES = {
    "_api": ("assemble", "convert", "diff", "edit", "explain", "export", "how_far", "import_", "infer", "join", "rules",
             "run", "show", "targets", "to_text", "verify", "version"),
    "_errors": ("Cancelled", "Malformed", "ModelError", "Refused", "Unsupported"),
    "_lint": ("lint",),
    "_many": ("Outcome", "many"),
    "_results": ("Blocker", "Certificate", "Change", "Conversion", "Description", "Difference", "Edit", "Export",
                 "Finding", "Fix", "HowFar", "Inference", "Lint", "Piece", "Report", "Rewritten", "Rule",
                 "Target", "Verified"),
    "_tensor": ("Tensor",),
}
__all__ = [name for names in _PLACES.values() for name in names]


if not TYPE_CHECKING:  # else every name would exist for a type checker
    def __getattr__(name):
        from importlib import import_module
        if name == "__version__":
            return import_module("._api", __name__).version()
        for module, names in _PLACES.items():
            if name in names:
                found = globals()[name] = getattr(import_module("." + module, __name__), name)
                return found
        raise AttributeError(f"module 'opshift' has no attribute '{name}'")


def __dir__() -> "list[str]":
    return sorted(list(globals()) + __all__)
