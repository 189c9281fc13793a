"""Tests runs of the Python module: outputs whose shapes are unknown before the run, variables, and runs that are
interrupted."""

import contextlib
import gc
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Iterator

import irrun
import numpy as np
import pytest
from test_module import POOL, X, Y, layer, model_of

# ---- outputs with shapes unknown before the run, and variables ----


def net(*layers: str, edges: str) -> bytes:
    """Makes a model. `edges` is "0:9-1:0 ..", where 0:9-1:0 is an edge from layer 0, port 9 to layer 1, port 0."""
    text = '<net name="n" version="11"><layers>' + "".join(layers) + "</layers><edges>"
    for start, start_port, to, to_port in (re.split("[:-]", edge) for edge in edges.split()):
        text += f'<edge from-layer="{start}" from-port="{start_port}" to-layer="{to}" to-port="{to_port}"/>'
    return (text + "</edges></net>").encode()


def inputs(n: int) -> str:
    return "<input>" + "".join(f'<port id="{i}"/>' for i in range(n)) + "</input>"


def parameter(number: int, name: str, kind: str, shape: str, precision: str) -> str:
    return layer(number, name, "Parameter", f'<data shape="{shape}" element_type="{kind}"/>', precision)


# The output `places` holds the indices of the elements of x that are not 0. The output `y` is ReLU(x).
FOUND = net(
    parameter(0, "x", "f32", "?,?", "FP32"),
    layer(1, "found", "NonZero", '<data output_type="i64"/>' + inputs(1), "I64").replace("opset1", "opset3"),
    layer(2, "relu", "ReLU", inputs(1), "FP32"),
    layer(3, "places", "Result", inputs(1)),
    layer(4, "y", "Result", inputs(1)),
    edges="0:9-1:0 0:9-2:0 1:9-3:0 2:9-4:0",
)

VARIABLE = 'variable_id="v" variable_type="f32" variable_shape="2"'
# The output `sum` is the sum of x over all runs so far. The output `y` is ReLU(x).
SUMS = net(
    parameter(0, "x", "f32", "2", "FP32"),
    layer(1, "before", "ReadValue", f"<data {VARIABLE}/>", "FP32").replace("opset1", "opset6"),
    layer(2, "add", "Add", inputs(2), "FP32"),
    layer(3, "keep", "Assign", '<data variable_id="v"/>' + inputs(1), "FP32").replace("opset1", "opset6"),
    layer(4, "relu", "ReLU", inputs(1), "FP32"),
    layer(5, "sum", "Result", inputs(1)),
    layer(6, "y", "Result", inputs(1)),
    edges="1:9-2:0 0:9-2:1 2:9-3:0 0:9-4:0 2:9-5:0 4:9-6:0",
)


def loop_of(n: str) -> bytes:
    """Makes a Loop that doubles x in each iteration. The shape of the Parameter `n`, the number of iterations, is the
    argument `n`: "" is a scalar."""
    body = (
        parameter(0, "p", "f32", "4", "FP32") + parameter(1, "again", "boolean", "", "BOOL")
        + layer(2, "double", "Add", inputs(2), "FP32") + layer(3, "q", "Result", inputs(1))
        + layer(4, "more", "Result", inputs(1))
    )  # fmt: skip
    edges = [(0, 9, 2, 0), (0, 9, 2, 1), (2, 9, 3, 0), (1, 9, 4, 0)]
    loop = (
        '<layer id="3" name="loop" type="Loop" version="opset5">' + inputs(3)
        + '<output><port id="9" precision="FP32"/></output><port_map>'
        '<input external_port_id="2" internal_layer_id="0"/><input external_port_id="1" internal_layer_id="1"/>'
        '<output external_port_id="-1" internal_layer_id="4" purpose="execution_condition"/>'
        '<output external_port_id="9" internal_layer_id="3"/></port_map>'
        '<back_edges><edge from-layer="3" to-layer="0"/></back_edges><body><layers>' + body + "</layers><edges>"
        + "".join(f'<edge from-layer="{a}" from-port="{b}" to-layer="{c}" to-port="{d}"/>' for a, b, c, d in edges)
        + "</edges></body></layer>"
    )  # fmt: skip
    return net(
        parameter(0, "n", "i64", n, "I64"), parameter(1, "go", "boolean", "", "BOOL"),
        parameter(2, "x", "f32", "4", "FP32"), loop, layer(4, "y", "Result", inputs(1)),
        edges="0:9-3:0 1:9-3:1 2:9-3:2 3:9-4:0",
    )  # fmt: skip


ENDLESS = {"n": np.array(-1), "go": np.array(True), "x": np.ones(4, np.float32)}
THRICE = {**ENDLESS, "n": np.array(3)}


