"""lint, and its fixes."""
from __future__ import annotations

import json
import os
from ctypes import byref, c_void_p, pointer, string_at
from typing import Any, Iterable, List, Optional

from . import _library as c
from ._errors import ModelError
from ._model import Model, Opened, Source, address_of, path_of
from ._native import Callback, Handle, Path, Progress, call, called_back, encode, filled, lib, sized, text, texts
from ._results import Fix, Lint, build
from ._write import Result


def no_findings() -> Handle:
    return Handle("opshift_findings_free")


class Linter(Handle):
    """The checks in force, and the writer of what they find. progress, opening: functions for the library."""

    def __init__(self, progress: Any, opening: Any, *, select: Iterable[str] = (), ignore: Iterable[str] = (),
                 config: Optional[Path] = None, baseline: Optional[Path] = None, targets: Iterable[str] = (),
                 to: int = 0, directory: Optional[Path] = None):
        super().__init__("opshift_lint_free")
        options = filled(c.opshift_lint_options, to=to, progress=progress)
        options.select, options.select_count = texts(select)
        options.ignore, options.ignore_count = texts(ignore)
        options.targets, options.target_count = texts(targets)
        options.config = encode(config) if config is not None else None
        options.baseline = encode(baseline) if baseline is not None else None
        options.open = pointer(sized(c.opshift_open_options(
            directory=encode(directory) if directory else None, progress=opening)))
        self._options = options  # the library uses its texts
        missing = next((path for path in (config, baseline) if path is not None and not os.path.exists(path)), None)
        call("opshift_lint_new", byref(options), self.into, path=missing)

    def _write(self, kind: str, findings: c_void_p) -> str:
        parts: List[bytes] = []

        @called_back
        def add(_data: object, start: int, size: int) -> bool:
            parts.append(string_at(start, size))
            return True
        function = c.opshift_write(add)
        options = sized(c.opshift_lint_writer_options(format=encode(kind)))
        with Handle("opshift_lint_writer_free") as writer:
            call("opshift_lint_writer_new", self.pointer, byref(options), function, None, writer.into)
            call("opshift_lint_writer_add", writer.pointer, findings)
            call("opshift_lint_writer_finish", writer.pointer)
        return text(b"".join(parts))

    def written(self, findings: c_void_p) -> Lint:
        data = json.loads(self._write("json", findings))["files"][0]
        return build(Lint, data, data=data, text=self._write("text", findings))


def lint(model: Model, *, select: Iterable[str] = (), ignore: Iterable[str] = (), targets: Iterable[str] = (),
         to: int = 0, config: Optional[Path] = None, baseline: Optional[Path] = None, fix: bool = False,
         out: Any = None, external_data: str = "copy", directory: Optional[Path] = None,
         progress: Callback = None) -> Lint:
    """Finds the faults of a model. A malformed one has a finding, too.

    select, ignore: ids of checks, or prefixes, one or a list. targets: profiles of runtimes. to: also what blocks a
    conversion to this opset. config: an .opshift.yaml, which is not searched for. baseline: a file of known findings.

    fix: also fix what has one right answer. The result's `fixed` lists what was fixed, its findings are those that
    remain, and its `model` is the fixed model: of the kind of the one that was given, bytes for a path, or `out`, a
    path (which may be the model's own) or a binary file object. A model that cannot be read completely is not fixed and
    not written; `model` is None then. external_data: as in convert.

    progress: called with 0 to 1; False cancels. Raises ValueError for wrong arguments, OSError where the file cannot be
    read or written, MemoryError, Cancelled, KeyboardInterrupt.
    """
    if out is not None and not fix:
        raise ValueError("out is for fix=True; without it lint writes nothing")
    with Progress(progress) as steps, Linter(steps.function, steps.quiet, select=select, ignore=ignore, config=config,
                                             baseline=baseline, targets=targets, to=to, directory=directory) as linter:
        source = Source(model, in_memory=fix and path_of(out) is None)
        done = fixed(linter, source, out, external_data, directory, steps) if fix else None
        return done or linted(linter, source)


def linted(linter: Linter, source: Source) -> Lint:
    with no_findings() as findings:
        if source.bytes is None:
            call("opshift_lint_file", linter.pointer, encode(source.name), findings.into)
        else:
            kept, address, size = address_of(source.bytes)
            call("opshift_lint_memory", linter.pointer, address, size, encode(source.name), findings.into)
            del kept
        if lib.opshift_findings_status(findings.pointer) == c.OPSHIFT_IO:
            why = text(lib.opshift_findings_failure(findings.pointer))
            raise (OSError if os.path.exists(source.name) else FileNotFoundError)(why)
        return linter.written(findings.pointer)


def fixed(linter: Linter, source: Source, out: Any, external_data: str, directory: Optional[Path],
          progress: Progress) -> Optional[Lint]:
    """None: the model cannot be read."""
    with Handle("opshift_fixes_free") as fixes:
        try:
            model = Opened(source, directory, progress.quiet)
        except ModelError:
            return None
        with model:
            call("opshift_lint_fix", linter.pointer, model.pointer, fixes.into)
            findings = c_void_p(lib.opshift_fixes_findings(fixes.pointer))
            done = linter.written(findings)
            done.fixed = [fix_at(fixes, index) for index in range(lib.opshift_fixes_count(fixes.pointer))]
            if not done.fixed and is_same(source.path, path_of(out)):
                done.model = out
            elif lib.opshift_findings_status(findings) in (c.OPSHIFT_OK, c.OPSHIFT_NO):
                with Result(model, out, external_data, progress) as result:
                    done.model = result.give()
        return done


def is_same(path: Optional[str], other: Optional[str]) -> bool:
    """Is it one file?"""
    return path is not None and other is not None and os.path.exists(other) and os.path.samefile(path, other)


def fix_at(fixes: Handle, index: int) -> Fix:
    fix = lib.opshift_fixes_at(fixes.pointer, index).contents
    check = fix.check.contents
    return Fix(text(check.id), text(check.slug), text(fix.place), text(fix.message), text(fix.before), text(fix.after))
