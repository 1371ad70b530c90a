"""The functions of the package."""
from __future__ import annotations

import json
import os
from ctypes import byref, c_int64, c_void_p, pointer
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union, overload

from . import _library as c
from ._errors import Refused
from ._lint import Linter, no_findings
from ._model import Model, Opened, opened, path_of
from ._native import (Callback, Handle, Path, Progress, answer, call, chosen, encode, filled, lib, listed, pairs, sized,
                      taken, taken_bytes, text, texts, whole)
from ._results import (Certificate, Conversion, Description, Difference, Edit, Export, HowFar, Inference, Rule, Target,
                       Verified, build)
from ._write import Result, opened_for

if TYPE_CHECKING:
    from typing import Literal

Shape = Union[str, Sequence[Union[int, str, None]]]
Shapes = Optional[Mapping[str, Shape]]
Dims = Optional[Mapping[str, int]]

FORMS = {None: c.OPSHIFT_SPLIT_KEEP, "keep": c.OPSHIFT_SPLIT_KEEP, "lengths": c.OPSHIFT_SPLIT_LENGTHS,
         "num_outputs": c.OPSHIFT_SPLIT_NUM_OUTPUTS, "equal": c.OPSHIFT_SPLIT_EQUAL}
SEQUENCES = {None: c.OPSHIFT_SEQUENCES_KEEP, "keep": c.OPSHIFT_SEQUENCES_KEEP,
             "to-split": c.OPSHIFT_SEQUENCES_TO_SPLIT, "to-sequence": c.OPSHIFT_SEQUENCES_FROM_SPLIT}
IGNORED = {"doc": c.OPSHIFT_DIFF_DOC, "metadata": c.OPSHIFT_DIFF_METADATA, "names": c.OPSHIFT_DIFF_NAMES,
           "producer": c.OPSHIFT_DIFF_PRODUCER, "value-infos": c.OPSHIFT_DIFF_VALUE_INFOS,
           "order": c.OPSHIFT_DIFF_ORDER}


def version() -> str:
    """The version of the library."""
    return text(lib.opshift_version())


# ---- helpers ----


def no_report() -> Handle:
    return Handle("opshift_report_free")


def described(report: Handle) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """What a dataclass of a report is made from: the object, and the fields that all have."""
    data = json.loads(taken("opshift_report_json", report.pointer))
    return data, {"data": data, "text": taken("opshift_report_text", report.pointer)}


def certified(report: Handle) -> Certificate:
    data, more = described(report)
    return build(Certificate, data, page=taken("opshift_verify_page", report.pointer), **more)


def given_of(shapes: Shapes, dims: Dims = None) -> Any:
    """struct opshift_given, or None."""
    if not shapes and not dims:
        return None
    made = sized(c.opshift_given())
    made.shapes, made.shape_count = texts(shape_texts(shapes))
    made.dims, made.dim_count = texts(f"{name}={size}" for name, size in pairs("dims", dims))
    return pointer(made)


def shape_texts(shapes: Shapes) -> List[str]:
    """{"x": (1, 3, "N", None)} as "x=1x3xNx?"."""
    made = []
    for name, shape in pairs("shapes", shapes):
        if not isinstance(shape, str):
            shape = ",".join("?" if dim is None else str(dim) for dim in shape)
        made.append(f"{name}={shape}")
    return made


def loaded(directories: Iterable[Path]) -> Handle:
    rules_in_force = Handle("opshift_rules_free")
    call("opshift_rules_load", *texts(directories), rules_in_force.into)
    return rules_in_force


# ---- functions ----


@overload
def convert(model: Model, opset: Optional[int] = None, verify: Literal[True] = True, out: Any = None, *,
            target: Optional[str] = None, domains: Dims = None, ir_version: Union[int, str, None] = None,
            shapes: Shapes = None, dims: Dims = None,
            rules: Iterable[Path] = (), split_form: Optional[str] = None, sequences: Optional[str] = None,
            freeze_initializers: bool = False, allow_approximate: bool = False, name_empty_outputs: bool = False,
            allow_remaining: bool = False, strict: bool = False, seed: int = 0, external_data: str = "copy",
            directory: Optional[Path] = None, progress: Callback = None) -> Verified: ...