def test_outputs_whose_shapes_only_the_run_tells() -> None:
    model = irrun.load(FOUND)
    for x in (np.eye(3, 5, dtype=np.float32), -np.ones((2, 2), np.float32), np.zeros((0, 4), np.float32)):
        result = model.run({"x": x})
        assert list(result) == ["places", "y"]
        np.testing.assert_array_equal(result["places"], np.array(np.nonzero(x)))
        np.testing.assert_array_equal(result["y"], np.maximum(x, 0))
    kept = model.run({"x": np.eye(2, dtype=np.float32)}, ["places"])["places"]
    model.run({"x": np.zeros((2, 2), np.float32)})
    np.testing.assert_array_equal(kept, [[0, 1], [0, 1]])
    np.testing.assert_array_equal(irrun.load(loop_of("")).run(THRICE)["y"], np.full(4, 8, np.float32))


def test_places_for_outputs_that_only_the_run_tells() -> None:
    model = irrun.load(FOUND)
    x = np.eye(2, dtype=np.float32)
    places = np.zeros((2, 2), np.int64)
    result = model.run({"x": x}, ["y"], out={"places": places})
    assert result["places"] is places and (places == [[0, 1], [0, 1]]).all()
    for shape in ((2, 3), (4,)):
        wrong = np.full(shape, 7)
        with pytest.raises(ValueError, match=re.escape(f"array of int64 [2, 2], got int64 {list(shape)}")):
            model.run({"x": x}, out={"places": wrong})
        assert (wrong == 7).all()
    with pytest.raises(ValueError, match="writable, row-major array of int64, got int64"):
        model.run({"x": x}, out={"places": np.zeros((2, 2), np.int64).T[:, ::-1]})
    np.testing.assert_array_equal(model.run({"x": x})["places"], places)
    with pytest.raises(ValueError, match="name one output"):
        model.run({"x": x}, out={"y": np.zeros((2, 2), np.float32), "1": np.zeros((2, 2), np.float32)})


@pytest.mark.parametrize("dtype", [object, np.float64, np.dtype([("o", object)]), ">i8"])
def test_places_of_another_type(dtype: object) -> None:
    """They are refused before the run, which would overwrite pointers of Python's."""
    model = irrun.load(FOUND)
    for shape in ((2, 2), (2, 3)):
        place: np.ndarray = np.zeros(shape, dtype)  # type: ignore[call-overload]
        before = place.tobytes()
        with pytest.raises(ValueError, match=r"out: expected a writable, row-major array of int64, got "):
            model.run({}, out={"places": place})  # else IR501
        assert place.tobytes() == before


def test_two_names_of_one_input() -> None:
    with pytest.raises(ValueError, match="name one input"):
        irrun.load(POOL).run({"x": X, "0": X})


def test_two_names_of_one_output() -> None:
    result = irrun.load(POOL).run({"x": X}, ["y", "0"])
    np.testing.assert_array_equal(result["y"], Y)
    np.testing.assert_array_equal(result["0"], Y)


def test_variables_last_until_they_are_reset() -> None:
    model = irrun.load(SUMS)
    x = np.array([1, 2], np.float32)
    for _ in range(2):
        np.testing.assert_array_equal(model.run({"x": x})["sum"], x)
        assert list(model.run({"x": x}, ["y"])) == ["y"]
        with pytest.raises(irrun.Error, match="IR503"):
            model.run({"x": np.ones(3, np.float32)})
        with pytest.raises(irrun.Error, match="IR501"):
            model.run({}, ["sum"])
        np.testing.assert_array_equal(model.run({"x": x}, ["sum"])["sum"], 3 * x)
        np.testing.assert_array_equal(model.run({"x": x})["sum"], 4 * x)
        model.reset_state()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).run({"x": x})["sum"], x)


def test_the_state_as_arrays() -> None:
    model, other = irrun.load(SUMS), irrun.load(SUMS)
    x = np.array([1, 2], np.float32)
    assert model.state() == {}
    model.run({"x": x})
    saved = model.state()
    assert list(saved) == ["v"]
    np.testing.assert_array_equal(saved["v"], x)
    model.run({"x": x})
    np.testing.assert_array_equal(saved["v"], x)  # a copy
    for each in (model, other):
        each.set_state(saved)
        np.testing.assert_array_equal(each.run({"x": x})["sum"], 2 * x)
    other.set_state({"v": np.array([5, 7], np.float32)})
    for wrong, said in (
        ({"v": x, "w": x}, "no variable 'w'.*IR502.*'v'"),
        ({"v": np.ones(3, np.float32)}, r"has shape \[3\], expected \[2\]"),
        ({"v": np.ones(2)}, "is f64, expected f32"),
    ):
        with pytest.raises(irrun.Error, match=f"(?s){said}"):
            other.set_state(wrong)
        np.testing.assert_array_equal(other.state()["v"], [5, 7])
    other.set_state({})
    assert other.state() == {}
    np.testing.assert_array_equal(other.run({"x": x})["sum"], x)


