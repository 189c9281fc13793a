"""Makes the cases of ReduceMean-1 and ReduceMax-1."""

import math

import numpy as np

from cases.case import SIGNED, UNSIGNED, Case, draw, one, random, typed
from oracle import ir, reductions

OPS = {"mean": "ReduceMean", "max": "ReduceMax"}
KINDS = {"floats": ir.FLOATS, "signed": SIGNED, "unsigned": UNSIGNED}


def add(model, label, op, x, axes, keep_dims=None):
    """Adds a reduction and its Result. `axes` is an array, or the output of a layer that holds the axes."""
    if isinstance(axes, ir.Output):
        declared = (-1,) * len(x.shape)
    else:
        declared = reductions.reduced_shape(x.shape, axes, bool(keep_dims))
        axes = model.const(f"axes_{label}", axes)
    model.result(label, reductions.add_reduction(model, op, f"reduce_{label}", x, axes, declared, keep_dims))


def types():
    for op, name in OPS.items():
        for kind, names in KINDS.items():

            def build(model, x, name=name):
                add(model, x.layer.name, name, x, np.array([2, 3]), True)

            yield typed(f"reduce_{op}_{kind}", names, [1, 3, 4, 5], build)


def axes():
    rows = {"first": [0], "last": [-1], "middle": [2, 1], "negative": [-3, 3], "all": [3, 0, -2, 1]}
    for op, name in OPS.items():

        def build(model, x, name=name):
            for label, values in rows.items():
                for keep_dims, index_type in ((True, np.int64), (None, np.int32)):
                    add(model, f"{label}_{'kept' if keep_dims else 'dropped'}", name, x, np.array(values, index_type), keep_dims)
            add(model, "scalar", name, x, np.array(1, np.int64), False)
            add(model, "none", name, x, np.array([], np.int64), True)

        yield one(f"reduce_{op}_axes", "f32", [2, 3, 4, 5], build)


def at_run_time():
    for op, name in OPS.items():
        model = ir.Model(f"reduce_{op}_axes_at_run_time")
        x, axes = model.parameter("x", "f32", [2, 3, 4]), model.parameter("axes", "i64", [2])
        add(model, "y", name, x, axes, True)
        yield Case(model.name, model, [draw(random(model.name), "f32", [2, 3, 4]), np.array([-1, 0])])
        model = ir.Model(f"reduce_{op}_rank_at_run_time")
        x, axes = model.parameter("x", "f32", [2, 3, 4]), model.parameter("axes", "i64", ["?"], declared=[-1])
        y = reductions.add_reduction(model, name, "reduce", x, axes, ())
        model.result("y", y)
        reason = "the runtime does not compile what has a rank that only a run knows"
        yield Case(model.name, model, [draw(random(model.name), "f32", [2, 3, 4]), np.array([1])], exact_because=reason)


def special_values():
    nan, inf = math.nan, math.inf
    values = [1, nan, 2, nan, 1, 3, inf, 4, -inf, -inf, -inf, -inf, inf, -inf, 5, -0.0, 0, -1]
    for op, name in OPS.items():
        yield one(f"reduce_{op}_special", "f32", [6, 3], lambda m, x, name=name: add(m, "y", name, x, np.array([1]), True), values)
    thirds = [1, 1, 0, -1, -1, 0, 8, 0, 0, -11, 0, 0, 4, 4, 3, 2, 0, 0]
    yield one("reduce_mean_toward_zero", "i8", [6, 3], lambda m, x: add(m, "y", "ReduceMean", x, np.array([1])), thirds,
              known=[(0, 0, 2, -3, 3, 0)])


def nothing():
    """Yields reductions of an axis of size 0: the mean is 0, and the maximum is the type's lowest number."""
    for op, name in OPS.items():
        build = lambda m, x, name=name: add(m, x.layer.name, name, x, np.array([1]), True)  # noqa: E731
        yield typed(f"reduce_{op}_of_nothing", ("f32", "i8", "u16"), [2, 0, 3], build)


def all_cases():
    for group in (types, axes, at_run_time, special_values, nothing):
        yield from group()
