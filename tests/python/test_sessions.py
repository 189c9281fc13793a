"""Tests sessions: runs of one model with variables of their own."""

import gc
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import irrun
import numpy as np
import pytest
from test_module import layer
from test_runs import ENDLESS, SUMS, THRICE, inputs, loop_of, net, parameter

# A product of x with weights [2048, 2048] of 1, and its .bin.
PRODUCT = (
    net(
        parameter(0, "x", "f32", "?,2048", "FP32"),
        layer(1, "w", "Const", '<data shape="2048,2048" element_type="f32" offset="0" size="16777216"/>', "FP32"),
        layer(2, "product", "MatMul", '<data transpose_a="false" transpose_b="true"/>' + inputs(2), "FP32"),
        layer(3, "y", "Result", inputs(1)),
        edges="0:9-2:0 1:9-2:1 2:9-3:0",
    ),
    np.ones((2048, 2048), np.float32).tobytes(),
)


def resident() -> int:
    """Bytes of this process that lie in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_sessions_have_variables_of_their_own() -> None:
    model = irrun.load(SUMS)
    x = np.array([1, 2], np.float32)
    model.run({"x": x})
    a, b = model.session(), model.session(threads=1)
    for n in (1, 2):
        np.testing.assert_array_equal(a.run({"x": x})["sum"], n * x)
    b.set_state(a.state())
    a.reset_state()
    assert a.state() == {}
    np.testing.assert_array_equal(b.run({"x": x}, ["sum"])["sum"], 3 * x)
    place = np.empty(2, np.float32)
    assert b.run({"x": x}, out={"sum": place})["sum"] is place
    np.testing.assert_array_equal(place, 4 * x)
    np.testing.assert_array_equal(model.run({"x": x})["sum"], 2 * x)
    with pytest.raises(irrun.Error, match="no variable 'w'"):
        a.set_state({"w": x})
    with pytest.raises(irrun.Error, match="IR503"):
        a.run({"x": np.ones(3, np.float32)})
    with pytest.raises(irrun.Error, match="IR502"):
        a.run({"z": x})
    with pytest.raises(irrun.Error, match="IR301"):
        irrun.load("models/spec/P1.xml").session()


def test_sessions_in_several_threads() -> None:
    """Each thread talks to a language model, which repeats what followed an id before."""
    model = irrun.load("models/networks/repeater.xml", threads=1)
    path = [[1, 2, 3, 1], [4, 5, 4], [7, 7, 7, 8, 7], [2, 9, 0, 2]]

    def continued(ids: list[int]) -> list[int]:
        session, n, new = model.session(), 0, []
        now = np.array([ids])
        for _ in range(50):
            positions = np.arange(n, n + now.shape[1])[None]
            n += now.shape[1]
            inputs = {"input_ids": now, "attention_mask": np.ones((1, n), np.int64), "position_ids": positions}
            logits = session.run({**inputs, "beam_idx": np.zeros(1, np.int32)})["logits"]
            now = logits[:, -1:].argmax(2)
            new.append(int(now[0, 0]))
        return new

    alone = [continued(ids) for ids in path]
    assert alone[0][:6] == [2, 3, 1, 2, 3, 1]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            assert list(pool.map(continued, path)) == alone


def test_a_session_runs_beside_a_long_run() -> None:
    model = irrun.load(loop_of(""), max_time=60)
    session = model.session()
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(model.run, ENDLESS)
        np.testing.assert_array_equal(session.run(THRICE)["y"], np.full(4, 8, np.float32))
        other = pool.submit(session.run, ENDLESS)
        while not session.is_running:
            time.sleep(0.001)
        model.cancel()
        with pytest.raises(irrun.Error, match="the run was cancelled in"):
            slow.result()
        assert not other.done()
        session.cancel()
        with pytest.raises(irrun.Error, match="the run was cancelled in"):
            other.result()
    np.testing.assert_array_equal(session.run(THRICE)["y"], np.full(4, 8, np.float32))


def test_sessions_share_the_weights() -> None:
    """The weights, 16 MB, lie in memory once, though oneDNN reads them in a layout of its own."""
    script = """
import irrun, numpy as np
from test_sessions import PRODUCT, resident
model = irrun.load(*PRODUCT)
x = {"x": np.ones((64, 2048), np.float32)}
sessions = [model.session(threads=1)]
expected = sessions[0].run(x)["y"]
before = resident()
for _ in range(5):
    sessions.append(model.session(threads=1))
    assert (sessions[-1].run(x)["y"] == expected).all()
assert resident() - before < 16 << 20, (before, resident())
del model
assert (sessions[2].run(x)["y"] == expected).all()
"""
    subprocess.run([sys.executable, "-c", 'import sys; sys.path.insert(0, "tests/python")' + script], check=True)


def test_sessions_are_freed_before_the_model() -> None:
    model = irrun.load(SUMS)
    for _ in range(3):
        model.session()
    assert len(model._handles._made) == 3  # the context and two models: sessions that are gone leave nothing
    session = model.session()
    session.run({"x": np.ones(2, np.float32)})
    session.itself, session.made = session, model.__dict__  # type: ignore[attr-defined]
    model.kept = session  # type: ignore[attr-defined]
    del model, session
    gc.collect()  # in any order
