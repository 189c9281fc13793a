"""What irrun tells: diagnostics, errors, layers and values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from numpy.typing import ArrayLike, NDArray

from irrun._native import lib, new, sized, text, texts, walk
from irrun._words import in_python

try:
    import ml_dtypes

    NARROW = {
        "bf16": np.dtype(ml_dtypes.bfloat16),
        "f8e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
        "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
        "f8e8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
    }
except (ImportError, AttributeError):  # none, or one from before 0.5
    NARROW = {"bf16": np.dtype("V2")}  # its bytes, as in .npy files

DTYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype("f2"),
    "f32": np.dtype("f4"),
    "f64": np.dtype("f8"),
    **NARROW,
    "boolean": np.dtype("?"),
    **{f"{kind}{bits}": np.dtype(f"{kind}{bits // 8}") for kind in "iu" for bits in (8, 16, 32, 64)},
}


class Status(IntEnum):
    """By cause; the numbers are the exit statuses of the program."""

    OK = lib.IRRUN_OK
    DIFFERS = lib.IRRUN_DIFFERS
    USAGE = lib.IRRUN_USAGE
    INVALID = lib.IRRUN_INVALID
    UNSUPPORTED = lib.IRRUN_UNSUPPORTED
    BAD_DATA = lib.IRRUN_BAD_DATA
    IO = lib.IRRUN_IO
    INTERNAL = lib.IRRUN_INTERNAL


@dataclass(frozen=True)
class Diagnostic:
    """One fault, warning or note; str() is the line that the program prints, with its options in words of Python."""

    rule: str | None  #: "IR304"; None of the notes that are attached to another
    slug: str | None  #: "kernel-exceeds-input"
    severity: str  #: "note", "warning" or "error"
    message: str
    file: str
    line: int  #: from 1, as the columns; 0 when there is no such place
    column: int
    end_column: int
    offset: int  #: in a binary file; -1 when there is none
    excerpt: str | None  #: text of the line
    layer_id: str | None
    layer_name: str | None
    layer_op: str | None
    layer_inside: tuple[str, ...]  #: names of the layers in whose bodies it lies
    attribute: str | None
    pointer: str | None  #: of the place in JSON
    hint: str | None  #: what to do
    more: int  #: other layers of which the same is to be said
    notes: tuple["Diagnostic", ...] = ()

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line > 0 else f":0x{self.offset:x}" if self.offset >= 0 else ""
        where = f"{self.file}{place}: " if self.file else ""
        rule = f" [{self.rule} {self.slug}]" if self.rule else ""
        return f"{where}{self.severity}: {self.message}{rule}"


def _diagnostic(d: Any, notes: tuple[Diagnostic, ...] = ()) -> Diagnostic:
    hint = text(d.hint)
    return Diagnostic(
        text(d.rule), text(d.slug), ("note", "warning", "error")[d.severity], in_python(text(d.message) or ""),
        text(d.file) or "",
        d.line, d.column, d.end_column, d.offset, text(d.excerpt), text(d.layer_id), text(d.layer_name),
        text(d.layer_op), texts(d.layer_inside, d.n_inside), text(d.attribute), text(d.pointer),
        None if hint is None else in_python(hint), d.n_more,
        notes,
    )  # fmt: skip


def take_diagnostics(context: Any) -> list[Diagnostic]:
    """All of the context, which forgets them."""
    found = []
    for i, d in enumerate(walk(lib.irrun_context_get_diagnostic, "irrun_diagnostic", context)):
        notes = walk(lib.irrun_context_get_note, "irrun_diagnostic", context, i)
        found.append(_diagnostic(d, tuple(_diagnostic(note) for note in notes)))
    lib.irrun_context_clear_diagnostics(context)
    return found


class Error(Exception):
    """A call that failed: `diagnostics` say why, `status` is the cause."""

    def __init__(self, status: int, diagnostics: list[Diagnostic]) -> None:
        super().__init__(status, diagnostics)
        self.status = Status(status)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        errors = [d for d in self.diagnostics if d.severity == "error"]
        return "\n".join(str(d) + (f"\n  hint: {d.hint}" if d.hint else "") for d in errors)


MOST = 2**63 - 1  # the C library's: no most size
Dim = int | tuple[int, int | None]  # (least, most); None: no most


@dataclass(frozen=True)
class Value:
    """Type and shape of an input or output."""

    type: str | None  #: "f32"; None when it is not known
    shape: tuple[Dim, ...] | None  #: sizes, (least, most) of an open one; None when the rank is not known
    name: str | None = None  #: of the model's own inputs and outputs

    @property
    def dtype(self) -> "np.dtype[Any]":
        """NumPy's. KeyError when it has none."""
        return DTYPES[self.type or "unknown"]

    def __str__(self) -> str:
        """As the program prints it: "f32[1,3,?,32..640]"."""
        if self.type is None:
            return "?"
        shape = new("irrun_shape *", {"rank": -1 if self.shape is None else len(self.shape)})
        for i, dim in enumerate(self.shape or ()):
            lo, hi = dim if isinstance(dim, tuple) else (dim, dim)
            shape.dims[i].lo, shape.dims[i].hi = lo, MOST if hi is None else hi
        buffer = new("char[]", 1024)  # it has a name, so it lives until `text` has read it
        dims = text(lib.irrun_shape_text(shape, buffer, len(buffer))) or ""
        return ("?" if self.type == "dynamic" else self.type) + dims


