"""Tests the Python module as its users call it. The tests run in the source tree."""

import array
import gc
import pickle
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import irrun
import numpy as np
import pytest

POOL = "models/demo/pool.xml"
X = np.load("models/demo/x.npy")
Y = np.array([[[[0, 1.5, 3], [6, 7.5, 9], [12, 13.5, 15]]]], np.float32)


PRECISIONS = {"f16": "FP16", "f32": "FP32", "f64": "FP64", "boolean": "BOOL"}  # all others: name in capitals


def layer(number: int, name: str, kind: str, inside: str, precision: str = "") -> str:
    output = f'<output><port id="9" precision="{precision}"/></output>' if precision else ""
    return f'<layer id="{number}" name="{name}" type="{kind}" version="opset1">{inside}{output}</layer>'


def model_of(element_type: str, shape: str, op: str = "") -> bytes:
    """Makes a model with the input x and the result `same`, which equals x. If `op` is ReLU or Reshape, the op's output
    is the result `y`.
    A Reshape has a second input, `target`."""
    precision = PRECISIONS.get(element_type, element_type.upper())
    one, two = '<input><port id="0"/></input>', '<input><port id="0"/><port id="1"/></input>'
    layers = [layer(0, "x", "Parameter", f'<data shape="{shape}" element_type="{element_type}"/>', precision)]
    edges = [(0, 4, 0)]
    if op == "Reshape":
        layers.append(layer(1, "target", "Parameter", '<data shape="2" element_type="i64"/>', "I64"))
        layers.append(layer(2, "op", op, '<data special_zero="false"/>' + two, precision))
        edges.append((1, 2, 1))
    elif op:
        layers.append(layer(2, "op", op, one, precision))
    if op:
        layers.append(layer(3, "y", "Result", one))
        edges += [(0, 2, 0), (2, 3, 0)]
    layers.append(layer(4, "same", "Result", one))
    text = '<net name="n" version="11"><layers>' + "".join(layers) + "</layers><edges>"
    for start, to, port in edges:
        text += f'<edge from-layer="{start}" from-port="9" to-layer="{to}" to-port="{port}"/>'
    return (text + "</edges></net>").encode()


# ---- checking ----


def test_a_good_model() -> None:
    model = irrun.load(Path(POOL))
    assert model.check() == []
    assert [(v.name, v.type, v.shape) for v in model.inputs + model.outputs] == [
        ("x", "f32", (1, 1, 4, 4)),
        ("y", "f32", (1, 1, 3, 3)),
    ]
    assert model.inputs[0].dtype == np.float32
    pool = model.layers[1]
    assert (pool.id, pool.name, pool.type, pool.version, pool.opset, pool.line) == ("1", "pool", "AvgPool", 1, "opset1", 11)
    assert pool.attributes["kernel"] == "2,2" and pool.outputs[0].shape == (1, 1, 3, 3)
    assert pool.runnable and pool.live and pool.inside == ()


def test_faults_are_as_the_program_prints_them() -> None:
    model = irrun.load("models/spec/P1.xml")
    note, error = model.check()
    assert (error.rule, error.slug, error.severity, error.line) == ("IR301", "declared-shape-differs", "error", 17)
    assert error.layer_name == "pool" and "output size" in error.notes[0].message
    program = subprocess.run(["irrun", "--check-shapes", "models/spec/P1.xml"], check=False, capture_output=True, text=True)
    assert {str(note), str(error)} <= set((program.stdout + program.stderr).splitlines())
    with pytest.raises(irrun.Error) as raised:
        model.run({"x": np.zeros((1, 3, 32, 32), np.float32)})
    assert raised.value.status is irrun.Status.INVALID
    assert raised.value.diagnostics == [note, error] and str(raised.value) == str(error)


