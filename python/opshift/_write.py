"""Where an edited model goes."""
from __future__ import annotations

import io
from ctypes import byref
from typing import Any, Optional

from . import _library as c
from ._model import Model, Opened, opened, path_of
from ._native import Handle, Path, Progress, call, chosen, encode, interruptible, sized

EXTERNAL_DATA = {"keep": c.OPSHIFT_EXTERNAL_DATA_KEEP, "copy": c.OPSHIFT_EXTERNAL_DATA_COPY,
                 "link": c.OPSHIFT_EXTERNAL_DATA_LINK}


class Output(Handle):
    """A complete new file under a temporary name; closing removes it unless it was committed."""

    def __init__(self, model: Opened, path: str, external_data: int, progress: Progress):
        super().__init__("opshift_output_free")
        self._options = sized(c.opshift_write_options(progress=progress.function, external_data=external_data))
        call("opshift_model_write", model.pointer, encode(path), byref(self._options), self.into)

    def opened(self) -> Handle:
        made = Handle("opshift_model_free")
        call("opshift_output_open", self.pointer, made.into)
        return made

    def commit(self) -> None:
        call("opshift_output_commit", self.pointer)


class Result:
    """The edited model on its way to the caller: to a path, to a file object, or back in the kind of the model."""

    def __init__(self, model: Opened, out: Any, external_data: str, progress: Progress):
        self._source, self._out, self._progress = model.source, out, progress
        self._output: Optional[Output] = None
        self._bytes = b""
        how, path = chosen("external_data", EXTERNAL_DATA, external_data), path_of(out)
        if path is None and out is not None and (isinstance(out, io.TextIOBase) or not hasattr(out, "write")):
            raise TypeError(f"out is a path or a file object that is open for binary writing, not {type(out).__name__}")
        if path is not None:
            self._output = Output(model, path, how, progress)
        else:
            self._bytes = b"".join(model.edited())

    def opened(self, directory: Optional[Path]) -> Handle:
        """The new model, read anew."""
        if self._output:
            return self._output.opened()
        return opened(self._bytes, self._progress, self._source.directory(directory))

    def give(self) -> Any:
        self._progress.check()
        if self._output:
            self._output.commit()
        elif self._out is None:
            return self._source.give(self._bytes)
        else:
            self._write()
        return self._out

    @interruptible
    def _write(self) -> None:
        self._out.write(self._bytes)

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        if self._output:
            self._output.close()


def opened_for(model: Model, out: Any, directory: Optional[Path], progress: Progress, *, tells: bool = False) -> Opened:
    """A model that will be written: what is not written to a path must be in memory. tells: as opened has it."""
    return opened(model, progress, directory, tells=tells, in_memory=path_of(out) is None)
