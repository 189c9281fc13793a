"""Tests handlers of signals that interrupt a call. A trace function takes their place: as they do, it can be called
between any two lines, and here it is called at each of them in turn."""

import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

import irrun
import numpy as np
import pytest
from test_runs import SUMS

ONES = np.ones(2, np.float32)


class Stop(Exception):
    pass


def stop() -> None:
    raise Stop


def interrupted(call: Callable[[], object], files: tuple[str, ...], n: int, handler: Callable[[], object]) -> bool:
    """Calls `call`, and `handler` before the line of `files` that would be executed as number n, from 0. Returns false
    if there is no such line."""
    done = -1

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal done
        if not frame.f_code.co_filename.endswith(files):
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
                    there_are_more = interrupted(call, ("/_run.py", "/_stats.py"), n, stop)
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
