"""Makes the cases with dims that are unknown until the run: the input array's shape fixes them."""

import numpy as np

from cases.case import Case, draw, random, results, spelled_out
from oracle import ir, pools, reductions
from oracle.windows import Pool

# Each row: name, dims in the Parameter's attribute, dims of its port, dims in the run.
SHAPES = [
    ("open", "?,-1,?,-1", (-1, -1, -1, -1), [2, 3, 7, 6]),
    ("bounded", "1..10,2,3..9,..40", (-1, 2, -1, -1), [1, 2, 9, 5]),
    ("half_open", "2..,?,..7,1..", (-1, -1, -1, -1), [2, 1, 7, 8]),
    ("rank3", "?,1..4,-1", (-1, -1, -1), [3, 2, 11]),
    ("rank5", "1,?,2..8,-1,..6", (1, -1, -1, -1, -1), [1, 2, 5, 4, 6]),
]


def one(name, row, build, static=False):
    """Makes a case whose x has the dims of `row`. If `static`, the runtime's model has the shapes of the run instead.
    Reason: for the indices of a dynamic model, the runtime takes same_* pads as 0."""
    shape, text, declared, own = row
    name = f"dynamic_{name}_{shape}"
    model = ir.Model(name)
    build(model, model.parameter("x", "f32", text, declared=declared), declared)
    inputs = [draw(random(name), "f32", own)]
    return Case(name, model, inputs, reference=spelled_out(model, inputs) if static else None)


def lists(rank, *rows):
    return [list(row[: rank - 2]) for row in rows]


def pool_of(rank, window, *more):
    """Returns a Pool whose kernel, strides and pads are the first items of the rows of `window`."""
    kernel, strides, begin, end = lists(rank, *window)
    return Pool(kernel, strides, begin, end, *more)


def add_avg_pools(model, x, declared):
    """Adds three AvgPools. The output's declared N and C are the input's declared N and C; the other dims are -1."""
    dims = (*declared[:2], *[-1] * (len(declared) - 2))
    window = ((3, 2, 2), (2, 1, 2), (1, 1, 0), (2, 0, 1))
    for version, rounding, auto_pad in ((1, "ceil", "same_lower"), (14, "ceil_torch", "explicit"), (16, "floor", "same_upper")):
        pool = pool_of(len(dims), window, True, rounding, auto_pad, lists(len(dims), (1, 2, 2))[0] if version == 16 else None)
        y = pools.add_avg_pool(model, f"pool{version}", x, pool, dims, f"opset{version}")
        model.result(f"y{version}", y)


def add_max_pools(model, x, declared):
    dims = (*declared[:2], *[-1] * (len(declared) - 2))
    window = ((2, 3, 2), (1, 2, 2), (1, 0, 0), (1, 2, 1))
    dilations = lists(len(dims), (2, 1, 1))[0]
    pool = pool_of(len(dims), window, None, "ceil", "same_lower")
    model.result("y1", pools.add_max_pool(model, "pool1", x, pool, "opset1", dims))
    pool = pool_of(len(dims), window, None, "ceil", "same_upper", dilations)
    results(model, "y8", pools.add_max_pool(model, "pool8", x, pool, "opset8", dims, axis=1))
    pool = pool_of(len(dims), window, None, "ceil_torch", "explicit", dilations)
    results(model, "y14", pools.add_max_pool(model, "pool14", x, pool, "opset14", dims, index_element_type="i32", axis=-1))


def add_adaptive(model, x, declared):
    sizes = [3, 4, 2][: len(declared) - 2]
    size = model.const("size", np.array(sizes, np.int64))
    dims = (*declared[:2], *sizes)
    model.result("mean", pools.add_adaptive(model, "avg", x, size, dims))
    outputs = pools.add_adaptive(model, "max", x, size, dims, "AdaptiveMaxPool", data={"index_element_type": "i32"})
    results(model, "max", outputs)


def add_reductions(model, x, declared):
    axes = model.const("axes", np.array([1, -1], np.int64))
    kept = [1 if i in (1, len(declared) - 1) else dim for i, dim in enumerate(declared)]
    dropped = [dim for i, dim in enumerate(declared) if i not in (1, len(declared) - 1)]
    for name in ("Mean", "Max"):
        op = f"Reduce{name}"
        model.result(f"{name}_kept", reductions.add_reduction(model, op, f"{name}_kept", x, axes, kept, True))
        model.result(f"{name}_dropped", reductions.add_reduction(model, op, f"{name}_dropped", x, axes, dropped))


def add_chain(model, x, declared):
    """Adds a MaxPool, an AvgPool over its values and a global mean. The MaxPool's indices are an output of the
    model."""
    dims = (*declared[:2], *[-1] * (len(declared) - 2))
    ones = lists(len(dims), (1, 1, 1))[0]
    first = pool_of(len(dims), ((2, 2, 2), (1, 1, 1), (0, 0, 0), (1, 1, 1)), None, "floor", "explicit", ones)
    values, where = pools.add_max_pool(model, "max", x, first, "opset14", dims, index_element_type="i32")
    second = pool_of(len(dims), ((2, 2, 2), (2, 2, 2), (0, 0, 0), (0, 0, 0)), False, "ceil_torch")
    mean = pools.add_avg_pool(model, "mean", values, second, dims, "opset14")
    axes = model.const("axes", np.arange(2, len(dims)))
    model.result("y", reductions.add_reduction(model, "ReduceMean", "global", mean, axes, dims[:2]))
    model.result("at", where)
    model.result("pooled", mean)


def sizes_at_run_time():
    """Makes an adaptive pool of an input with open dims. The sizes of the pool's output are a second input of the
    model."""
    name = "dynamic_adaptive_sizes"
    model = ir.Model(name)
    x = model.parameter("x", "f32", "?,2,1..10,?", declared=(-1, 2, -1, -1))
    size = model.parameter("size", "i64", "?", declared=(-1,))
    model.result("y", pools.add_adaptive(model, "pool", x, size, (-1, 2, -1, -1)))
    return Case(name, model, [draw(random(name), "f32", [2, 2, 5, 7]), np.array([4, 9])])


def all_cases():
    for row in SHAPES:
        yield one("avg_pool", row, add_avg_pools)
        yield one("max_pool", row, add_max_pools, static=True)
        yield one("adaptive", row, add_adaptive)
        yield one("reductions", row, add_reductions)
        yield one("chain", row, add_chain)
    yield sizes_at_run_time()
