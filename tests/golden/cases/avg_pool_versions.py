"""Makes the golden cases of AvgPool-14 (ceil_torch) and AvgPool-16 (dilations)."""

import math

import numpy as np

from cases.case import SIGNED, UNSIGNED, Case, draw, filled, random, spelled_out, typed
from oracle import ir, pools
from oracle.windows import AUTO_PADS, ROUNDINGS, Pool

# (name; n; kernel, stride, dilation; pads; rounding types; auto_pad; averages without pads; averages with pads), for
# the input 1..n. If the averages without pads are None, the pads are refused.
LINES = [
    ("six_padded", 6, (3, 2, 1), (1, 1), ("ceil", "ceil_torch"), "explicit", (1.5, 3, 5, 6), (1, 3, 5, 2)),
    ("six", 6, (3, 2, 1), (0, 0), ("ceil", "ceil_torch"), "explicit", (2, 4, 5.5), (2, 4, 5.5)),
    ("six_end", 6, (3, 2, 1), (0, 1), ("ceil_torch",), "explicit", (2, 4, 5.5), (2, 4, 11 / 3)),
    ("six_begin", 6, (3, 2, 1), (1, 0), ("ceil_torch",), "explicit", (1.5, 3, 5), (1, 3, 5)),
    ("five", 5, (3, 2, 1), (1, 1), ("ceil",), "explicit", (1.5, 3, 4.5), (1, 3, 3)),
    ("four", 4, (2, 3, 1), (1, 1), ("ceil",), "explicit", (1, 3.5, 0), (0.5, 3.5, 0)),
    ("four_torch", 4, (2, 3, 1), (1, 1), ("ceil_torch",), "explicit", (1, 3.5), (0.5, 3.5)),
    ("four_same", 4, (1, 2, 1), (0, 0), ("ceil",), "same_upper", (1, 3, 0), (1, 3, 0)),
    ("four_end", 4, (2, 3, 1), (0, 2), ("ceil",), "explicit", None, (1.5, 2, 0)),
    ("nine_dilated", 9, (3, 4, 2), (1, 1), ("ceil_torch",), "explicit", (3, 6, 8), (2, 6, 8 / 3)),
    ("straddled", 1, (2, 1, 3), (2, 2), ("floor",), "explicit", (0, 0), (0, 0)),
]


def line_pool(window, pads, exclude_pad, rounding, auto_pad):
    kernel, stride, dilation = window
    return Pool([kernel], [stride], [pads[0]], [pads[1]], exclude_pad, rounding, auto_pad, [dilation])


def worked_lines():
    for name, n, window, pads, roundings, auto_pad, excluded, included in LINES:
        for rounding in roundings:
            model = ir.Model(name)
            x = model.parameter("x", "f32", [1, 1, n])
            known = {True: excluded, False: included}
            for exclude_pad in [key for key, values in known.items() if values is not None]:
                pool = line_pool(window, pads, exclude_pad, rounding, auto_pad)
                y = pools.add_avg_pool(model, f"pool{len(model.layers)}", x, pool, opset="opset16")
                model.result("exclude" if exclude_pad else "include", y)
            values = [values for values in known.values() if values is not None]
            yield Case(f"avg_pool_16_{name}_{rounding}", model, [filled("f32", [1, 1, n], range(1, n + 1))], known=values)


def worked_square():
    model = ir.Model("square")
    x = model.parameter("x", "f32", [1, 1, 5, 5])
    pool = Pool([2, 2], [2, 2], [1, 1], [1, 1], True, dilations=[2, 2])
    model.result("y", pools.add_avg_pool(model, "pool", x, pool, opset="opset16"))
    known = [(6, 7, 8, 11, 12, 13, 16, 17, 18)]
    yield Case("avg_pool_16_dilated_square", model, [filled("f32", [1, 1, 5, 5], np.arange(25))], known=known)


