"""One run of a model: its plan, its variables, and its context. Threads may use several runs of a model at once."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irrun._native import Handles, address, encoded, ffi, lib, new, text, walk
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
    """One thread uses it at a time; another one can call cancel().

    A signal's handler can raise between any two lines. So _forget() begins each call, too: the last one's may have been
    interrupted. What the C run has the address of lives until that is forgotten.
    """

    def __init__(self, model: Any, context: Any, handles: Handles, calls_handlers: bool) -> None:
        self.context = context
        self._handles = handles  # another thread can call cancel() while they would be freed
        self._requested: list[int] | None = None
        self._raised: list[BaseException] = []  # by a signal's handler, while C code ran
        self._visitor: Any = None
        self._inputs: dict[int, NDArray[Any]] = {}
        self._places: dict[int, NDArray[Any]] = {}  # of outputs
        out = new("irrun_run **")
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
        self._forget()
        before = self.state()
        try:
            self._set_variables(arrays)
        except BaseException:
            self._set_variables(before)
            raise
        finally:
            self._forget()

    def _set_variables(self, arrays: Arrays) -> None:
        self.reset_state()
        for name, array in arrays.items():
            self._must(lib.irrun_run_set_variable(self._run, encoded(name), self._borrow(array), ffi.NULL))

    def compute(self, job: Job, gathering: Gathering | None = None) -> tuple[Results, list[Diagnostic]]:
        """The outputs, and what was reported meanwhile. Keeps no array. Adds the result of each layer to `gathering`; then
        the plan is lost before and after."""
        self._forget()
        try:
            if gathering is not None:
                self._visitor = gathering.visitor(self._raised)
                lib.irrun_run_visit_bodies(self._run, self._visitor, ffi.NULL)
            return self._compute(job)
        finally:
            self._forget()

    def _compute(self, job: Job) -> tuple[Results, list[Diagnostic]]:
        self._request(job.requested)
        self._inputs = job.inputs
        for index, array in job.inputs.items():
            self._must(lib.irrun_run_set_input(self._run, index, self._borrow(array), job.cast, ffi.NULL))
        self._must(lib.irrun_run_plan(self._run))
        indexes = set(job.names.values())
        for index in indexes:
            self._place(index, job.places.get(index))
        self._must(lib.irrun_run_execute(self._run))
        found = take_diagnostics(self.context)
        results = {index: self._result(index, job.places.get(index)) for index in indexes}
        return Results({name: results[index] for name, index in job.names.items()}), found

    def _must(self, status: int) -> None:
        if self._raised:
            raise self._raised[0]
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
        out = new("irrun_tensor **")
        dims = new("int64_t[]", array.shape or (0,))
        element_type = _element_type(array.dtype)
        self._must(lib.irrun_tensor_borrow(self.context, element_type, array.ndim, dims, address(array), array.nbytes, out))
        return out[0]

    def _place(self, index: int, given: NDArray[Any] | None) -> None:
        """Makes the run write an output to an array. Where only the run tells its shape there is none: what it writes has
        to fit."""
        info = new("irrun_tensor_info *")
        if not lib.irrun_run_output_info(self._run, index, info):
            return
        shape, dtype = _form(info)
        array = np.empty(shape, dtype) if given is None else writable(given, dtype, shape)
        self._places[index] = array
        self._must(lib.irrun_run_set_output(self._run, index, address(array), array.nbytes))

    def _result(self, index: int, given: NDArray[Any] | None) -> NDArray[Any]:
        """What was computed, in the array that has its place, or copied to `given` or a new one."""
        info = lib.irrun_tensor_get_info(lib.irrun_run_output(self._run, index))
        if index not in self._places:
            return _copy(info, given)
        shape, dtype = _form(info)
        return writable(self._places[index], dtype, shape)

    def _forget(self) -> None:
        """What the last call gave to the run, and its reports."""
        if self._visitor is not None:
            lib.irrun_run_visit_bodies(self._run, ffi.NULL, ffi.NULL)
            self._visitor = None
        for index in self._inputs:
            lib.irrun_run_set_input(self._run, index, ffi.NULL, False, ffi.NULL)
        self._inputs = {}
        for index in self._places:
            lib.irrun_run_set_output(self._run, index, ffi.NULL, 0)
        self._places = {}
        self._raised.clear()
        lib.irrun_context_clear_diagnostics(self.context)


def _meanwhile(run: Any, raised: list[BaseException]) -> Any:
    """Called now and then by the thread that runs C code. As every Python function it lets the handlers of signals run
    first when it is in the main thread; what one of them raises ends the run."""

    def keep(_: object, error: BaseException, __: object) -> None:
        raised.append(error)
        lib.irrun_run_cancel(run)

    kind = ffi.typeof(lib.irrun_run_meanwhile).args[1]
    return ffi.callback(kind, lambda _: None, onerror=keep)


def _form(info: Any) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
    """Shape and dtype of a tensor."""
    name = text(lib.irrun_type_name(info.type)) or "dynamic"
    if name not in DTYPES:
        raise TypeError(f"NumPy has no type for elements of {name}")
    return tuple(info.dims[0 : info.rank]), DTYPES[name]


def _copy(info: Any, to: NDArray[Any] | None = None) -> NDArray[Any]:
    shape, dtype = _form(info)
    copy = np.empty(shape, dtype) if to is None else writable(to, dtype, shape)
    ffi.memmove(address(copy), info.data, info.bytes)
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
