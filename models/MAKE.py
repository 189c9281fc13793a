#!/usr/bin/env python3
"""Makes every model in this folder, and tries that OpenVINO reads each.

    $(tests/venv.sh build/venv) models/MAKE.py
"""

import pathlib
import sys
import tempfile

import numpy as np
import openvino
from openvino import opset1, opset8

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from oracle import exact, files, ir  # noqa: E402
from oracle.exact import Pool  # noqa: E402

# What OpenVINO does not read, and why it is here.
UNREADABLE = {"spec/P6": "two <input> blocks in one layer, as its page prints them"}


def pool_data(pool):
    """Attributes of an AvgPool-1; those that have their default are left out."""
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


def avg_pool(model, name, source, pool, **port):
    shape = exact.pool_shape(source.shape, pool)
    return model.layer("AvgPool", name, "opset1", pool_data(pool), [source], ir.Output(source.type, shape, **port))


def adaptive(model, name, source, sizes, size_type="i64"):
    size = model.const("size", np.array(sizes, ir.dtype_of(size_type)))
    output = ir.Output(source.type, exact.adaptive_shape(source.shape, sizes))
    return model.layer("AdaptiveAvgPool", name, "opset8", {}, [source, size], output)


def one_pool(comment, element_type, shape, pool, version=11):
    model = ir.Model("pool", version, comment)
    x = model.parameter("x", element_type, shape)
    model.result("y", avg_pool(model, "pool", x, pool))
    return model


def one_adaptive(comment, element_type, shape, sizes, size_type="i64"):
    model = ir.Model("adaptive", 11, comment)
    x = model.parameter("x", element_type, shape)
    model.result("y", adaptive(model, "pool", x, sizes, size_type))
    return model


def page_example(number, auto_pad, exclude_pad, kernel, pads_begin, pads_end, strides, declared):
    model = ir.Model(f"P{number}", 11, f"Example {number} of the page of AvgPool-1, with its attributes and declared dims")
    x = model.parameter("x", "f32", [1, 3, 32, 32])
    data = {
        "auto_pad": auto_pad,
        "exclude-pad": exclude_pad,
        "kernel": kernel,
        "pads_begin": pads_begin,
        "pads_end": pads_end,
        "strides": strides,
    }
    model.result("y", model.layer("AvgPool", "pool", "opset1", data, [x], ir.Output("f32", declared)))
    return model


def adaptive_page_example(input_blocks):
    model = ir.Model("P6", 11, "Example of the page of AdaptiveAvgPool-8; it draws an input block for each input")
    x = model.parameter("x", "f32", [1, 3, 32, 32])
    size = model.const("size", np.array([16, 16], np.int64))
    output = ir.Output("f32", (1, 3, 16, 16))
    data = {"output_type": "i64"}
    y = model.layer("AdaptiveAvgPool", "pool", "opset8", data, [x, size], output, input_blocks=input_blocks)
    model.result("y", y)
    return model


def page_examples():
    return {
        "spec/P1": page_example(1, "same_upper", "true", "2,2", "0,0", "1,1", "2,2", (1, 3, 32, 32)),
        "spec/P2": page_example(2, "same_upper", "false", "5,5", "0,0", "1,1", "2,2", (1, 3, 32, 32)),
        "spec/P3": page_example(3, "explicit", "true", "5,5", "1,1", "1,1", "3,3", (1, 3, 10, 10)),
        "spec/P4": page_example(4, "explicit", "false", "5,5", "1,1", "1,1", "2,2", (1, 3, 15, 15)),
        "spec/P5": page_example(5, "valid", "true", "5,5", "1,1", "1,1", "2,2", (1, 3, 14, 14)),
        "spec/P6": adaptive_page_example(input_blocks=2),
    }


