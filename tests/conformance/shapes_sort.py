"""Draws ops that suppress, sort and select, and ops on sequences."""

import openvino as ov
from openvino import opset16 as ops

from deviations import LESS
from draw_shapes import FLOATS, NUMBERS, constant, draw_sizes, parameter
from shapes_detection import model, sometimes


# ---- suppression ----


def most(rng, kinds=("i32", "i64")):
    """Returns max_output_boxes_per_class, as a Constant or a Parameter."""
    kind = rng.choice(kinds)
    return constant(rng.choice([0, 1, 4, 30]), kind) if rng.random() < 0.7 else ops.parameter([], getattr(ov.Type, kind))


def suppression(opset):
    def draw(rng):
        batch, boxes, classes = rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 4)
        inputs = [parameter(rng, rng.choice(FLOATS[:3]), [batch, boxes, 4]), parameter(rng, rng.choice(FLOATS[:3]), [batch, classes, boxes])]
        more = [most(rng)] + [constant(0.5, "f32") for _ in range(3 if opset >= 5 else 2)]
        inputs += more[: rng.randint(0, len(more))]
        attributes = sometimes(rng, {"box_encoding": "center", "sort_result_descending": False} | ({"output_type": "i32"} if opset >= 3 else {}))
        return model(opset, "NonMaxSuppression", inputs, attributes)

    return draw


def rotated(rng):
    batch, boxes, classes = rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 4)
    inputs = [parameter(rng, "f32", [batch, boxes, 5]), parameter(rng, "f32", [batch, classes, boxes])]
    inputs += [most(rng), constant(0.5, "f32"), constant([0.5], "f32")]
    return model(13, "NMSRotated", inputs, sometimes(rng, {"output_type": "i32", "clockwise": False}))


def selection(opset, op):
    def draw(rng):
        batch, boxes, classes, kind = rng.randint(1, 3), rng.randint(1, 12), rng.randint(1, 4), rng.choice(FLOATS[:3])
        attributes = sometimes(rng, {"nms_top_k": rng.randint(-1, 9), "keep_top_k": rng.randint(-1, 9), "output_type": "i32"})
        attributes |= sometimes(rng, {"background_class": 0, "sort_result_type": "score"})
        sizes = [[batch, boxes, 4], [batch, classes, boxes]]
        if opset == 9 and rng.random() < 0.5:
            sizes = [[classes, boxes, 4], [classes, boxes]]
            return model(opset, op, [parameter(rng, kind, s) for s in sizes] + [parameter(rng, "i32", [batch])], attributes)
        return model(opset, op, [parameter(rng, kind, s) for s in sizes], attributes)

    return draw


# ---- sorting ----


def top_k(opset):
    def draw(rng):
        sizes = draw_sizes(rng, 1, 4)
        axis = rng.randrange(-len(sizes), len(sizes))
        data = parameter(rng, rng.choice(NUMBERS), sizes)
        k = constant(rng.randint(1, sizes[axis]), rng.choice(["i32", "i64", "i8"] if opset == 1 else ["i32", "i64", "u8"]))
        shape = data.get_partial_shape()
        if rng.random() < 0.3 or (shape.rank.is_static and 0 <= shape[axis].get_max_length() < sizes[axis]):
            k = ops.parameter([], ov.Type.i64)
        attributes = {"axis": axis, "mode": rng.choice(["min", "max"]), "sort": rng.choice(["value", "index", "none"])}
        more = {"index_element_type": "i64"} | ({"stable": True} if opset == 11 else {})
        return model(opset, "TopK", [data, k], attributes | sometimes(rng, more))

    return draw


def unique(rng):
    sizes = draw_sizes(rng, 1, 4)
    inputs = [parameter(rng, rng.choice(NUMBERS), sizes)]
    if rng.random() < 0.6:
        axis = rng.randrange(-len(sizes), len(sizes))
        inputs.append(constant(rng.choice([axis, [axis]]), rng.choice(["i32", "i64"])))
    attributes = {"sorted": False, "index_element_type": "i32", "count_element_type": "i32"}
    return model(10, "Unique", inputs, sometimes(rng, attributes))


def bucketize(rng):
    inputs = [parameter(rng, rng.choice(NUMBERS), draw_sizes(rng, 0, 4)), parameter(rng, rng.choice(NUMBERS), [rng.randint(1, 9)])]
    return model(3, "Bucketize", inputs, {"output_type": rng.choice(["i32", "i64"]), "with_right_bound": rng.random() < 0.5})


