"""Loads libopshift, calls it, and turns its errors into exceptions."""
from __future__ import annotations

import os
import threading
from ctypes import byref, c_char_p, c_size_t, c_void_p, string_at

from . import _errors
from . import _library as c


def library_path() -> str:
    """The library of this package; else, where a distribution ships it apart, that of the system."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libopshift.so")
    return path if os.path.exists(path) else "libopshift.so.0"


lib = c.Library(library_path())


def text(data) -> str:
    return data.decode("utf-8", "replace") if data is not None else None


def encode(given) -> bytes:
    """A path or text for C, which ends it at a NUL."""
    data = os.fsencode(given)
    if b"\0" in data:
        raise ValueError("embedded null byte")
    return data


def fail(status: int, error, path=None):
    """Raises what a status stands for; NO, too."""
    message = text(error.text)
    if status == c.OPSHIFT_MEMORY:
        raise MemoryError(message)
    if status == c.OPSHIFT_IO:
        raise (FileNotFoundError if path is not None and not os.path.exists(path) else OSError)(message)
    if status == c.OPSHIFT_CANCELLED:
        raise _errors.Cancelled(message)
    kinds = {c.OPSHIFT_MALFORMED: _errors.Malformed, c.OPSHIFT_UNSUPPORTED: _errors.Unsupported}
    if status in kinds:
        raise kinds[status](message, error.fault, error.offset if error.fault else None)
    raise ValueError(message)


def call(name: str, *arguments, may=(), path=None) -> int:
    """Calls a function whose last argument is the error. may: other statuses than OK that are answers."""
    error = c.opshift_error()
    status = getattr(lib, name)(*arguments, byref(error))
    if status != c.OPSHIFT_OK and status not in may:
        fail(status, error, path)
    return status


def answer(name: str, *arguments):
    """The same, where NO is an answer: (status, message)."""
    error = c.opshift_error()
    status = getattr(lib, name)(*arguments, byref(error))
    if status not in (c.OPSHIFT_OK, c.OPSHIFT_NO):
        fail(status, error)
    return status, text(error.text)


class Handle:
    """An object of the library, freed with this one or by close(), also in a `with`. Its pointer is filled by a call
    that gets `into`."""

    def __init__(self, free: str):
        self.pointer = c_void_p()
        self._free = getattr(lib, free)

    @property
    def into(self):
        return byref(self.pointer)

    def close(self, nothing=c_void_p):  # a default outlives the module's names when the interpreter ends
        pointer, self.pointer = self.pointer, nothing()
        if pointer:
            self._free(pointer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()


def taken(function: str, *arguments) -> str:
    """The text that a function makes for its caller."""
    pointer = c_void_p()
    call(function, *arguments, byref(pointer))
    try:
        return text(string_at(pointer.value))
    finally:
        lib.opshift_text_free(pointer)


def taken_bytes(function: str, *arguments) -> bytes:
    """The same for bytes with a size."""
    pointer, size = c_void_p(), c_size_t()
    call(function, *arguments, byref(pointer), byref(size))
    try:
        return string_at(pointer.value, size.value)
    finally:
        lib.opshift_text_free(pointer)


def texts(items):
    """An array of texts for C, or None, and its length."""
    items = [encode(item) for item in items or ()]
    return (c_char_p * len(items))(*items) if items else None, len(items)


class Progress:
    """Calls the user's callback with a number from 0 to 1 while the library works. Ctrl-C cancels: in the main thread,
    where SIGINT has Python's own handler, it is noted while the library works and raised afterwards."""

    def __init__(self, callback=None):
        self._callback = callback
        self._raised = None
        self._interrupted = False
        self._before = None
        self.function = c.opshift_progress(self._step)

    def _step(self, _data, progress):
        try:
            if self._interrupted:
                return False
            return self._callback is None or self._callback(progress) is not False
        except BaseException as raised:  # noqa: B902: raised again by __exit__
            self._raised = raised
            return False

    def _note(self, _number, _frame):
        self._interrupted = True

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            import signal
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_):
        if self._before is not None:
            import signal
            signal.signal(signal.SIGINT, self._before)
        if self._interrupted:
            raise KeyboardInterrupt from None
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised from None
