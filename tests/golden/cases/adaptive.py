"""Makes the golden cases of AdaptiveAvgPool-8 and AdaptiveMaxPool-8."""

import math

import numpy as np

from cases.case import SIGNED, UNSIGNED, Case, draw, filled, random, results, spelled_out, typed
from oracle import ir, pools
from oracle.windows import adaptive_shape


def averages():
    def constant(name, element_type, shape, sizes, size_type="i64", x=None, **more):
        x = draw(random(name), element_type, shape) if x is None else filled(element_type, shape, x)
        return Case(name, pools.one_adaptive(None, element_type, shape, sizes, size_type), [x], **more)

    def at_run_time(name, shape, sizes, size_type):
        model = pools.one_adaptive_at_run_time(None, "f32", shape, size_type)
        inputs = [draw(random(name), "f32", shape), np.array(sizes, ir.dtype_of(size_type))]
        return Case(name, model, inputs)

    yield constant("adaptive_rank3_5_to_3", "f32", [2, 2, 5], [3])
    yield constant("adaptive_rank3_7_to_4_i32", "f32", [1, 3, 7], [4], "i32")
    yield constant("adaptive_rank4_divides", "f32", [1, 2, 8, 6], [4, 2])
    yield constant("adaptive_rank4_overlaps", "f32", [1, 2, 7, 5], [4, 3], "i32")
    yield constant("adaptive_rank4_to_one", "f32", [2, 3, 5, 6], [1, 1])
    yield constant("adaptive_rank4_same_size", "f32", [1, 2, 4, 5], [4, 5])
    yield constant("adaptive_rank4_larger", "f32", [1, 1, 5, 7], [8, 9])
    yield constant("adaptive_rank4_one_larger", "f32", [1, 2, 3, 9], [7, 4])
    yield constant("adaptive_rank5", "f32", [1, 2, 5, 4, 7], [3, 4, 4])
    yield constant("adaptive_rank5_larger_i32", "f32", [1, 1, 2, 3, 2], [3, 4, 5], "i32")
    yield constant("adaptive_rank5_to_one", "f32", [2, 2, 3, 4, 5], [1, 1, 1])
    yield constant("adaptive_large_ratio", "f32", [1, 1, 2000], [7])
    yield constant("adaptive_counted_1d", "f32", [1, 1, 7], [3], x=np.arange(7), known=[(1, 3, 5)])
    yield constant("adaptive_counted_2d", "f32", [1, 1, 5, 7], [2, 3], x=np.arange(35), known=[(8, 10, 12, 22, 24, 26)])
    known = [(8.5, 9.5, 10.5, 12.5, 13.5, 14.5)]
    yield constant("adaptive_counted_3d", "f32", [1, 1, 2, 3, 4], [1, 2, 3], x=np.arange(24), known=known)
    for element_type in ("f64", "f16", "bf16"):
        yield constant(f"adaptive_{element_type}_rank3", element_type, [1, 2, 9], [4])
        yield constant(f"adaptive_{element_type}_rank4", element_type, [1, 2, 5, 6], [3, 4], "i32")
        yield constant(f"adaptive_{element_type}_rank5", element_type, [1, 1, 4, 5, 3], [3, 2, 5])
    yield constant("adaptive_special_values", "f32", [1, 1, 8], [4], x=[1, 2, math.nan, 3, math.inf, 4, 5, -math.inf])
    yield at_run_time("adaptive_at_run_time_i64", [1, 2, 6, 9], [4, 5], "i64")
    yield at_run_time("adaptive_at_run_time_i32", [1, 2, 5], [3], "i32")
    yield at_run_time("adaptive_at_run_time_larger", [1, 1, 3, 2, 4], [4, 3, 2], "i64")


# The runtime does not compile indices of i64, the default, so it gets a model with i32.
I64 = {"index_element_type": "i64"}
I32 = {"index_element_type": "i32"}


