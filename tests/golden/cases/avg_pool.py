"""Makes the golden cases of AvgPool-1."""

import math

import numpy as np

from cases.case import one_avg_pool as one
from oracle import ir
from oracle.windows import AUTO_PADS, Pool

ALL_TYPES = (*ir.FLOATS, *ir.INTEGERS)


def line(name, values, kernel, stride, pads, exclude_pad, rounding_type="floor", auto_pad="explicit", **more):
    """Makes a case with one spatial axis and one plane."""
    pool = Pool([kernel], [stride], [pads[0]], [pads[1]], exclude_pad, rounding_type, auto_pad)
    return one(name, "f32", [1, 1, len(values)], pool, values, **more)


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
    yield one("half_to_even_i8", "i8", [1, 1, 12], half, [0, 1, 1, 2, 2, 3, -1, 0, -1, -2, -3, -2], known=[(0, 2, 2, 0, -2, -2)])
    yield one("half_to_even_u8", "u8", [1, 1, 8], half, [254, 255, 252, 253, 0, 1, 255, 255])
    extremes = [2**63 - 1, 2**63 - 1, -(2**63), -(2**63), 2**63 - 1, -(2**63), 2**40 + 1, 2**40 + 2]
    yield one("extremes_i64", "i64", [1, 1, 8], half, extremes)
    yield one("extremes_u64", "u64", [1, 1, 6], half, [2**64 - 1, 2**64 - 1, 2**64 - 1, 2**64 - 2, 0, 2**64 - 1])
    yield one("beyond_f32_f64", "f64", [1, 1, 6], half, [1e-300, 3e-300, 1 + 2**-40, 1 + 2**-41, -1e300, 3e300])
    yield one("one_rounding_bf16", "bf16", [1, 1, 8], Pool([8], [8], [0], [0], True), [256, 1, 1, 1, 1, 1, 1, 1])
    yield one("one_rounding_f16", "f16", [1, 1, 8], Pool([8], [8], [0], [0], True), [2048, 1, 1, 1, 1, 1, 1, 1])
    yield one("largest_f16", "f16", [1, 1, 4], half, [65504, 65504, -65504, -65504])


def worked_examples():
    """Makes the 1-D cases and the 5x5 case whose values are known by hand."""
    yield line("six_ceil_exclude", range(1, 7), 3, 2, (1, 1), True, "ceil")
    yield line("six_ceil_include", range(1, 7), 3, 2, (1, 1), False, "ceil")
    yield line("six_ceil_no_pads", range(1, 7), 3, 2, (0, 0), False, "ceil")
    yield line("five_ceil_include", range(1, 6), 3, 2, (1, 1), False, "ceil")
    yield line("two_ceil_include", [3, 5], 4, 3, (1, 1), False, "ceil")
    long = [2.0903, 4.6493, 1.6320, -3.2051, 4.6975, 4.7296, 3.3653, -1.5815, -2.3832]
    known = [(0.7380714, 2.5655571, 0.8032286, -0.0856286)]
    yield line("overhang_divides_by_seven", long, 7, 3, (3, 3), False, "ceil", known=known)
    square = Pool([2, 2], [2, 2], [1, 1], [1, 1], True)
    known = [(0, 1.5, 3.5, 7.5, 9, 11, 17.5, 19, 21)]
    yield one("square_padded", "f32", [1, 1, 5, 5], square, np.arange(25), known=known)
    same = Pool([2, 2], [2, 2], [0, 0], [0, 0], True, "floor", "same_upper")
    known = [(3, 5, 6.5, 13, 15, 16.5, 20.5, 22.5, 24)]
    yield one("square_same_upper", "f32", [1, 1, 5, 5], same, np.arange(25), known=known)
    wide = Pool([3, 3], [2, 2], [0, 1], [0, 1], False, "ceil")
    known = [[2 / 3, 1, 2 / 3] * 2 + [4 / 9, 2 / 3, 4 / 9]]
    yield one("ones_overhang_both_axes", "f32", [1, 1, 6, 5], wide, np.ones(30), known=known)


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


def all_cases():
    for group in (ranks, auto_pads, types, worked_examples, empty_windows, special_values, other_settings):
        yield from group()
