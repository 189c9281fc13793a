"""The examples of the ops' pages, with the attributes and the dims that they print."""

import numpy as np

from oracle import ir
from oracle.pools import add_adaptive


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
