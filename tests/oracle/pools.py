"""Builds IR models of the averaging pools, and evaluates such models exactly."""

import numpy as np

from oracle import exact, ir
from oracle.exact import Pool


def pool_data(pool):
    """Attributes of an AvgPool-1; optional ones that have their default are left out."""
    data = {
        "kernel": ir.join(pool.kernel),
        "strides": ir.join(pool.strides),
        "pads_begin": ir.join(pool.pads_begin),
        "pads_end": ir.join(pool.pads_end),
        "exclude-pad": str(pool.exclude_pad).lower(),
    }
    if pool.rounding_type != "floor":
        data["rounding_type"] = pool.rounding_type
    if pool.auto_pad != "explicit":
        data["auto_pad"] = pool.auto_pad
    return data


def pool_of(data):
    """The other way round."""
    lists = [[int(item) for item in data[name].split(",")] for name in ("kernel", "strides", "pads_begin", "pads_end")]
    rounding_type, auto_pad = data.get("rounding_type", "floor"), data.get("auto_pad", "explicit")
    return Pool(*lists, data["exclude-pad"] == "true", rounding_type, auto_pad)


def add_avg_pool(model, name, source, pool, declared=None, **port):
    shape = declared or exact.pool_shape(source.shape, pool)
    return model.layer("AvgPool", name, "opset1", pool_data(pool), [source], ir.Output(source.type, shape, **port))


def add_adaptive(model, name, source, size, declared, **more):
    output = ir.Output(source.type, declared)
    return model.layer("AdaptiveAvgPool", name, "opset8", more.pop("data", {}), [source, size], output, **more)


def one_pool(comment, element_type, shape, pool, version=11):
    model = ir.Model("pool", version, comment)
    x = model.parameter("x", element_type, shape)
    model.result("y", add_avg_pool(model, "pool", x, pool))
    return model


def one_adaptive(comment, element_type, shape, sizes, size_type="i64"):
    model = ir.Model("adaptive", 11, comment)
    x = model.parameter("x", element_type, shape)
    size = model.const("size", np.array(sizes, ir.dtype_of(size_type)))
    model.result("y", add_adaptive(model, "pool", x, size, exact.adaptive_shape(shape, sizes)))
    return model


def one_adaptive_at_run_time(comment, element_type, shape, size_type="i64"):
    model = ir.Model("size_at_run_time", 11, comment)
    x = model.parameter("x", element_type, shape)
    size = model.parameter("size", size_type, [len(shape) - 2])
    model.result("y", add_adaptive(model, "pool", x, size, (*shape[:2], *[-1] * (len(shape) - 2))))
    return model


def page_example(name, declared, data):
    comment = f"Example {name[1:]} of the page of AvgPool-1, with its attributes and declared dims"
    model = ir.Model(name, 11, comment)
    x = model.parameter("x", "f32", [1, 3, 32, 32])
    model.result("y", model.layer("AvgPool", "pool", "opset1", data, [x], ir.Output("f32", declared)))
    return model


def adaptive_page_example(input_blocks):
    comment = "Example of the page of AdaptiveAvgPool-8"
    model = ir.Model("P6", 11, comment + ("; it draws an <input> block for each input" if input_blocks > 1 else ""))
    x = model.parameter("x", "f32", [1, 3, 32, 32])
    size = model.const("size", np.array([16, 16], np.int64))
    data = {"output_type": "i64"}
    model.result("y", add_adaptive(model, "pool", x, size, (1, 3, 16, 16), data=data, input_blocks=input_blocks))
    return model


def page_examples():
    """P1 to P6 as the pages print them: P1 and P2 declare wrong dims, P6 has two <input> blocks."""
    names = ("auto_pad", "exclude-pad", "kernel", "pads_begin", "pads_end", "strides")
    rows = {
        "P1": ((1, 3, 32, 32), ("same_upper", "true", "2,2", "0,0", "1,1", "2,2")),
        "P2": ((1, 3, 32, 32), ("same_upper", "false", "5,5", "0,0", "1,1", "2,2")),
        "P3": ((1, 3, 10, 10), ("explicit", "true", "5,5", "1,1", "1,1", "3,3")),
        "P4": ((1, 3, 15, 15), ("explicit", "false", "5,5", "1,1", "1,1", "2,2")),
        "P5": ((1, 3, 14, 14), ("valid", "true", "5,5", "1,1", "1,1", "2,2")),
    }
    models = {name: page_example(name, dims, dict(zip(names, values))) for name, (dims, values) in rows.items()}
    return {**models, "P6": adaptive_page_example(input_blocks=2)}


class Evaluation:
    """Exact values of a model's outputs, and the elements on which the runtime is known to do otherwise."""

    def __init__(self, model, inputs):
        self.values, self.doubts = {}, {}
        inputs = dict(zip((layer.name for layer in model.in_order("Parameter")), inputs))
        for layer in model.layers:
            if layer.type == "Parameter":
                self.keep(layer, inputs[layer.name], False)
            elif layer.type == "Const":
                self.keep(layer, model.constant(layer), False)
            elif layer.type != "Result":
                self.evaluate(layer)
        sources = [layer.inputs[0].layer.id for layer in model.in_order("Result")]
        self.outputs = [self.values[source] for source in sources]
        self.output_doubts = [self.doubts[source] for source in sources]

    def keep(self, layer, value, doubt):
        self.values[layer.id] = value
        self.doubts[layer.id] = np.broadcast_to(doubt, value.shape)

    def evaluate(self, layer):
        source = layer.inputs[0].layer.id
        x = self.values[source]
        doubt = bool(self.doubts[source].any())
        if layer.type == "AvgPool":
            pool = pool_of(layer.data)
            taps = int(np.prod(pool.kernel))
            self.keep(layer, exact.avg_pool(x, pool), doubt | beyond_f32(x, taps) | exact.empty_windows(x.shape, pool))
        else:
            sizes = self.values[layer.inputs[1].layer.id]
            self.keep(layer, exact.adaptive_avg_pool(x, sizes), doubt | beyond_f32(x, x[0, 0].size))


def beyond_f32(x, taps):
    """True when the runtime, which sums every type in f32 or i32, cannot get the averages of `taps` elements right."""
    if x.dtype.kind in "iu":
        return max((abs(int(v)) for v in x.flat), default=0) * taps >= 1 << 24
    values = np.abs(x.astype(np.float64))
    return x.dtype == np.float64 and bool(((values > 1e30) | ((values < 1e-30) & (values > 0))).any())
