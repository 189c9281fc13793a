"""Builds layers and models of the pooling ops, and computes them in the exact model."""

import math

import numpy as np

from oracle import exact, ir, windows
from oracle.evaluation import Op
from oracle.windows import Pool, Refused

LISTS = ("kernel", "strides", "pads_begin", "pads_end", "dilations")
INDEX_TYPES = ("i64", "i32")


# ---- attributes ----


def pool_data(pool, **more):
    """Returns the attributes of an AvgPool or MaxPool. If an optional attribute has its default, it is left out."""
    data = {name: ir.join(values) for name in LISTS if (values := getattr(pool, name)) is not None}
    if pool.exclude_pad is not None:
        data["exclude-pad"] = str(pool.exclude_pad).lower()
    if pool.rounding_type != "floor":
        data["rounding_type"] = pool.rounding_type
    if pool.auto_pad != "explicit":
        data["auto_pad"] = pool.auto_pad
    return {**data, **more}


def has_dilations(layer):
    return int(layer.opset.removeprefix("opset")) >= (16 if layer.type == "AvgPool" else 8)


def sets_pads(data):
    """Returns whether a model can leave pads out, or give empty pads."""
    return data.get("auto_pad", "explicit").lower() in ("same_upper", "same_lower", "valid")


def pool_of(layer):
    """Returns the Pool of a layer's attributes. Attributes that the op's version does not have are ignored."""
    data = layer.data
    if sets_pads(data) and "kernel" in data:
        zeros = ir.join([0] * len(data["kernel"].split(",")))
        data = {**data, **{name: zeros for name in ("pads_begin", "pads_end") if not data.get(name, "").strip()}}
    try:
        given = [name for name in LISTS if name != "dilations" or (data.get(name) and has_dilations(layer))]
        lists: dict = {name: [int(item) for item in data[name].split(",")] for name in given}
        exclude_pad = data["exclude-pad"].lower() in ("true", "1") if layer.type == "AvgPool" else None
    except (KeyError, ValueError) as error:
        raise Refused(f"attribute {error}") from error
    words = {name: data[name].lower() for name in ("rounding_type", "auto_pad") if name in data}
    return Pool(exclude_pad=exclude_pad, **lists, **words)


def index_type(layer):
    return layer.data.get("index_element_type", "i64").lower()


def index_axis(layer):
    return int(layer.data.get("axis", 0))


# ---- layers ----


def add_avg_pool(model, name, source, pool, declared=None, opset="opset1", **port):
    shape = declared or windows.pool_shape(source.shape, pool)
    return model.layer("AvgPool", name, opset, pool_data(pool), [source], ir.Output(source.type, shape, **port))


def add_max_pool(model, name, source, pool, opset, declared=None, **data):
    """Adds a MaxPool and returns [values, indices]. If opset is 1 to 7, returns one output."""
    shape = declared or windows.pool_shape(source.shape, pool)
    values = ir.Output(source.type, shape)
    indices = ir.Output(data.get("index_element_type", "i64"), shape)
    outputs = values if int(opset.removeprefix("opset")) < 8 else [values, indices]
    return model.layer("MaxPool", name, opset, pool_data(pool, **data), [source], outputs)


def add_adaptive(model, name, source, size, declared, op="AdaptiveAvgPool", **more):
    """Adds an adaptive pool. Returns one output of AdaptiveAvgPool, or [values, indices] of AdaptiveMaxPool."""
    data = more.pop("data", {})
    outputs = ir.Output(source.type, declared)
    if op == "AdaptiveMaxPool":
        outputs = [outputs, ir.Output(data.get("index_element_type", "i64"), declared)]
    return model.layer(op, name, "opset8", data, [source, size], outputs, **more)


# ---- models of one pool ----


def one_pool(comment, element_type, shape, pool, version=11):
    model = ir.Model("pool", version, comment)
    x = model.parameter("x", element_type, shape)
    model.result("y", add_avg_pool(model, "pool", x, pool))
    return model


