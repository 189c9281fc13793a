"""Builds the examples on the specification's pages of the ops, with the attributes and dims that the pages print."""

import numpy as np

from oracle import ir
from oracle.pools import add_adaptive

AVG_POOL_NAMES = ("auto_pad", "exclude-pad", "kernel", "pads_begin", "pads_end", "strides")
# Each row: declared spatial size, attributes. In the first two rows the declared size is wrong: the output is 16x16.
AVG_POOL = [
    (32, ("same_upper", "true", "2,2", "0,0", "1,1", "2,2")),
    (32, ("same_upper", "false", "5,5", "0,0", "1,1", "2,2")),
    (10, ("explicit", "true", "5,5", "1,1", "1,1", "3,3")),
    (15, ("explicit", "false", "5,5", "1,1", "1,1", "2,2")),
    (14, ("valid", "true", "5,5", "1,1", "1,1", "2,2")),
]
# AvgPool-16 has the examples of AVG_POOL with dilations of 1, and one more example with dilations of 2.
AVG_POOL_DILATED = (13, ("explicit", "false", "5,5", "1,1", "1,1", "2,2"))

MAX_POOL_NAMES = ("auto_pad", "kernel", "pads_begin", "pads_end", "strides")
MAX_POOL = [
    (32, ("same_upper", "2,2", "1,1", "1,1", "2,2")),
    (17, ("explicit", "2,2", "1,1", "1,1", "2,2")),
    (16, ("valid", "2,2", "1,1", "1,1", "2,2")),
]


def avg_pool_example(number, size, values):
    comment = f"Example {number} of the page of AvgPool-1, with its attributes and declared dims"
    model = ir.Model(f"P{number}", 11, comment)
    x = model.parameter("x", "f32", [1, 3, 32, 32])
    data = dict(zip(AVG_POOL_NAMES, values))
    model.result("y", model.layer("AvgPool", "pool", "opset1", data, [x], ir.Output("f32", (1, 3, size, size))))
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
    """Returns the examples P1 to P6 as the pages print them: P1 and P2 declare wrong dims, and P6 has two <input>
    blocks."""
    models = {f"P{i}": avg_pool_example(i, *row) for i, row in enumerate(AVG_POOL, 1)}
    return {**models, "P6": adaptive_page_example(input_blocks=2)}


# ---- all examples of a page as one model ----


def avg_pool_page(version, element_type):
    model = ir.Model(f"page_of_avg_pool_{version}")
    x = model.parameter("x", element_type, [1, 3, 32, 32])
    rows = [(*row, "1,1") for row in AVG_POOL] + ([(*AVG_POOL_DILATED, "2,2")] if version == 16 else [])
    for i, (size, values, dilations) in enumerate(rows, 1):
        data = dict(zip(AVG_POOL_NAMES, values)) | ({"dilations": dilations} if version == 16 else {})
        output = ir.Output(element_type, (1, 3, size, size))
        model.result(f"y{i}", model.layer("AvgPool", f"pool{i}", f"opset{version}", data, [x], output))
    return model


def max_pool_page(version, element_type):
    """Makes a model of all examples of a MaxPool page. From version 8 on, the pages print two outputs."""
    model = ir.Model(f"page_of_max_pool_{version}")
    x = model.parameter("x", element_type, [1, 3, 32, 32])
    for i, (size, values) in enumerate(MAX_POOL, 1):
        types = [element_type, "i64"] if version >= 8 else [element_type]
        outputs = [ir.Output(kind, (1, 3, size, size)) for kind in types]
        model.layer("MaxPool", f"pool{i}", f"opset{version}", dict(zip(MAX_POOL_NAMES, values)), [x], outputs)
        for output, name in zip(outputs, (f"y{i}", f"y{i}_at")):
            model.result(name, output)
    return model


def adaptive_max_pool_page(input_blocks=2):
    """Makes the page's example. On the page, the first output has the port number 1, which is also the number of the
    second input."""
    model = ir.Model("page_of_adaptive_max_pool_8")
    x = model.parameter("x", "f16", [1, 3, 32, 32])
    size = model.const("size", np.array([16, 16], np.int64))
    data = {"output_type": "i64"}
    outputs = add_adaptive(model, "pool", x, size, (1, 3, 16, 16), "AdaptiveMaxPool", data=data, input_blocks=input_blocks)
    for name, output, port in zip(("y", "y_at"), outputs, (1, 2)):
        output.port = port
        model.result(name, output)
    return model
