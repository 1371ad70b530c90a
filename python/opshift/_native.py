"""Loads libopshift, calls it, and turns its errors into exceptions."""
from __future__ import annotations

import os
import re
import threading
from ctypes import byref, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_void_p, sizeof, string_at
from operator import index
from types import CodeType, FrameType
from typing import Any, Callable, Iterable, List, Mapping, NoReturn, Optional, Set, Tuple, TypeVar, Union

from . import _errors
from . import _library as c

T = TypeVar("T")
Callback = Optional[Callable[[float], Any]]
Path = Union[str, "os.PathLike[str]"]
NUMBERS = (c_int, c_int64, c_size_t, c_uint, c_uint32, c_uint64)


def library_path() -> str:
    """The library of this package; else, where a distribution ships it apart, that of the system."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libopshift.so")
    return path if os.path.exists(path) else "libopshift.so.0"


lib = c.Library(library_path())


def text(data: Optional[bytes]) -> str:
    return data.decode("utf-8", "replace") if data is not None else ""


def encode(given: Union[Path, bytes]) -> bytes:
    """A path or text for C, which ends it at a NUL."""
    data = os.fsencode(given)
    if b"\0" in data:
        raise ValueError("embedded null byte")
    return data


# Options of the command, in messages of the library, and the arguments that stand for them.
ARGUMENTS = {"shape": "shapes", "dim": "dims", "random": "random=True", "max-steps": "steps", "max-memory": "memory",
             "rules": "rules", "engine": "engine", "opset": "opset", "ir-version": "ir_version",
             "strict": "strict=True", "allow-approximate": "allow_approximate=True", "assume-even": "assume_even=True",
             "freeze-initializers": "freeze_initializers=True"}


def spoken(message: str) -> str:
    """A message in which options that the functions have as arguments are named as such. What a whole command line
    does, as in 'opshift infer --shape', stays."""
    message = re.sub(r"(?<!')--input (\S+)=FILE", r"inputs={'\1': ...}", message)
    message = re.sub(r"(?<!')--(input|shape|dim) (\w\S*?)=\.\.\.", r"\1s={'\2': ...}", message)
    message = re.sub(r"(?<!')--dim (\w+)=(\d+)", r"dims={'\1': \2}", message)
    message = re.sub(r"(?<!')--shape (\w+)=(\d+)x(\d+)", r"shapes={'\1': (\2, \3)}", message)
    commands = [place.span() for place in re.finditer(r"'opshift [^']*'", message)]

    def argument(place: "re.Match[str]") -> str:
        quoted = any(start <= place.start() < end for start, end in commands)
        name = ARGUMENTS.get(place.group(1))
        return place.group() if quoted or name is None else name

    return re.sub(r"--([a-z][a-z-]*)", argument, message)


def fail(status: int, error: Any, path: Optional[Path] = None) -> NoReturn:
    """Raises what a status stands for; NO, too."""
    message = spoken(text(error.text))
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


def call(name: str, *arguments: Any, path: Optional[Path] = None) -> None:
    """Calls a function whose last argument is the error."""
    error = c.opshift_error()
    status = getattr(lib, name)(*arguments, byref(error))
    if status != c.OPSHIFT_OK:
        fail(status, error, path)


def answer(name: str, *arguments: Any) -> Tuple[int, str]:
    """The same, where NO is an answer: (status, message)."""
    error = c.opshift_error()
    status = getattr(lib, name)(*arguments, byref(error))
    if status not in (c.OPSHIFT_OK, c.OPSHIFT_NO):
        fail(status, error)
    return status, spoken(text(error.text))


H = TypeVar("H", bound="Handle")


class Handle:
    """An object of the library, freed with this one or by close(), also in a `with`. Its pointer is filled by a call
    that gets `into`."""

    def __init__(self, free: str):
        self.pointer = c_void_p()
        self._free = getattr(lib, free)

    @property
    def into(self) -> Any:
        return byref(self.pointer)

    def close(self, nothing: Any = c_void_p) -> None:  # a default outlives the module's names when the interpreter ends
        pointer, self.pointer = self.pointer, nothing()
        if pointer:
            self._free(pointer)

    def __enter__(self: H) -> H:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def taken(function: str, *arguments: Any) -> str:
    """The text that a function makes for its caller."""
    pointer = c_void_p()
    call(function, *arguments, byref(pointer))
    try:
        return text(string_at(pointer))
    finally:
        lib.opshift_text_free(pointer)


def taken_bytes(function: str, *arguments: Any) -> bytes:
    """The same for bytes with a size."""
    pointer, size = c_void_p(), c_size_t()
    call(function, *arguments, byref(pointer), byref(size))
    try:
        return string_at(pointer, size.value)
    finally:
        lib.opshift_text_free(pointer)


def listed(items: Union[None, Path, bytes, Iterable[Any]]) -> List[Any]:
    """One text stands for a list of it."""
    return [items] if isinstance(items, (str, bytes, os.PathLike)) else list(items or ())


def pairs(what: str, items: Optional[Mapping[str, T]]) -> List[Tuple[str, T]]:
    if items is None or isinstance(items, Mapping):
        return list((items or {}).items())
    raise TypeError(f"{what} is a mapping by name, {{'x': ...}}, not {type(items).__name__}")


def texts(items: Union[None, Path, bytes, Iterable[Any]]) -> Tuple[Any, int]:
    """An array of texts for C, or None, and its length."""
    encoded = [encode(item) for item in listed(items)]
    return (c_char_p * len(encoded))(*encoded) if encoded else None, len(encoded)


def chosen(what: str, choices: Mapping[Any, int], value: Any) -> int:
    if value in choices:
        return choices[value]
    raise ValueError(f"{what} is {value!r}; it must be one of {', '.join(str(name) for name in choices if name)}")


def sized(struct: Any) -> Any:
    struct.size = sizeof(struct)
    return struct


def whole(what: str, value: Any, kind: Any) -> int:
    """A whole number that fits a type of C; ctypes would cut it."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{what} is {value!r}; it must be a whole number") from None
    signed = kind(-1).value < 0
    most = 2 ** (8 * sizeof(kind) - signed) - 1
    least = -most - 1 if signed else 0
    if least <= number <= most:
        return number
    raise ValueError(f"{what} is {number}; it must be from {least} to {most}")