def test_what_cannot_be_read() -> None:
    with pytest.raises(irrun.Error, match=r"nowhere.xml: error: cannot read the model: .* \[IR701") as raised:
        irrun.load("nowhere.xml")
    assert raised.value.status is irrun.Status.IO
    with pytest.raises(irrun.Error, match="IR002"):
        irrun.load(b"")
    with pytest.raises(irrun.Error, match="there is no rule 'IR999'"):
        irrun.load(POOL, deny=["IR999"])
    with pytest.raises(TypeError):
        irrun.load(POOL, b"")


def test_policy_and_shapes() -> None:
    assert [d.severity for d in irrun.load("models/spec/P1.xml", deny=["IR209"]).check()] == ["error", "error"]
    path = "models/max_pool/dynamic.xml"
    assert irrun.load(path).inputs[0].shape == (1, 3, (32, 640), (0, None))
    narrowed = irrun.load(path, shapes={"image": "1,3,224..256,224"})
    assert narrowed.outputs[0].shape == (1, 3, (56, 64), 56)


# ---- running ----


def test_a_run() -> None:
    model = irrun.load(POOL)
    for scale in (1, 2):  # the second run uses the plan of the first
        result = model.run({"x": X * np.float32(scale)})
        assert list(result) == ["y"] and result["y"].dtype == np.float32
        np.testing.assert_array_equal(result["y"], Y * scale)
    kept = model.run({"x": X})["y"]
    model.run({"x": X * 0})
    del model
    gc.collect()
    np.testing.assert_array_equal(kept, Y)


def test_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    model = irrun.load(model_of("f32", "1048576", "ReLU"))
    x, place = np.full(1 << 20, 2, np.float32), np.empty(1 << 20, np.float32)
    x.flags.writeable = False
    assert model.run({"x": x}, ["y"], out={"y": place})["y"] is place
    assert (place == 2).all()
    places = []
    from irrun._native import address, lib

    class Watched:
        def __getattr__(self, name: str) -> Any:
            return getattr(lib, name)

        def irrun_tensor_borrow(self, *args: Any) -> Any:
            places.append(args[4])
            return lib.irrun_tensor_borrow(*args)

    monkeypatch.setattr("irrun._run.lib", Watched())
    model.run({"x": x}, ["y"])
    values = array.array("f", [1.0]) * (1 << 20)
    result = model.run({"x": memoryview(values)}, ["y"])["y"]
    assert places == [address(x), address(np.asarray(values))] and (result == 1).all()


def test_arrays_of_any_order() -> None:
    model = irrun.load(POOL)
    swapped = X.astype(">f4")
    column_major = np.asfortranarray(X)
    unaligned = np.frombuffer(b"\0" + X.tobytes(), np.float32, offset=1).reshape(X.shape)
    for x in (swapped, column_major, unaligned, X.repeat(2, 3)[..., ::2]):
        np.testing.assert_array_equal(model.run({"x": x})["y"], Y)


@pytest.mark.parametrize("name", "f16 f32 f64 bf16 boolean i8 i16 i32 i64 u8 u16 u32 u64".split())
def test_every_type_and_no_axes(name: str) -> None:
    model = irrun.load(model_of(name, ""))
    dtype = model.inputs[0].dtype
    x = np.array(1).astype(dtype) if dtype != np.dtype("V2") else np.array(b"\x80\x3f", "V2")
    same = model.run({"x": x})["same"]
    assert same.dtype == dtype and same.shape == () and same.tobytes() == x.tobytes()
    assert irrun.load(model_of(name, "0,3")).run({"x": np.zeros((0, 3), dtype)})["same"].shape == (0, 3)


def test_shapes_that_inputs_decide() -> None:
    model = irrun.load(model_of("f32", "?", "Reshape"))
    x = np.arange(6, dtype=np.float32)
    target = np.array([2, 3])
    for _ in range(2):
        result = model.run({"x": x, "target": target})
        np.testing.assert_array_equal(result["y"], x.reshape(target))
        target[:] = 3, 2  # the array stays at the same address
    assert model.run({"x": x}, ["same"])["same"].shape == (6,)
    with pytest.raises(irrun.Error, match="no tensor for input 'target'"):
        model.run({"x": x})


