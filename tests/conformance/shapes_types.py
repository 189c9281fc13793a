"""Draws type promotion, and ops on strings."""

from openvino import opset14, opset15

from draw_shapes import NUMBERS, draw_sizes, model_of, parameter

ALL = [*NUMBERS, "i16", "u16", "u64", "boolean", "i4", "u1", "u4", "f8e4m3", "f8e5m2"]


def promote(rng):
    inputs = [parameter(rng, rng.choice(ALL), draw_sizes(rng, 0, 2)) for _ in range(2)]
    if any(node.get_output_partial_shape(0).rank.is_dynamic for node in inputs):
        raise ValueError("the type may depend on a rank that is not known")
    target = rng.choice(["f32", "f64", "i64"])
    return model_of(opset14.convert_promote_types(*inputs, rng.random() < 0.6, rng.random() < 0.5, target), inputs)


def packed(rng):
    index, shape = rng.choice(["i32", "i64"]), draw_sizes(rng, 0, 3)
    inputs = [parameter(rng, index, shape), parameter(rng, index, shape), parameter(rng, "u8", draw_sizes(rng, 1, 1))]
    return opset15.string_tensor_pack(*inputs), inputs


def pack(rng):
    return model_of(*packed(rng))


def unpack(rng):
    node, inputs = packed(rng)
    if rng.random() < 0.5:
        node = parameter(rng, "string", draw_sizes(rng, 0, 3))
        inputs = [node]
    return model_of(opset15.string_tensor_unpack(node), inputs)


DRAWS = {"ConvertPromoteTypes-14": promote, "StringTensorPack-15": pack, "StringTensorUnpack-15": unpack}
