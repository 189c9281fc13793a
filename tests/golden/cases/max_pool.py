"""Makes the cases of MaxPool-1, 8 and 14."""

import math

import numpy as np

from cases.case import SIGNED, UNSIGNED, Case, draw, one, random, results, spelled_out, typed
from oracle import ir, pools
from oracle.windows import AUTO_PADS, ROUNDINGS, Pool

VERSIONS = {1: "opset1", 8: "opset8", 14: "opset14"}
BF16 = "MaxPool on bf16 does not compile when its indices are used"
L = float(np.finfo(np.float32).min)


def window(kernel, strides, begin=None, end=None, rounding="floor", auto_pad="explicit", dilations=None):
    """Makes a Pool that always has dilations: if a model leaves dilations out, the runtime crashes or returns
    uninitialised memory."""
    zeros, ones = [0] * len(kernel), [1] * len(kernel)
    return Pool(kernel, strides, begin or zeros, end or zeros, None, rounding, auto_pad, dilations or ones)


def add(model, label, x, pool, version, read=(0, 1), **data):
    if version == 1:
        pool = Pool(**{**vars(pool), "dilations": None})
        model.result(label, pools.add_max_pool(model, f"pool_{label}", x, pool, "opset1", **data))
    else:
        results(model, label, pools.add_max_pool(model, f"pool_{label}", x, pool, VERSIONS[version], **data), read)


# ---- values known by hand ----

THREE = [-1, 2, 3, 4, 5, -6, -7, 8, 9]
TWO_CHANNELS = [*THREE, 2, -1, 5, 6, -7, 1, 8, 2, -3]
SPECIAL = [math.nan, 1, 1, math.nan, math.nan, math.nan, math.nan, -math.inf, -math.inf, math.nan]
# Each row: name, shape of x, x, window, attributes, expected values, expected indices.
WORKED = [
    ("padded", [1, 1, 3, 3], THREE, window([2, 2], [1, 1], [1, 1], [1, 1]), {},
     (-1, 2, 3, 3, 4, 5, 5, 3, 4, 8, 9, 9, -7, 8, 9, 9), (0, 1, 2, 2, 3, 4, 4, 2, 3, 7, 8, 8, 6, 7, 8, 8)),
    ("valid", [1, 1, 7], (-1, 2, 3, 5, -7, 9, 1), window([3], [1], auto_pad="valid"), {}, (3, 5, 5, 9, 9), (2, 3, 3, 5, 5)),
    ("same_lower", [1, 1, 3, 3], THREE, window([2, 2], [1, 1], auto_pad="same_lower"), {},
     (-1, 2, 3, 4, 5, 5, 4, 8, 9), (0, 1, 2, 3, 4, 4, 3, 7, 8)),
    ("same_upper", [1, 2, 3, 3], TWO_CHANNELS, window([2, 2], [1, 1], auto_pad="same_upper"), {},
     (5, 5, 3, 8, 9, 9, 8, 9, 9, 6, 5, 5, 8, 2, 1, 8, 2, -3),
     (4, 4, 2, 7, 8, 8, 7, 8, 8, 12, 11, 11, 15, 16, 14, 15, 16, 17)),
    ("valid_ceil", [1, 1, 3, 3], THREE, window([2, 2], [2, 2], rounding="ceil", auto_pad="valid"), {}, (5, 3, 8, 9), (4, 2, 7, 8)),
    ("dilated", [1, 1, 3, 3], range(1, 10), window([2, 2], [1, 1], [1, 1], [1, 1], dilations=[2, 2]), {},
     (5, 6, 5, 8, 9, 8, 5, 6, 5), (4, 5, 4, 7, 8, 7, 4, 5, 4)),
    ("axis_2", [1, 2, 3, 3], range(1, 19), window([2, 2], [1, 1]), {"axis": 2}, (5, 6, 8, 9, 14, 15, 17, 18), (4, 5, 7, 8) * 2),
    ("special", [1, 1, 10], SPECIAL, window([2], [2]), {}, (1, 1, L, L, L), (1, 2, 0, 0, 0)),
    ("ties", [1, 1, 8], (5, 5, -0.0, 0, 0, -0.0, 7, 7), window([2], [2]), {}, (5, 0, 0, 7), (0, 2, 4, 6)),
    ("empty", [1, 1, 5], (1, 2, 3, 4, 5), window([2], [2], [1], [1], "ceil"), {}, (1, 3, 5, L), (0, 2, 4, 0)),
]  # fmt: skip


