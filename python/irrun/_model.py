"""A model: read, checked, run."""

import functools
import math
import os
import threading
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from irrun._native import Handles, encoded, ffi, lib, sized, text, walk, whole
from irrun._types import DTYPES, Diagnostic, Error, Layer, Value, layers_of, take_diagnostics, value_of

Source = str | os.PathLike[str] | bytes


def load(
    model: Source,
    weights: Source | None = None,
    *,
    shapes: Mapping[str, str] | None = None,
    threads: int = 0,
    max_memory: int = 0,
    max_time: float = 0,
    allow: Iterable[str] = (),
    deny: Iterable[str] = (),
    strict: bool = False,
    kernels: Literal["fast", "plain"] = "fast",
    skip_passes: Iterable[str] = (),
    precision: Literal["f32", "bf16", "f16"] = "f32",
) -> "Model":
    """Reads and checks a model: the path of its file, or what such a file holds, as bytes.

    `weights` is likewise the .bin; None: the one beside the file. `shapes` narrows inputs ({"x": "1,3,?,1..640"}).
    `threads`, `max_memory` (bytes), `max_time` (seconds), `allow`, `deny` (rules), `strict`, `kernels`, `skip_passes`
    (names such as "fuse") and `precision` are as the program's options --threads, --max-memory and so on; of numbers 0
    is the default. Raises Error when nothing could be read; a model with faults can be looked at, not run.
    """
    options = (threads, max_memory, max_time, ",".join(allow), ",".join(deny), strict, kernels, tuple(skip_passes), precision)
    return Model(model, weights, shapes or {}, *options)


def constant_of(kind: str, name: str) -> int:
    """IRRUN_KERNELS_PLAIN: what the C header calls it; a precision is a type, IRRUN_BF16."""
    between = "" if kind == "PRECISION" else f"{kind}_"
    value = getattr(lib, f"IRRUN_{between}{name.upper()}", None)
    if value is None:
        raise ValueError(f"{kind.lower()} {name!r}: irrun has none of that name")
    return int(value)