def avg_pools():
    half = Pool([2, 2], [2, 2], [0, 0], [0, 0], True)
    same = Pool([3, 3], [1, 1], [0, 0], [0, 0], False, auto_pad="same_lower")
    overhang = Pool([3, 3], [2, 2], [1, 1], [1, 1], False, "ceil")
    return {
        "rank3": one_pool("One spatial axis", "f32", [1, 2, 9], Pool([3], [2], [1], [0], True)),
        "rank5": one_pool(
            "Three spatial axes", "f32", [1, 1, 4, 6, 6], Pool([2, 3, 3], [2, 2, 1], [0, 1, 1], [0, 1, 1], True)
        ),
        "asymmetric_pads": one_pool(
            "Other pads at each side", "f32", [1, 1, 5, 7], Pool([3, 4], [2, 3], [2, 0], [1, 3], True)
        ),
        "include_pad": one_pool(
            "Pads count as zeros: every window divides by 9", "f32", [1, 1, 5, 5], Pool([3, 3], [1, 1], [1, 1], [1, 1], False)
        ),
        "ceil_overhang": one_pool(
            "rounding_type ceil with pads that count: the last window reaches past the end padding",
            "f32",
            [1, 1, 6, 6],
            overhang,
        ),
        "same_lower": one_pool("auto_pad same_lower keeps the size at stride 1", "f32", [1, 1, 5, 5], same),
        "window_without_input": one_pool(
            "The last window holds padding only; its average is 0", "f32", [1, 1, 4], Pool([2], [3], [1], [1], True, "ceil")
        ),
        "f16": one_pool("Element type f16", "f16", [1, 2, 6, 6], half),
        "bf16": one_pool("Element type bf16", "bf16", [1, 2, 6, 6], half),
        "i8": one_pool("Integer averages are rounded half to even", "i8", [1, 2, 6, 6], half),
        "i64": one_pool("Exact averages of 64-bit integers", "i64", [1, 2, 6, 6], half),
        "ir_v10": version_10(half),
        "two_branches": two_branches(),
        "any_order": any_order(half),
        "dynamic": dynamic(),
    }


def adaptive_pools():
    return {
        "divides": one_adaptive("Bins of one size: 8 into 4", "f32", [1, 2, 8, 8], [4, 4]),
        "overlapping": one_adaptive("Bins overlap where the size does not divide: 7 into 4", "f32", [1, 1, 5, 7], [3, 4]),
        "larger_output": one_adaptive("The output may be larger than the input", "f32", [1, 1, 3, 4], [5, 6]),
        "rank3": one_adaptive("One spatial axis; the size is an i32 constant", "f32", [1, 2, 9], [4], "i32"),
        "rank5": one_adaptive("Three spatial axes", "f32", [1, 1, 4, 6, 5], [2, 3, 2]),
        "size_at_run_time": size_at_run_time(),
    }


def version_10(pool):
    model = one_pool("IR version 10 with the meta_data of old converters", "f32", [1, 2, 6, 6], pool, version=10)
    model.extra = (
        '<meta_data>\n  <MO_version value="2021.4.0"/>\n  <cli_parameters>\n    <data_type value="FP32"/>\n'
        '    <input_shape value="[1,2,6,6]"/>\n  </cli_parameters>\n</meta_data>'
    )
    return model


def two_branches():
    model = ir.Model("two_branches", 11, "Two inputs and two outputs with tensor names; one pool feeds both a pool and an output")
    left = model.parameter("left", "f32", [1, 2, 8, 8], names="left")
    right = model.parameter("right", "f32", [1, 1, 6], names="right,r")
    first = avg_pool(model, "first", left, Pool([2, 2], [2, 2], [0, 0], [0, 0], True), names="first")
    second = avg_pool(model, "second", first, Pool([3, 3], [1, 1], [1, 1], [1, 1], True), names="second")
    third = avg_pool(model, "third", right, Pool([3], [3], [0], [0], True), names="third")
    model.result("out_a", second, output_names="second")
    model.result("out_b", third, output_names="third")
    return model