def test_wrong_inputs_and_places() -> None:
    model = irrun.load(POOL)
    for inputs, rule in (
        ({}, "IR501"),
        ({"z": X}, "IR502"),
        ({"x": X[0]}, "IR503"),
        ({"x": X.astype("f8")}, "IR504"),
    ):
        with pytest.raises(irrun.Error, match=rule) as raised:
            model.run(inputs)
        assert raised.value.status is irrun.Status.BAD_DATA and len(raised.value.diagnostics) == 1
    with pytest.raises(TypeError, match="no element type of a model is complex64"):
        model.run({"x": X * 1j})
    for place in (np.empty((1, 1, 3, 3)), np.empty((9,), np.float32), np.empty((3, 3, 1, 1), np.float32).T):
        with pytest.raises(ValueError, match="writable, row-major array of float32"):
            model.run({"x": X}, out={"y": place})
    np.testing.assert_array_equal(model.run({"x": X})["y"], Y)


def test_casts_warn_of_rounding() -> None:
    model = irrun.load(POOL)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(model.run({"x": X.astype("f8")}, cast=True)["y"], Y)
    with pytest.warns(RuntimeWarning, match="IR504"):
        model.run({"x": X.astype("f8") + 1e-12}, cast=True)


def test_notes_are_no_warnings() -> None:
    infinite = irrun.load("tests/faults/by_hand/IR407_beyond_f16.xml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        booleans = irrun.load(model_of("boolean", "4", "Reshape"))
        booleans.run({"x": np.ones(4, np.bool_), "target": np.array([2, 2], np.int64)})
        infinite.run({"x": np.zeros(2, np.float32)})
    assert [(d.rule, d.severity) for d in infinite.check()] == [("IR407", "note")]


def test_too_much_memory() -> None:
    model = irrun.load(model_of("f32", "1048576", "ReLU"), max_memory=1 << 20)
    with pytest.raises(irrun.Error, match="IR004"):
        model.run({"x": np.zeros(1 << 20, np.float32)})


# ---- bytes, pickles, threads ----


def test_weights_as_bytes() -> None:
    path = Path("models/networks/global_pools.xml")
    by_path, by_bytes = irrun.load(path), irrun.load(path.read_bytes(), path.with_suffix(".bin").read_bytes())
    inputs = {v.name or "": np.random.default_rng(1).random(v.shape, np.float32) for v in by_path.inputs}  # type: ignore[arg-type] # no size is open
    for model in (by_path, by_bytes, pickle.loads(pickle.dumps(by_bytes))):
        results = model.run(inputs)
        for name, expected in by_path.run(inputs).items():
            np.testing.assert_array_equal(results[name], expected)


def test_kernels_and_passes_are_chosen() -> None:
    x = np.random.default_rng(2).random((1, 1, 4, 4), np.float32)
    expected = irrun.load(POOL).run({"x": x})["y"]
    chosen = irrun.load(POOL, kernels="plain", skip_passes=["fuse", "layout", "fuse"])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(chosen)).run({"x": x})["y"], expected)
    with pytest.raises(ValueError, match="kernels 'quick': irrun has none of that name"):
        irrun.load(POOL, kernels="quick")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pass 'unroll': irrun has none of that name"):
        irrun.load(POOL, skip_passes=["unroll"])


