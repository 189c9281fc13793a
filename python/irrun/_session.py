"""A session: a run of a model with variables of its own."""

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike, NDArray

from irrun._native import Handles, Turn
from irrun._run import Arrays, Job, Run
from irrun._stats import Gathering, Stats
from irrun._types import Diagnostic, Inputs, Key, Layer, Results, gathered, readable

if TYPE_CHECKING:
    from irrun._model import Model


class Session:
    """Made by Model.session(). Threads may share one; its calls wait for each other, and for no other session."""

    def __init__(self, model: "Model", within: Handles, threads: int, calls_handlers: bool = True) -> None:
        """`within` has the handles of the model, and frees those of the session first. `calls_handlers`: of signals."""
        self._model = model
        self._turn = Turn()
        self.is_running = False
        runs_of = model.read_to_run()
        self._within = within
        self._handles = within.nested()
        self._run = Run(runs_of, model.make_context(self._handles, threads), self._handles, calls_handlers)

    def __del__(self) -> None:
        if hasattr(self, "_handles"):
            self._within.release(self._handles)

    def __repr__(self) -> str:
        return f"<irrun.Session of {self._model!r}>"

    def __call__(self, *arrays: Inputs, **named: ArrayLike) -> Results:
        """run() of all outputs, with the inputs by position or name."""
        results, found = self.compute(gathered(arrays, named), None, None, False)
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
        """As Model.run(), with the variables of this session."""
        results, found = self.compute(inputs, outputs, out, cast)
        warn(found)
        return results

    def stats(self, inputs: Inputs, *, cast: bool = False) -> dict[str, Stats]:
        """As Model.stats(), with the variables of this session."""
        stats, found = self.gather(inputs, cast)
        warn(found)
        return stats

    def cancel(self) -> None:
        """Ends the run that is going on in another thread, or else the next one, with an Error (IR705)."""
        self._run.cancel()

    def reset_state(self) -> None:
        """Forgets what Assign layers have set: the next run begins with the first values of the variables."""
        self._turn(self._run.reset_state)

    def state(self) -> Arrays:
        """Copies of the variables by variable_id, without those that have their first value, and those of bodies."""
        return self._turn(self._run.state)

    def set_state(self, arrays: Mapping[str, ArrayLike]) -> None:
        """Sets these variables; all others get their first values. Raises Error, and then changes nothing, if the model
        has no such variable, or another shape or type for it."""
        self._turn(self._run.set_state, {name: readable(array) for name, array in arrays.items()})

    def compute(
        self,
        inputs: Inputs,
        outputs: Iterable[Key] | None,
        out: Mapping[Key, NDArray[Any]] | Mapping[str, NDArray[Any]] | None,
        cast: bool,
    ) -> tuple[Results, list[Diagnostic]]:
        """The outputs, and what was reported meanwhile."""
        return self.compute_job(self._model.job(inputs, outputs, out or {}, cast))

    def compute_job(self, job: Job) -> tuple[Results, list[Diagnostic]]:
        return self._turn(self._compute, job)

    def gather(self, inputs: Inputs, cast: bool) -> tuple[dict[str, Stats], list[Diagnostic]]:
        """The statistics of a run of all outputs, and what was reported meanwhile."""
        job = self._model.job(inputs, [], {}, cast)  # computes all outputs, returns none
        return self._turn(self._gather, job, self._model.layers)

    def _compute(self, job: Job, gathering: Gathering | None = None) -> tuple[Results, list[Diagnostic]]:
        self.is_running = True
        try:
            return self._run.compute(job, gathering)
        finally:
            self.is_running = False

    def _gather(self, job: Job, layers: list[Layer]) -> tuple[dict[str, Stats], list[Diagnostic]]:
        gathering = Gathering(self._run.context, layers, self._handles)
        try:
            _, found = self._compute(job, gathering)
            return self._model.named(gathering), found
        finally:
            gathering.free()


def warn(found: list[Diagnostic], stacklevel: int = 3) -> None:
    for diagnostic in found:
        if diagnostic.severity != "note":
            warnings.warn(str(diagnostic), RuntimeWarning, stacklevel=stacklevel)