class Model:
    """Made by load(). Threads may share one; its calls wait for each other, those of different models do not."""

    def __init__(
        self, model: Source, weights: Source | None, shapes: Mapping[str, str], threads: int, max_memory: int,
        max_time: float, allow: str, deny: str, strict: bool, kernels: str, skip_passes: tuple[str, ...], precision: str
    ) -> None:  # fmt: skip
        self._args = (
            model, weights, dict(shapes), threads, max_memory, max_time, allow, deny, strict, kernels, skip_passes, precision
        )  # fmt: skip
        self._lock = threading.RLock()
        self._handles = Handles()
        self._context = self._handles.keep(lib.irrun_context_create(ffi.NULL), lib.irrun_context_free)
        self._runs_of: Any = None
        self._run: Any = None
        self._wanted: list[int] | None = None  # outputs that the run was asked for; None: all
        self._is_running = False
        self._is_cancelled = False  # before there was a run that could be
        self._raised: list[BaseException] = []  # by a signal's handler, while C code ran
        if allow:
            self._must(lib.irrun_context_allow(self._context, encoded(allow)))
        if deny:
            self._must(lib.irrun_context_deny(self._context, encoded(deny)))
        lib.irrun_context_set_strict(self._context, strict)
        lib.irrun_context_set_max_memory(self._context, max_memory)
        lib.irrun_context_set_max_time(self._context, _nanoseconds(max_time))
        lib.irrun_context_set_kernels(self._context, constant_of("KERNELS", kernels))
        lib.irrun_context_skip_passes(self._context, sum({constant_of("PASS", name) for name in skip_passes}))
        self._must(lib.irrun_context_set_precision(self._context, constant_of("PRECISION", precision)))
        self._must(lib.irrun_context_set_threads(self._context, threads))
        self._model, self._status = self._read(lib.IRRUN_TO_CHECK)
        self._found = take_diagnostics(self._context)
        if self._model == ffi.NULL:
            raise Error(self._status, self._found)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, self._args

    def __repr__(self) -> str:
        info = sized("irrun_model_info")
        lib.irrun_model_get_info(self._model, info)
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
        native order. Results are written straight into the arrays that are returned, or into those of `out`; where only
        the run tells a shape, they are copied. `cast` converts inputs of another element type. What an Assign sets is
        there for the next run, whatever outputs that asks for. Raises Error; what is only a warning becomes one of
        Python's. Ctrl-C ends a run of the main thread, as whatever a signal's handler raises does.
        """
        with self._lock:
            if self._is_running:
                raise RuntimeError("run() was called by a signal's handler during another run of this model")
            self._is_running = True
            try:
                return self._run_locked(inputs, outputs, out or {}, cast)
            finally:
                self._is_running = False
                self._forget_arrays()
                lib.irrun_context_clear_diagnostics(self._context)

    def cancel(self) -> None:
        """Ends the run that is going on in another thread, or else the next one, with an Error (IR705)."""
        self._is_cancelled = True
        if self._run is not None:
            lib.irrun_run_cancel(self._run)

    def reset_state(self) -> None:
        """Forgets what Assign layers have set: the next run begins with the first values of the variables."""
        with self._lock:
            if self._run is not None:
                lib.irrun_run_reset_state(self._run)

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
            path = ffi.NULL if weights is None else whole(os.fsencode(weights))
            status = lib.irrun_model_read_shaped(self._context, whole(os.fsencode(model)), path, *rest)
        return self._handles.keep(rest[-1][0], lib.irrun_model_free, model, weights), status

    def _ends(self, side: int) -> list[Value]:
        with self._lock:
            ends = walk(lib.irrun_model_get_io, "irrun_io", self._model, side)
            keys = (text(lib.irrun_model_get_key(self._model, side, i)) for i in range(len(ends)))
            return [value_of(end.value, key) for end, key in zip(ends, keys, strict=True)]

    # ---- running ----

    def _find(self, side: int, name: str) -> int:
        index = ffi.new("int64_t *")
        self._must(lib.irrun_model_find_name(self._runs_of, side, encoded(name), ffi.NULL, index))
        return int(index[0])

    def _read_to_run(self) -> None:
        if self._runs_of is not None:
            return
        model, status = self._read(lib.IRRUN_TO_RUN)
        if status != lib.IRRUN_OK and model != ffi.NULL:
            self._handles.free_last()
        self._must(status)
        self._runs_of = model
        lib.irrun_context_clear_diagnostics(self._context)  # of which check() has told

    def _begin(self, wanted: list[int] | None) -> Any:
        """The run of this model, which keeps variables, and its plan as long as that fits, for the next time."""
        if self._run is None:
            out = ffi.new("irrun_run **")
            self._must(lib.irrun_run_create(self._runs_of, out))
            meanwhile = _meanwhile(out[0], self._raised)
            self._run = self._handles.keep(out[0], lib.irrun_run_free, meanwhile)
            lib.irrun_run_meanwhile(self._run, meanwhile, ffi.NULL)
            if self._is_cancelled:
                lib.irrun_run_cancel(self._run)
        if self._wanted != wanted:
            self._wanted = [-1]  # until all of this is done
            lib.irrun_run_request_all(self._run)
            for output in wanted or ():
                self._must(lib.irrun_run_request_output(self._run, output))
            self._wanted = wanted
        return self._run

    def _set(self, run: Any, index: int, array: NDArray[Any], cast: bool) -> None:
        out = ffi.new("irrun_tensor **")
        dims = ffi.new("int64_t[]", array.shape or (0,))
        data = ffi.cast("void *", array.ctypes.data)
        element_type = _element_type(array.dtype)
        self._must(lib.irrun_tensor_borrow(self._context, element_type, array.ndim, dims, data, array.nbytes, out))
        self._must(lib.irrun_run_set_input(run, index, out[0], cast, ffi.NULL))

    def _place(self, run: Any, index: int, given: NDArray[Any] | None) -> NDArray[Any] | None:
        """The array that output `index` is going to be written to; None where only the run tells its shape and the
        caller has not given one."""
        info = ffi.new("irrun_tensor_info *")
        if lib.irrun_run_output_info(run, index, info):
            array = np.empty(*_form(info)) if given is None else _writable(given, info)
        elif given is None:
            return None
        else:
            array = _writable(given)
        self._must(lib.irrun_run_set_output(run, index, ffi.cast("void *", array.ctypes.data), array.nbytes))
        return array

    def _result(self, run: Any, index: int, array: NDArray[Any] | None) -> NDArray[Any]:
        """What was computed, in the array that has its place, or a copy of it."""
        info = lib.irrun_tensor_get_info(lib.irrun_run_output(run, index))
        if array is not None:
            return _writable(array, info)
        copy = np.empty(*_form(info))
        ffi.memmove(ffi.cast("void *", copy.ctypes.data), info.data, info.bytes)
        return copy

    def _run_locked(
        self, inputs: Mapping[str, ArrayLike], outputs: Iterable[str] | None, out: Mapping[str, NDArray[Any]],
        cast: bool
    ) -> dict[str, NDArray[Any]]:  # fmt: skip
        names = None if outputs is None else list(outputs)
        self._read_to_run()
        arrays = {self._find(lib.IRRUN_INPUTS, name): _readable(value) for name, value in inputs.items()}
        if len(arrays) < len(inputs):
            raise ValueError(f"inputs: two of {list(inputs)} name one input")
        given = {self._find(lib.IRRUN_OUTPUTS, name): array for name, array in out.items()}
        if len(given) < len(out):
            raise ValueError(f"out: two of {list(out)} name one output")
        all_names = [value.name or "" for value in self.outputs] if names is None else names
        wanted = {name: self._find(lib.IRRUN_OUTPUTS, name) for name in [*all_names, *out]}
        run = self._begin(None if names is None else sorted(set(wanted.values())))
        for index, array in arrays.items():
            self._set(run, index, array, cast)
        self._must(lib.irrun_run_plan(run))
        places = {index: self._place(run, index, given.get(index)) for index in set(wanted.values())}
        status = lib.irrun_run_execute(run)
        if self._raised:
            error = self._raised[0]
            self._raised.clear()
            raise error
        self._must(status)
        for diagnostic in take_diagnostics(self._context):
            if diagnostic.severity != "note":
                warnings.warn(str(diagnostic), RuntimeWarning, stacklevel=3)
        results = {index: self._result(run, index, place) for index, place in places.items()}
        return {name: results[index] for name, index in wanted.items()}

    def _forget_arrays(self) -> None:
        """The caller's and the results: the run outlives them."""
        if self._run is not None:
            for index in range(len(self.inputs)):
                lib.irrun_run_set_input(self._run, index, ffi.NULL, False, ffi.NULL)
            for index in range(len(self.outputs)):
                lib.irrun_run_set_output(self._run, index, ffi.NULL, 0)