def test_precision_is_chosen() -> None:
    path = Path("models/networks/digits.xml")
    x = {"image": np.random.default_rng(3).random((1, 1, 16, 16), np.float32)}
    plain = irrun.load(path, kernels="plain", precision="bf16")
    with pytest.warns(RuntimeWarning, match="products of bf16 were asked for, and they are computed in f32"):
        results = pickle.loads(pickle.dumps(plain)).run(x)
    for name, expected in irrun.load(path, kernels="plain").run(x).items():
        np.testing.assert_array_equal(results[name], expected)
    with pytest.raises(irrun.Error, match="the precision of products: expected f32, bf16 or f16"):
        irrun.load(POOL, precision="i8")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="precision 'f17': irrun has none of that name"):
        irrun.load(POOL, precision="f17")  # type: ignore[arg-type]


def test_threads_may_share_a_model() -> None:
    model = irrun.load(POOL)
    with ThreadPoolExecutor(8) as pool:
        for i, result in enumerate(pool.map(lambda i: model.run({"x": X + np.float32(i)})["y"], range(200))):
            assert result[0, 0, 1, 1] == 7.5 + i


def test_others_go_on_during_a_run() -> None:
    n = 1 << 24
    model = irrun.load(model_of("f32", str(n), "ReLU"), threads=1)
    x, place = np.zeros(n, np.float32), np.empty(n, np.float32)
    model.run({"x": x}, ["y"], out={"y": place})
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # a thread keeps the GIL until it releases the GIL itself
    try:
        seen = False
        for _ in range(100):  # on a busy machine this thread may sleep through a run
            place.fill(1)
            thread = threading.Thread(target=model.run, args=({"x": x}, ["y"]), kwargs={"out": {"y": place}})
            thread.start()
            while thread.is_alive():
                seen = seen or bool(place[0] == 0 and place[-1] == 1)
                time.sleep(0)  # releases the GIL
            thread.join()
            assert place[-1] == 0
            if seen:
                break
    finally:
        sys.setswitchinterval(before)
    assert seen


# ---- the package ----


def test_example() -> None:
    example = subprocess.run([sys.executable, "python/examples/first_steps.py"], check=False, capture_output=True, text=True)
    assert example.returncode == 0, example.stderr
    assert "line 17: IR301 declared-shape-differs, error" in example.stdout
    assert "pool  f32 (1, 1, 3, 3) 0..15, mean 7.5" in example.stdout


def test_program_is_of_the_same_version() -> None:
    program = subprocess.run(["irrun", "--version"], capture_output=True, text=True, check=True)
    assert f"irrun {irrun.__version__}" in program.stdout


def test_types() -> None:
    mypy = pytest.importorskip("mypy.api")
    folder = str(Path(irrun.__file__).parent)
    out, _, status = mypy.run(["--config-file=pyproject.toml", "--cache-dir=/dev/null", folder, "python/examples/first_steps.py",
                              "tests/python/test_calls.py", "tests/python/test_stats.py"])  # fmt: skip
    assert status == 0, out


# ---- editing ----


def test_an_edited_model(tmp_path: Path) -> None:
    out = tmp_path / "out.xml"
    irrun.edit(POOL, ["x: rename=image", "x: mean=1"], out)
    assert np.allclose(irrun.load(out).run({"image": X + 1})["y"], Y)


def test_edits_that_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.xml"
    with pytest.raises(irrun.Error, match="'x: u8 f16': 'u8' and 'f16' set the same") as refused:
        irrun.edit(POOL, ["x: u8 f16"], out)
    assert refused.value.status == irrun.Status.USAGE
    with pytest.raises(irrun.Error, match="declares 32x32, expected 16x16"):
        irrun.edit("models/spec/P1.xml", ["x: rename=z"], out)
    with pytest.raises(irrun.Error, match="cannot read the model"):
        irrun.edit("none.xml", ["x: rename=z"], out)
    with pytest.raises(TypeError, match="not one text"):
        irrun.edit(POOL, "x: rename=z", out)
    assert list(tmp_path.iterdir()) == []


def test_an_edit_that_changes_nothing_warns(tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning, match="finds nothing to change"):
        irrun.edit(POOL, ["x: batch=1"], tmp_path / "out.xml")
