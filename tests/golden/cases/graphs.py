"""Makes the cases of graphs of several layers."""

import numpy as np

from cases.case import Case, draw, random
from oracle import ir, pools
from oracle.windows import Pool


def chain():
    model = ir.Model("chain")
    last = model.parameter("x", "f32", [1, 2, 20, 20])
    for i, pad in enumerate((0, 1, 1)):
        last = pools.add_avg_pool(model, f"pool{i}", last, Pool([3, 3], [2, 2], [pad] * 2, [pad] * 2, i != 1, "ceil"))
    model.result("y", last)
    return Case("chain_of_three", model, [draw(random("chain"), "f32", [1, 2, 20, 20])])


def mixed_chain():
    model = ir.Model("mixed_chain")
    x = model.parameter("x", "f32", [1, 3, 13, 11])
    first = pools.add_avg_pool(model, "first", x, Pool([3, 3], [2, 2], [1, 1], [1, 1], True))
    size = model.const("size", np.array([3, 4], np.int32))
    second = pools.add_adaptive(model, "second", first, size, (1, 3, 3, 4))
    model.result("y", pools.add_avg_pool(model, "third", second, Pool([2, 2], [1, 1], [0, 0], [0, 0], False)))
    return Case("avg_then_adaptive_then_avg", model, [draw(random("mixed"), "f32", [1, 3, 13, 11])])


def two_branches():
    model = ir.Model("two_branches")
    left = model.parameter("left", "f32", [1, 2, 8, 8], names="left")
    right = model.parameter("right", "i8", [1, 1, 9], names="right")
    first = pools.add_avg_pool(model, "first", left, Pool([2, 2], [2, 2], [0, 0], [0, 0], True))
    second = pools.add_avg_pool(model, "second", first, Pool([3, 3], [1, 1], [1, 1], [1, 1], True))
    third = pools.add_avg_pool(model, "third", right, Pool([2], [2], [0], [0], True))
    model.result("a", second, output_names="a")
    model.result("b", third, output_names="b")
    model.result("c", first, output_names="c")
    rng = random("two_branches")
    return Case("two_inputs_three_outputs", model, [draw(rng, "f32", [1, 2, 8, 8]), draw(rng, "i8", [1, 1, 9])])


def shared_input():
    model = ir.Model("shared_input")
    x = model.parameter("x", "f16", [1, 2, 7, 7])
    for i, exclude_pad in enumerate((True, False)):
        pool = Pool([3, 3], [2, 2], [1, 1], [1, 1], exclude_pad)
        model.result(f"y{i}", pools.add_avg_pool(model, f"pool{i}", x, pool), output_names=f"y{i}")
    return Case("one_input_two_pools", model, [draw(random("shared"), "f16", [1, 2, 7, 7])])


def constant_data():
    model = ir.Model("constant_data")
    data = model.const("data", draw(random("constant"), "f32", [1, 2, 6, 6]))
    model.result("y", pools.add_avg_pool(model, "pool", data, Pool([2, 2], [2, 2], [1, 1], [1, 1], True)))
    return Case("constant_data", model, [])


def constant_behind_a_byte():
    """Makes a model with a constant at an odd offset of the .bin, and with pools of constants and of a Parameter."""
    model = ir.Model("odd_offset")
    byte = model.const("byte", np.array([[[7]]], np.uint8))
    data = model.const("data", draw(random("odd"), "f32", [1, 1, 6]))
    x = model.parameter("x", "f32", [1, 1, 4])
    pool = Pool([2], [2], [0], [0], True)
    model.result("y0", pools.add_avg_pool(model, "pool0", data, pool), output_names="y0")
    model.result("y1", pools.add_avg_pool(model, "pool1", x, pool), output_names="y1")
    model.result("y2", pools.add_avg_pool(model, "pool2", byte, Pool([1], [1], [0], [0], True)), output_names="y2")
    return Case("constant_at_odd_offset", model, [np.array([[[1, 2, 3, 5]]], np.float32)])


def dynamic_dims():
    model = ir.Model("dynamic")
    x = model.parameter("x", "f32", "?,3,4..64,-1", declared=(-1, 3, -1, -1))
    pool = Pool([3, 2], [2, 2], [1, 0], [1, 0], True, "floor", "same_upper")
    model.result("y", pools.add_avg_pool(model, "pool", x, pool, declared=(-1, 3, -1, -1)))
    return Case("dynamic_dims", model, [draw(random("dynamic"), "f32", [2, 3, 9, 5])])


def any_order():
    model = ir.Model("any_order", ids=[90, 5, 1 << 40, 17, 6, 33])
    b = model.parameter("b & <b>", "f32", [1, 1, 6])
    a = model.parameter("a", "f32", [1, 1, 5])
    pool = Pool([2], [1], [0], [0], True)
    first, second = (pools.add_avg_pool(model, f"pool {source.layer.name}", source, pool) for source in (b, a))
    model.result("of b", first, output_names="of b")
    model.result("of a", second, output_names="of a")
    model.layer_order, model.edge_order = [5, 3, 1, 4, 0, 2], [3, 0, 2, 1]
    rng = random("any_order")
    return Case("any_order_of_layers", model, [draw(rng, "f32", [1, 1, 5]), draw(rng, "f32", [1, 1, 6])])


def all_cases():
    yield chain()
    yield mixed_chain()
    yield two_branches()
    yield shared_input()
    yield constant_data()
    yield constant_behind_a_byte()
    yield dynamic_dims()
    yield any_order()
