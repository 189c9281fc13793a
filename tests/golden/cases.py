"""The golden cases: a model, its inputs, and what a run with them is asked for."""

import dataclasses
import math
import zlib

import numpy as np

from oracle import ir, pages, pools
from oracle.windows import Pool

ALL_TYPES = (*ir.FLOATS, *ir.INTEGERS)
AUTO_PADS = ("explicit", "same_upper", "same_lower", "valid")


@dataclasses.dataclass
class Case:
    name: str
    model: ir.Model  # what the runtime is given
    inputs: list  # in the order of the model's Parameters
    options: list = dataclasses.field(default_factory=list)
    shown: str = None  # path of the model that irrun is given, if another
    exit: int = 0
    spoil: callable = None  # changes the expected values, for cases that have to differ
    form: str = "npy"  # of the tensor files


def random(name):
    """The same numbers for a case whatever other cases there are."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def draw(rng, element_type, shape, wide=False):
    """Floats around 0; integers over the whole range of 8 and 16 bits or, if `wide`, of any type."""
    dtype = ir.dtype_of(element_type)
    if dtype.kind not in "iu":
        return rng.standard_normal(shape).astype(dtype)
    limits = np.iinfo(dtype)
    low, high = (limits.min, limits.max) if wide or dtype.itemsize < 4 else (max(limits.min, -1000), 1000)
    return rng.integers(low, high, shape, dtype, endpoint=True)


def one(name, element_type, shape, pool, x=None, **more):
    wide = more.pop("wide", False)
    model = pools.one_pool(None, element_type, shape, pool, more.pop("version", 11))
    x = draw(random(name), element_type, shape, wide) if x is None else np.array(x, ir.dtype_of(element_type)).reshape(shape)
    return Case(name, model, [x], **more)


def line(name, values, kernel, stride, pads, exclude_pad, rounding_type="floor", auto_pad="explicit", element_type="f32"):
    """One spatial axis, one plane."""
    pool = Pool([kernel], [stride], [pads[0]], [pads[1]], exclude_pad, rounding_type, auto_pad)
    return one(name, element_type, [1, 1, len(values)], pool, values)


def ranks():
    for rounding_type in ("floor", "ceil"):
        for exclude_pad in (True, False):
            end = f"{rounding_type}_{'exclude' if exclude_pad else 'include'}"
            more = (exclude_pad, rounding_type)
            yield one(f"rank3_{end}", "f32", [2, 3, 20], Pool([4], [3], [1], [2], *more))
            yield one(f"rank4_{end}", "f32", [2, 2, 11, 10], Pool([3, 4], [2, 3], [1, 2], [2, 0], *more))
            yield one(f"rank5_{end}", "f32", [1, 2, 6, 7, 8], Pool([2, 3, 3], [2, 2, 3], [0, 1, 2], [1, 0, 1], *more))


def auto_pads():
    for auto_pad in AUTO_PADS:
        for exclude_pad in (True, False):
            name = f"auto_{auto_pad}_{'exclude' if exclude_pad else 'include'}"
            yield one(name, "f32", [1, 2, 9, 10], Pool([3, 4], [2, 3], [1, 1], [0, 1], exclude_pad, "floor", auto_pad))
    yield one("auto_same_upper_ceil", "f32", [1, 1, 9, 7], Pool([4, 3], [2, 2], [0, 0], [0, 0], True, "ceil", "same_upper"))
    yield one("auto_valid_ceil", "f32", [1, 2, 9, 10], Pool([2, 3], [2, 3], [1, 1], [1, 1], True, "ceil", "valid"))
    yield one("auto_same_stride_above_kernel", "f32", [1, 1, 7], Pool([1], [3], [0], [0], True, "floor", "same_lower"))
    pool = Pool([1, 2, 3], [1, 1, 2], [0] * 3, [0] * 3, False, "floor", "same_lower")
    yield one("auto_same_lower_rank5", "f32", [1, 1, 3, 5, 7], pool)


def types():
    for element_type in ALL_TYPES:
        yield one(f"type_{element_type}", element_type, [1, 2, 8, 9], Pool([3, 2], [2, 3], [1, 0], [0, 1], True))
    for element_type in ("f64", "f16", "bf16", "i8", "u16", "i64"):
        pool = Pool([2, 3], [2, 2], [1, 1], [0, 2], False)
        yield one(f"type_{element_type}_include", element_type, [1, 2, 7, 8], pool)
    for element_type in ("i32", "u32", "i64", "u64"):
        pool = Pool([2, 2], [1, 2], [0, 0], [0, 0], True)
        yield one(f"wide_{element_type}", element_type, [1, 1, 6, 8], pool, wide=True)
    half = Pool([2], [2], [0], [0], True)
    yield one("half_to_even_i8", "i8", [1, 1, 12], half, [0, 1, 1, 2, 2, 3, -1, 0, -1, -2, -3, -2])
    yield one("half_to_even_u8", "u8", [1, 1, 8], half, [254, 255, 252, 253, 0, 1, 255, 255])
    extremes = [2**63 - 1, 2**63 - 1, -(2**63), -(2**63), 2**63 - 1, -(2**63), 2**40 + 1, 2**40 + 2]
    yield one("extremes_i64", "i64", [1, 1, 8], half, extremes)
    yield one("extremes_u64", "u64", [1, 1, 6], half, [2**64 - 1, 2**64 - 1, 2**64 - 1, 2**64 - 2, 0, 2**64 - 1])
    yield one("beyond_f32_f64", "f64", [1, 1, 6], half, [1e-300, 3e-300, 1 + 2**-40, 1 + 2**-41, -1e300, 3e300])
    yield one("one_rounding_bf16", "bf16", [1, 1, 8], Pool([8], [8], [0], [0], True), [256, 1, 1, 1, 1, 1, 1, 1])
    yield one("one_rounding_f16", "f16", [1, 1, 8], Pool([8], [8], [0], [0], True), [2048, 1, 1, 1, 1, 1, 1, 1])
    yield one("largest_f16", "f16", [1, 1, 4], half, [65504, 65504, -65504, -65504])


def worked_examples():
    """The 1-D cases and the 5x5 case whose values are known by hand."""
    yield line("six_ceil_exclude", range(1, 7), 3, 2, (1, 1), True, "ceil")
    yield line("six_ceil_include", range(1, 7), 3, 2, (1, 1), False, "ceil")
    yield line("six_ceil_no_pads", range(1, 7), 3, 2, (0, 0), False, "ceil")
    yield line("five_ceil_include", range(1, 6), 3, 2, (1, 1), False, "ceil")
    yield line("two_ceil_include", [3, 5], 4, 3, (1, 1), False, "ceil")
    long = [2.0903, 4.6493, 1.6320, -3.2051, 4.6975, 4.7296, 3.3653, -1.5815, -2.3832]
    yield line("overhang_divides_by_seven", long, 7, 3, (3, 3), False, "ceil")
    square = Pool([2, 2], [2, 2], [1, 1], [1, 1], True)
    yield one("square_padded", "f32", [1, 1, 5, 5], square, np.arange(25))
    same = Pool([2, 2], [2, 2], [0, 0], [0, 0], True, "floor", "same_upper")
    yield one("square_same_upper", "f32", [1, 1, 5, 5], same, np.arange(25))
    wide = Pool([3, 3], [2, 2], [0, 1], [0, 1], False, "ceil")
    yield one("ones_overhang_both_axes", "f32", [1, 1, 6, 5], wide, np.ones(30))


def empty_windows():
    yield line("empty_exclude", range(1, 5), 2, 3, (1, 1), True, "ceil")
    yield line("empty_include", range(1, 5), 2, 3, (1, 1), False, "ceil")
    yield line("empty_end_padding", range(1, 5), 2, 3, (0, 2), False, "ceil")
    yield line("empty_same_upper", range(1, 5), 1, 2, (0, 0), True, "ceil", "same_upper")
    yield one("empty_row_and_column", "f32", [1, 2, 4, 4], Pool([2, 2], [3, 3], [1, 1], [1, 1], True, "ceil"))
    yield one("empty_i8", "i8", [1, 2, 4], Pool([2], [3], [1], [1], True, "ceil"))
    yield one("empty_first_windows", "f32", [1, 1, 3], Pool([2], [1], [4], [3], False))


def special_values():
    nan, inf = math.nan, math.inf
    values = [1, nan, 2, 3, inf, 4, inf, -inf, -inf, 5, 6, 7, nan, inf, -0.0, 0.0]
    for element_type in ("f32", "f16", "bf16", "f64"):
        yield one(f"nan_and_inf_{element_type}", element_type, [1, 1, 16], Pool([2], [2], [0], [0], True), values)
    yield one("nan_overlapping", "f32", [1, 1, 4, 4], Pool([2, 2], [1, 1], [1, 1], [1, 1], False), values)


def other_settings():
    yield one("kernel_one", "f32", [2, 3, 4, 4], Pool([1, 1], [1, 1], [0, 0], [0, 0], True))
    yield one("kernel_one_strided", "f32", [1, 2, 7, 7], Pool([1, 1], [3, 2], [0, 0], [0, 0], True))
    yield one("whole_input", "f32", [2, 5, 7, 7], Pool([7, 7], [1, 1], [0, 0], [0, 0], True))
    yield one("stride_above_kernel", "f32", [1, 2, 13, 12], Pool([2, 3], [5, 4], [1, 0], [0, 1], True))
    yield one("pads_larger_than_kernel", "f32", [1, 1, 4, 5], Pool([2, 3], [1, 2], [0, 2], [1, 2], False))
    yield one("pads_only_at_begin", "f32", [1, 3, 6, 6], Pool([3, 3], [2, 2], [2, 2], [0, 0], True))
    yield one("pads_only_at_end", "f32", [1, 3, 6, 6], Pool([3, 3], [2, 2], [0, 0], [2, 2], False))
    yield one("wide_row", "f32", [1, 1, 1, 600], Pool([1, 5], [1, 2], [0, 2], [0, 2], True))
    yield one("many_channels", "f32", [3, 33, 2, 3], Pool([2, 2], [1, 1], [0, 0], [0, 0], True))
    yield one("ir_v10_f32", "f32", [1, 2, 6, 6], Pool([3, 3], [2, 2], [1, 1], [1, 1], True), version=10)
    yield one("ir_v10_i8", "i8", [1, 2, 6, 6], Pool([3, 3], [2, 2], [1, 1], [1, 1], True), version=10)
    pool = Pool([3], [2], [0], [0], True, "ceil")
    yield one("overhang_one_channel_i16", "i16", [1, 1, 6], pool)


def adaptive():
    def constant(name, element_type, shape, sizes, size_type="i64", x=None):
        x = draw(random(name), element_type, shape) if x is None else np.array(x, ir.dtype_of(element_type)).reshape(shape)
        return Case(name, pools.one_adaptive(None, element_type, shape, sizes, size_type), [x])

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
    yield constant("adaptive_counted_1d", "f32", [1, 1, 7], [3], x=np.arange(7))
    yield constant("adaptive_counted_2d", "f32", [1, 1, 5, 7], [2, 3], x=np.arange(35))
    yield constant("adaptive_counted_3d", "f32", [1, 1, 2, 3, 4], [1, 2, 3], x=np.arange(24))
    for element_type in ("f64", "f16", "bf16"):
        yield constant(f"adaptive_{element_type}_rank3", element_type, [1, 2, 9], [4])
        yield constant(f"adaptive_{element_type}_rank4", element_type, [1, 2, 5, 6], [3, 4], "i32")
        yield constant(f"adaptive_{element_type}_rank5", element_type, [1, 1, 4, 5, 3], [3, 2, 5])
    yield constant("adaptive_special_values", "f32", [1, 1, 8], [4], x=[1, 2, math.nan, 3, math.inf, 4, 5, -math.inf])
    yield at_run_time("adaptive_at_run_time_i64", [1, 2, 6, 9], [4, 5], "i64")
    yield at_run_time("adaptive_at_run_time_i32", [1, 2, 5], [3], "i32")
    yield at_run_time("adaptive_at_run_time_larger", [1, 1, 3, 2, 4], [4, 3, 2], "i64")


def page_models():
    rng = random("pages")
    x = draw(rng, "f32", [1, 3, 32, 32])
    allowed = {"P1": "IR301", "P2": "IR301", "P6": "IR007"}
    for name, model in pages.page_examples().items():
        options = [f"--allow={allowed[name]}"] if name in allowed else []
        model = pages.adaptive_page_example(input_blocks=1) if name == "P6" else model
        yield Case(name, model, [x], options, shown=f"../../../models/spec/{name}.xml")


def graphs():
    yield chain()
    yield mixed_chain()
    yield two_branches()
    yield shared_input()
    yield constant_data()
    yield constant_behind_a_byte()
    yield dynamic_dims()
    yield any_order()


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
    """A constant at an odd offset of the .bin, and a Parameter beside it."""
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


def file_forms():
    pool = Pool([2, 3], [1, 2], [0, 1], [1, 0], True)
    for form in ("npz", "fortran", "big_endian", "raw"):
        yield one(f"file_{form}", "f32", [1, 2, 4, 5], pool, form=form)
    yield one("file_fortran_i16", "i16", [1, 2, 4, 5], pool, form="fortran")
    yield one("file_big_endian_f16", "f16", [1, 2, 4, 5], pool, form="big_endian")


def differences():
    """What has to be told from the truth: exit status 1."""

    def nudge(by):
        def spoil(expected):
            expected = expected.copy()
            expected.flat[-1] += by
            return expected

        return spoil

    pool = Pool([2, 2], [2, 2], [0, 0], [0, 0], True)
    yield one("differs_by_one_i8", "i8", [1, 2, 6, 6], pool, np.arange(72), exit=1, spoil=nudge(1))
    yield one("differs_in_last_f32", "f32", [1, 2, 6, 6], pool, exit=1, spoil=nudge(1e-3))
    yield one("differs_in_nan", "f32", [1, 2, 6, 6], pool, exit=1, spoil=nudge(math.nan))
    yield one("differs_in_shape", "f32", [1, 2, 6, 6], pool, exit=1, spoil=lambda expected: expected[:, :1])
    yield one("differs_in_type", "f32", [1, 2, 6, 6], pool, exit=1, spoil=lambda expected: expected.astype(np.float64))


def all_cases():
    groups = (ranks, auto_pads, types, worked_examples, empty_windows, special_values, other_settings, adaptive)
    cases = [case for group in (*groups, page_models, graphs, file_forms, differences) for case in group()]
    names = [case.name for case in cases]
    if len(set(names)) != len(names):
        raise SystemExit(f"two cases of one name: {sorted(name for name in names if names.count(name) > 1)}")
    return cases