def one_adaptive(comment, element_type, shape, sizes, size_type="i64"):
    model = ir.Model("adaptive", 11, comment)
    x = model.parameter("x", element_type, shape)
    size = model.const("size", np.array(sizes, ir.dtype_of(size_type)))
    model.result("y", add_adaptive(model, "pool", x, size, windows.adaptive_shape(shape, sizes)))
    return model


def one_adaptive_at_run_time(comment, element_type, shape, size_type="i64"):
    model = ir.Model("size_at_run_time", 11, comment)
    x = model.parameter("x", element_type, shape)
    size = model.parameter("size", size_type, [len(shape) - 2])
    model.result("y", add_adaptive(model, "pool", x, size, (*shape[:2], *[-1] * (len(shape) - 2))))
    return model


# ---- the exact model ----


def pool_shapes(layer, shapes, _contents):
    return [windows.pool_shape(shapes[0], pool_of(layer))] * len(layer.outputs)


def avg_pool_values(layer, inputs):
    x, pool = inputs[0], pool_of(layer)
    pads = windows.resolved_pads(pool, x.shape[2:])
    by_taps = pool.exclude_pad or not any(begin or end for begin, end in pads)
    return [exact.averages(x, windows.pool_windows(x.shape, pool), None if by_taps else math.prod(pool.kernel))]


def max_pool_values(layer, inputs):
    return with_indices(layer, inputs[0], windows.pool_windows(inputs[0].shape, pool_of(layer)), False, index_axis(layer))


def with_indices(layer, x, ranges, from_first, axis):
    values, positions = exact.maxima(x, ranges, from_first)
    if len(layer.outputs) == 1:
        return [values]
    return [values, exact.indices(positions, x.shape, axis).astype(ir.dtype_of(index_type(layer)))]


def adaptive_shapes(layer, shapes, contents):
    """Returns the output's shape. Raises ValueError if the output sizes are unknown."""
    if contents[1] is None:
        raise ValueError("output sizes have to be known")
    return [windows.adaptive_shape(shapes[0], contents[1])] * len(layer.outputs)


def adaptive_avg_values(_layer, inputs):
    return [exact.averages(inputs[0], windows.adaptive_bins(inputs[0].shape, inputs[1]))]


def adaptive_max_values(layer, inputs):
    return with_indices(layer, inputs[0], windows.adaptive_bins(inputs[0].shape, inputs[1]), True, 2)


# ---- known differences of the runtime ----


def avg_pool_doubts(layer, inputs, outputs):
    pool = pool_of(layer)
    beyond = beyond_f32(inputs[0], math.prod(pool.kernel))
    return [windows.empty_windows(inputs[0].shape, pool) | beyond]


# For these types the runtime computes a maximum in f32 or i32. If a window has no maximum, the runtime gives another
# number than the type's lowest.
# The runtime may also find a 0 in a window in which the exact model finds no maximum.
OTHER_LOWEST = ("f64", "f16", "bf16", "i16", "u16", "u32", "i64", "u64")


def max_pool_doubts(_layer, inputs, outputs):
    lowest = outputs[0] == exact.lowest(outputs[0].dtype)
    if ir.type_of(outputs[0]) not in OTHER_LOWEST:
        lowest[...] = False
    return [lowest | beyond_f32(inputs[0], 1)] * len(outputs)


def adaptive_avg_doubts(_layer, inputs, _outputs):
    return [beyond_f32(inputs[0], math.prod(inputs[0].shape[2:]))]


def beyond_f32(x, taps):
    """Returns whether sums of `taps` elements exceed f32 or i32. The runtime adds up all types in f32 or i32."""
    if x.dtype.kind in "iu":
        return max((abs(int(v)) for v in x.flat), default=0) * taps >= 1 << 24
    values = np.abs(x.astype(np.float64))
    return x.dtype == np.float64 and bool(((values > 1e30) | ((values < 1e-30) & (values > 0))).any())


OPS = {
    "AvgPool": Op(pool_shapes, avg_pool_values, avg_pool_doubts),
    "MaxPool": Op(pool_shapes, max_pool_values, max_pool_doubts),
    "AdaptiveAvgPool": Op(adaptive_shapes, adaptive_avg_values, adaptive_avg_doubts),
    "AdaptiveMaxPool": Op(adaptive_shapes, adaptive_max_values),
}