@overload
def convert(model: Model, opset: Optional[int] = None, verify: bool = True, out: Any = None, *,
            target: Optional[str] = None, domains: Dims = None, ir_version: Union[int, str, None] = None,
            shapes: Shapes = None, dims: Dims = None,
            rules: Iterable[Path] = (), split_form: Optional[str] = None, sequences: Optional[str] = None,
            freeze_initializers: bool = False, allow_approximate: bool = False, name_empty_outputs: bool = False,
            allow_remaining: bool = False, strict: bool = False, seed: int = 0, external_data: str = "copy",
            directory: Optional[Path] = None, progress: Callback = None) -> Conversion: ...


def convert(model: Model, opset: Optional[int] = None, verify: bool = True, out: Any = None, *,
            target: Optional[str] = None, domains: Dims = None, ir_version: Union[int, str, None] = None,
            shapes: Shapes = None, dims: Dims = None,
            rules: Iterable[Path] = (), split_form: Optional[str] = None, sequences: Optional[str] = None,
            freeze_initializers: bool = False, allow_approximate: bool = False, name_empty_outputs: bool = False,
            allow_remaining: bool = False, strict: bool = False, seed: int = 0, external_data: str = "copy",
            directory: Optional[Path] = None, progress: Callback = None) -> Conversion:
    """Converts a model to an opset of ai.onnx and compares what was rewritten before and after.

    model: a path, bytes, a binary file object, or an object with SerializeToString. opset: 18 by default; where only
    another goal is given (target, domains, ir_version, split_form or sequences), the model's own. verify: also run and
    prove. out: a path, which appears whole or not at all and may be the model's own, or a binary file object to write
    to; None: the result's `model` is of the same kind as `model`, and bytes for a path. An out that is a path costs no
    copy of the weights.

    target: a runtime's profile, "NAME" or "NAME@VERSION". domains: opsets of other domains, {"ai.onnx.ml": 3}.
    ir_version: a number, or "match". shapes, dims: what the model does not declare, {"x": (1, 3, 224, 224)} and
    {"N": 4}; assumptions in the report. rules: directories of own rules. split_form: "lengths", "num_outputs" or
    "equal". sequences: "to-split" or "to-sequence". strict: refuse assumptions, and the verdict "tested".
    external_data: "copy", "link" or "keep" its files when out is in another directory. directory: of external data, for
    a model in memory. progress: called with 0 to 1, for one part of the work after the other; False cancels.

    Raises Refused with `.blockers`; ValueError for wrong arguments, its subclasses Malformed and Unsupported for the
    model; OSError, MemoryError, Cancelled, KeyboardInterrupt. Nothing is written then.
    """
    if opset is None:
        opset = 0 if target or domains or ir_version is not None or split_form or sequences else 18
    goal = filled(c.opshift_goal, opset=opset, freeze_initializers=freeze_initializers, strict=strict,
                  name_empty_outputs=name_empty_outputs, allow_approximate=allow_approximate)
    goal.split_form = chosen("split_form", FORMS, split_form)
    goal.sequences = chosen("sequences", SEQUENCES, sequences)
    if not isinstance(ir_version, int) and ir_version not in (None, "match"):
        raise ValueError(f"ir_version is {ir_version!r}; it must be a number or 'match'")
    if isinstance(ir_version, int) and whole("ir_version", ir_version, c_int64) < 0:
        raise ValueError(f"ir_version is {ir_version}; it must be 1 or more")
    goal.ir_version = c.OPSHIFT_IR_MATCH if ir_version == "match" else ir_version or c.OPSHIFT_IR_KEEP
    goal.domains, goal.domain_count = texts(f"{name}={number}" for name, number in pairs("domains", domains))
    given = given_of(shapes, dims)
    if given is not None:
        goal.given = given
    if target is not None:
        goal.target = encode(target)
    with Progress(progress) as steps, opened_for(model, out, directory, steps) as source, \
            loaded(rules) as in_force, no_report() as report:
        goal.rules = in_force.pointer
        goal.progress = steps.function
        status, message = answer("opshift_convert", source.pointer, byref(goal), report.into)
        data, more = described(report)
        if status == c.OPSHIFT_NO:
            raise Refused(message or more["text"].rstrip("\n"), build(Conversion, data, **more))
        done: Conversion = build(Verified if verify else Conversion, data, **more)
        with Result(source, out, external_data, steps) as result:
            if verify:
                verify_result(done, source, result, goal, directory, seed)
            if target is not None:
                check_target(done, source, result, target, directory, allow_remaining, steps)
            done.model = result.give()
    return done