def _meanwhile(run: Any, raised: list[BaseException]) -> Any:
    """Called now and then by the thread that runs C code. As every Python function it lets the handlers of signals run
    first when it is in the main thread; what one of them raises ends the run."""

    def keep(_: object, error: BaseException, __: object) -> None:
        raised.append(error)
        lib.irrun_run_cancel(run)

    return ffi.callback("void(void *)", lambda _: None, onerror=keep)


def _nanoseconds(seconds: float) -> int:
    if not 0 <= seconds < 2**33:
        raise ValueError(f"max_time: expected seconds, or 0 for any time, got {seconds}")
    return math.ceil(seconds * 1e9)


def _form(info: Any) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
    """Shape and dtype of a tensor."""
    name = text(lib.irrun_type_name(info.type)) or "dynamic"
    if name not in DTYPES:
        raise TypeError(f"NumPy has no type for elements of {name}")
    return tuple(info.dims[0 : info.rank]), DTYPES[name]


def _writable(array: NDArray[Any], info: Any = None) -> NDArray[Any]:
    """ValueError where a tensor, or one like that of `info`, does not fit into the array."""
    fits = array.flags.carray and array.dtype.isnative
    if info is None and not fits:
        raise ValueError(f"out: expected a writable, row-major array, got {array.dtype} {list(array.shape)}")
    if info is not None and not (fits and (array.shape, array.dtype) == _form(info)):
        shape, dtype = _form(info)
        raise ValueError(f"out: expected a writable, row-major array of {dtype} {list(shape)}, got {array.dtype} "
                         f"{list(array.shape)}")  # fmt: skip
    return array


def _element_type(dtype: "np.dtype[Any]") -> int:
    for name, known in DTYPES.items():
        if known == dtype:
            return int(getattr(lib, f"IRRUN_{name.upper()}"))
    raise TypeError(f"no element type of a model is {dtype}")


def _readable(value: ArrayLike) -> NDArray[Any]:
    """A view of its own, so that another thread can change elements, but neither shape nor place."""
    array = np.asarray(value).view(np.ndarray)
    return np.require(array, array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="), ["C", "A"])
