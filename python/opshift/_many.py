"""Many models: a function for each, in threads, with a journal."""
from __future__ import annotations

import json
import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from ctypes import byref, c_int, c_size_t, c_void_p, create_string_buffer, string_at
from dataclasses import dataclass
from typing import Any, Dict, Iterable, Iterator, Optional, Set, Tuple, Union

from . import _api
from . import _library as c
from ._errors import ModelError, Refused
from ._lint import lint
from ._native import Handle, Path, call, encode, filled, lib, texts

COMMANDS = {"convert": _api.convert, "infer": _api.infer, "lint": lint, "show": _api.show, "run": _api.run}
WRITING = ("convert", "infer")


@dataclass
class Outcome:
    """What became of a model."""
    path: str
    name: str  # relative to the directory that was searched
    outcome: str  # "done", "refused", "malformed" or "failed"
    result: Any = None  # what the function returned
    error: Optional[BaseException] = None  # what it raised
    output: Optional[str] = None
    seconds: float = 0.0
    attempt: int = 1
    earlier: bool = False  # done before, as the journal tells: there is no result


def listed_models(models: Union[Path, Iterable[Path]], root: Optional[Path], out: Optional[Path]) -> Handle:
    """The models, each with its output."""
    paths = [models] if isinstance(models, (str, os.PathLike)) else list(models)
    found = Handle("opshift_models_free")
    how = filled(c.opshift_models_options, recursive=True)
    if root is not None:
        how.root = encode(root)
    if out is not None:
        how.leave_out = encode(out)
    call("opshift_models_new", byref(how), found.into)
    for path in paths:
        call("opshift_models_add", found.pointer, encode(path))
    call("opshift_models_unite", found.pointer)
    if out is not None:
        call("opshift_models_set_outputs", found.pointer, encode(out), None)
    return found


def known_outcomes(path: Path) -> Dict[str, str]:
    """What a journal tells; read before it is locked, since closing a file ends its locks."""
    made, size, gravest = c_void_p(), c_size_t(), c_int()
    how = filled(c.opshift_summary_options, format=b"json")
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return {}
    paths, count = texts([path])
    call("opshift_journal_summary", paths, count, byref(how), byref(made), byref(size), byref(gravest))
    try:
        return {model["name"]: model["outcome"] for model in json.loads(string_at(made.value or 0, size.value))["models"]}
    finally:
        lib.opshift_text_free(made)


def rules_hash() -> bytes:
    """Of the shipped rules."""
    made = create_string_buffer(c.OPSHIFT_HASH_SIZE)
    with Handle("opshift_rules_free") as rules:
        call("opshift_rules_load", None, 0, rules.into)
        lib.opshift_rules_hash(rules.pointer, made)
    return made.value


def opened_journal(path: Path, command: str, options: Dict[str, Any]) -> Handle:
    journal = Handle("opshift_journal_free")
    how = filled(c.opshift_journal_options)
    how.command = b"python " + encode(command)
    how.versions = b"rules " + rules_hash()
    how.options, how.option_count = texts(f"{name}={options[name]!r}" for name in sorted(options))
    call("opshift_journal_open", encode(path), byref(how), journal.into)
    return journal


def model_hash(path: bytes) -> bytes:
    made = create_string_buffer(c.OPSHIFT_HASH_SIZE)
    call("opshift_model_hash", path, None, made, path=os.fsdecode(path))
    return made.value


def status_of(error: Optional[BaseException]) -> Tuple[str, int]:
    if error is None:
        return "done", c.OPSHIFT_OK
    if isinstance(error, Refused):
        return "refused", c.OPSHIFT_NO
    if isinstance(error, ModelError):
        return "malformed", c.OPSHIFT_MALFORMED
    if isinstance(error, OSError):
        return "failed", c.OPSHIFT_IO
    return "failed", c.OPSHIFT_MEMORY if isinstance(error, MemoryError) else c.OPSHIFT_USAGE


def write_end(journal: Handle, done: Outcome, given: bytes) -> None:
    names = ("done", "refused", "malformed", "failed")
    result = c.opshift_result()
    result.name = os.fsencode(done.name)
    result.outcome = names.index(done.outcome)
    result.status = status_of(done.error)[1]
    result.seconds = done.seconds
    result.hash = given
    result.message = str(done.error).encode() if done.error else None
    if done.output is not None and done.error is None:
        result.output = os.fsencode(done.output)
        result.output_hash = model_hash(os.fsencode(done.output))
        result.output_size = os.path.getsize(done.output)
    call("opshift_journal_end", journal.pointer, byref(result))