def verify_result(done: Conversion, source: Opened, result: Result, goal: Any, directory: Optional[Path],
                  seed: int) -> None:
    how = filled(c.opshift_verify_options, seed=seed, freeze_initializers=goal.freeze_initializers, strict=goal.strict,
                 rules=goal.rules, progress=goal.progress)
    if goal.given:
        how.given = goal.given
    with result.opened(directory) as after, no_report() as report:
        status, message = answer("opshift_verify", source.pointer, after.pointer, byref(how), report.into)
        done.certificate = certified(report)
    if status == c.OPSHIFT_NO:
        raise Refused(message or f"{source.source.name}: rewritten nodes give other outputs than before; nothing was "
                      "written", done)


def check_target(done: Conversion, source: Opened, result: Result, target: str, directory: Optional[Path],
                 allow: bool, progress: Progress) -> None:
    """Of what the target refuses nothing may remain."""
    with Linter(progress.quiet, progress.quiet, select=["TGT"], targets=[target]) as linter, \
            result.opened(directory) as after, no_findings() as findings:
        call("opshift_lint_model", linter.pointer, after.pointer, findings.into)
        done.remaining = linter.written(findings.pointer).findings
    count = sum(finding.severity == "error" for finding in done.remaining)
    if count and not allow:
        raise Refused(f"{source.source.name}: {target} refuses the converted model for {count} reason"
                      f"{'' if count == 1 else 's'}; nothing was written; allow_remaining=True writes it", done)


def verify(before: Model, after: Model, *, seed: int = 0, strict: bool = False, nothing_else: bool = False,
           freeze_initializers: bool = False, rules: Iterable[Path] = (), shapes: Shapes = None,
           dims: Dims = None, engine: Optional[str] = None, draws: int = 0,
           exact: bool = False, map: bool = False, reduce: Optional[Path] = None,
           directory: Optional[Path] = None, progress: Callback = None) -> Certificate:
    """Do two models compute the same? Returns the certificate; its `same` is the answer. What else changed is in its
    `changes`; nothing_else: it counts as a difference, as for convert.

    engine: "builtin" or "onnxruntime": also run both whole models on `draws` (3) random inputs. shapes, dims: as in
    convert, taken for true of every run. strict: only "proved" and "by rule" count; exact: bit for bit, no rounding.
    map: the certificate's `map` has which nodes became which. reduce: a directory for the first region that differs, as
    before.onnx, after.onnx and inputs.npz; `reduced` says what was written. Raises as convert does, but for
    Refused.
    """
    how = filled(c.opshift_verify_options, seed=seed, strict=strict, freeze_initializers=freeze_initializers,
                 draws=draws, computation=not nothing_else, exact=exact, map=map,
                 reduce=None if reduce is None else os.fsencode(reduce))
    given = given_of(shapes, dims)
    if given is not None:
        how.given = given
    if engine is not None:
        how.whole = pointer(filled(c.opshift_run_options, engine=encode(engine)))
    with Progress(progress) as steps, opened(before, steps, directory) as first, \
            opened(after, steps, directory) as second, loaded(rules) as in_force, no_report() as report:
        how.rules = in_force.pointer
        how.progress = steps.function
        answer("opshift_verify", first.pointer, second.pointer, byref(how), report.into)
        return certified(report)


def diff(before: Model, after: Model, *, ignore: Iterable[str] = (), directory: Optional[Path] = None,
         progress: Callback = None) -> Difference:
    """The differences between two models, field by field; tensors are compared by value. ignore: "doc", "metadata",
    "names", "producer", "value-infos", "order". Raises as verify does."""
    options = sized(c.opshift_diff_options())
    for item in listed(ignore):
        options.ignore |= chosen("ignore", IGNORED, item)
    with Progress(progress) as steps, opened(before, steps, directory) as first, \
            opened(after, steps, directory) as second, no_report() as report:
        options.progress = steps.function
        answer("opshift_diff", first.pointer, second.pointer, byref(options), report.into)
        data, more = described(report)
        return build(Difference, data, **more)


def show(model: Model, *, directory: Optional[Path] = None, progress: Callback = None) -> Description:
    """Describes a model: opsets, sizes, counts, and each Split. Raises Malformed, Unsupported, OSError, MemoryError,
    Cancelled, KeyboardInterrupt."""
    with Progress(progress) as steps, opened(model, steps, directory, tells=True) as source, no_report() as report:
        call("opshift_show", source.pointer, report.into)
        data, more = described(report)
        return build(Description, data, **more)


