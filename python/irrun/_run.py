"""One run of a model: its plan, its variables, and its context. Threads may use several runs of a model at once."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from irrun._native import Handles, encoded, ffi, lib, text, walk
from irrun._stats import Gathering
from irrun._types import DTYPES, Diagnostic, Error, Results, take_diagnostics

Arrays = dict[str, NDArray[Any]]


class Job(NamedTuple):
    """What a run computes. Numbers are those of the model's inputs and outputs."""

    inputs: dict[int, NDArray[Any]]
    names: dict[str, int]  # the outputs to return
    requested: list[int] | None  # the outputs to compute; None: all
    places: dict[int, NDArray[Any]]  # arrays of the caller for outputs
    cast: bool


def check(context: Any, status: int) -> None:
    if status != lib.IRRUN_OK:
        raise Error(status, take_diagnostics(context))


class Run:
    """One thread uses it at a time; another one can call cancel()."""

    def __init__(self, model: Any, context: Any, handles: Handles, calls_handlers: bool) -> None:
        self.context = context
        self._handles = handles  # another thread can call cancel() while they would be freed
        self._requested: list[int] | None = None
        self._raised: list[BaseException] = []  # by a signal's handler, while C code ran
        out = ffi.new("irrun_run **")
        check(context, lib.irrun_run_create_in(context, model, out))
        meanwhile = _meanwhile(out[0], self._raised) if calls_handlers else ffi.NULL
        self._run = handles.keep(out[0], lib.irrun_run_free, meanwhile)
        lib.irrun_run_meanwhile(self._run, meanwhile, ffi.NULL)

    def cancel(self) -> None:
        lib.irrun_run_cancel(self._run)

    def reset_state(self) -> None:
        lib.irrun_run_reset_state(self._run)

    def state(self) -> Arrays:
        """Copies of the variables that are set."""
        variables = walk(lib.irrun_run_get_variable, "irrun_variable", self._run)
        state = {}
        for i, variable in enumerate(variables):
            value = lib.irrun_run_read_variable(self._run, i)
            if value == ffi.NULL and variable.is_set:
                raise MemoryError
            if value != ffi.NULL:
                state[text(variable.id) or ""] = _copy(lib.irrun_tensor_get_info(value))
        return state

    def set_state(self, arrays: Arrays) -> None:
        before = self.state()
        self.reset_state()
        try:
            for name, array in arrays.items():
                self._set_variable(name, array)
        except BaseException:
            self.reset_state()
            for name, array in before.items():
                self._set_variable(name, array)
            raise
        finally:
            lib.irrun_context_clear_diagnostics(self.context)

    def _set_variable(self, name: str, array: NDArray[Any]) -> None:
        self._must(lib.irrun_run_set_variable(self._run, encoded(name), self._borrow(array), ffi.NULL))

    def compute(self, job: Job) -> tuple[Results, list[Diagnostic]]:
        """The outputs, and what was reported meanwhile. Keeps no array."""
        try:
            return self._compute(job)
        finally:
            self._forget_arrays(job)
            lib.irrun_context_clear_diagnostics(self.context)

    def gather(self, job: Job, gathering: Gathering) -> tuple[Results, list[Diagnostic]]:
        """compute() that adds the result of each layer. The plan is lost before and after."""
        visitor = gathering.visitor(self._raised)
        lib.irrun_run_visit_bodies(self._run, visitor, ffi.NULL)
        try:
            return self.compute(job)
        finally:
            lib.irrun_run_visit_bodies(self._run, ffi.NULL, ffi.NULL)

    def _compute(self, job: Job) -> tuple[Results, list[Diagnostic]]:
        self._request(job.requested)
        for index, array in job.inputs.items():
            self._set(index, array, job.cast)
        self._must(lib.irrun_run_plan(self._run))
        places = {index: self._place(index, job.places.get(index)) for index in set(job.names.values())}
        status = lib.irrun_run_execute(self._run)
        if self._raised:
            error = self._raised[0]
            self._raised.clear()
            raise error
        self._must(status)
        found = take_diagnostics(self.context)
        results = {index: self._result(index, place, job.places.get(index)) for index, place in places.items()}
        return Results({name: results[index] for name, index in job.names.items()}), found

    def _must(self, status: int) -> None:
        check(self.context, status)

    def _request(self, requested: list[int] | None) -> None:
        if self._requested == requested:
            return
        self._requested = [-1]  # until all of this is done
        lib.irrun_run_request_all(self._run)
        for output in requested or ():
            self._must(lib.irrun_run_request_output(self._run, output))
        self._requested = requested

    def _borrow(self, array: NDArray[Any]) -> Any:
        """A tensor that reads the array."""
        out = ffi.new("irrun_tensor **")
        dims = ffi.new("int64_t[]", array.shape or (0,))
        data = ffi.cast("void *", array.ctypes.data)
        element_type = _element_type(array.dtype)
        self._must(lib.irrun_tensor_borrow(self.context, element_type, array.ndim, dims, data, array.nbytes, out))
        return out[0]

    def _set(self, index: int, array: NDArray[Any], cast: bool) -> None:
        self._must(lib.irrun_run_set_input(self._run, index, self._borrow(array), cast, ffi.NULL))

    def _place(self, index: int, given: NDArray[Any] | None) -> NDArray[Any] | None:
        """The array that output `index` is going to be written to; None where only the run tells its shape: what it
        writes has to fit."""
        info = ffi.new("irrun_tensor_info *")
        if not lib.irrun_run_output_info(self._run, index, info):
            return None
        shape, dtype = _form(info)
        array = np.empty(shape, dtype) if given is None else writable(given, dtype, shape)
        self._must(lib.irrun_run_set_output(self._run, index, ffi.cast("void *", array.ctypes.data), array.nbytes))
        return array

    def _result(self, index: int, place: NDArray[Any] | None, given: NDArray[Any] | None) -> NDArray[Any]:
        """What was computed, in the array that has its place, or copied to `given` or a new one."""
        info = lib.irrun_tensor_get_info(lib.irrun_run_output(self._run, index))
        if place is None:
            return _copy(info, given)
        shape, dtype = _form(info)
        return writable(place, dtype, shape)

    def _forget_arrays(self, job: Job) -> None:
        """The caller's and the results: the run outlives them."""
        for index in job.inputs:
            lib.irrun_run_set_input(self._run, index, ffi.NULL, False, ffi.NULL)
        for index in job.names.values():
            lib.irrun_run_set_output(self._run, index, ffi.NULL, 0)


