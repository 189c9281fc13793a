"""Tests statistics of constants, and of the results of layers."""

import json
import math
import subprocess
from pathlib import Path

import irrun
import numpy as np
import pytest
from irrun._stats import Gathering
from test_module import POOL, X, layer, model_of
from test_runs import SUMS, THRICE, inputs, loop_of, net, parameter

NAMES = {
    "layer": "layer", "port": "port", "type": "type", "tensors": "tensors", "finite": "finite", "nan": "nans",
    "negative_inf": "negative_infinities", "zeros": "zeros", "subnormals": "subnormals", "f16_overflows": "f16_overflows",
    "f16_vanishes": "f16_vanishes", "min": "min", "max": "max", "mean": "mean", "std": "std", "low": "low", "high": "high",
    "unique": "unique",
}  # fmt: skip


def assert_as_printed(stats: dict[str, irrun.Stats], *command: str) -> None:
    """Compares with the members of what the program prints with --json, which are named in NAMES."""
    program = subprocess.run(["irrun", *command, "--stats", "--json"], capture_output=True, text=True, check=True)
    printed = json.loads(program.stdout)["models"][0]["stats"]
    assert list(stats) == [row["name"] for row in printed] and len(printed) > 0
    for row, got in zip(printed, stats.values(), strict=True):
        assert [getattr(got, name) for name in NAMES.values()] == [row[key] for key in NAMES]
        assert got.infinities == row["inf"] + row["negative_inf"]
        assert [list(part) for part in got.histogram] == row["histogram"]


def test_stats_are_as_the_program_prints_them(tmp_path: Path) -> None:
    path, x = "models/networks/lp_pool.xml", np.linspace(-3, 1e18, 50, dtype=np.float32).reshape(1, 2, 5, 5)
    x[0, 0, 0] = [0, 1e-40, np.inf, -np.inf, np.nan]
    np.save(tmp_path / "x.npy", x)
    model = irrun.load(path)
    assert_as_printed(model.stats({"x": x}), path, f"--input=x={tmp_path}/x.npy")
    assert_as_printed(model.session().stats(x), path, f"--input=x={tmp_path}/x.npy")
    for path in ("models/networks/global_pools.xml", "models/networks/digits.xml"):
        assert_as_printed(irrun.load(path).stats(), "--check-shapes", path)


def test_stats_are_as_in_numpy() -> None:
    x = np.random.default_rng(0).normal(size=(3, 1000)).astype(np.float32)
    x[0, :2] = 0, -np.inf
    found = irrun.load(model_of("f32", "?,1000", "ReLU")).stats(x)
    assert list(found) == ["x", "op"]
    got, finite = found["x"], x[np.isfinite(x)].astype(np.float64)
    assert (got.type, got.shape, got.finite, got.zeros) == ("f32", (3, 1000), 2999, 1)
    assert (got.infinities, got.negative_infinities, got.unique) == (1, 1, None)
    expected = [finite.min(), finite.max(), finite.mean(), finite.std()]
    np.testing.assert_allclose([got.min, got.max, got.mean, got.std], expected, rtol=1e-12)
    np.testing.assert_allclose([got.low, got.high], np.percentile(finite, [0.1, 99.9]), rtol=1 / 8)
    assert sum(count for _, _, count in got.histogram) == 2999
    assert found["op"].zeros == (x <= 0).sum() and found["op"].negative_infinities == 0


def test_nothing_finite_has_no_range() -> None:
    got = irrun.load(model_of("f32", "2")).stats(np.full(2, np.nan, np.float32))["x"]
    assert got.nans == 2 and got.histogram == ()
    assert all(map(math.isnan, (got.min, got.max, got.mean, got.std, got.low, got.high)))


def test_layers_of_bodies() -> None:
    stats = irrun.load(loop_of("")).stats(THRICE)
    assert list(stats) == ["n", "go", "x", "loop > p", "loop > again", "loop > double", "loop"]
    double = stats["loop > double"]
    assert (double.tensors, double.shape, double.finite, double.min, double.max) == (3, (4,), 12, 2, 8)


def test_every_output_has_a_name_of_its_own() -> None:
    model = irrun.load(loop_of("").replace(b'name="again"', b'name="p"'))
    stats = model.stats(THRICE)
    assert list(stats) == ["n", "go", "x", "loop > p", "loop > p #6", "loop > double", "loop"]
    assert model.layers[stats["loop > p #6"].layer].outputs[0].type == stats["loop > p #6"].type == "boolean"


def test_results_of_constants_are_left_out() -> None:
    constant = layer(1, "c", "Const", '<data shape="2" element_type="f32" offset="0" size="8"/>', "FP32")
    model = net(
        parameter(0, "x", "f32", "2", "FP32"), constant, layer(2, "folded", "ReLU", inputs(1), "FP32"),
        layer(3, "sum", "Add", inputs(2), "FP32"), layer(4, "y", "Result", inputs(1)),
        edges="1:9-2:0 0:9-3:0 2:9-3:1 3:9-4:0",
    )  # fmt: skip
    with_weights = irrun.load(model, np.array([1, -1], np.float32).tobytes())
    x = np.zeros(2, np.float32)
    assert [each.varies for each in with_weights.layers] == [True, False, False, True, True]
    assert list(with_weights.stats(x)) == ["x", "sum"]
    assert list(with_weights.stats()) == ["c"] and with_weights.stats()["c"].min == -1
    assert irrun.load(model).stats() == {}


def test_stats_set_variables_as_a_run() -> None:
    model, x = irrun.load(SUMS), np.array([1, 2], np.float32)
    session = model.session()
    assert [session.stats({"x": x})["add"].max, session.run({"x": x})["sum"].max()] == [2, 4]
    assert model.stats(x)["add"].max == 2


def test_faults_and_casts() -> None:
    model = irrun.load(POOL)
    with pytest.raises(irrun.Error, match="IR503"):
        model.stats(X[0])
    with pytest.warns(RuntimeWarning, match="IR504") as warned:
        assert model.stats(X.astype(np.float64) + 0.1, cast=True)["x"].type == "f32"
    assert warned[0].filename == __file__
    faulty = irrun.load("models/spec/P1.xml")
    assert faulty.stats() == {}
    with pytest.raises(irrun.Error, match="IR301"):
        faulty.stats({"x": np.zeros((1, 3, 32, 32), np.float32)})


def test_ctrl_c_ends_stats(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    model = irrun.load(POOL)
    with monkeypatch.context() as patch:
        patch.setattr(Gathering, "add", interrupt)
        with pytest.raises(KeyboardInterrupt):
            model.stats(X)
    assert list(model.run(X)) == ["y"] and list(model.stats(X)) == ["x", "pool"]