def grid():
    """Makes cases of every rounding type, with and without dilations, and with and without pads in the divisor."""
    for version, dilations in ((14, (None,)), (16, ([1, 1], [2, 1]))):
        for auto_pad in AUTO_PADS:
            name = f"avg_pool_{version}_{auto_pad}"
            model = ir.Model(name)
            x = model.parameter("x", "f32", [1, 2, 7, 6])
            for rounding in ROUNDINGS:
                for steps in dilations:
                    for exclude_pad in (True, False):
                        pool = Pool([2, 3], [2, 2], [1, 0], [1, 2], exclude_pad, rounding, auto_pad, steps)
                        label = f"{rounding}_{'exclude' if exclude_pad else 'include'}{'_dilated' if steps == [2, 1] else ''}"
                        model.result(label, pools.add_avg_pool(model, f"pool_{label}", x, pool, opset=f"opset{version}"))
            yield Case(name, model, [draw(random(name), "f32", [1, 2, 7, 6])])


def types():
    """Makes every type, with two channels. With one channel and dilations, the runtime does not compile integers of 16
    bits and more."""

    def add(model, x, opset, dilations):
        for exclude_pad in (True, False):
            pool = Pool([2, 3], [2, 2], [1, 1], [0, 1], exclude_pad, "ceil_torch", dilations=dilations)
            label = f"{x.layer.name}_{'exclude' if exclude_pad else 'include'}"
            model.result(label, pools.add_avg_pool(model, f"pool_{label}", x, pool, opset=opset))

    for version, dilations in ((14, None), (16, [2, 1])):
        for kind, names in (("floats", ir.FLOATS), ("signed", SIGNED), ("unsigned", UNSIGNED)):
            name = f"avg_pool_{version}_{kind}"
            yield typed(name, names, [1, 2, 5, 6], lambda model, x, v=version, d=dilations: add(model, x, f"opset{v}", d))


def ranks():
    for shape, axes in (([2, 3, 20], 1), ([1, 2, 6, 7, 8], 3)):
        name = f"avg_pool_16_rank{axes + 2}"
        model = ir.Model(name)
        x = model.parameter("x", "f32", shape)
        for rounding in ROUNDINGS:
            pool = Pool([3, 2, 2][:axes], [2, 3, 2][:axes], [2, 1, 0][:axes], [1, 0, 2][:axes], True, rounding)
            pool.dilations = [2, 1, 3][:axes]
            model.result(rounding, pools.add_avg_pool(model, rounding, x, pool, opset="opset16"))
        yield Case(name, model, [draw(random(name), "f32", shape)])


def other_settings():
    name = "avg_pool_16_without_dilations"
    model = ir.Model(name)
    x = model.parameter("x", "f32", [1, 2, 6, 6])
    model.result("y", pools.add_avg_pool(model, "pool", x, Pool([3, 3], [2, 2], [1, 1], [1, 1], False), opset="opset16"))
    yield Case(name, model, [draw(random(name), "f32", [1, 2, 6, 6])], reference=spelled_out(model))
    name = "avg_pool_16_nan_and_inf"
    model = ir.Model(name)
    x = model.parameter("x", "f32", [1, 1, 10])
    model.result("y", pools.add_avg_pool(model, "pool", x, Pool([2], [1], [1], [1], False, dilations=[3]), opset="opset16"))
    values = [1, math.nan, 2, math.inf, 4, -math.inf, -math.inf, 5, 6, math.inf]
    yield Case(name, model, [filled("f32", [1, 1, 10], values)])
    name = "avg_pool_16_one_channel_i32"
    model = ir.Model(name)
    x = model.parameter("x", "i32", [2, 1, 9])
    pool = Pool([3], [2], [1], [1], True, "ceil", dilations=[2])
    model.result("y", pools.add_avg_pool(model, "pool", x, pool, opset="opset16"))
    reason = "dilated averages of integers with one channel do not compile"
    yield Case(name, model, [draw(random(name), "i32", [2, 1, 9])], exact_because=reason)


def all_cases():
    for group in (worked_lines, worked_square, grid, types, ranks, other_settings):
        yield from group()
