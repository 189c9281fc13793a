"""Writes nGraph's JSON in random spellings that its writers use."""

import json
import struct

import numpy as np

from oracle import ir
from oracle.ngraph import PAD_TYPES

C_NAMES = {
    "f32": "float",
    "f64": "double",
    "f16": "float16",
    "bf16": "bfloat16",
    "boolean": "char",
    **{f"{sign}{bits}": f"{word}{bits}_t" for sign, word in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)},
}


def typed(rng, element_type, shape):
    """Returns the fields for the type and shape of a Parameter or Constant. Unknown dims are None."""
    name = C_NAMES[element_type]
    spelling = rng.choice(("own", "own", "value_type", "visitor"))
    if spelling == "visitor":
        return {"attribute_visitor": True, "element_type": element_type, "shape": [-1 if n is None else n for n in shape]}
    if spelling == "own":
        return {"element_type": name, "shape": shape}
    old = {"c_type_string": name, "bitwidth": 8, "is_real": False, "is_signed": True}
    return {"value_type": {"element_type": rng.choice((name, old)), "shape": shape}}


def node(rng, name, op, version=0, **fields):
    body = {"name": name, "op": op, "outputs": [f"{name}_0"]}
    if version or rng.random() < 0.5:
        body["op_version"] = version
    if rng.random() < 0.2:
        body["type_info"] = {"name": op, "version": version}
    items = list({**body, **fields}.items())
    rng.shuffle(items)
    return dict(items)


def source(rng, name):
    return rng.choice((name, {"node": name, "index": 0}))


def strides_of(rng, pool):
    return [] if pool.strides == [1] * len(pool.kernel) and rng.random() < 0.5 else pool.strides


def pool_node(rng, name, feeds, pool, version, spells_pads):
    """Returns the node of a pool. If `spells_pads` is False, both lists of pads are absent or empty."""
    write = pool_fields_0 if version == 0 else pool_fields_1
    return node(rng, name, pool.op, version, inputs=[source(rng, feeds)], **write(rng, pool, spells_pads))


def pool_fields_0(rng, pool, spells_pads):
    fields = {"window_shape": pool.kernel, "window_movement_strides": strides_of(rng, pool)}
    absent = pool.op == "MaxPool" and rng.random() < 0.5
    if spells_pads or not absent:
        fields["padding_below"] = pool.below if spells_pads else []
        fields["padding_above"] = pool.above if spells_pads else []
    if pool.average:
        fields["include_padding_in_avg_computation"] = pool.include
    if pool.pad_type != "EXPLICIT" or rng.random() < 0.5:
        fields["pad_type"] = PAD_TYPES.index(pool.pad_type)
    if pool.ceil_mode or rng.random() < 0.1:
        fields["ceil_mode"] = pool.ceil_mode
    return fields


def pool_fields_1(rng, pool, spells_pads):
    visitor = rng.random() < 0.6
    fields = {"attribute_visitor": True} if visitor else {}
    fields["kernel"] = pool.kernel
    strides = strides_of(rng, pool)
    if strides or rng.random() < 0.5:
        fields["strides"] = strides
    if spells_pads or rng.random() < 0.5:
        fields["pads_begin"] = pool.below if spells_pads else []
        fields["pads_end"] = pool.above if spells_pads else []
    if pool.pad_type != "EXPLICIT" or rng.random() < 0.5:
        fields["auto_pad"] = pool.pad_type if visitor else PAD_TYPES.index(pool.pad_type)
    if pool.ceil_mode or rng.random() < 0.5:
        fields["rounding_type"] = ("FLOOR", "CEIL")[pool.ceil_mode] if visitor else int(pool.ceil_mode)
    if pool.average and (pool.include or rng.random() < 0.5):
        fields["exclude_pad"] = not pool.include
    return fields


def constant_texts(rng, array):
    """Returns a text for each element, or sometimes one text if all elements are equal."""
    if array.dtype.kind == "b":
        texts = [str(int(v)) for v in array.flat]
    elif array.dtype.kind in "iu":
        texts = [str(int(v)) for v in array.flat]
    else:
        texts = [float_text(rng, float(v)) for v in array.flat]
    return texts[:1] if array.size and len({v.tobytes() for v in array.flat}) == 1 and rng.random() < 0.5 else texts


def float_text(rng, value):
    if np.isnan(value):
        return "NAN"
    if np.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return rng.choice((repr(value), f"{value:.17g}", value.hex()))


# ---- the archive ----


def record(order, name, data):
    """Returns a record in cpio's old binary format. A 32-bit number is two words, the high word first."""
    size = len(name) + 1
    words = [0x71C7, 0, 0, 0o100644, 0, 0, 1, 0, 0, 0, size, len(data) >> 16, len(data) & 0xFFFF]
    head = struct.pack(f"{order}13H", *words)
    return head + name + b"\0" * (1 + size % 2) + data + b"\0" * (len(data) % 2)


def archive(rng, text, constants):
    """Returns an archive of the JSON and the constants' raw elements, which are named after their nodes."""
    order = rng.choice("<>")
    records = [record(order, b"model.json", text)]
    records += [record(order, name.encode(), array.tobytes()) for name, array in constants]
    return b"".join([*records, record(order, b"TRAILER!!!", b"")])


def text_of_model(rng, nodes, parameters, results):
    model = {"name": "random", "parameters": parameters, "result": results, "ops": nodes}
    return json.dumps([model], indent=rng.choice((None, 1, 2))).encode()


def element_bytes(array, element_type):
    return np.ascontiguousarray(array, ir.dtype_of(element_type))