def add_maximum(model, label, x, sizes, data, size_type="i64", declared=None):
    """Adds an AdaptiveMaxPool. `sizes` are numbers, or an output that has them."""
    shape = declared or adaptive_shape(x.shape, sizes)
    if not isinstance(sizes, ir.Output):
        sizes = model.const(f"size_{label}", np.array(sizes, ir.dtype_of(size_type)))
    results(model, label, pools.add_adaptive(model, f"pool_{label}", x, sizes, shape, "AdaptiveMaxPool", data=data))


def maximum(name, element_type, shape, sizes, data=None, x=None, size_type="i64", **more):
    model = ir.Model(name)
    add_maximum(model, "y", model.parameter("x", element_type, shape), sizes, I32 if data is None else data, size_type)
    x = draw(random(name), element_type, shape) if x is None else filled(element_type, shape, x)
    return Case(name, model, [x], **more)


def maxima():
    yield maximum("adaptive_max_counted", "f32", [1, 1, 5, 7], [2, 3], x=np.arange(35), known=[(16, 18, 20, 30, 32, 34)] * 2)
    yield maximum("adaptive_max_rank3_7_to_4", "f32", [2, 3, 7], [4], size_type="i32")
    yield maximum("adaptive_max_rank4_overlaps", "f32", [2, 2, 7, 5], [4, 3])
    yield maximum("adaptive_max_rank4_larger", "f32", [1, 2, 3, 4], [5, 7], size_type="i32")
    yield maximum("adaptive_max_rank4_to_one", "f32", [2, 3, 4, 4], [1, 1])
    yield maximum("adaptive_max_rank5", "f32", [1, 2, 5, 4, 7], [3, 4, 4])
    nan, inf = math.nan, math.inf
    values = [nan, 1, 1, nan, -inf, -inf, 3, 3, nan, nan, -0.0, 0]
    known = [(nan, 1, -inf, 3, nan, 0), (0, 2, 4, 6, 8, 10)]
    yield maximum("adaptive_max_special", "f32", [1, 1, 12], [6], x=values, known=known)
    # A NaN at the start of a later row of a bin does not hide other elements.
    yield maximum("adaptive_max_nan_below", "f32", [1, 1, 2, 2], [1, 1], x=[1, 2, nan, 9], known=[(9,), (3,)])
    for label, data in (("i64", I64), ("default", {})):
        model = maximum(f"adaptive_max_indices_{label}", "f32", [1, 2, 5, 6], [2, 4], data)
        model.reference = spelled_out(model.model, index_element_type="i32")
        yield model
    for names, label in ((("f32", "f64", "f16"), "floats"), (("bf16",), "bf16")):
        build = lambda m, x: add_maximum(m, x.layer.name, x, [3, 2], I32)  # noqa: E731
        yield typed(f"adaptive_max_{label}", names, [1, 2, 5, 5], build)
    yield maxima_at_run_time()


def maxima_at_run_time():
    model = ir.Model("sizes_at_run_time")
    x, size = model.parameter("x", "f32", [1, 2, 5, 6]), model.parameter("size", "i32", [2])
    add_maximum(model, "y", x, size, I32, declared=(1, 2, -1, -1))
    name = "adaptive_max_at_run_time"
    return Case(name, model, [draw(random(name), "f32", [1, 2, 5, 6]), np.array([4, 8], np.int32)])


def integers():
    """Makes maxima, and averages rounded half to even, of integer types, which --allow permits."""

    def add(model, x):
        size = model.const(f"size_{x.layer.name}", np.array([2, 3], np.int64))
        mean = pools.add_adaptive(model, f"mean_{x.layer.name}", x, size, (1, 2, 2, 3))
        model.result(f"mean_{x.layer.name}", mean)
        add_maximum(model, f"max_{x.layer.name}", x, [2, 3], I32)

    for label, names in (("signed", SIGNED), ("unsigned", UNSIGNED)):
        yield typed(f"adaptive_{label}", names, [1, 2, 5, 5], add, options=["--allow=IR306"])


def all_cases():
    for group in (averages, maxima, integers):
        yield from group()