def any_order(pool):
    comment = "Layers and edges in any order, ids with gaps, a name with references: a &amp; b"
    model = ir.Model("any_order", 11, comment, ids=[40, 7, 123456789012])
    x = model.parameter("a & b", "f32", [1, 2, 6, 6])
    model.result("y", avg_pool(model, "<pool>", x, pool))
    model.layer_order, model.edge_order = [2, 0, 1], [1, 0]
    return model


def dynamic():
    model = ir.Model("dynamic", 11, "Dims that only a run knows: any batch, a height from 4 to 64")
    x = model.parameter("x", "f32", "?,3,4..64,8", declared=(-1, 3, -1, 8))
    data = pool_data(Pool([2, 2], [2, 2], [0, 0], [0, 0], True))
    model.result("y", model.layer("AvgPool", "pool", "opset1", data, [x], ir.Output("f32", (-1, 3, -1, 4))))
    return model


def size_at_run_time():
    model = ir.Model("size_at_run_time", 11, "The output size is an input of the model")
    x = model.parameter("x", "f32", [1, 2, 6, 9])
    size = model.parameter("size", "i64", [2])
    output = ir.Output("f32", (1, 2, -1, -1))
    model.result("y", model.layer("AdaptiveAvgPool", "pool", "opset8", {}, [x, size], output))
    return model


def serialized():
    """(xml, bin) as OpenVINO's own serializer writes them, with rt_info of layers, ports and the model."""
    x = opset1.parameter([1, 3, 12, 12], openvino.Type.f32, name="image")
    x.set_layout(openvino.Layout("[N,C,H,W]"))
    x.output(0).set_names({"image", "image:0"})
    pool = opset1.avg_pool(x, [2, 2], [0, 0], [0, 0], [3, 3], False, "ceil", name="pool/AvgPool")
    size = opset1.constant(np.array([2, 2], np.int64), name="size")
    adaptive_pool = opset8.adaptive_avg_pool(pool, size, name="adaptive")
    adaptive_pool.output(0).set_names({"features"})
    model = openvino.Model([adaptive_pool], [x], "serialized")
    model.set_rt_info("made for irrun", ["conversion_parameters", "purpose"])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.xml"
        openvino.serialize(model, path)
        head, body = path.read_text(encoding="utf-8").split("\n", 1)
        return f"{head}\n<!-- What the serializer of OpenVINO writes -->\n{body}", path.with_suffix(".bin").read_bytes()


def demo():
    """Padded windows whose averages print exactly."""
    pool = Pool([2, 2], [2, 2], [1, 1], [1, 1], True)
    return one_pool("2x2 averages at stride 2 with one pad on each side that does not count", "f32", [1, 1, 4, 4], pool)


def check(folder, names):
    core = openvino.Core()
    for name in names:
        weights = folder / f"{name}.bin"
        try:
            core.read_model(folder / f"{name}.xml", weights if weights.exists() else "")
            readable = True
        except RuntimeError as error:
            readable, reason = False, error
        if readable == (name in UNREADABLE):
            raise SystemExit(f"{name}: " + ("OpenVINO reads it, UNREADABLE says it does not" if readable else str(reason)))


def main():
    models = {"demo/pool": demo(), **page_examples()}
    models |= {f"avg_pool/{name}": model for name, model in avg_pools().items()}
    models |= {f"adaptive_avg_pool/{name}": model for name, model in adaptive_pools().items()}
    folder = files.Folder(HERE, ["*/*.xml", "*/*.bin", "demo/*.npy"])
    for name, model in models.items():
        folder.write_model(name, model)
    folder.write_array("demo/x.npy", np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
    xml, weights = serialized()
    folder.write("avg_pool/serialized.xml", xml)
    folder.write("avg_pool/serialized.bin", weights)
    folder.finish()
    check(HERE, [*models, "avg_pool/serialized"])


if __name__ == "__main__":
    main()