def test_names_with_a_nul() -> None:
    model = irrun.load(POOL)
    for wrong in (
        lambda: model.run({"x\0y": X}),
        lambda: model.run({"x": X}, ["y\0"]),
        lambda: irrun.load(POOL + "\0.xml"),
        lambda: irrun.load(POOL, shapes={"x\0": "1,1,4,4"}),
        lambda: irrun.load(POOL, deny=["IR209\0"]),
    ):
        with pytest.raises(ValueError, match="has no NUL in it"):
            wrong()


# ---- interrupted runs ----


def test_max_time() -> None:
    model = irrun.load(loop_of(""), max_time=0.1)
    with pytest.raises(irrun.Error, match=r"it may take 0.1 s, as max_time= says \[IR705") as raised:
        model.run(ENDLESS)
    assert raised.value.status is irrun.Status.IO and "in iteration" in str(raised.value.diagnostics[0].notes[0])
    np.testing.assert_array_equal(model.run(THRICE)["y"], np.full(4, 8, np.float32))
    with pytest.raises(ValueError, match="max_time"):
        irrun.load(POOL, max_time=-1)


def test_cancel_from_another_thread() -> None:
    model = irrun.load(loop_of(""), max_time=60)
    model.run(THRICE)
    threading.Timer(0.1, model.cancel).start()
    with pytest.raises(irrun.Error, match="the run was cancelled in"):
        model.run(ENDLESS)
    np.testing.assert_array_equal(model.run(THRICE)["y"], np.full(4, 8, np.float32))


def test_cancel_before_the_first_run() -> None:
    model = irrun.load(loop_of(""), max_time=60)
    model.cancel()
    with pytest.raises(irrun.Error, match="the run was cancelled in"):
        model.run(ENDLESS)
    np.testing.assert_array_equal(model.run(THRICE)["y"], np.full(4, 8, np.float32))


INTERRUPTED = """
import os, signal, sys, threading, time
sys.path.insert(0, "tests/python")
import irrun
from test_runs import ENDLESS, THRICE, loop_of
model = irrun.load(loop_of(""), max_time=60)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
"""


def interrupted(script: str) -> None:
    """Runs the script in a process of its own, which a SIGINT interrupts."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED + script], check=False, capture_output=True, text=True, timeout=100)
    assert done.stdout == "interrupted\n", done.stderr


def test_ctrl_c_ends_a_run() -> None:
    interrupted("""
try:
    model.run(ENDLESS)
except KeyboardInterrupt:
    assert time.monotonic() - start < 30
    assert (model.run(THRICE)["y"] == 8).all()
    print("interrupted")
""")


def test_ctrl_c_is_of_the_main_thread() -> None:
    interrupted("""
found, done = [], threading.Event()
def work():
    try:
        model.run(ENDLESS)
    except irrun.Error as error:
        found.append(str(error))
    done.set()
threading.Thread(target=work).start()
try:
    done.wait()
except KeyboardInterrupt:
    model.cancel()
    done.wait()
    assert "the run was cancelled" in found[0], found
    print("interrupted")
""")


def test_a_handler_that_does_not_raise_ends_nothing() -> None:
    interrupted("""
calls = []
def handle(*_):
    calls.append(True)
    try:
        model.run(THRICE)
    except RuntimeError as error:
        calls.append(str(error))
signal.signal(signal.SIGINT, handle)
threading.Timer(0.9, model.cancel).start()
try:
    model.run(ENDLESS)
except irrun.Error as error:
    assert len(calls) == 2 and "only cancel() is allowed" in calls[1], calls
    assert time.monotonic() - start > 0.8
    print("interrupted")