def search_sorted(rng):
    batch, kind = draw_sizes(rng, 0, 3), rng.choice(NUMBERS)
    values = [*batch, rng.randint(1, 9)]
    sequence = [rng.randint(1, 9)] if rng.random() < 0.4 else [*batch, rng.randint(1, 9)]
    inputs = [parameter(rng, kind, sequence), parameter(rng, kind, [] if len(sequence) == 1 and rng.random() < 0.2 else values)]
    return model(15, "SearchSorted", inputs, sometimes(rng, {"right_mode": True, "output_type": "i32"}))


# ---- selection ----


def non_zero(rng):
    kind = rng.choice(NUMBERS + ["boolean"])
    attributes = sometimes(rng, {"output_type": "i32"})
    if rng.random() < 0.3:
        values = [[rng.randint(0, 1) for _ in range(3)] for _ in range(2)]
        return model(3, "NonZero", [constant(rng.choice([values, values[0], values[0][0]]), kind)], attributes)
    return model(3, "NonZero", [parameter(rng, kind, draw_sizes(rng, 0, 4))], attributes)


def stretched(rng, sizes):
    sizes = sizes[rng.randint(0, len(sizes)) :] if rng.random() < 0.4 else sizes
    return [1 if rng.random() < 0.3 else size for size in sizes]


def select(rng):
    sizes, kind = draw_sizes(rng, 0, 4), rng.choice(NUMBERS)
    rule = rng.choice(["numpy", "numpy", "none", "pdpd"])
    shapes = [stretched(rng, sizes) for _ in range(3)] if rule == "numpy" else [sizes] * 3
    inputs = [parameter(rng, k, s) for k, s in zip(("boolean", kind, kind), shapes)]
    return model(1, "Select", inputs, {"auto_broadcast": rule})


# ---- sequences ----


def greedy(rng):
    time, batch, kind = rng.randint(1, 9), rng.randint(1, 4), rng.choice(FLOATS)
    inputs = [parameter(rng, kind, [time, batch, 7]), parameter(rng, kind, [time, batch])]
    return model(1, "CTCGreedyDecoder", inputs, sometimes(rng, {"ctc_merge_repeated": False}))


def greedy_lengths(rng):
    time, batch, kind = rng.randint(1, 9), rng.randint(1, 4), rng.choice(["i32", "i64"])
    inputs = [parameter(rng, rng.choice(FLOATS), [batch, time, 7]), parameter(rng, kind, [batch])]
    inputs += [constant(rng.choice([3, [3]]), kind)] * rng.randint(0, 1)
    attributes = {"merge_repeated": False, "classes_index_type": "i64", "sequence_length_type": "i64"}
    return model(6, "CTCGreedyDecoderSeqLen", inputs, sometimes(rng, attributes))


def loss(rng):
    time, batch, kinds = rng.randint(1, 9), rng.randint(1, 4), [rng.choice(["i32", "i64"]) for _ in range(2)]
    inputs = [parameter(rng, rng.choice(FLOATS), [batch, time, 7]), parameter(rng, kinds[0], [batch])]
    inputs += [parameter(rng, kinds[1], [batch, time]), parameter(rng, kinds[0], [batch])] + [constant(3, kinds[1])] * rng.randint(0, 1)
    return model(4, "CTCLoss", inputs, sometimes(rng, {"unique": True, "ctc_merge_repeated": True}))


DRAWS = {
    **{f"NonMaxSuppression-{opset}": suppression(opset) for opset in (1, 3, 4, 5, 9)},
    "NMSRotated-13": rotated,
    "MatrixNms-8": selection(8, "MatrixNms"),
    "MulticlassNms-8": selection(8, "MulticlassNms"),
    "MulticlassNms-9": selection(9, "MulticlassNms"),
    **{f"TopK-{opset}": top_k(opset) for opset in (1, 3, 11)},
    "Unique-10": unique,
    "Bucketize-3": bucketize,
    "SearchSorted-15": search_sorted,
    "NonZero-3": non_zero,
    "Select-1": select,
    "CTCGreedyDecoder-1": greedy,
    "CTCGreedyDecoderSeqLen-6": greedy_lengths,
    "CTCLoss-4": loss,
}
DEVIATIONS = [
    (
        "looser",
        "NonMaxSuppression-1, NonMaxSuppression-3, NonMaxSuppression-4",
        r"^NonMaxSuppression .*, f\d\d\[([^]]*\.\.[^]]*)\], i\d\d\[\]=",
        r"expected \('i\d\d', \[\((\d+), \1\), \(3, 3\)\]\)",
        "the runtime takes the upper end of an interval for the size, and an input of unknown rank for one class",
    ),
    ("looser", "Unique-10", r"^Unique .*: \w+\[[^]]*\.\.\d+\], i64", LESS, "an axis that may have no element may give none"),
]