Key = str | int | Value  #: of an input or output: its name, its number from 0, or itself, as `model.inputs` has it
#: Of a run: arrays by Key; a list or tuple of them, in the model's order; or the array of the first input.
Inputs = Mapping[Any, ArrayLike] | Sequence[Any] | ArrayLike


class Results(dict[str, NDArray[Any]]):
    """The outputs of a run by name; also results.name, results[number] and results[model.outputs[number]]."""

    def __missing__(self, key: Key) -> NDArray[Any]:
        if isinstance(key, Value) and key.name is not None and key.name in self:
            return self[key.name]
        if isinstance(key, int) and 0 <= key < len(self):
            return list(self.values())[key]
        raise KeyError(f"no result {key!r}; there are {', '.join(map(repr, self))}")

    def __getitem__(self, key: Key) -> NDArray[Any]:
        return super().__getitem__(key)  # type: ignore[index]

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name in self:
            return self[name]
        raise AttributeError(f"no result {name!r}; there are {', '.join(map(repr, self))}")

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self]


def by_key(inputs: Inputs, n: int) -> Mapping[Any, ArrayLike]:
    """The inputs of a run, by name or number. `n` is how many the model has."""
    if isinstance(inputs, Mapping):
        return inputs
    arrays = inputs if isinstance(inputs, list | tuple) else [inputs]
    if len(arrays) > n:
        raise ValueError(
            f"inputs: the model has {n}, got {len(arrays)} by position; a list has an array for each input: numbers of one "
            "are numpy.array(...)"
        )
    return dict(enumerate(arrays))


def readable(value: ArrayLike) -> NDArray[Any]:
    """A view of its own, so that another thread can change elements, but neither shape nor place."""
    array = np.asarray(value).view(np.ndarray)
    return np.require(array, array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="), ["C", "A"])


def gathered(arrays: tuple[Any, ...], named: Mapping[str, ArrayLike]) -> Inputs:
    """The inputs of a call, as model(x), model(a, b), model({"x": x}) or model(x=x)."""
    if not named:
        return arrays[0] if len(arrays) == 1 else list(arrays)
    return {**dict(enumerate(arrays)), **named}


def value_of(value: Any, name: str | None = None) -> Value:
    if not value.known:
        return Value(None, None, name)
    dims = [(d.lo, d.hi) for d in value.shape.dims[0 : max(value.shape.rank, 0)]]
    shape = tuple(lo if lo == hi else (lo, None if hi == MOST else hi) for lo, hi in dims)
    return Value(text(lib.irrun_type_name(value.type)), shape if value.shape.rank >= 0 else None, name)


@dataclass(frozen=True)
class Layer:
    """In the order of the file; the layers of bodies stand behind those of the model itself."""

    id: str
    name: str
    type: str  #: "AvgPool"
    version: int  #: of the op; -1 when no opset has it
    opset: str
    inside: tuple[str, ...]  #: names of the layers in whose bodies it lies
    runnable: bool
    live: bool  #: some output of the model needs it
    varies: bool  #: its results can differ from run to run
    line: int
    column: int
    attributes: dict[str, str | None]  #: as the file has them; None where that is no value
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]


def _attributes(model: Any, index: int, n: int) -> dict[str, str | None]:
    found = {}
    name, value = new("const char **"), new("const char **")
    for i in range(n):
        lib.irrun_model_get_layer_attribute(model, index, i, name, value)
        found[text(name[0]) or ""] = text(value[0])
    return found


def layers_of(model: Any) -> list[Layer]:
    found: list[Layer] = []
    layer = sized("irrun_layer")
    while lib.irrun_model_get_layer(model, len(found), layer):
        index = len(found)
        inputs = walk(lib.irrun_model_get_layer_input, "irrun_value", model, index)
        outputs = walk(lib.irrun_model_get_layer_output, "irrun_value", model, index)
        found.append(
            Layer(
                text(layer.id) or "", text(layer.name) or "", text(layer.type) or "", layer.version,
                text(layer.opset) or "", texts(layer.inside, layer.n_inside), layer.runnable, layer.live, layer.varies,
                layer.line, layer.column, _attributes(model, index, layer.n_attributes), tuple(map(value_of, inputs)),
                tuple(map(value_of, outputs)),
            )
        )  # fmt: skip
    return found
