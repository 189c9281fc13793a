"""Draws contents for the Parameters of a random model of one op, such that a run is allowed and meaningful."""

import dataclasses
import math

import numpy as np
import openvino as ov

from draw_shapes import NUMBERS_OF
from oracle import ir


class NoContents(Exception):
    """No contents allow a run of the drawn model."""


@dataclasses.dataclass
class Place:
    """Describes an input of the op that a Parameter feeds. `given` has the known arrays of the node's inputs, by
    port."""

    node: ov.Node
    port: int
    rng: np.random.Generator
    dtype: np.dtype
    given: dict

    def shape(self, port=None):
        return tuple(self.node.get_input_shape(self.port if port is None else port))

    def attribute(self, name):
        return self.node.get_attributes()[name]

    def version(self):
        return int(self.node.get_type_info().version_id.removeprefix("opset"))

    def axis(self):
        """Returns the axis, counted from the front, from an attribute or from an input of one number."""
        at = self.attribute("axis") if "axis" in self.node.get_attributes() else self.scalar({"Gather": 2}.get(self.node.get_type_name(), 3))
        return int(at) % len(self.shape(0))

    def scalar(self, port):
        if port not in self.given:
            raise NoContents(f"input {port} of {self.node} is not known")
        return self.given[port].flat[0]


# ---- contents for any op ----


def usual(place):
    """Draws small numbers, among them integers and equal numbers."""
    rng, shape, dtype = place.rng, place.shape(), place.dtype
    if dtype.kind == "b":
        return rng.integers(0, 2, shape)
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -3, 4, shape)
    kinds = rng.random(shape)
    return np.where(kinds < 0.6, rng.uniform(-3, 3, shape), np.where(kinds < 0.85, rng.integers(-3, 4, shape), 0.625))


def between(low, high):
    """Makes a function that draws numbers from `low` to `high`. For integers both ends are included."""

    def fill(place):
        if place.dtype.kind in "iu":
            least = max(math.ceil(low), 0) if place.dtype.kind == "u" else math.ceil(low)
            return place.rng.integers(least, math.floor(high), place.shape(), endpoint=True)
        return place.rng.uniform(low, high, place.shape())

    return fill


