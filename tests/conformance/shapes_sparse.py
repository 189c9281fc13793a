"""Draws embedding bags, segments, and sparse matrices."""

import numpy as np
from openvino import opset3, opset15, opset16

from draw_shapes import NUMBERS, constant, draw_sizes, model_of, parameter, standing_for

INDICES = ["i32", "i64"]


def parameters(nodes):
    return [node for node in nodes if node.get_type_name() == "Parameter"]


def embedding(rng, required, optional, op, **attributes):
    """Makes a model of an op with some of its optional inputs."""
    inputs = [*required, *optional[: rng.randint(0, len(optional))]]
    return model_of(op(*inputs, **attributes), parameters(inputs))


def bag_offsets(op, has_reduction):
    def draw(rng):
        kind, index = rng.choice(NUMBERS), rng.choice(INDICES)
        count = rng.randint(1, 8)
        required = [parameter(rng, kind, draw_sizes(rng, 1, 3)), parameter(rng, index, [count]), parameter(rng, index, draw_sizes(rng, 1, 1))]
        attributes = {"reduction": rng.choice(["sum", "mean"])} if has_reduction else {}
        optional = [constant(0, index), parameter(rng, kind, [count])][: 1 if attributes.get("reduction") == "mean" else 2]
        return embedding(rng, required, optional, op, **attributes)

    return draw


def bag_packed(op, has_reduction):
    def draw(rng):
        kind, index = rng.choice(NUMBERS), rng.choice(INDICES)
        indices = draw_sizes(rng, 2, 2)
        required = [parameter(rng, kind, draw_sizes(rng, 1, 3)), parameter(rng, index, indices)]
        attributes = {"reduction": rng.choice(["sum", "mean"])} if has_reduction else {}
        optional = [] if attributes.get("reduction") == "mean" else [parameter(rng, kind, indices)]
        return embedding(rng, required, optional, op, **attributes)

    return draw


def segments_sum(rng):
    kind, index = rng.choice(NUMBERS), rng.choice(INDICES)
    count, segments = rng.randint(1, 8), rng.randint(1, 6)
    number = standing_for(parameter(rng, index, [], 0), segments) if rng.random() < 0.2 else constant(segments, index)
    required = [parameter(rng, kind, draw_sizes(rng, 1, 3)), parameter(rng, index, [count]), parameter(rng, index, [count]), number]
    return embedding(rng, required, [constant(0, index), parameter(rng, kind, [count])], opset3.embedding_segments_sum)


def segment_max(rng):
    sizes = draw_sizes(rng, 1, 3)
    ids = sorted(rng.randint(0, 5) for _ in range(sizes[0]))
    inputs = [parameter(rng, rng.choice(NUMBERS), sizes)]
    inputs.append(standing_for(parameter(rng, rng.choice(INDICES), [sizes[0]]), ids) if rng.random() < 0.4 else constant(ids, rng.choice(INDICES)))
    if rng.random() < 0.5:
        inputs.append(constant(rng.randint(1, 7), rng.choice(INDICES)))
    return model_of(opset16.segment_max(*inputs, fill_mode=rng.choice(["ZERO", "LOWEST"])), parameters(inputs))


def fill_empty_rows(rng):
    kind, index = rng.choice(NUMBERS), rng.choice(INDICES)
    rows, columns, count = rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 5)
    places = sorted([rng.randrange(rows), rng.randrange(columns)] for _ in range(count))
    shape = standing_for(parameter(rng, index, [2], 0.2), [rows, columns]) if rng.random() < 0.3 else constant([rows, columns], index)
    indices = standing_for(parameter(rng, index, [count, 2]), places) if rng.random() < 0.4 else constant(np.array(places), index)
    inputs = [parameter(rng, kind, [count]), shape, indices, parameter(rng, kind, [], 0)]
    return model_of(opset16.sparse_fill_empty_rows(*inputs), parameters(inputs))


DRAWS = {
    "EmbeddingBagOffsets-15": bag_offsets(opset15.embedding_bag_offsets, True),
    "EmbeddingBagOffsetsSum-3": bag_offsets(opset3.embedding_bag_offsets_sum, False),
    "EmbeddingBagPacked-15": bag_packed(opset15.embedding_bag_packed, True),
    "EmbeddingBagPackedSum-3": bag_packed(opset3.embedding_bag_packed_sum, False),
    "EmbeddingSegmentsSum-3": segments_sum,
    "SegmentMax-16": segment_max,
    "SparseFillEmptyRows-16": fill_empty_rows,
}
