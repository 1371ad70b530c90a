"""What stands for a model: a path, bytes, a file object, or anything with SerializeToString."""
from __future__ import annotations

import os
from ctypes import addressof, byref, c_char, c_char_p, c_void_p, cast, sizeof, string_at
from typing import Any, BinaryIO, Callable, Iterator, Optional, Tuple, Union

from . import _library as c
from ._native import Handle, Path, Progress, call, encode, interruptible, lib, sized

Buffer = Union[bytes, bytearray, memoryview]
Model = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO, Any]
"""A path, the bytes of a model, a binary file object, or an object with SerializeToString (onnx.ModelProto), or with
model_proto that has one (torch.onnx.ONNXProgram)."""


def path_of(model: Any) -> Optional[str]:
    """The path, where it is one."""
    return os.fsdecode(model) if isinstance(model, (str, os.PathLike)) else None


def address_of(buffer: Any) -> Tuple[Any, c_void_p, int]:
    """(what must be kept, address, size) of a bytes-like object, without a copy where the interpreter allows it."""
    if isinstance(buffer, bytes):
        text = c_char_p(buffer)
        return (text, buffer), cast(text, c_void_p), len(buffer)
    view = memoryview(buffer).cast("B")
    if view.readonly:
        return address_of(bytes(view))
    kept = (c_char * len(view)).from_buffer(view)
    return kept, c_void_p(addressof(kept)), sizeof(kept)


@interruptible
def content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        # In the library's words, which all else gives.
        with Handle("opshift_model_free") as model:
            call("opshift_model_open", encode(path), None, model.into, path=path)
        raise


def content_of(file: Any) -> Buffer:
    """What is left of a file object; all of it where it is at its end, as it is when it has just been written."""
    data = file.read()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError("a model's file must be opened in binary mode: open(path, 'rb')")
    if len(data) > 0:
        return data
    if not getattr(file, "seekable", lambda: False)():
        raise ValueError("the file object is at its end, and it cannot seek; give one that is at the model's start")
    file.seek(0)
    return bytes(file.read())


class Source:
    """What the caller gave as a model. path: of the file, or None; bytes: of the model, None if it is read from the
    path; name: in messages."""

    def __init__(self, model: Model, in_memory: bool = False):
        self.path = path_of(model)
        self.bytes: Optional[Buffer] = None
        self.name = self.path or "<memory>"
        self._made: Callable[[bytes], Any] = lambda data: data
        if self.path is None:
            self._read(model)
        elif in_memory:
            self.bytes = content(self.path)

    @interruptible
    def _read(self, model: Model) -> None:
        if isinstance(model, (bytes, bytearray, memoryview)):
            self.bytes = model
        elif hasattr(model, "SerializeToString"):
            self.bytes = model.SerializeToString()
            self._made = lambda data: parsed(type(model), data)
        elif hasattr(model, "model_proto"):
            self._read(model.model_proto)
        elif hasattr(model, "read"):
            import io
            data, name = content_of(model), getattr(model, "name", None)
            self.bytes, self._made = data, io.BytesIO
            self.name = name if isinstance(name, str) else self.name
        else:
            more = "; opshift.many takes several" if isinstance(model, (list, tuple)) else ""
            raise TypeError("a model is a path, bytes, a binary file object or an object with SerializeToString, not "
                            f"{type(model).__name__}{more}")

    @interruptible
    def give(self, data: bytes) -> Any:
        """The bytes of a new model, as the kind of this one; bytes for a path."""
        return self._made(data)

    def directory(self, directory: Optional[Path]) -> Optional[Path]:
        """Where its external data is."""
        return directory or (os.path.dirname(self.path) or "." if self.path else None)


class Opened(Handle):
    """A model that the library has opened. progress: a function for the library."""

    def __init__(self, source: Source, directory: Optional[Path], progress: Any):
        super().__init__("opshift_model_free")
        self.source = source
        options = sized(c.opshift_open_options(progress=progress))
        self._progress = progress  # must outlive it
        options.name = encode(source.name) if source.bytes is None or source.name != "<memory>" else None
        directory = source.directory(directory)
        options.directory = encode(directory) if directory else None
        if source.bytes is None:
            call("opshift_model_open", encode(source.name), byref(options), self.into, path=source.path)
        else:
            self._kept, address, size = address_of(source.bytes)
            call("opshift_model_open_memory", address, size, byref(options), self.into)

    def edited(self) -> Iterator[Buffer]:
        """The edited model, piece by piece. It must be in memory."""
        assert self.source.bytes is not None
        source = memoryview(self.source.bytes).cast("B")
        with Handle("opshift_pieces_free") as pieces:
            call("opshift_output_pieces", self.pointer, pieces.into)
            for index in range(lib.opshift_pieces_count(pieces.pointer)):
                piece = lib.opshift_pieces_at(pieces.pointer, index).contents
                if piece.bytes is None:
                    yield source[piece.offset:piece.offset + piece.size]
                else:
                    yield string_at(piece.bytes, piece.size)


def opened(model: Model, progress: Progress, directory: Optional[Path] = None, *, tells: bool = False,
           in_memory: bool = False) -> Opened:
    """tells: the caller sees the progress of opening and of inferring types."""
    return Opened(Source(model, in_memory), directory, progress.function if tells else progress.quiet)


def parsed(kind: Any, data: bytes) -> Any:
    made = kind()
    made.ParseFromString(data)
    return made