def infer(model: Model, out: Any = None, *, shapes: Shapes = None, dims: Dims = None,
          freeze_initializers: bool = False, external_data: str = "copy",
          directory: Optional[Path] = None, progress: Callback = None) -> Inference:
    """Infers the types and shapes of all values and writes them into the model as value infos. Arguments, the result's
    `model`, and exceptions but for Refused as in convert."""
    options = filled(c.opshift_infer_options, freeze_initializers=freeze_initializers)
    given = given_of(shapes, dims)
    if given is not None:
        options.given = given
    with Progress(progress) as steps, opened_for(model, out, directory, steps, tells=True) as source, \
            no_report() as report:
        options.progress = steps.function
        call("opshift_infer", source.pointer, byref(options), report.into)
        data, more = described(report)
        done = build(Inference, data, **more)
        with Result(source, out, external_data, steps) as result:
            done.model = result.give()
    return done


def edit_steps(steps: Iterable[Tuple[str, Any]]) -> Tuple[Any, int]:
    """An array of struct opshift_edit_step of what is asked for: a flag, a text, or several."""
    made = []
    for name, value in steps:
        values = [value] if value is None or isinstance(value, (str, int)) else list(value)
        for one in values:
            if one is not None and one is not False:
                made.append(c.opshift_edit_step(encode(name), None if one is True else encode(str(one))))
    return (c.opshift_edit_step * len(made))(*made), len(made)


def edit(model: Model, out: Any = None, *, inline: Union[str, Iterable[str]] = (), inline_if: bool = False,
         extract: Optional[str] = None, show_output: Union[str, Iterable[str]] = (),
         drop_output: Union[str, Iterable[str]] = (), drop_unused: bool = False,
         rename: Optional[Mapping[str, str]] = None, rename_metadata: bool = False, unique_names: bool = False,
         dims: Optional[Mapping[str, Union[int, str]]] = None, batch: Union[int, str, None] = None,
         shapes: Shapes = None, fold: bool = False, fold_limit: Optional[int] = None,
         constants_to_initializers: bool = False, initializers_to_constants: bool = False,
         strip: Union[str, Iterable[str]] = (), dedupe: bool = False, external: Optional[str] = None,
         external_from: Optional[int] = None, align: Optional[int] = None, safetensors: Optional[str] = None,
         internal: bool = False, ir_inputs: Optional[str] = None, verify: bool = True, external_data: str = "copy",
         directory: Optional[Path] = None, progress: Callback = None) -> Edit:
    """Makes edits in one pass; each argument is the option of `opshift edit` of that name. rename={"x": "input",
    "dim:N": "batch"}; dims={"x.0": "N"}; external="weights.bin" needs a path as out. The result's `verified` says
    whether nothing else changed. Refused: an output differs. Arguments, `model`, and other exceptions as in convert."""
    if (external or safetensors) is not None and path_of(out) is None:
        raise ValueError("external= and safetensors= put a file beside the model: give a path as out")
    array, count = edit_steps((
        ("inline", inline), ("inline-if", inline_if), ("extract", extract),
        ("show-output", show_output), ("drop-output", drop_output), ("drop-unused", drop_unused),
        ("rename", [f"{old}={new}" for old, new in pairs("rename", rename)]), ("rename-metadata", rename_metadata),
        ("unique-names", unique_names), ("dim", [f"{name}={size}" for name, size in pairs("dims", dims)]),
        ("batch", batch), ("shape", shape_texts(shapes)), ("fold", fold), ("fold-limit", fold_limit),
        ("constants-to-initializers", constants_to_initializers),
        ("initializers-to-constants", initializers_to_constants), ("strip", strip), ("dedupe", dedupe),
        ("external", external), ("external-from", external_from), ("align", align), ("safetensors", safetensors),
        ("internal", internal), ("ir-inputs", ir_inputs)))
    options = sized(c.opshift_edit_options())
    options.steps, options.step_count = array, count
    with Progress(progress) as steps, opened_for(model, out, directory, steps, tells=True) as source, \
            no_report() as report:
        call("opshift_edit", source.pointer, byref(options), report.into)
        if verify:
            edit_verify(source, options, report)
        data, more = described(report)
        done = build(Edit, data, **more)
        with Result(source, out, external_data, steps) as result:
            done.model = result.give()
    return done


