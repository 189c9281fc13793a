"""A model: read, checked, run."""

import functools
import math
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Literal
from weakref import WeakSet

from numpy.typing import ArrayLike, NDArray

from irrun._native import Handles, Source, Turn, encoded, ffi, lib, new, sized, text, walk, whole
from irrun._picture import draw
from irrun._run import Arrays, Job, check, writable
from irrun._session import Session, warn
from irrun._stats import Gathering, Stats
from irrun._types import (
    DTYPES,
    Diagnostic,
    Error,
    Inputs,
    Key,
    Layer,
    Results,
    Value,
    by_key,
    gathered,
    layers_of,
    readable,
    take_diagnostics,
    value_of,
)

SHOWN = 12  # inputs, and outputs, in a repr


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
    value = vars(lib).get(f"IRRUN_{between}{name.upper()}")
    if value is None:
        raise ValueError(f"{kind.lower()} {name!r}: irrun has none of that name")
    return int(value)


class Model:
    """Made by load(). Threads may share one; calls of run() wait for each other, those of different models do not. The runs
    of run_many() and of sessions wait for none."""

    def __init__(
        self, model: Source, weights: Source | None, shapes: Mapping[str, str], threads: int, max_memory: int,
        max_time: float, allow: str, deny: str, strict: bool, kernels: str, skip_passes: tuple[str, ...], precision: str
    ) -> None:  # fmt: skip
        self._args = (
            model, weights, dict(shapes), threads, max_memory, max_time, allow, deny, strict, kernels, skip_passes, precision
        )  # fmt: skip
        self._turn = Turn()  # to use the context and the model
        self._beginning = Turn()  # to make the session of run()
        self._handles = Handles()
        self._context = self.make_context(self._handles, threads)
        self._runs_of: Any = None
        self._threads = threads
        self._own: Session | None = None  # of run(); it keeps variables, and its plan as long as that fits
        self._runs: WeakSet[Session] = WeakSet()  # those of run_many(), which end with it
        self._is_cancelled = False  # before there was a session that could be
        self._model, self._status = self._read(lib.IRRUN_TO_CHECK)
        self._found = take_diagnostics(self._context)
        if self._model == ffi.NULL:
            raise Error(self._status, self._found)
        self.inputs, self.outputs = self._ends(lib.IRRUN_INPUTS), self._ends(lib.IRRUN_OUTPUTS)

    def __reduce__(self) -> tuple[Any, ...]:
        return Model, self._args

    def __repr__(self) -> str:
        info = sized("irrun_model_info")
        lib.irrun_model_get_info(self._model, info)
        faults = f", {info.errors} error{'s' * (info.errors > 1)}" if info.errors > 0 else ""
        lines = [f"<irrun.Model {text(info.path)!r}{faults}"]
        for word, values in (("input", self.inputs), ("output", self.outputs)):
            lines += [f"  {word} {i}: {value.name!r} {value}" for i, value in enumerate(values[:SHOWN])]
            if len(values) > SHOWN:
                lines.append(f"  and {len(values) - SHOWN} more {word}s")
        return "\n".join(lines) + ">"

    def picture(self, form: Literal["svg", "dot", "mermaid"] = "svg") -> str | None:
        """The picture that the program draws with --graph; None if it is missing, or for "svg" Graphviz."""
        model, weights, shapes, *_ = self._args
        return draw(model, weights, shapes, form)

    def _repr_svg_(self) -> str | None:
        """For notebooks."""
        return self.picture()

    def check(self) -> list[Diagnostic]:
        """All that was found of the model: errors, warnings, notes, in the order of their places."""
        return list(self._found)

    @functools.cached_property
    def layers(self) -> list[Layer]:
        return self._turn(layers_of, self._model)

    def __call__(self, *arrays: Inputs, **named: ArrayLike) -> Results:
        """run() of all outputs, with the inputs by position or name: model(x), model(a, b), model(ids=a, mask=b)."""
        results, found = self._own_session().compute(gathered(arrays, named), None, None, False)
        warn(found)
        return results

    def run(
        self,
        inputs: Inputs,
        outputs: Iterable[Key] | None = None,
        *,
        out: Mapping[Key, NDArray[Any]] | Mapping[str, NDArray[Any]] | None = None,
        cast: bool = False,
    ) -> Results:
        """Computes `outputs`, or all of them, from arrays by name or number ({"x": a}, {0: a}), from a list or tuple of
        arrays in the order of `model.inputs`, or from the array of the first input.

        An array, or whatever has the buffer protocol, is not copied when its elements are aligned, row-major and in
        native order. Results are written straight into the arrays that are returned, or into those of `out`; where only
        the run tells a shape, they are copied. `cast` converts inputs of another element type. What an Assign sets is
        there for the next run, whatever outputs that asks for. Raises Error; what is only a warning becomes one of
        Python's. Ctrl-C ends a run of the main thread, as whatever a signal's handler raises does.
        """
        results, found = self._own_session().compute(inputs, outputs, out, cast)
        warn(found)
        return results

    def session(self, *, threads: int = 0) -> Session:
        """Another run of this model, which shares the constants, with variables of its own: several conversations with a
        language model, also in several threads at once.

        `threads` and the limits of load() are those of each session; 0: as many threads as load() says. A session keeps
        the model.
        """
        return Session(self, self._handles, threads or self._threads)

    def run_many(
        self,
        inputs: Iterable[Inputs],
        outputs: Iterable[Key] | None = None,
        *,
        parallel: int = 0,
        cast: bool = False,
    ) -> Iterator[Results]:
        """Computes `outputs`, or all of them, for each of many inputs, and yields the results in the order of the inputs.

        `parallel` runs work at once, each in a thread of its own, and share the threads of load(); 0: as many as there
        are threads. That has the most throughput, run() the least latency. `inputs` is read a little ahead, so it can
        be a generator. Every run begins with the first values of variables; max_memory and max_time are those of one
        run. The first Error, of a run or of `inputs`, ends all runs; so do cancel() and the end of the iteration.
        """
        if not 0 <= parallel <= lib.IRRUN_MAX_THREADS:
            raise ValueError(f"parallel: expected 1 to {lib.IRRUN_MAX_THREADS} runs, or 0 for as many as threads, got {parallel}")
        names = None if outputs is None else list(outputs)
        self.read_to_run()
        threads = lib.irrun_context_get_threads(self._context)
        return self._run_in_parallel(inputs, names, parallel or threads, threads, cast)

    def stats(self, inputs: Inputs | None = None, *, cast: bool = False) -> dict[str, Stats]:
        """Statistics of the result of every layer in a run(), by name: "relu", "split.1" of several outputs, "#ID.PORT" if
        that name is ambiguous, "loop > add" in a body, "if > add #7" of layer 7 if another one there has that name.
        Results that depend on constants alone are left out.

        Without inputs, computes nothing: statistics of the constants whose contents are there, also of a model with
        faults. A run with statistics is slower than run(), and likewise sets variables.
        """
        if inputs is None:
            return self._turn(self._stats_of_constants, self.layers)
        stats, found = self._own_session().gather(inputs, cast)
        warn(found)
        return stats

    def cancel(self) -> None:
        """Ends the run or runs that are going on in other threads, or else the next run(), with an Error (IR705). The runs
        of sessions go on."""
        runs, own = list(self._runs), self._own
        for run in runs:
            run.cancel()
        if self._beginning.is_taken or not runs or (own is not None and own.is_running):
            self._is_cancelled = True
            if self._own is not None:  # also one that was made meanwhile
                self._own.cancel()

    def reset_state(self) -> None:
        """Forgets what Assign layers have set: the next run begins with the first values of the variables."""
        if self._own is not None:
            self._own.reset_state()

    def state(self) -> Arrays:
        """Copies of the variables by variable_id, without those that have their first value, and those of bodies."""
        return self._own_session().state()

    def set_state(self, arrays: Mapping[str, ArrayLike]) -> None:
        """Sets these variables; all others get their first values. Raises Error, and then changes nothing, if the model
        has no such variable, or another shape or type for it."""
        self._own_session().set_state(arrays)

    # ---- reading ----

    def make_context(self, handles: Handles, threads: int) -> Any:
        *_, max_memory, max_time, allow, deny, strict, kernels, skip_passes, precision = self._args
        context = handles.keep(lib.irrun_context_create(ffi.NULL), lib.irrun_context_free)
        if allow:
            check(context, lib.irrun_context_allow(context, encoded(allow)))
        if deny:
            check(context, lib.irrun_context_deny(context, encoded(deny)))
        lib.irrun_context_set_strict(context, strict)
        lib.irrun_context_set_max_memory(context, max_memory)
        lib.irrun_context_set_max_time(context, _nanoseconds(max_time))
        lib.irrun_context_set_kernels(context, constant_of("KERNELS", kernels))
        lib.irrun_context_skip_passes(context, sum({constant_of("PASS", name) for name in skip_passes}))
        check(context, lib.irrun_context_set_precision(context, constant_of("PRECISION", precision)))
        check(context, lib.irrun_context_set_threads(context, threads))
        return context

    def _read(self, purpose: int) -> tuple[Any, int]:
        model, weights, shapes, *_ = self._args
        lines = [new("char[]", encoded(f"{name}={shape}")) for name, shape in shapes.items()]
        rest = (purpose, new("char *[]", lines), len(lines), new("irrun_model **"))
        if isinstance(model, bytes):
            if not isinstance(weights, bytes | None):
                raise TypeError("the weights of a model that is given as bytes are bytes too")
            buffers = [new("irrun_buffer *", (ffi.from_buffer(b), len(b))) for b in (model, weights or b"")]
            constants = ffi.NULL if weights is None else buffers[1]
            status = lib.irrun_model_read_memory(self._context, b"<bytes>", buffers[0][0], constants, *rest)
        else:
            if isinstance(weights, bytes):
                raise TypeError("the weights of a model that is given as a file are a file too")
            path = ffi.NULL if weights is None else whole(os.fsencode(weights))
            status = lib.irrun_model_read_shaped(self._context, whole(os.fsencode(model)), path, *rest)
        return self._handles.keep(rest[-1][0], lib.irrun_model_free, model, weights), status

    def _ends(self, side: int) -> list[Value]:
        ends = walk(lib.irrun_model_get_io, "irrun_io", self._model, side)
        keys = (text(lib.irrun_model_get_key(self._model, side, i)) for i in range(len(ends)))
        return [value_of(end.value, key) for end, key in zip(ends, keys, strict=True)]

    def _stats_of_constants(self, layers: list[Layer]) -> dict[str, Stats]:
        gathering = Gathering(self._context, layers, self._handles)
        try:
            for i in range(len(layers)):
                is_constant = lib.irrun_model_is_constant(self._model, i)
                tensor = lib.irrun_model_get_constant(self._model, i) if is_constant else ffi.NULL
                status = lib.IRRUN_OK if tensor == ffi.NULL else gathering.add(i, 0, tensor)
                lib.irrun_tensor_free(tensor)
                check(self._context, status)
            return gathering.named(self._model)
        finally:
            gathering.free()

    def named(self, gathering: Gathering) -> dict[str, Stats]:
        return self._turn(gathering.named, self._model)

    # ---- running ----

    def _find(self, side: int, key: Key) -> int:
        """Asks the model that was read for check(): runs in other threads use the other one."""
        ends, what = (self.inputs, "input") if side == lib.IRRUN_INPUTS else (self.outputs, "output")
        if isinstance(key, int):
            if not 0 <= key < len(ends):
                raise IndexError(f"the model has no {what} {key}; it has {len(ends)}, numbered from 0")
            return key
        name = key.name if isinstance(key, Value) else key
        if not isinstance(name, str):
            raise TypeError(f"an {what} is given by its name, its number or one of model.{what}s, not by {key!r}")
        index = new("int64_t *")
        check(self._context, lib.irrun_model_find_name(self._model, side, encoded(name), ffi.NULL, index))
        return int(index[0])

    def read_to_run(self) -> Any:
        return self._turn(self._read_to_run)

    def _read_to_run(self) -> Any:
        if self._runs_of is None:
            model, status = self._read(lib.IRRUN_TO_RUN)
            if status != lib.IRRUN_OK and model != ffi.NULL:
                self._handles.free_last()
            check(self._context, status)
            self._runs_of = model
            lib.irrun_context_clear_diagnostics(self._context)  # of which check() has told
        return self._runs_of

    def _own_session(self) -> Session:
        """The session of run(), made when it is first needed."""
        return self._own or self._beginning(self._begin)

    def _begin(self) -> Session:
        if self._own is None:
            self._own = self.session()
            if self._is_cancelled:
                self._own.cancel()
        return self._own

    def job(self, inputs: Inputs, outputs: Iterable[Key] | None, out: Mapping[Any, NDArray[Any]], cast: bool) -> Job:
        """What a run is to compute."""
        given = {key: readable(value) for key, value in by_key(inputs, len(self.inputs)).items()}
        names = None if outputs is None else list(outputs)
        return self._turn(self._job, given, names, dict(out), cast)

    def _job(self, given: dict[Any, NDArray[Any]], names: list[Key] | None, out: dict[Any, NDArray[Any]], cast: bool) -> Job:
        try:
            return self._named_job(given, names, out, cast)
        finally:
            lib.irrun_context_clear_diagnostics(self._context)

    def _named_job(
        self, given: dict[Any, NDArray[Any]], names: list[Key] | None, out: dict[Any, NDArray[Any]], cast: bool
    ) -> Job:  # fmt: skip
        arrays = {self._find(lib.IRRUN_INPUTS, name): array for name, array in given.items()}
        if len(arrays) < len(given):
            raise ValueError(f"inputs: two of {list(given)} name one input")
        places = {self._find(lib.IRRUN_OUTPUTS, name): array for name, array in out.items()}
        if len(places) < len(out):
            raise ValueError(f"out: two of {list(out)} name one output")
        for index, array in places.items():
            writable(array, DTYPES.get(self.outputs[index].type or ""))
        all_names = [value.name or "" for value in self.outputs] if names is None else names
        wanted = {}
        for key in [*all_names, *out]:
            index = self._find(lib.IRRUN_OUTPUTS, key)
            wanted[key if isinstance(key, str) else self.outputs[index].name or ""] = index
        return Job(arrays, wanted, None if names is None else sorted(set(wanted.values())), places, cast)

    def _run_in_parallel(
        self, inputs: Iterable[Inputs], outputs: list[Key] | None, n: int, threads: int, cast: bool
    ) -> Iterator[Results]:  # fmt: skip
        idle: SimpleQueue[Session] = SimpleQueue()
        waiting: deque[Future[tuple[Results, list[Diagnostic]]]] = deque()
        runs = []
        for _ in range(n):
            runs.append(Session(self, self._handles, max(threads // n, 1), calls_handlers=False))
            idle.put(runs[-1])

        def compute(job: Job) -> tuple[Results, list[Diagnostic]]:
            run = idle.get()
            try:
                run.reset_state()
                return run.compute_job(job)
            finally:
                idle.put(run)

        def take() -> Results:
            results, found = waiting.popleft().result()
            warn(found, stacklevel=4)
            return results

        with ThreadPoolExecutor(n) as pool:
            self._runs.update(runs)
            try:
                for each in inputs:
                    job = self.job(each, outputs, {}, cast)
                    waiting.append(pool.submit(compute, job))
                    if len(waiting) == 2 * n:
                        yield take()
                while waiting:
                    yield take()
            finally:
                for future in waiting:
                    future.cancel()
                for run in runs:
                    run.cancel()
                    self._runs.discard(run)


def _nanoseconds(seconds: float) -> int:
    if not 0 <= seconds < 2**33:
        raise ValueError(f"max_time: expected seconds, or 0 for any time, got {seconds}")
    return math.ceil(seconds * 1e9)
