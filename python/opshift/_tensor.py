"""Values of a run: NumPy arrays where NumPy is there, else Tensor; elements are not copied."""
from __future__ import annotations

from ctypes import byref, c_char, c_char_p, c_int64, c_size_t, c_void_p, string_at
from dataclasses import dataclass
from typing import Any, List, Sequence, Tuple, Union

from . import _library as c
from ._model import address_of
from ._native import Handle, call, encode, lib, text, whole

# Names in NumPy, also those of ml_dtypes, by the numbers of TensorProto.DataType.
DTYPES = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool",
          10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128"}
FOREIGN = {"bfloat16": 16, "float8_e4m3fn": 17, "float8_e4m3fnuz": 18, "float8_e5m2": 19, "float8_e5m2fnuz": 20,
           "float8_e8m0fnu": 24}
TYPES = {name: number for number, name in DTYPES.items()}
TYPES.update(FOREIGN)
ALIGNMENT = 16


@dataclass
class Tensor:
    """A tensor that NumPy cannot hold, or where NumPy is not installed. type: "float", "bfloat16", "string", ...;
    shape: dims; data: the elements in row-major order and the machine's byte order as a memoryview of bytes, types of
    4 and 2 bits packed; for strings a list of bytes."""
    type: str
    shape: Tuple[int, ...]
    data: Any


def numpy() -> Any:
    """The module, or None."""
    try:
        import numpy
        return numpy
    except ImportError:
        return None


class Values(Handle):
    """Values by name, for the library. kept: the memory of the caller that they use."""

    def __init__(self) -> None:
        super().__init__("opshift_values_free")
        self.kept: List[Any] = []

    def add(self, name: str, given: Any) -> None:
        value = self.make(given)
        pointer, value.pointer = value.pointer, c_void_p()  # it belongs to the collection now
        call("opshift_values_add", self.pointer, encode(name), pointer)

    def make(self, given: Any) -> Handle:
        if isinstance(given, Tensor):
            if given.type == "string":
                return strings(given.shape, given.data)
            return self.tensor(type_number(given.type), given.shape, given.data)
        if isinstance(given, (list, tuple)) and given and all(hasattr(item, "dtype") for item in given):
            return self.sequence(given)
        np = numpy()
        if np is None:
            raise TypeError(f"NumPy is not installed: give an opshift.Tensor instead of {type(given).__name__}")
        return self.array(np, np.asarray(given))

    def array(self, np: Any, array: Any) -> Handle:
        shape, kind = array.shape, array.dtype
        if kind.kind in "USO":
            items = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel().tolist()]
            return strings(shape, items)
        number = TYPES.get(kind.name)
        if number is None:
            raise TypeError(f"NumPy's type {kind.name} has no counterpart in ONNX; convert it first (astype)")
        array = np.ascontiguousarray(array, dtype=kind.newbyteorder("="))
        if array.ctypes.data % ALIGNMENT != 0:
            return tensor("opshift_value_tensor", number, shape, c_void_p(array.ctypes.data), array.nbytes)
        self.kept.append(array)
        return tensor("opshift_value_borrow", number, shape, c_void_p(array.ctypes.data), array.nbytes)

    def tensor(self, number: int, shape: Sequence[int], data: Any) -> Handle:
        kept, address, size = address_of(data)
        made = tensor("opshift_value_tensor", number, shape, address, size)
        del kept
        return made

    def sequence(self, given: Sequence[Any]) -> Handle:
        items = [self.make(item) for item in given]
        made = Handle("opshift_value_free")
        call("opshift_value_sequence", 0, (c_void_p * len(items))(*[item.pointer for item in items]), len(items),
             made.into)
        return made


def dims_of(shape: Sequence[int]) -> Any:
    return (c_int64 * max(1, len(shape)))(*[whole("a dim of the shape", dim, c_int64) for dim in shape])


def tensor(function: str, number: int, shape: Sequence[int], address: Any, size: int) -> Handle:
    made = Handle("opshift_value_free")
    call(function, number, len(shape), dims_of(shape), address, size, made.into)
    return made


def strings(shape: Sequence[int], given: Sequence[Union[str, bytes]]) -> Handle:
    made = Handle("opshift_value_free")
    items = [item if isinstance(item, bytes) else item.encode() for item in given]
    call("opshift_value_strings", len(shape), dims_of(shape), (c_char_p * max(1, len(items)))(*items),
         (c_size_t * max(1, len(items)))(*[len(item) for item in items]), len(items), made.into)
    return made


def type_number(name: str) -> int:
    for number in range(1, c.OPSHIFT_TYPE_COUNT):
        if text(lib.opshift_type_name(number)) == name:
            return number
    raise ValueError(f"'{name}' is no element type of ONNX")


def take(values: Handle, value: c_void_p) -> Any:
    """A value of a collection as Python has it. Elements stay in the collection, which lives as long as the array."""
    kind = lib.opshift_value_kind(value)
    if kind == c.OPSHIFT_VALUE_NOTHING:
        return None
    if kind == c.OPSHIFT_VALUE_SEQUENCE:
        return [take(values, c_void_p(lib.opshift_value_item(value, i))) for i in range(lib.opshift_value_count(value))]
    number, rank, np = lib.opshift_value_type(value), lib.opshift_value_rank(value), numpy()
    shape = tuple(lib.opshift_value_dims(value)[:rank]) if rank else ()
    if number == c.OPSHIFT_TYPE_STRING:
        return string_tensor(np, value, shape)
    size = c_size_t()
    data = lib.opshift_value_data(value, byref(size))
    buffer = (c_char * size.value).from_address(data or 0) if size.value else (c_char * 0)()
    setattr(buffer, "owner", values)
    if np is None or number not in DTYPES:
        return Tensor(text(lib.opshift_type_name(number)), shape, memoryview(buffer).cast("B").toreadonly())
    array = np.frombuffer(buffer, dtype=DTYPES[number]).reshape(shape)
    array.flags.writeable = False
    return array


def string_tensor(np: Any, value: c_void_p, shape: Tuple[int, ...]) -> Any:
    items, size = [], c_size_t()
    for index in range(lib.opshift_value_count(value)):
        start = lib.opshift_value_string(value, index, byref(size))
        items.append(string_at(start, size.value))
    if np is None:
        return Tensor("string", shape, items)
    made = np.empty(len(items), dtype=object)
    made[:] = [item.decode("utf-8", "surrogateescape") for item in items]
    return made.reshape(shape)