def join(first: Model, second: Model, out: Any = None, *, connect: Optional[Mapping[str, str]] = None,
         prefix: Optional[str] = None, verify: bool = True, external_data: str = "copy",
         directory: Optional[Path] = None, progress: Callback = None) -> Edit:
    """Puts the second model behind the first. connect={"y": "x"}: values of the first, inputs of the second; without
    it, those of one name, else the only output and the only input. prefix: of names of the second that clash. Refused:
    an output differs, or opsets cannot be brought together. The rest as in edit."""
    options = sized(c.opshift_join_options())
    options.connect, options.connect_count = texts(f"{value}={name}" for value, name in pairs("connect", connect))
    options.prefix = None if prefix is None else encode(prefix)
    with Progress(progress) as steps, opened_for(first, out, directory, steps, tells=True) as source, \
            opened(second, steps, directory) as behind, no_report() as report, \
            Handle("opshift_pieces_free") as pieces, Handle("opshift_model_free") as after:
        call("opshift_join", source.pointer, behind.pointer, byref(options), report.into)
        if verify:
            call("opshift_output_pieces", source.pointer, pieces.into)
            call("opshift_pieces_open", pieces.pointer, after.into)
            call("opshift_join_verify", source.pointer, behind.pointer, after.pointer, report.pointer)
        data, more = described(report)
        done = build(Edit, data, **more)
        with Result(source, out, external_data, steps) as result:
            done.model = result.give()
    return done


def edit_verify(source: Opened, options: Any, report: Handle) -> None:
    with Handle("opshift_pieces_free") as pieces, Handle("opshift_model_free") as after:
        call("opshift_output_pieces", source.pointer, pieces.into)
        call("opshift_pieces_open", pieces.pointer, after.into)
        status, message = answer("opshift_edit_verify", source.pointer, after.pointer, byref(options), report.pointer)
    if status == c.OPSHIFT_NO:
        raise Refused(message)


def run(model: Model, inputs: Optional[Mapping[str, Any]] = None, *, random: bool = False, seed: int = 0,
        shapes: Shapes = None, dims: Dims = None, engine: Optional[str] = None, memory: int = 0, steps: int = 0,
        directory: Optional[Path] = None, progress: Callback = None) -> Dict[str, Any]:
    """Computes a model with the built-in kernels, or with ONNX Runtime (engine="onnxruntime").

    inputs: by name: NumPy arrays (of the declared types and shapes), anything that NumPy makes an array of, Tensor, or
    a list of arrays for a sequence. Arrays that are contiguous and aligned to 16 bytes are not copied. random: draw
    the others from the seed; shapes, dims: of drawn inputs, as in convert. memory, steps: limits, as in struct
    opshift_run_options.

    Returns the outputs by name, in the model's order: read-only NumPy arrays over the library's memory (copy() to
    change one), arrays of str objects for strings, lists for sequences, None for an empty optional; Tensor for types
    that NumPy lacks, and for all where NumPy is not installed. Raises ValueError for wrong inputs, Unsupported for
    operators without a kernel and for limits, Malformed, OSError, MemoryError.
    """
    from . import _tensor
    options = filled(c.opshift_run_options, memory=memory, steps=steps)
    if engine is not None:
        options.engine = encode(engine)
    outputs = Handle("opshift_values_free")
    with Progress(progress) as working, opened(model, working, directory) as source, _tensor.Values() as values:
        call("opshift_values_new", values.into)
        for name, given in pairs("inputs", inputs):
            values.add(name, given)
        if random:
            drawing = filled(c.opshift_draw_options, seed=seed)
            drawing.shapes, drawing.shape_count = texts(
                shape_texts(shapes) + [f"{name}={size}" for name, size in pairs("dims", dims)])
            call("opshift_values_draw", values.pointer, source.pointer, byref(drawing))
        options.progress = working.function
        call("opshift_run", source.pointer, values.pointer, byref(options), outputs.into)
    made = {}
    for index in range(lib.opshift_values_count(outputs.pointer)):
        name = text(lib.opshift_values_name(outputs.pointer, index))
        made[name] = _tensor.take(outputs, c_void_p(lib.opshift_values_at(outputs.pointer, index)))
    return made