""")


def test_arrays_that_another_thread_reshapes() -> None:
    model = irrun.load(model_of("f32", "?", "ReLU"))
    x, ends = np.zeros(1 << 12, np.float32), threading.Event()

    def reshape() -> None:
        while not ends.is_set():
            for n in (1 << 20, 1 << 12):
                with contextlib.suppress(ValueError):  # resize fails while a run has a view of x
                    x.resize(n)
                x.shape = (-1, 1 << 6)
                x.shape = (-1,)

    thread = threading.Thread(target=reshape)
    thread.start()
    n_run = 0
    while n_run < 100:
        try:
            y = model.run({"x": x}, ["y"])["y"]
        except irrun.Error as error:
            assert "IR503" in str(error)  # the model takes one axis, and x had two
            continue
        assert y.size in (1 << 12, 1 << 20) and not y.any()
        n_run += 1
    ends.set()
    thread.join()


# ---- many runs at once ----


@pytest.mark.parametrize("parallel", [0, 1, 3])
def test_many_runs_at_once(parallel: int) -> None:
    model = irrun.load(POOL, threads=2)
    n_read = 0

    def read() -> Iterator[dict[str, np.ndarray]]:
        nonlocal n_read
        for i in range(50):
            n_read += 1
            yield {"x": X * np.float32(i)}

    for i, result in enumerate(model.run_many(read(), parallel=parallel)):
        np.testing.assert_array_equal(result["y"], Y * np.float32(i))
        assert n_read <= i + 2 * (parallel or 2)
    assert n_read == 50
    assert list(model.run_many([], parallel=parallel)) == []
    np.testing.assert_array_equal(model.run({"x": X})["y"], Y)
    for wrong in (-1, 257):
        with pytest.raises(ValueError, match="parallel: expected 1 to 256 runs"):
            model.run_many([], parallel=wrong)


def test_many_runs_have_variables_of_their_own() -> None:
    model = irrun.load(SUMS)
    x = np.array([1, 2], np.float32)
    model.run({"x": x})
    for result in model.run_many([{"x": x}] * 9, ["sum"], parallel=2):
        assert list(result) == ["sum"]
        np.testing.assert_array_equal(result["sum"], x)
        model.run({"x": x})
    np.testing.assert_array_equal(model.run({"x": x})["sum"], 11 * x)


def test_an_error_ends_many_runs() -> None:
    model = irrun.load(POOL, max_memory=1 << 20)
    results: list[irrun.Results] = []
    with pytest.raises(irrun.Error, match="IR503"):
        results.extend(model.run_many([{"x": X}, {"x": X}, {"x": X[0]}, {"x": X}], parallel=2))
    with pytest.raises(irrun.Error, match="IR502"):
        list(model.run_many([{"z": X}]))
    with pytest.raises(ZeroDivisionError):
        list(model.run_many(({"x": X * np.float32(6 // (3 - i))} for i in range(9)), parallel=2))
    assert [(result["y"] == Y).all() for result in results] == [True, True]
    with pytest.raises(irrun.Error, match="IR301") as raised:
        irrun.load("models/spec/P1.xml").run_many([])
    assert raised.value.status is irrun.Status.INVALID
    large = irrun.load(model_of("f32", "1048576", "ReLU"), max_memory=1 << 20)
    with pytest.raises(irrun.Error, match="IR004"):
        list(large.run_many([{"x": np.zeros(1 << 20, np.float32)}], parallel=2))
    slow = irrun.load(loop_of(""), max_time=0.1)
    with pytest.raises(irrun.Error, match="IR705"):
        list(slow.run_many([ENDLESS, ENDLESS], parallel=2))


def test_many_runs_are_cancelled() -> None:
    model = irrun.load(loop_of(""), max_time=60)
    threading.Timer(0.2, model.cancel).start()
    with pytest.raises(irrun.Error, match="the run was cancelled in"):
        list(model.run_many([ENDLESS] * 3, parallel=2))
    runs = model.run_many([THRICE, ENDLESS, ENDLESS, ENDLESS, ENDLESS], parallel=2)
    np.testing.assert_array_equal(next(runs)["y"], np.full(4, 8, np.float32))
    del runs  # ends the others
    np.testing.assert_array_equal(model.run(THRICE)["y"], np.full(4, 8, np.float32))


def test_casts_of_many_runs_warn() -> None:
    with pytest.warns(RuntimeWarning, match="IR504") as caught:
        list(irrun.load(POOL).run_many([{"x": X.astype("f8") + 1e-12}], cast=True))
    assert caught[0].filename == __file__


def test_ctrl_c_ends_many_runs() -> None:
    interrupted("""
try:
    list(model.run_many([ENDLESS] * 9, parallel=2))
except KeyboardInterrupt:
    assert time.monotonic() - start < 30
    assert (model.run(THRICE)["y"] == 8).all()
    print("interrupted")
""")


def test_run_many_whose_end_is_interrupted_leaves_no_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that stayed would take the next cancel() for theirs, so that it would not end the next run."""
    model = irrun.load(POOL)

    def interrupted(session: irrun.Session) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(irrun.Session, "cancel", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(model.run_many([{"x": X}] * 4, parallel=3))
    gc.collect()
    model.cancel()
    with pytest.raises(irrun.Error, match="IR705"):
        model(X)