def readable(value: ArrayLike) -> NDArray[Any]:
    """A view of its own, so that another thread can change elements, but neither shape nor place."""
    array = np.asarray(value).view(np.ndarray)
    return np.require(array, array.dtype if array.dtype.isnative else array.dtype.newbyteorder("="), ["C", "A"])


def _meanwhile(run: Any, raised: list[BaseException]) -> Any:
    """Called now and then by the thread that runs C code. As every Python function it lets the handlers of signals run
    first when it is in the main thread; what one of them raises ends the run."""

    def keep(_: object, error: BaseException, __: object) -> None:
        raised.append(error)
        lib.irrun_run_cancel(run)

    return ffi.callback("void(void *)", lambda _: None, onerror=keep)


def _form(info: Any) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
    """Shape and dtype of a tensor."""
    name = text(lib.irrun_type_name(info.type)) or "dynamic"
    if name not in DTYPES:
        raise TypeError(f"NumPy has no type for elements of {name}")
    return tuple(info.dims[0 : info.rank]), DTYPES[name]


def _copy(info: Any, to: NDArray[Any] | None = None) -> NDArray[Any]:
    shape, dtype = _form(info)
    copy = np.empty(shape, dtype) if to is None else writable(to, dtype, shape)
    ffi.memmove(ffi.cast("void *", copy.ctypes.data), info.data, info.bytes)
    return copy


def writable(array: NDArray[Any], dtype: "np.dtype[Any] | None", shape: tuple[int, ...] | None = None) -> NDArray[Any]:
    """ValueError where a tensor does not fit into the array. None: only the run tells it."""
    fits = array.flags.carray and array.dtype.isnative
    if fits and (dtype is None or array.dtype == dtype) and (shape is None or array.shape == shape):
        return array
    kind = "" if dtype is None else f" of {dtype}" if shape is None else f" of {dtype} {list(shape)}"
    raise ValueError(f"out: expected a writable, row-major array{kind}, got {array.dtype} {list(array.shape)}")


def _element_type(dtype: "np.dtype[Any]") -> int:
    for name, known in DTYPES.items():
        if known == dtype:
            return int(getattr(lib, f"IRRUN_{name.upper()}"))
    raise TypeError(f"no element type of a model is {dtype}")