def how_far(model: Model, *, shapes: Shapes = None, dims: Dims = None, rules: Iterable[Path] = (),
            freeze_initializers: bool = False, allow_approximate: bool = False, directory: Optional[Path] = None,
            progress: Callback = None) -> HowFar:
    """Which opsets a model can be converted to, and what is in the way of the others. Raises as show does."""
    goal = filled(c.opshift_goal, freeze_initializers=freeze_initializers, allow_approximate=allow_approximate)
    given = given_of(shapes, dims)
    if given is not None:
        goal.given = given
    with Progress(progress) as steps, opened(model, steps, directory) as source, loaded(rules) as in_force, \
            no_report() as report:
        goal.rules = in_force.pointer
        goal.progress = steps.function
        call("opshift_how_far", source.pointer, byref(goal), report.into)
        data, more = described(report)
        return build(HowFar, data, **more)


def rules(directories: Iterable[Path] = ()) -> List[Rule]:
    """The rules in force: the shipped ones, and those in the directories. ValueError: a mistake in a rule file."""
    with loaded(directories) as in_force, no_report() as report:
        call("opshift_rules_list", in_force.pointer, report.into)
        return [build(Rule, row) for row in described(report)[0]["rules"]]


def targets(names: Iterable[str] = (), directories: Iterable[Path] = ()) -> List[Target]:
    """Profiles of runtimes, by default all at their newest version. ValueError: no such profile."""
    options = sized(c.opshift_targets_options())
    options.targets, options.target_count = texts(names)
    options.directories, options.directory_count = texts(directories)
    with no_report() as report:
        call("opshift_targets_show", byref(options), True, report.into)
        return [build(Target, row, data=row) for row in described(report)[0]["targets"]]


def explain(check: str, markdown: bool = False) -> str:
    """What a finding means and how to fix it. check: an id or slug. ValueError: there is none of that name."""
    known = lib.opshift_check_find(encode(check))
    if not known:
        raise ValueError(f"there is no check '{check}'")
    return taken("opshift_check_explain", known, markdown)


def assemble(source: Union[str, bytes], name: str = "<text>") -> bytes:
    """The bytes of a model in ONNX's textual syntax. Malformed: "name:line:column: what was expected"."""
    data = source if isinstance(source, bytes) else source.encode()
    return taken_bytes("opshift_text_to_model", data, len(data), encode(name))


def to_text(model: Model) -> str:
    """A model in ONNX's textual syntax; what that cannot express is in comments."""
    with Progress() as steps, opened(model, steps) as source:
        return text(taken_bytes("opshift_model_to_text", source.pointer))


def export(model: Model, to: str, out: Path, *, shapes: Shapes = None, dims: Dims = None,
           feature_level: Optional[str] = None, format: Optional[str] = None,
           assume_even: bool = False, freeze_initializers: bool = False, directory: Optional[Path] = None,
           progress: Callback = None) -> Export:
    """Writes a model in another dialect: to "openvino" (out: the .xml, with the .bin beside it) or "directml".
    Refused: not all of it can be exported; nothing is written. Else raises as convert does."""
    options = filled(c.opshift_export_options, to=encode(to), assume_even=assume_even,
                     freeze_initializers=freeze_initializers)
    options.feature_level = encode(feature_level) if feature_level else None
    options.format = encode(format) if format else None
    given = given_of(shapes, dims)
    if given is not None:
        options.given = given
    with Progress(progress) as steps, opened(model, steps, directory) as source, \
            Handle("opshift_exported_free") as exported, no_report() as report:
        options.progress = steps.function
        status, message = answer("opshift_export", source.pointer, encode(out), byref(options), exported.into,
                                 report.into)
        data, more = described(report)
        if status == c.OPSHIFT_NO:
            raise Refused(message or more["text"].rstrip("\n"), Conversion(**more))
        call("opshift_exported_commit", exported.pointer)
        return build(Export, data, path=os.fspath(out), **more)


def import_(path: Path, out: Path, opset: int = 18, *, shapes: Shapes = None,
            progress: Callback = None) -> None:
    """Writes the ONNX model of an IR of OpenVINO, NAME.xml with NAME.bin beside it, to the path out. ValueError: a
    layer is wrong or has no operator at this opset; the text names it. Else raises as convert does."""
    options = filled(c.opshift_import_options, opset=opset)
    given = given_of(shapes, None)
    if given is not None:
        options.given = given
    with Progress(progress) as steps, Handle("opshift_imported_free") as imported:
        options.progress = steps.function
        call("opshift_import", encode(path), byref(options), imported.into, None, path=path)
        call("opshift_model_save", lib.opshift_imported_model(imported.pointer), encode(out), None)
