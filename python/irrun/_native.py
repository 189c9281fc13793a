"""The C library beside this file. Its headers, which lie there too, are all that describes it."""

import contextlib
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from cffi import FFI
from numpy.typing import NDArray

T = TypeVar("T")

_FOLDER = Path(__file__).parent

Source = str | os.PathLike[str] | bytes  # of a model: the path of its file, or what it holds


def _declarations(header: str) -> str:
    """The header without what cffi does not read: C++, and directives other than numbers."""
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.DOTALL)
    header = re.sub(r"^#(?!define \w+ +\d+$).*\n", "", header, flags=re.MULTILINE)
    return header.replace("IRRUN_NODISCARD ", "").replace("IRRUN_API ", "")


_header = (_FOLDER / "irrun.h").read_text(encoding="utf-8")
_version = re.search(r'define IRRUN_VERSION +"(.*)"', _header)
assert _version is not None
VERSION: str = _version[1]

ffi = FFI()
for _more in ("irrun_edit.h", "irrun_state.h", "irrun_stats.h", "irrun_compare.h", "irrun_debug.h"):
    _header += (_FOLDER / _more).read_text(encoding="utf-8")
ffi.cdef(_declarations(_header))
# A call gives up the GIL for as long as it lasts.
lib: Any = ffi.dlopen(str(_FOLDER / "libirrun.so"))

# cffi looks up a function, and parses a type, when it is first used, and holds a lock meanwhile. A signal's handler that
# needed the lock then would wait for ever. So all of it is done here; one parse of all types is the quickest.
for _name in dir(lib):
    getattr(lib, _name)
_SIZED = ("conversion", "diagnostic", "io", "layer", "model_info", "stats_info", "value", "variable")  # for sized()
_NAMES = (
    "char[]", "char *[]", "const char **", "double *", "int64_t *", "int64_t[]", "irrun_buffer *",
    "irrun_edit **", "irrun_model **", "irrun_run **", "irrun_shape *", "irrun_stats **", "irrun_tensor **",
    "irrun_tensor_info *", "void *", *(f"irrun_{name} *" for name in _SIZED),
)  # fmt: skip
_pointers = (f"{item}(*){bracket}{n}" for item, bracket, n in (name.partition("[") for name in _NAMES))
_TYPES = {name: pointer.item for name, pointer in zip(_NAMES, ffi.typeof(f"void(*)({','.join(_pointers)})").args, strict=True)}


def new(name: str, value: Any = None) -> Any:
    """ffi.new() of a type in _NAMES."""
    return ffi.new(_TYPES[name], value)


def address(array: NDArray[Any]) -> Any:
    return ffi.cast(_TYPES["void *"], array.ctypes.data)


def text(pointer: Any) -> str | None:
    """None for NULL. Names need not be UTF-8: what is not comes back as it was in `encoded`."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "surrogateescape")


def texts(pointer: Any, n: int) -> tuple[str, ...]:
    return tuple(text(pointer[i]) or "" for i in range(n))


def encoded(value: str) -> bytes:
    """For C, where a NUL would end it: ValueError."""
    return whole(value.encode("utf-8", "surrogateescape"))


def whole(value: bytes) -> bytes:
    if b"\0" in value:
        raise ValueError(f"a name, a path or a rule has no NUL in it: {value!r}")
    return value


class Turn:
    """Lets one call at a time use what is of C. Calls of other threads wait. A signal's handler, which runs amid a call of
    its own thread, gets a RuntimeError."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.is_taken = False

    def __call__(self, call: Callable[..., T], *args: Any) -> T:
        with self._lock:
            if self.is_taken:
                raise RuntimeError("a signal's handler called this during another call; only cancel() is allowed then")
            self.is_taken = True
            try:
                return call(*args)
            finally:
                self.is_taken = False


class Handles:
    """Handles that are freed in the order that the library wants: what was made last first. The garbage collector has
    no order of its own."""

    def __init__(self) -> None:
        self._made: list[tuple[Any, Callable[[Any], None], tuple[Any, ...]]] = []

    def keep(self, handle: Any, free: Callable[[Any], None], *needs: Any) -> Any:
        """`needs` live as long as the handle."""
        if handle != ffi.NULL:
            self._made.append((handle, free, needs))
        return handle

    def nested(self) -> "Handles":
        """Handles that are freed before those that were made earlier: by release(), or together with them."""
        return self.keep(Handles(), Handles.free)  # type: ignore[no-any-return]

    def release(self, nested: "Handles") -> None:
        nested.free()  # before anything else: a signal's handler can raise between two lines
        with contextlib.suppress(ValueError):  # freed already
            self._made.remove((nested, Handles.free, ()))

    def free_last(self) -> None:
        handle, free, _ = self._made.pop()
        free(handle)

    def free(self) -> None:
        while self._made:
            self.free_last()

    def __del__(self) -> None:
        self.free()


def sized(struct: str) -> Any:
    """A struct that begins with its size, for a call that fills it."""
    name = f"{struct} *"
    return new(name, {"size": ffi.sizeof(_TYPES[name].item)})


def walk(get: Callable[..., bool], struct: str, *args: Any) -> list[Any]:
    """What get(*args, 0, out), get(*args, 1, out) and so on give, up to the first false."""
    found: list[Any] = []
    out = sized(struct)
    while get(*args, len(found), out):
        found.append(out)
        out = sized(struct)
    return found
