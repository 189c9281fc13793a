"""A model: read, checked, run."""

import functools
import os
import threading
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from irrun._native import Handles, encoded, ffi, lib, sized, text, walk
from irrun._types import DTYPES, Diagnostic, Error, Layer, Value, layers_of, take_diagnostics, value_of

Source = str | os.PathLike[str] | bytes


def load(
    model: Source,
    weights: Source | None = None,
    *,
    shapes: Mapping[str, str] | None = None,
    threads: int = 0,
    max_memory: int = 0,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    strict: bool = False,
    kernels: Literal["fast", "plain"] = "fast",
    skip_passes: Iterable[str] = (),
) -> "Model":
    """Reads and checks a model: the path of its file, or what such a file holds, as bytes.

    `weights` is likewise the .bin; None: the one beside the file. `shapes` narrows inputs ({"x": "1,3,?,1..640"}).
    `threads`, `max_memory` (bytes), `allow`, `deny` (rules), `strict`, `kernels` and `skip_passes` (names such as
    "fuse") are as the program's options --threads, --max-memory and so on; of numbers 0 is the default. Raises Error
    when nothing could be read; a model with faults can be looked at, not run.
    """
    options = (threads, max_memory, ",".join(allow), ",".join(deny), strict, kernels, tuple(skip_passes))
    return Model(model, weights, shapes or {}, *options)


def constant_of(kind: str, name: str) -> int:
    """IRRUN_KERNELS_PLAIN: what the C header calls it."""
    value = getattr(lib, f"IRRUN_{kind}_{name.upper()}", None)
    if value is None:
        raise ValueError(f"{kind.lower()} {name!r}: irrun has none of that name")
    return int(value)


