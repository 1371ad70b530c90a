"""What stands for a model: a path, bytes, a file object, or anything with SerializeToString."""
from __future__ import annotations

import os
from ctypes import addressof, byref, c_char, c_char_p, c_void_p, cast, sizeof, string_at
from typing import Any, BinaryIO, Optional, Union

from . import _library as c
from ._native import Handle, call, encode, lib

Model = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO, Any]
"""A path, the bytes of a model, a binary file object, or an object with SerializeToString (onnx.ModelProto)."""


def is_path(model: Any) -> bool:
    return isinstance(model, (str, os.PathLike))


def address_of(buffer):
    """(what must be kept, address, size) of a bytes-like object, without a copy where the interpreter allows it."""
    if isinstance(buffer, bytes):
        kept = c_char_p(buffer)
        return (kept, buffer), cast(kept, c_void_p), len(buffer)
    view = memoryview(buffer).cast("B")
    if view.readonly:
        return address_of(bytes(view))
    kept = (c_char * len(view)).from_buffer(view)
    return kept, c_void_p(addressof(kept)), sizeof(kept)


class Opened(Handle):
    """A model that the library has opened, and what gives it back in the caller's kind."""

    def __init__(self, model: Model, directory=None, in_memory: bool = False):
        super().__init__("opshift_model_free")
        self.path: Optional[str] = None
        self.bytes = None
        self._kept = None
        self._give = lambda data: data
        name = None
        if is_path(model):
            self.path = os.fspath(model)
            if in_memory:
                directory = directory or os.path.dirname(self.path) or "."
                with open(self.path, "rb") as file:
                    self.bytes, name = file.read(), self.path
        else:
            self.bytes, name = self._read(model)
        options = c.opshift_open_options(name=encode(name) if name else None,
                                         directory=encode(directory) if directory else None)
        options.size = sizeof(options)
        self.name = name or self.path or "<memory>"
        if self.bytes is None:
            call("opshift_model_open", encode(self.path), byref(options), self.into, path=self.path)
        else:
            self._kept, address, size = address_of(self.bytes)
            call("opshift_model_open_memory", address, size, byref(options), self.into)

    def _read(self, model):
        if isinstance(model, (bytes, bytearray, memoryview)):
            return model, None
        if hasattr(model, "SerializeToString"):
            self._give = lambda data: parsed(type(model), data)
            return model.SerializeToString(), None
        if hasattr(model, "read"):
            import io
            data, name = model.read(), getattr(model, "name", None)
            if not isinstance(data, (bytes, bytearray, memoryview)):
                raise TypeError("a model's file must be opened in binary mode: open(path, 'rb')")
            self._give = io.BytesIO
            return data, name if isinstance(name, str) else None
        raise TypeError(f"a model is a path, bytes, a binary file object or an object with SerializeToString, not "
                        f"{type(model).__name__}")

    def give(self, data: bytes):
        """The bytes of a new model, as the kind of the one that was opened; bytes for a path."""
        return self._give(data)

    def edited(self):
        """The edited model, piece by piece. It must be in memory."""
        source = memoryview(self.bytes).cast("B")
        with Handle("opshift_pieces_free") as pieces:
            call("opshift_output_pieces", self.pointer, pieces.into)
            for index in range(lib.opshift_pieces_count(pieces.pointer)):
                piece = lib.opshift_pieces_at(pieces.pointer, index).contents
                if piece.bytes is None:
                    yield source[piece.offset:piece.offset + piece.size]
                else:
                    yield string_at(piece.bytes, piece.size)


def parsed(kind, data: bytes):
    made = kind()
    made.ParseFromString(data)
    return made