def worked_examples():
    """Yields each row of WORKED in every version of MaxPool that has the attributes, with i64 and i32 indices."""
    for name, shape, x, pool, data, values, where in WORKED:

        def build(model, source, pool=pool, data=data):
            if not data and max(pool.dilations) == 1:
                add(model, "v1", source, pool, 1)
            add(model, "v8", source, pool, 8, **data)
            add(model, "v14", source, pool, 14, index_element_type="i32", **data)

        known = [values, where] * 2
        known = known if data or max(pool.dilations) > 1 else [values, *known]
        yield one(f"max_pool_{name}", "f32", shape, build, x, known=known)
    torch = window([2, 2], [2, 2], [1, 1], [1, 1], "ceil_torch")
    known = [(1, 3, 7, 9), (0, 2, 6, 8)]
    yield one("max_pool_14_ceil_torch", "f32", [1, 1, 3, 3], lambda m, x: add(m, "y", x, torch, 14), range(1, 10), known=known)


def numbering():
    """Tests from which axis indices count: x is [2, 3, 4, 4] and holds 0, 1, 2, ..."""

    def build(model, x):
        for axis in range(4):
            add(model, f"axis{axis}", x, window([2, 2], [2, 2]), 8, (1,), axis=axis)

    def numbers(plane, row):
        """Returns the indices of all maxima. `plane` and `row` are the steps of the index from one plane or row to the
        next."""
        return [plane * p + row * h + w for p in range(6) for h in (1, 3) for w in (1, 3)]

    batch = [48 * (p // 3) for p in range(6) for _ in range(4)]
    within_batch = [number - begin for number, begin in zip(numbers(16, 4), batch)]
    known = [numbers(16, 4), within_batch, numbers(0, 4), numbers(0, 0)]
    yield one("max_pool_8_numbering", "f32", [2, 3, 4, 4], build, np.arange(96), known=known)


# ---- attributes ----


def grid():
    """Yields every rounding type with every auto_pad; from version 8 on also with dilations."""
    for version in VERSIONS:
        for auto_pad in AUTO_PADS:

            def build(model, x, version=version, auto_pad=auto_pad):
                for rounding in ROUNDINGS if version == 14 else ROUNDINGS[:2]:
                    for dilations in ([1, 1], [2, 3])[: 1 if version == 1 else 2]:
                        pool = window([2, 3], [2, 2], [1, 0], [1, 2], rounding, auto_pad, dilations)
                        add(model, f"{rounding}_{dilations[0]}", x, pool, version)

            yield one(f"max_pool_{version}_{auto_pad}", "f32", [1, 2, 7, 8], build)


def axes():
    """Yields every value of the attribute axis, with i32 and i64 indices."""
    for shape in ([2, 3, 5], [2, 2, 3, 4], [2, 2, 2, 3, 3]):
        rank = len(shape)

        def build(model, x, rank=rank):
            for axis in range(-rank, rank):
                version, index_type = (8, "i32") if axis % 2 else (14, "i64")
                pool = window([2] * (rank - 2), [1] * (rank - 2))
                add(model, f"axis{axis}", x, pool, version, (1,), axis=axis, index_element_type=index_type)

        yield one(f"max_pool_axes_rank{rank}", "f32", shape, build)


def ranks():
    for shape in ([2, 3, 20], [1, 2, 6, 7, 8]):
        axes = len(shape) - 2

        def build(model, x, axes=axes):
            kernel, strides, begin, end = (values[:axes] for values in ([3, 2, 3], [2, 3, 1], [2, 1, 0], [1, 0, 3]))
            for version in VERSIONS:
                dilations = [2, 1, 2][:axes] if version > 1 else None
                add(model, f"v{version}", x, window(kernel, strides, begin, end, "ceil", dilations=dilations), version)

        yield one(f"max_pool_rank{len(shape)}", "f32", shape, build)


# ---- element types ----


def types():
    pool = window([2, 3], [2, 2], [1, 1], [0, 1], "ceil")
    kinds = {"floats": ("f32", "f64", "f16"), "signed": SIGNED, "unsigned": (*UNSIGNED, "boolean")}
    for version in VERSIONS:
        for kind, names in kinds.items():
            names = (*names, "bf16") if kind == "floats" and version == 1 else names
            index_type = {"index_element_type": "i32"} if kind == "signed" and version > 1 else {}

            def build(model, x, version=version, data=index_type):
                add(model, x.layer.name, x, pool, version, **data)

            yield typed(f"max_pool_{version}_{kind}", names, [1, 2, 5, 6], build)
    for version in (8, 14):
        yield one(f"max_pool_{version}_bf16", "bf16", [1, 2, 5, 6], lambda m, x, v=version: add(m, "y", x, pool, v, (0,)))
        name = f"max_pool_{version}_bf16_indices"
        yield one(name, "bf16", [1, 2, 5, 6], lambda m, x, v=version: add(m, "y", x, pool, v), exact_because=BF16)
    for names in (("i32", "i64"), ("u32", "u64")):
        name = f"max_pool_14_wide_{names[0][0]}"
        yield typed(name, names, [1, 2, 5, 6], lambda m, x: add(m, x.layer.name, x, pool, 14), wide=True)


def nothing_found():
    """Yields windows without input elements, and windows of NaN and -inf. Their maximum is the type's lowest number,
    and its index is that of the plane's first element."""
    outside = window([1], [3], [2], [2], "ceil")
    for kind, names in (("signed", SIGNED), ("unsigned", (*UNSIGNED, "boolean")), ("floats", ("f32", "f64", "f16"))):
        yield typed(f"max_pool_8_empty_{kind}", names, [2, 2, 4], lambda m, x: add(m, x.layer.name, x, outside, 8))
    pads = window([2], [2], [4], [6], "ceil_torch")
    yield one("max_pool_14_windows_in_the_pads", "f32", [1, 2, 3], lambda m, x: add(m, "y", x, pads, 14))
    for element_type in ("f32", "f16", "f64"):
        values = [*SPECIAL, -math.inf, -math.inf, 2, math.inf, math.inf, math.nan, -3, math.nan]
        build = lambda m, x: add(m, "y", x, window([2], [1], [1], [1]), 8)  # noqa: E731
        yield one(f"max_pool_8_special_{element_type}", element_type, [1, 2, 9], build, values)
    build = lambda m, x: add(m, "y", x, window([2], [1], [1], [1]), 8)  # noqa: E731
    values = [*SPECIAL, -math.inf, -math.inf]
    yield one("max_pool_8_special_bf16", "bf16", [1, 2, 6], build, values, exact_because=BF16)
    values = [-128, -128, -127, -128, -128, -128]
    yield one("max_pool_8_lowest_i8", "i8", [1, 1, 6], lambda m, x: add(m, "y", x, window([2], [2]), 8), values)
    reason = "for a spatial dim of 0 the runtime returns uninitialised memory"
    pool = window([1, 2], [1, 2], [1, 0], [1, 0])
    yield one("max_pool_8_no_rows", "f32", [1, 2, 0, 4], lambda m, x: add(m, "y", x, pool, 8), exact_because=reason)


def other_settings():
    for version, rounding in ((8, "ceil"), (14, "ceil_torch")):
        model = ir.Model("without_dilations")
        x = model.parameter("x", "f32", [1, 2, 6, 7])
        pool = Pool([2, 3], [2, 2], [1, 1], [0, 2], None, rounding)
        results(model, "y", pools.add_max_pool(model, "pool", x, pool, VERSIONS[version]))
        name = f"max_pool_{version}_without_dilations"
        yield Case(name, model, [draw(random(name), "f32", [1, 2, 6, 7])], reference=spelled_out(model))
    model = ir.Model("ir_v10", 10)
    x = model.parameter("x", "f32", [1, 2, 6, 7])
    results(model, "y", pools.add_max_pool(model, "pool", x, window([2, 3], [2, 2], [1, 1]), "opset8"))
    yield Case("max_pool_8_ir_v10", model, [draw(random("max_pool_8_ir_v10"), "f32", [1, 2, 6, 7])])
    large = window([5, 6], [3, 4], [4, 1], [0, 5], dilations=[1, 2])
    yield one("max_pool_14_window_over_all", "f32", [2, 3, 5, 6], lambda m, x: add(m, "y", x, large, 14))


def all_cases():
    for group in (worked_examples, numbering, grid, axes, ranks, types, nothing_found, other_settings):
        yield from group()