def distinct(low, high):
    """Makes a function that draws distinct numbers. Raises if the type does not have enough."""

    def fill(place):
        n = int(np.prod(place.shape()))
        numbers = np.linspace(low, high, n) if place.dtype.kind not in "iu" else np.arange(n) + (0 if place.dtype.kind == "u" else -(n // 2))
        if n and len(np.unique(numbers.astype(place.dtype))) < n:
            raise NoContents("the type has not as many numbers")
        return place.rng.permutation(numbers).reshape(place.shape())

    return fill


def ascending(place):
    return np.sort(between(-3, 3)(place), axis=-1)


def zeros(place):
    return np.zeros(place.shape())


def not_zero(place):
    drawn = usual(place)
    return np.where(drawn == 0, 1, drawn)


def some_special(place):
    """Draws numbers with NaN and infinities."""
    return np.where(place.rng.random(place.shape()) < 0.5, place.rng.choice([np.nan, np.inf, -np.inf, 0.0], place.shape()), usual(place))


# ---- indices ----


def below(size, with_negative=False):
    """Makes a function that draws indices of an axis with `size` elements. `size` is a number, or a function of the
    place."""

    def fill(place):
        n = size(place) if callable(size) else size
        return place.rng.integers(-n if with_negative and place.dtype.kind == "i" else 0, n, place.shape())

    return fill


def gather_indices(place):
    return below(place.shape(0)[place.axis()], place.version() >= 8)(place)


def tuples(place, distinct_ones=False):
    """Draws index tuples for the first axes after the batch axes. If version 8 or later allows it, some count from the
    end."""
    *before, length = place.shape()
    batch = place.node.get_attributes().get("batch_dims", 0)
    sizes = place.shape(0)[batch : batch + length]
    count = int(np.prod(before))
    if not distinct_ones:
        places = np.stack([place.rng.integers(0, size, count) for size in sizes], -1) if count else np.zeros((0, length))
        return places.reshape(place.shape())
    if count > np.prod(sizes):
        raise NoContents("several updates of one place")
    chosen = place.rng.permutation(int(np.prod(sizes)))[:count]
    return np.stack(np.unravel_index(chosen, sizes), -1).reshape(place.shape())


def scattered_tuples(place):
    return tuples(place, place.node.get_attributes().get("reduction", "none") in ("none", "sub"))


def scattered_axis(place):
    """Draws each index at most once."""
    size, count = place.shape(0)[place.axis()], int(np.prod(place.shape()))
    if count > size:
        raise NoContents("several updates of one place")
    return place.rng.permutation(size)[:count].reshape(place.shape())


def scattered_elements(place):
    """Draws each index at most once along the axis. If updates of one position are reduced, an index can repeat."""
    axis, size = place.axis(), place.shape(0)[place.axis()]
    if place.node.get_attributes().get("reduction", "none") != "none":
        return place.rng.integers(-size, size, place.shape())
    order = np.argsort(place.rng.random([*place.shape()[:axis], size, *place.shape()[axis + 1 :]]), axis)
    return np.take(order, range(place.shape()[axis]), axis)


def ascending_below(size):
    return lambda place: np.sort(below(size)(place))


def offsets(place):
    """Draws the starts of bags, the first at 0. If a bag started after the last index, the runtime would leave the
    output uninitialized."""
    numbers = np.sort(place.rng.integers(0, place.shape(1)[0], place.shape()))
    numbers[0] = 0
    return numbers


def counts(place):
    """Draws how many of the boxes belong to each image."""
    boxes_, pictures = place.shape(0)[1], place.shape()[0]
    return place.rng.multinomial(boxes_, np.full(pictures + 1, 1 / (pictures + 1)))[:pictures]


def rows_of_table(place):
    return place.shape(0)[0]


# ---- boxes ----


def boxes(limit, first=0, is_center=None):
    """Makes a function that draws boxes in the last four columns of a row, after `first` columns of 0. A box is its
    corners (x1, y1, x2, y2), or its centre and size."""

    def fill(place):
        shape, rng = place.shape(), place.rng
        corner = rng.uniform(0, limit * 0.7, (*shape[:-1], 2))
        size = rng.uniform(limit * 0.1, limit * 0.6, (*shape[:-1], 2))
        ends = size if is_center and is_center(place) else corner + size
        return np.concatenate([np.zeros((*shape[:-1], first)), corner, ends], -1)

    return fill


def batched_boxes(limit):
    """Makes a function that draws rows (number of the image, x1, y1, x2, y2)."""

    def fill(place):
        rows = boxes(limit, 1)(place)
        rows[:, 0] = place.rng.integers(0, place.shape(0)[0], len(rows))
        return rows

    return fill


def rotated_boxes(limit):
    """Makes a function that draws rows (x, y, width, height, angle)."""

    def fill(place):
        rows = place.rng.uniform(limit * 0.2, limit * 0.8, place.shape())
        rows[..., 4] = place.rng.uniform(-1.5, 1.5, rows.shape[:-1])
        return rows

    return fill


def priors(place):
    """Draws boxes of DetectionOutput and the variances of each number. If boxes are not normalized, the image's number
    precedes each."""
    images, rows, length = place.shape()
    normalized = place.attribute("normalized")
    count = length // (4 if normalized else 5)
    corner = place.rng.uniform(0, 0.6, (images, count, 2))
    found = np.concatenate([corner, corner + place.rng.uniform(0.1, 0.4, corner.shape)], -1) * (1 if normalized else 20)
    if not normalized:
        found = np.concatenate([np.zeros((images, count, 1)), found], -1)
    found = found.reshape(images, 1, length)
    return np.concatenate([found, np.full((images, rows - 1, length), 0.1)], 1)


def picture(*numbers):
    """Makes a function that gives each row the height, width and scales of an image."""
    return lambda place: np.broadcast_to(np.array([*numbers, 1, 1][: place.shape()[-1]]), place.shape())


# ---- sequences ----


def lengths(axis, of=0, least=1):
    return lambda place: place.rng.integers(least, place.shape(of)[axis], place.shape(), endpoint=True)


def marks(place):
    """Draws 1 for the time steps of a sequence, then 0."""
    times, batch = place.shape()
    return np.arange(times)[:, None] < place.rng.integers(1, times + 1, batch)


def invertible(place):
    return usual(place) + 7 * place.shape()[-1] * np.eye(place.shape()[-1])


def sequence_axis(place):
    return place.rng.integers(1, place.shape(0)[place.attribute("seq_axis")], place.shape(), endpoint=True)


def label_lengths(place):
    return np.minimum(place.rng.integers(1, place.shape(0)[1] + 1, place.shape()), place.given[1])


SCORES, DELTAS = distinct(0.02, 0.98), between(-0.5, 0.5)
# States of sequences, which are so small that they stay small from step to step.
STATES = {port: between(-0.6, 0.6) for port in range(7)}
BOX_LISTS = {0: boxes(1), 1: SCORES}

# {type that numpy lacks: (least, most + 1) of its numbers}
NARROW = {"u1": (0, 2), "u4": (0, 16), "i4": (-8, 8), "f8e4m3": (-3, 4), "f8e5m2": (-3, 4), "nf4": (0, 2)}

# {op: {port: contents}}; all other inputs have `usual` contents.
CONTENTS = {
    "Acos": {0: between(-1, 1)},
    "Acosh": {0: between(1, 5)},
    "Asin": {0: between(-1, 1)},
    "Atanh": {0: between(-0.95, 0.95)},
    "Log": {0: between(0.1, 5)},
    "Sqrt": {0: between(0, 5)},
    "IsFinite": {0: some_special},
    "IsInf": {0: some_special},
    "IsNaN": {0: some_special},
    "BatchNormInference": {4: between(0.1, 3)},
    "BitwiseLeftShift": {0: between(0, 3), 1: between(0, 3)},
    "BitwiseRightShift": {0: between(0, 100), 1: between(0, 3)},
    "Bucketize": {1: ascending},
    "CTCGreedyDecoder": {1: marks},
    "CTCGreedyDecoderSeqLen": {1: lengths(1)},
    "CTCLoss": {1: lengths(1), 2: below(6), 3: label_lengths},
    "DeformableConvolution": {1: between(-1, 1), 3: between(0, 1)},
    "DeformablePSROIPooling": {1: batched_boxes(9), 2: between(-1, 1)},
    "DetectionOutput": {0: DELTAS, 1: SCORES, 2: priors, 3: SCORES, 4: DELTAS},
    "Divide": {1: not_zero},
    "EmbeddingBagOffsets": {1: below(rows_of_table), 2: offsets},
    "EmbeddingBagOffsetsSum": {1: below(rows_of_table), 2: offsets},
    "EmbeddingBagPacked": {1: below(rows_of_table)},
    "EmbeddingBagPackedSum": {1: below(rows_of_table)},
    "EmbeddingSegmentsSum": {1: below(rows_of_table), 2: ascending_below(lambda place: place.scalar(3))},
    "ExperimentalDetectronDetectionOutput": {0: boxes(40), 1: DELTAS, 2: SCORES, 3: picture(40, 50)},
    "ExperimentalDetectronGenerateProposalsSingleImage": {0: picture(40, 50), 1: boxes(40), 2: DELTAS, 3: SCORES},
    "ExperimentalDetectronPriorGridGenerator": {1: zeros, 2: zeros},  # only the shapes matter
    "ExperimentalDetectronROIFeatureExtractor": {0: boxes(200)},
    "ExperimentalDetectronTopKROIs": {0: boxes(40), 1: SCORES},
    "FakeConvert": {1: between(0.5, 3)},
    "FakeQuantize": {0: between(-3, 3), 1: between(-2, -1), 2: between(1, 2), 3: between(-2, -1), 4: between(1, 2)},
    "FloorMod": {1: not_zero},
    "Gather": {1: gather_indices},
    "GatherElements": {1: below(lambda place: place.shape(0)[place.axis()])},
    "GatherND": {1: tuples},
    "GatherTree": {1: below(lambda place: place.shape()[2]), 2: lengths(0)},
    "GenerateProposals": {0: picture(40, 50), 1: boxes(40), 2: DELTAS, 3: SCORES},
    "GridSample": {1: between(-1.3, 1.3)},
    **dict.fromkeys(["I420toBGR", "I420toRGB", "NV12toBGR", "NV12toRGB"], {port: between(0, 255) for port in range(3)}),
    "GroupedMatMul": {2: ascending_below(lambda place: place.shape(0)[0] + 1)},
    "GRUSequence": {**STATES, 2: lengths(1)},
    "Inverse": {0: invertible},
    "Loop": {0: lambda place: between(1, min(4, parts_of(place.node)))(place), 1: lambda place: np.ones(place.shape())},
    "LSTMSequence": {**STATES, 3: lengths(1)},
    "MatrixNms": BOX_LISTS,
    "Mod": {1: not_zero},
    "MulticlassNms": {**BOX_LISTS, 2: counts},
    "Multinomial": {0: between(0.1, 1)},
    "NMSRotated": {0: rotated_boxes(1), 1: SCORES},
    "NonMaxSuppression": {0: boxes(1, is_center=lambda place: place.attribute("box_encoding") == "center"), 1: SCORES, 2: between(0, 5)},
    "OneHot": {0: between(0, 5)},
    "Power": {0: between(0, 3), 1: between(0, 3)},
    "Proposal": {0: SCORES, 1: DELTAS, 2: picture(48, 80)},
    "PSROIPooling": {1: batched_boxes(9)},
    "ReverseSequence": {1: sequence_axis},
    "RNNSequence": {**STATES, 2: lengths(1)},
    "ROIAlign": {1: boxes(9), 2: below(lambda place: place.shape(0)[0])},
    "ROIAlignRotated": {1: rotated_boxes(9), 2: below(lambda place: place.shape(0)[0])},
    "ROIPooling": {1: batched_boxes(9)},
    "ScatterElementsUpdate": {1: scattered_elements},
    "ScatterNDUpdate": {1: scattered_tuples},
    "ScatterUpdate": {1: scattered_axis},
    "SearchSorted": {0: ascending},
    "Tan": {0: between(-1.4, 1.4)},
    "TopK": {0: distinct(-3, 3), 1: lambda place: place.rng.integers(1, place.shape(0)[place.axis()] + 1, place.shape())},
}


def constants_of(node):
    """Returns {port: contents} of the inputs that are Constants."""
    sources = {i: node.input_value(i).get_node() for i in range(node.get_input_size())}
    return {i: source.data for i, source in sources.items() if source.get_type_name() == "Constant" and source.get_element_type() != ov.Type.string}


def with_constants(model, rng):
    """Returns the model with random Constants instead of Parameters of types that numpy lacks. Strings stay
    Parameters."""
    kept = []
    for parameter in model.get_parameters():
        element_type = parameter.get_element_type()
        if element_type.get_type_name() not in NARROW:
            kept.append(parameter)
            continue
        shape = parameter.get_output_shape(0)
        values = rng.integers(*NARROW[element_type.get_type_name()], int(np.prod(shape)))
        value = ov.op.Constant(element_type, shape, values.tolist())
        for target in parameter.output(0).get_target_inputs():
            target.replace_source_output(value.output(0))
    return model if len(kept) == len(model.get_parameters()) else ov.Model(model.get_results(), kept, "random")


def contents_of(parameter, rng, known):
    """Draws the array of a Parameter. `known` has the arrays that were drawn before, by name."""
    name, element_type = parameter.get_friendly_name(), parameter.get_element_type().get_type_name()
    if element_type not in ir.TYPES:
        raise NoContents(f"type {element_type}")
    dtype = ir.dtype_of(element_type)
    shape = tuple(parameter.get_output_shape(0))
    if name in NUMBERS_OF:
        # In the runtime, integers have 32 bits.
        return np.broadcast_to(np.clip(NUMBERS_OF[name], -(2**31), 2**31 - 1), shape).astype(dtype)
    target = min(parameter.output(0).get_target_inputs(), key=lambda target: target.get_index(), default=None)
    if target is None:
        raise NoContents("nothing needs the Parameter")
    node = target.get_node()
    given = constants_of(node)
    for i in range(node.get_input_size()):
        source = node.input_value(i).get_node().get_friendly_name()
        if source in known:
            given[i] = known[source]
    place = Place(node, target.get_index(), rng, dtype, given)
    fill = CONTENTS.get(node.get_type_name(), {}).get(place.port, usual)
    with np.errstate(all="ignore"):
        return np.asarray(fill(place)).astype(dtype).reshape(shape)


def parts_of(node):
    """Returns the number of one-element slices of a Loop's inputs, or infinity if no input is sliced."""
    sliced = [link for link in node.get_input_descriptions() if hasattr(link, "part_size")]
    return min((node.get_input_shape(link.input_index)[link.axis] for link in sliced), default=math.inf)


def has_end(node):
    """Returns whether the trip count, if constant, is positive and at most the number of slices. With a trip count of
    -1, the condition could stay true forever."""
    return ((constants_of(node).get(0, np.array(1)) > 0) & (constants_of(node).get(0, np.array(1)) <= parts_of(node))).all()


def has_all_numbers(node):
    """Returns whether a PriorBox has a density for each fixed size, and either no maximum size or one for each minimum
    size."""
    told = node.get_attributes()
    return len(told["density"]) >= len(told["fixed_size"]) and len(told["max_size"]) in (0, len(told["min_size"]))


def has_number(node):
    """Returns whether the type has a number between a Clamp's limits."""
    told, dtype = node.get_attributes(), ir.dtype_of(node.get_input_element_type(0).get_type_name())
    if dtype.kind not in "iu":
        return True
    limits = np.iinfo(dtype)
    return max(math.ceil(told["min"]), int(limits.min)) <= min(math.floor(told["max"]), int(limits.max))


def has_channels(node):
    """Returns whether a RegionYolo has as many channels as its boxes need."""
    told = node.get_attributes()
    boxes_ = told["num"] if told["do_softmax"] else len(told["mask"])
    return node.get_input_shape(0)[1] == boxes_ * (told["classes"] + told["coords"] + 1)


def has_known_steps(node):
    """Returns whether a slice has known steps."""
    return node.get_input_size() < 4 or 3 in constants_of(node)


def has_signal(node):
    """Returns whether RDFT or IRDFT has as many numbers as signal_size requests. Otherwise the runtime reads out of
    bounds."""
    known = constants_of(node)
    if not {1, 2} & {*range(1, node.get_input_size())} <= known.keys():
        return False
    is_real = node.get_type_name() == "RDFT"
    sizes = list(node.get_input_shape(0))[: None if is_real else -1]
    there = [sizes[axis] for axis in known[1].tolist()]
    there[-1] = there[-1] if is_real else 2 * there[-1] - 1
    return all(asked <= size for asked, size in zip(known.get(2, np.array([])).tolist(), there))


# {op: function that returns whether the specification defines a run of the node, and the runtime survives it}
MAY_RUN = {
    "Clamp": has_number,
    "ExperimentalDetectronGenerateProposalsSingleImage": lambda node: node.get_attributes()["post_nms_count"] > 0,
    "ExperimentalDetectronTopKROIs": lambda node: node.get_attributes()["max_rois"] <= node.get_input_shape(0)[0],
    "IRDFT": has_signal,
    "Loop": has_end,
    "PriorBox": has_all_numbers,
    "RDFT": has_signal,
    "RegionYolo": has_channels,
    "Slice": has_known_steps,
    "StridedSlice": has_known_steps,
    "ROIAlignRotated": lambda node: node.get_input_element_type(0) == ov.Type.f32,
}


def draw_contents(model, rng):
    """Returns {name: array} of all Parameters. Those in NUMBERS_OF are drawn first, because others depend on them."""
    for node in model.get_ops():
        if not MAY_RUN.get(node.get_type_name(), lambda _: True)(node):
            raise NoContents(f"no run of {node} is told")
    found = {}
    for parameter in sorted(model.get_parameters(), key=lambda p: p.get_friendly_name() not in NUMBERS_OF):
        found[parameter.get_friendly_name()] = contents_of(parameter, rng, found)
    return {parameter.get_friendly_name(): found[parameter.get_friendly_name()] for parameter in model.get_parameters()}