class Model:
    """Made by load(). Threads may share one; its calls wait for each other, those of different models do not."""

    def __init__(
        self, model: Source, weights: Source | None, shapes: Mapping[str, str], threads: int, max_memory: int,
        allow: str, deny: str, strict: bool, kernels: str, skip_passes: tuple[str, ...]
    ) -> None:  # fmt: skip
        self._args = (model, weights, dict(shapes), threads, max_memory, allow, deny, strict, kernels, skip_passes)
        self._lock = threading.RLock()
        self._handles = Handles()
        self._context = self._handles.keep(lib.irrun_context_create(ffi.NULL), lib.irrun_context_free)
        self._runs_of: Any = None
        self._run: Any = None
        self._run_key: Any = None
        if allow:
            self._must(lib.irrun_allow(self._context, encoded(allow)))
        if deny:
            self._must(lib.irrun_deny(self._context, encoded(deny)))
        lib.irrun_set_strict(self._context, strict)
        lib.irrun_set_max_memory(self._context, max_memory)
        lib.irrun_set_kernels(self._context, constant_of("KERNELS", kernels))
        lib.irrun_skip_passes(self._context, sum({constant_of("PASS", name) for name in skip_passes}))
        self._must(lib.irrun_set_threads(self._context, threads))
        self._model, self._status = self._read(lib.IRRUN_TO_CHECK)
        self._found = take_diagnostics(self._context)
        if self._model == ffi.NULL:
            raise Error(self._status, self._found)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, self._args

    def __repr__(self) -> str:
        info = sized("irrun_model_info")
        lib.irrun_get_model(self._model, info)
        return f"<irrun.Model {text(info.path)!r}>"

    def check(self) -> list[Diagnostic]:
        """All that was found of the model: errors, warnings, notes, in the order of their places."""
        return list(self._found)

    @functools.cached_property
    def layers(self) -> list[Layer]:
        with self._lock:
            return layers_of(self._model)

    @functools.cached_property
    def inputs(self) -> list[Value]:
        return self._ends(lib.IRRUN_INPUTS)

    @functools.cached_property
    def outputs(self) -> list[Value]:
        return self._ends(lib.IRRUN_OUTPUTS)

    def run(
        self,
        inputs: Mapping[str, ArrayLike],
        outputs: Iterable[str] | None = None,
        *,
        out: Mapping[str, NDArray[Any]] | None = None,
        cast: bool = False,
    ) -> dict[str, NDArray[Any]]:
        """Computes `outputs`, or all of them, from tensors by name.

        An array, or whatever has the buffer protocol, is not copied when its elements are aligned, row-major and in
        native order. Results are written straight into the arrays that are returned, or into those of `out`. `cast`
        converts inputs of another element type. Raises Error; what is only a warning becomes one of Python's.
        """
        with self._lock:
            try:
                return self._run_locked(inputs, outputs, out or {}, cast)
            finally:
                lib.irrun_clear_diagnostics(self._context)

    # ---- reading ----

    def _must(self, status: int) -> None:
        if status != lib.IRRUN_OK:
            raise Error(status, take_diagnostics(self._context))

    def _read(self, purpose: int) -> tuple[Any, int]:
        model, weights, shapes, *_ = self._args
        lines = [ffi.new("char[]", encoded(f"{name}={shape}")) for name, shape in shapes.items()]
        rest = (purpose, ffi.new("char *[]", lines), len(lines), ffi.new("irrun_model **"))
        if isinstance(model, bytes):
            if not isinstance(weights, bytes | None):
                raise TypeError("the weights of a model that is given as bytes are bytes too")
            buffers = [ffi.new("irrun_buffer *", (ffi.from_buffer(b), len(b))) for b in (model, weights or b"")]
            constants = ffi.NULL if weights is None else buffers[1]
            status = lib.irrun_model_read_memory(self._context, b"<bytes>", buffers[0][0], constants, *rest)
        else:
            if isinstance(weights, bytes):
                raise TypeError("the weights of a model that is given as a file are a file too")
            path = ffi.NULL if weights is None else os.fsencode(weights)
            status = lib.irrun_model_read_shaped(self._context, os.fsencode(model), path, *rest)
        return self._handles.keep(rest[-1][0], lib.irrun_model_free, model, weights), status

    def _ends(self, side: int) -> list[Value]:
        with self._lock:
            ends = walk(lib.irrun_get_io, "irrun_io", self._model, side)
            keys = (text(lib.irrun_get_key(self._model, side, i)) for i in range(len(ends)))
            return [value_of(end.value, key) for end, key in zip(ends, keys, strict=True)]

    # ---- running ----

    def _find(self, side: int, name: str) -> int:
        index = ffi.new("int64_t *")
        self._must(lib.irrun_find_name(self._runs_of, side, encoded(name), ffi.NULL, index))
        return int(index[0])

    def _begin(self, given: set[int], wanted: list[int] | None) -> Any:
        """The run of last time, with its plan, when it is of the same inputs and outputs."""
        key = (given, wanted)
        if self._run is None or self._run_key != key:
            out = ffi.new("irrun_run **")
            if self._run is not None:
                self._handles.free_last()
                self._run = None
            self._must(lib.irrun_run_create(self._runs_of, out))
            self._run = self._handles.keep(out[0], lib.irrun_run_free)
            self._run_key = key
            for output in wanted or ():
                self._must(lib.irrun_run_want(self._run, output))
        return self._run

    def _set(self, run: Any, index: int, array: NDArray[Any], cast: bool) -> None:
        out = ffi.new("irrun_tensor **")
        dims = ffi.new("int64_t[]", array.shape or (0,))
        data = ffi.cast("void *", array.ctypes.data)
        element_type = _element_type(array.dtype)
        self._must(lib.irrun_tensor_borrow(self._context, element_type, array.ndim, dims, data, array.nbytes, out))
        self._must(lib.irrun_run_set_input(run, index, out[0], cast, ffi.NULL))

    def _place(self, run: Any, index: int, array: NDArray[Any] | None) -> NDArray[Any] | None:
        """The array that output `index` is going to be written to; None when the run cannot be planned."""
        info = ffi.new("irrun_tensor_info *")
        if not lib.irrun_run_foresee(run, index, info):
            return None
        shape, dtype = tuple(info.dims[0 : info.rank]), DTYPES[text(lib.irrun_type_name(info.type)) or ""]
        if array is None:
            array = np.empty(shape, dtype)
        elif array.shape != shape or array.dtype != dtype or not (array.flags.carray and array.dtype.isnative):
            raise ValueError(f"out: expected a writable, row-major array of {dtype} {list(shape)}, got {array.dtype} "
                             f"{list(array.shape)}")  # fmt: skip
        self._must(lib.irrun_run_set_output(run, index, ffi.cast("void *", array.ctypes.data), array.nbytes))
        return array

    def _run_locked(
        self, inputs: Mapping[str, ArrayLike], outputs: Iterable[str] | None, out: Mapping[str, NDArray[Any]],
        cast: bool
    ) -> dict[str, NDArray[Any]]:  # fmt: skip
        if self._runs_of is None:
            model, status = self._read(lib.IRRUN_TO_RUN)
            if status != lib.IRRUN_OK and model != ffi.NULL:
                self._handles.free_last()
            self._must(status)
            self._runs_of = model
            lib.irrun_clear_diagnostics(self._context)  # of which check() has told
        arrays = {self._find(lib.IRRUN_INPUTS, name): _readable(value) for name, value in inputs.items()}
        names = list(outputs) if outputs is not None else [value.name or "" for value in self.outputs]
        wanted = {name: self._find(lib.IRRUN_OUTPUTS, name) for name in [*names, *out]}
        given_out = {self._find(lib.IRRUN_OUTPUTS, name): array for name, array in out.items()}
        run = self._begin(set(arrays), None if outputs is None else sorted(set(wanted.values())))
        for index, array in arrays.items():
            self._set(run, index, array, cast)
        self._must(lib.irrun_run_plan(run))
        results = {name: self._place(run, index, given_out.get(index)) for name, index in wanted.items()}
        self._must(lib.irrun_run_execute(run))
        for diagnostic in take_diagnostics(self._context):
            if diagnostic.severity == "note":
                continue
            warnings.warn(str(diagnostic), RuntimeWarning, stacklevel=4)
        return {name: array for name, array in results.items() if array is not None}


def _element_type(dtype: "np.dtype[Any]") -> int:
    for name, known in DTYPES.items():
        if known == dtype:
            return int(getattr(lib, f"IRRUN_{name.upper()}"))
    raise TypeError(f"no element type of a model is {dtype}")


def _readable(value: ArrayLike) -> NDArray[Any]:
    array = np.asarray(value)
    return np.require(array, array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="), ["C", "A"])