def filled(kind: Any, **fields: Any) -> Any:
    """A struct with these fields, of which those that are whole numbers must fit."""
    for name, field in kind._fields_:
        if name in fields and issubclass(field, NUMBERS):
            fields[name] = whole(name, fields[name], field)
    return sized(kind(**fields))


# Functions that call what is the caller's, such as read of a file object: there Ctrl-C acts at once.
_interruptible: Set[CodeType] = set()
# Functions that the library calls: an exception cannot pass through it.
_called_back: Set[CodeType] = set()
F = TypeVar("F", bound=Callable[..., Any])


def interruptible(function: F) -> F:
    _interruptible.add(function.__code__)
    return function


def called_back(function: F) -> F:
    _called_back.add(function.__code__)
    return function


class Progress:
    """Calls the user's callback with a number from 0 to 1 while the library works, and lets Ctrl-C cancel the work: in
    the main thread, where SIGINT has Python's own handler, an interrupt is noted, makes the library's next question
    end the work, and is raised at the end. (Raised at once, it could be lost in the library or in a __del__.)

    function: for the library, with the callback; quiet: without it, for work that has a share of the callback already.
    """

    def __init__(self, callback: Callback = None):
        self._callback = callback
        self._raised: Optional[BaseException] = None
        self._interrupted = False
        self._before: Any = None
        self.function = c.opshift_progress(self._step)
        self.quiet = c.opshift_progress(self._look)

    @called_back
    def _step(self, _data: object, progress: float) -> bool:
        try:
            goes_on = self._interrupted or self._callback is None or self._callback(progress) is not False
            return goes_on and not self._interrupted
        except BaseException as raised:  # raised again by __exit__
            self._raised = raised
            return False

    @called_back
    def _look(self, _data: object, _progress: float) -> bool:
        return not self._interrupted

    def _note(self, number: int, frame: Optional[FrameType]) -> None:
        while frame is not None and frame.f_code not in _interruptible and frame.f_code not in _called_back:
            frame = frame.f_back
        if frame is not None and frame.f_code in _interruptible:
            raise KeyboardInterrupt
        self._interrupted = True

    def check(self) -> None:
        """Before what cannot be undone."""
        if self._interrupted:
            raise KeyboardInterrupt

    def __enter__(self) -> Progress:
        if threading.current_thread() is threading.main_thread():
            import signal
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            import signal
            signal.signal(signal.SIGINT, self._before)
        # The library's functions refer to this object: without them the last reference to it is the caller's.
        del self.function, self.quiet
        if self._interrupted:
            raise KeyboardInterrupt from None
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised from None
