"""Tests handlers of signals that interrupt a call. A trace function takes their place: as they do, it can be called
between any two lines, and here it is called at each of them in turn."""

import gc
import sys
import time
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import irrun
import numpy as np
import pytest
from test_runs import ENDLESS, SUMS, loop_of

ONES = np.ones(2, np.float32)


class Stop(Exception):
    pass


def stop() -> None:
    raise Stop


def interrupted(call: Callable[[], object], within: tuple[str, ...], n: int, handler: Callable[[], object]) -> bool:
    """Calls `call`, and `handler` before the line that is executed as number n, from 0, within methods whose names begin
    so. Returns false if there is no such line."""
    done = -1

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal done
        if not frame.f_code.co_qualname.startswith(within):
            return None
        done += event == "line"
        if event == "line" and done == n:
            sys.settrace(None)
            handler()
        return trace

    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(None)
    return done >= n


def test_an_exception_leaves_nothing_to_the_next_run() -> None:
    session, place = irrun.load(SUMS).session(), np.zeros(2, np.float32)
    inputs = {"x": ONES.astype(np.float64) + 1e-12}
    calls: tuple[Callable[[], object], ...] = (
        lambda: session.run(inputs, out={"sum": place}, cast=True),
        lambda: session.stats(inputs, cast=True),
        lambda: session.set_state({"v": 7 * ONES}),
    )
    for call in calls:
        n, there_are_more = 0, True
        while there_are_more:
            session.set_state({"v": 5 * ONES})
            place[:] = 3
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    there_are_more = interrupted(call, ("Run.", "Gathering."), n, stop)
                except Stop:
                    pass
            value, written = session.state()["v"][0], place[0]
            assert (value, written) in ((5, 3), (5, 6), (6, 3), (6, 6), (7, 3))
            with pytest.raises(irrun.Error, match="IR501"):
                session.run({})
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert session.stats({"x": ONES})["add"].max == value + 1
                assert session.run({"x": ONES}, ["sum"])["sum"][0] == value + 2
            assert place[0] == written
            n += 1
        assert n > 20


CALLS: dict[str, Callable[[irrun.Session | irrun.Model], object]] = {
    "run": lambda it: it.run({"x": ONES}),
    "stats": lambda it: it.stats({"x": ONES}),
    "state": lambda it: it.state(),
    "set_state": lambda it: it.set_state({"v": ONES}),
    "reset_state": lambda it: it.reset_state(),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_handler_can_only_cancel(name: str) -> None:
    model = irrun.load(SUMS)
    for it in (model, model.session()):
        for nested in CALLS.values():
            it.set_state({"v": 5 * ONES})

            def handler(it: irrun.Session | irrun.Model = it, nested: Callable[[Any], object] = nested) -> None:
                with pytest.raises(RuntimeError, match=r"handler called this during another call; only cancel\(\) is allowed"):
                    nested(it)

            n = 0
            while interrupted(lambda it=it: CALLS[name](it), ("Run.",), n, handler):  # type: ignore[misc]
                n += 1
            assert n > (0 if name == "reset_state" else 5)


def test_a_handler_cannot_use_the_reports_of_another_call() -> None:
    """All sessions of a model ask it for names, and it reports those that it lacks."""
    model = irrun.load(SUMS)
    session, other = model.session(), model.session()

    def handler() -> None:
        with pytest.raises(RuntimeError, match="a signal's handler called this"):
            other.run({"x": ONES})

    def run() -> None:
        with pytest.raises(irrun.Error, match="IR502") as raised:
            session.run({"z": ONES})
        assert len(raised.value.diagnostics) == 1

    n = 0
    while interrupted(run, ("Model._find", "take_diagnostics"), n, handler):
        n += 1
    assert n > 10


@pytest.mark.parametrize("name", ["Handles.release", "Handles.free"])
def test_statistics_are_freed_before_their_context(name: str) -> None:
    """Also when an exception has ended free(), and its traceback keeps the statistics."""
    gc.collect()  # sessions of other tests would be the first to be released
    model = irrun.load(SUMS)
    with pytest.raises(Stop) as raised:
        interrupted(lambda: model.stats({"x": ONES}), (name,), 0, stop)
    frames = [frame for frame, _ in traceback.walk_tb(raised.value.__traceback__)]
    gathering = next(frame.f_locals["gathering"] for frame in frames if "gathering" in frame.f_locals)
    assert gathering._handles._made
    model._handles.free()
    assert not gathering._handles._made


def test_a_model_lives_as_long_as_its_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when an exception has ended run_many() before its threads have ended."""

    def two() -> Iterator[dict[str, np.ndarray]]:
        yield from (ENDLESS, ENDLESS)
        raise Stop

    model = irrun.load(loop_of(""), max_time=1)
    handles = weakref.ref(model._handles)
    with monkeypatch.context() as patch:
        patch.setattr(ThreadPoolExecutor, "shutdown", lambda *_, **__: stop())
        patch.setattr("irrun._run.Run.cancel", lambda _: None)
        try:
            list(model.run_many(two(), parallel=2))
        except Stop:
            pass
    del model
    gc.collect()
    assert handles() is not None
    end = time.monotonic() + 60
    while handles() is not None and time.monotonic() < end:
        time.sleep(0.01)
    assert handles() is None