def work(function: Any, todo: Outcome, options: Dict[str, Any]) -> Outcome:
    start = time.monotonic()
    try:
        if todo.output is not None:
            os.makedirs(os.path.dirname(todo.output) or ".", exist_ok=True)
            options = {**options, "out": todo.output}
        todo.result, todo.error = function(todo.path, **options), None
    except Exception as error:  # each model's own
        todo.error = error
    todo.outcome = status_of(todo.error)[0]
    todo.seconds = time.monotonic() - start
    return todo


def many(models: Union[Path, Iterable[Path]], command: str, *, out: Optional[Path] = None, jobs: int = 1,
         journal: Optional[Path] = None, root: Optional[Path] = None, retries: int = 0,
         **options: Any) -> Iterator[Outcome]:
    """Calls convert, infer, lint, show or run for each of many models, and yields an Outcome as each is done.

    models: paths of models, or of directories, in which all *.onnx are taken. out: a directory, in which convert and
    infer write the same tree; None: each Outcome's `result.model` is the bytes. jobs: threads. journal: a file from which the same call goes on: what is done, with the
    same bytes and options, is not done again. root: names are relative to it. retries: further tries of a model that
    could not be read or written. options: of the function.

    Raises ValueError for wrong arguments, before the first model; what a model raises is its Outcome's `error`.
    """
    if command not in COMMANDS:
        raise ValueError(f"command is {command!r}; it must be one of {', '.join(COMMANDS)}")
    if out is not None and command not in WRITING:
        raise ValueError(f"out is {out!r}, and {command} writes nothing; {' and '.join(WRITING)} do")
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}; it must be 1 or more")
    found = listed_models(models, root, out)
    known = known_outcomes(journal) if journal is not None else {}
    kept = opened_journal(journal, command, dict(options, out=out)) if journal is not None else None
    if kept is not None:
        call("opshift_models_check_names", found.pointer)
    return outcomes(found, kept, known, COMMANDS[command], options, jobs, retries)


def outcomes(found: Handle, journal: Optional[Handle], known: Dict[str, str], function: Any, options: Dict[str, Any], jobs: int,
             retries: int) -> Iterator[Outcome]:
    """At most a few models per thread wait, so that their number does not matter."""
    running: Dict["Future[Outcome]", bytes] = {}

    def begin(todo: Outcome, given: bytes) -> None:
        if journal is not None:
            call("opshift_journal_begin", journal.pointer, os.fsencode(todo.name))
        running[pool.submit(work, function, todo, options)] = given

    with found, ThreadPoolExecutor(jobs) as pool:
        try:
            for index in range(lib.opshift_models_count(found.pointer)):
                todo, given, is_done = looked_at(found, index, journal)
                if is_done:
                    todo.outcome = known.get(todo.name, "done")
                    yield todo
                    continue
                begin(todo, given)
                while len(running) >= 2 * jobs:
                    yield from ended(running, journal, retries, begin)
            while running:
                yield from ended(running, journal, retries, begin)
        finally:
            for future in running:
                future.cancel()
            if journal is not None:
                pool.shutdown()
                journal.close()


def looked_at(found: Handle, index: int, journal: Optional[Handle]) -> Tuple[Outcome, bytes, bool]:
    path = lib.opshift_models_path(found.pointer, index)
    name = lib.opshift_models_name(found.pointer, index) or path
    output = lib.opshift_models_output(found.pointer, index)
    todo = Outcome(os.fsdecode(path), os.fsdecode(name), "done", output=os.fsdecode(output) if output else None)
    given = b""
    if journal is not None:
        try:
            given = model_hash(path)
        except OSError:
            pass  # the work tells of it
        todo.earlier = bool(given and lib.opshift_journal_is_done(journal.pointer, name, given, output))
    return todo, given, todo.earlier


def ended(running: Dict["Future[Outcome]", bytes], journal: Optional[Handle], retries: int,
          begin: Any) -> Iterator[Outcome]:
    done: Set["Future[Outcome]"] = wait(running, return_when=FIRST_COMPLETED).done
    for future in done:
        given = running.pop(future)
        one = future.result()
        if journal is not None:
            write_end(journal, one, given)
        if isinstance(one.error, (OSError, MemoryError)) and one.attempt <= retries:
            one.attempt += 1
            begin(one, given)
        else:
            yield one
