"""Draws ops that move elements: Gather, slices, Split, Broadcast."""

import openvino as ov
from openvino import opset1, opset3, opset4, opset5, opset7, opset8, opset12, opset15
from openvino import opset16 as ops
from openvino.utils.node_factory import NodeFactory

from deviations import LESS
from draw_shapes import NUMBERS, constant, draw_sizes, model_of, open_dim, open_dims, parameter, standing_for, type_of

FAR = [2**31 - 1, -(2**31), 2**63 - 1]


def some_constant(rng, values, element_type="i64", chance=0.1):
    """Returns (node, parameters) of a Constant or, sometimes, a Parameter of the same length."""
    if rng.random() >= chance:
        return constant(values, element_type), []
    node = ops.parameter(open_dims(rng, [len(values)], 0.3) if isinstance(values, list) else [], type_of(element_type))
    return standing_for(node, values), [node]


def part_of(rng, sizes):
    """Returns (node, parameters) of numbers with known bounds: the elements of a Parameter's shape."""
    source = ops.parameter(ov.PartialShape([open_dim(rng, size) if rng.random() < 0.6 else ov.Dimension(size) for size in sizes]), ov.Type.f32)
    return ops.shape_of(source), [source]


def gather(op, batches):
    def draw(rng):
        data = draw_sizes(rng, 1, 4)
        axis = rng.randrange(len(data))
        batch = rng.randint(0, min(axis, 2)) if batches else 0
        indices = [*data[:batch], *draw_sizes(rng, 0, 2)]
        inputs = [parameter(rng, rng.choice([*NUMBERS, "boolean"]), data), parameter(rng, rng.choice(["i32", "i64"]), indices)]
        if rng.random() < 0.3:
            axis -= len(data)
        at, more = some_constant(rng, axis if rng.random() < 0.5 else [axis])
        return model_of(op(*inputs, at, batch) if batches else op(*inputs, at), inputs + more)

    return draw


def ends(rng, n):
    return [rng.choice(FAR) if rng.random() < 0.2 else rng.randint(-6, 8) for _ in range(n)]


def steps(rng, n):
    return [rng.choice([1, 1, 1, 2, 3, -1, -2]) for _ in range(n)]


def in_i32(values):
    return [max(-(2**31), min(2**31 - 1, value)) for value in values]


def strided_slice(rng):
    rank = rng.randint(1, 4)
    n = rng.randint(1, rank + 1)
    x = parameter(rng, rng.choice(NUMBERS), draw_sizes(rng, rank, rank), 0.7)
    def mask(chance):
        return [int(rng.random() < chance) for _ in range(rng.choice([0, n, n]))]
    begin, end, kind = ends(rng, n), ends(rng, n), rng.choice(["i32", "i64"])
    if kind == "i32":
        begin, end = in_i32(begin), in_i32(end)
    lists = [some_constant(rng, values, kind, 0.05) for values in (begin, end, steps(rng, n))]
    if rng.random() < 0.2:
        lists[1] = part_of(rng, draw_sizes(rng, n, n))
        lists[0] = some_constant(rng, begin)
        lists[2] = some_constant(rng, steps(rng, n))
    ellipsis = [0] * n
    if rng.random() < 0.2:
        ellipsis[rng.randrange(n)] = 1
    masks = [mask(0.3), mask(0.3), mask(0.15), mask(0.15), ellipsis]
    # If a list is unknown, the runtime ignores the ellipsis and puts new axes first.
    if any(ellipsis) and any(masks[2]) and any(more for _, more in lists):
        masks[2] = []
    if rng.random() < 0.3:
        node = ops.strided_slice(x, lists[0][0], lists[1][0], ops.constant([1] * n, ov.Type.i64), *masks)
        lists[2] = (None, [])
    else:
        node = ops.strided_slice(x, *[node for node, _ in lists], *masks)
    return model_of(node, [x] + [p for _, more in lists for p in more])


def slice_lists(rng, rank):
    """Draws the lists start, stop, step and, sometimes, axes. Returns them with their Parameters."""
    axes = rng.sample(range(rank), rng.randint(1, rank))
    has_axes = rng.random() < 0.6
    n, kind = len(axes), rng.choice(["i32", "i64"])
    start, stop = ends(rng, n), ends(rng, n)
    if kind == "i32":
        start, stop = in_i32(start), in_i32(stop)
    lists = [some_constant(rng, start, kind, 0.05), some_constant(rng, stop, kind, 0.05), some_constant(rng, steps(rng, n), kind, 0.05)]
    if rng.random() < 0.2:
        lists[1] = part_of(rng, draw_sizes(rng, n, n))
        lists[0] = some_constant(rng, start)
        lists[2] = some_constant(rng, steps(rng, n))
    if has_axes:
        lists.append(some_constant(rng, [axis - rank if rng.random() < 0.3 else axis for axis in axes], "i64", 0.05))
    return [node for node, _ in lists], [p for _, more in lists for p in more]


def slice_8(rng):
    rank = rng.randint(1, 4)
    x = parameter(rng, rng.choice(NUMBERS), draw_sizes(rng, rank, rank), 0.7)
    lists, more = slice_lists(rng, rank)
    return model_of(ops.slice(x, *lists), [x, *more])


def slice_scatter(rng):
    rank = rng.randint(1, 3)
    kind, sizes = rng.choice(NUMBERS), draw_sizes(rng, rank, rank)
    x = parameter(rng, kind, sizes)
    lists, more = slice_lists(rng, rank)
    shape = ops.slice(x, *lists).get_output_partial_shape(0)
    updates = ops.parameter(shape, type_of(kind))
    return model_of(opset15.slice_scatter(x, updates, *lists), [x, updates, *more])


def split(rng):
    sizes, n = draw_sizes(rng, 1, 4), rng.randint(1, 4)
    axis = rng.randrange(len(sizes))
    sizes[axis] *= n
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    at, more = some_constant(rng, axis - len(sizes) if rng.random() < 0.3 else axis)
    return model_of(ops.split(x, at, n), [x, *more])


def variadic_split(rng):
    sizes = draw_sizes(rng, 1, 4)
    axis = rng.randrange(len(sizes))
    lengths = draw_sizes(rng, 1, 4)
    sizes[axis] = sum(lengths)
    if rng.random() < 0.4:
        lengths[rng.randrange(len(lengths))] = -1
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    at, more = some_constant(rng, axis - len(sizes) if rng.random() < 0.3 else axis)
    parts = constant(lengths, rng.choice(["i32", "i64"]))
    return model_of(ops.variadic_split(x, at, parts), [x, *more])


def broadcast(op, modes):
    def draw(rng):
        mode, target = rng.choice(modes), draw_sizes(rng, 1, 4)
        if mode == "EXPLICIT":
            axes = sorted(rng.sample(range(len(target)), rng.randint(0, len(target))))
            data = [target[axis] for axis in axes]
        else:
            data = target[rng.randint(0, len(target)) :]
        data = [1 if rng.random() < 0.4 else size for size in data]
        kind = rng.randrange(10)
        sizes, more = part_of(rng, target) if kind < 4 else some_constant(rng, target, "i64", 0.2)
        x = parameter(rng, rng.choice(NUMBERS), data)
        extra = [constant(axes)] if mode == "EXPLICIT" else []
        node = op(x, sizes, *extra, mode.lower()) if extra else op(x, sizes, mode.lower()) if op is opset1.broadcast else op(x, sizes, broadcast_spec=mode)
        return model_of(node, [x, *more])

    return draw


def shape_of(op):
    def draw(rng):
        x = parameter(rng, rng.choice(NUMBERS), draw_sizes(rng, 0, 5))
        return model_of(op(x) if op is opset1.shape_of else op(x, rng.choice(["i32", "i64"])), [x])

    return draw


def tile(rng):
    data, n = draw_sizes(rng, 0, 4), rng.randint(0, 4)
    x = parameter(rng, rng.choice(NUMBERS), data)
    values = [rng.choice([0, 1, 1, 2, 3]) for _ in range(n)]
    times, more = part_of(rng, values) if n and rng.random() < 0.2 else some_constant(rng, values)
    return model_of(ops.tile(x, times), [x, *more])


def pad(op, least):
    def draw(rng):
        data, mode = draw_sizes(rng, 1, 4), rng.choice(["constant", "edge", "reflect", "symmetric"])
        x = parameter(rng, rng.choice(["f32", "i64", "u8"]), data)
        lists = []
        for _ in range(2):
            values = [rng.randint(least, 3) for _ in data]
            lists.append(part_of(rng, [max(0, value) for value in values]) if rng.random() < 0.1 else some_constant(rng, values, rng.choice(["i32", "i64"])))
        value = [ops.constant(0, x.get_element_type())] if mode == "constant" and rng.random() < 0.5 else [None]
        return model_of(op(x, lists[0][0], lists[1][0], mode, *value), [x, *lists[0][1], *lists[1][1]])

    return draw


def scatter_update(rng):
    data, indices, kind = draw_sizes(rng, 1, 3), draw_sizes(rng, 0, 2), rng.choice(NUMBERS)
    axis = rng.randrange(len(data))
    updates = [*data[:axis], *indices, *data[axis + 1 :]]
    inputs = [parameter(rng, kind, data), parameter(rng, rng.choice(["i32", "i64"]), indices), parameter(rng, kind, updates)]
    at, more = some_constant(rng, axis if rng.random() < 0.5 else [axis - len(data)])
    return model_of(opset3.scatter_update(*inputs, at), inputs + more)


def scatter_elements(op, reductions):
    def draw(rng):
        data, kind = draw_sizes(rng, 1, 3), rng.choice(NUMBERS)
        indices = [rng.randint(1, size) for size in data]
        axis = rng.randrange(len(data))
        inputs = [parameter(rng, kind, data), parameter(rng, rng.choice(["i32", "i64"]), indices), parameter(rng, kind, indices)]
        at, more = some_constant(rng, axis if rng.random() < 0.5 else [axis - len(data)])
        extra = [rng.choice(reductions), rng.random() < 0.5] if reductions else []
        return model_of(op(*inputs, at, *extra), inputs + more)

    return draw


def scatter_nd(op, reductions):
    def draw(rng):
        data, before, kind = draw_sizes(rng, 1, 3), draw_sizes(rng, 0, 2), rng.choice(NUMBERS)
        length = rng.randint(1, len(data))
        inputs = [parameter(rng, kind, data), parameter(rng, rng.choice(["i32", "i64"]), [*before, length]), parameter(rng, kind, [*before, *data[length:]])]
        extra = [rng.choice(reductions)] if reductions else []
        return model_of(op(*inputs, *extra), inputs)

    return draw


def gather_elements(rng):
    data = draw_sizes(rng, 1, 4)
    axis = rng.randrange(len(data))
    indices = [*data[:axis], rng.randint(1, 5), *data[axis + 1 :]]
    inputs = [parameter(rng, rng.choice(NUMBERS), data), parameter(rng, rng.choice(["i32", "i64"]), indices)]
    return model_of(ops.gather_elements(*inputs, axis - len(data) if rng.random() < 0.3 else axis), inputs)


def gather_nd(op):
    def draw(rng):
        data = draw_sizes(rng, 1, 4)
        batch = rng.randint(0, len(data) - 1)
        indices = [*data[:batch], *draw_sizes(rng, 0, 2), rng.randint(1, len(data) - batch)]
        inputs = [parameter(rng, rng.choice(NUMBERS), data), parameter(rng, rng.choice(["i32", "i64"]), indices)]
        return model_of(op(*inputs, batch), inputs)

    return draw


def gather_tree(rng):
    sizes, kind = draw_sizes(rng, 3, 3), rng.choice(["f32", "i32", "i64"])
    inputs = [parameter(rng, kind, shape) for shape in (sizes, sizes, sizes[1:2], [])]
    return model_of(ops.gather_tree(*inputs), inputs)


def depth_to_space(rng):
    sizes, block = draw_sizes(rng, 3, 5), rng.randint(1, 3)
    sizes[1] *= block ** (len(sizes) - 2)
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    return model_of(ops.depth_to_space(x, rng.choice(["blocks_first", "depth_first"]), block), [x])


def space_to_depth(rng):
    sizes, block = draw_sizes(rng, 3, 5), rng.randint(1, 3)
    sizes[2:] = [size * block for size in sizes[2:]]
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    return model_of(ops.space_to_depth(x, rng.choice(["blocks_first", "depth_first"]), block), [x])


def batch_to_space(rng):
    sizes = draw_sizes(rng, 2, 4)
    blocks = [1] + [rng.randint(1, 3) for _ in sizes[1:]]
    begins, ends_ = ([0] + [rng.randint(0, 1) for _ in sizes[1:]] for _ in range(2))
    for block in blocks:
        sizes[0] *= block
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    lists = [some_constant(rng, values) for values in (blocks, begins, ends_)]
    return model_of(ops.batch_to_space(x, *[node for node, _ in lists]), [x] + [p for _, more in lists for p in more])


def space_to_batch(rng):
    sizes = draw_sizes(rng, 2, 4)
    blocks = [1] + [rng.randint(1, 3) for _ in sizes[1:]]
    begins = [0] + [rng.randint(0, 1) for _ in sizes[1:]]
    ends_ = [0] + [-(size + begin) % block for size, begin, block in zip(sizes[1:], begins[1:], blocks[1:])]
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    lists = [some_constant(rng, values) for values in (blocks, begins, ends_)]
    return model_of(ops.space_to_batch(x, *[node for node, _ in lists]), [x] + [p for _, more in lists for p in more])


def shuffle_channels(rng):
    sizes, group = draw_sizes(rng, 1, 4), rng.randint(1, 3)
    axis = rng.randrange(len(sizes))
    sizes[axis] *= group
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    return model_of(ops.shuffle_channels(x, axis - len(sizes) if rng.random() < 0.3 else axis, group), [x])


def reverse_sequence(rng):
    sizes = draw_sizes(rng, 2, 4)
    batch, seq = rng.sample(range(len(sizes)), 2)
    inputs = [parameter(rng, rng.choice(NUMBERS), sizes), parameter(rng, rng.choice(["i32", "i64", "f32"]), [sizes[batch]])]
    return model_of(ops.reverse_sequence(*inputs, batch, seq), inputs)


def reverse(rng):
    sizes, mode = draw_sizes(rng, 1, 4), rng.choice(["index", "mask"])
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    axes = sorted(rng.sample(range(len(sizes)), rng.randint(1, len(sizes))))
    told = constant([axis in axes for axis in range(len(sizes))], "boolean") if mode == "mask" else constant(axes, rng.choice(["i32", "i64"]))
    node = NodeFactory("opset1").create("Reverse", [x.output(0), told.output(0)], {"mode": mode})
    return model_of(node, [x])


def roll(rng):
    sizes, n = draw_sizes(rng, 1, 4), rng.randint(1, 3)
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    axes, more = some_constant(rng, [rng.randint(-len(sizes), len(sizes) - 1) for _ in range(n)], rng.choice(["i32", "i64"]))
    shift, others = some_constant(rng, rng.randint(-3, 3) if rng.random() < 0.3 else [1] * n, rng.choice(["i32", "i64"]))
    return model_of(ops.roll(x, shift, axes), [x, *more, *others])


def extract_image_patches(rng):
    x = parameter(rng, rng.choice(NUMBERS), [rng.randint(1, 3), rng.randint(1, 4), rng.randint(3, 12), rng.randint(3, 12)])
    lists = [[rng.randint(1, 3) for _ in range(2)] for _ in range(3)]
    return model_of(opset3.extract_image_patches(x, *lists, rng.choice(["valid", "same_upper", "same_lower"])), [x])


def col2im(rng):
    image, kernel, strides, dilations, begins, ends_ = ([rng.randint(*range_) for _ in range(2)] for range_ in ((4, 8), (1, 3), (1, 3), (1, 2), (0, 2), (0, 2)))
    columns = 1
    for axis in range(2):
        columns *= (image[axis] + begins[axis] + ends_[axis] - dilations[axis] * (kernel[axis] - 1) - 1) // strides[axis] + 1
    sizes = [rng.randint(1, 3), rng.randint(1, 3) * kernel[0] * kernel[1], columns][rng.randint(0, 1) :]
    x = parameter(rng, rng.choice(NUMBERS), sizes)
    lists = [some_constant(rng, values, "i32") for values in (image, kernel)]
    node = opset15.col2im(x, *[node for node, _ in lists], strides, dilations, begins, ends_)
    return model_of(node, [x] + [p for _, more in lists for p in more])


def scattered(rng, sizes, size):
    """Returns a list of sizes in which one size is replaced."""
    at = rng.choice([0, 1, -1])
    how = rng.randrange(3)
    if how == 0:
        return ops.scatter_update(sizes, constant([at]), size, constant(0))
    if how == 1:
        return opset12.scatter_elements_update(sizes, constant([at]), size, constant(0))
    return opset4.scatter_nd_update(sizes, constant([[at]]), size)


def shape_graph(rng):
    """Draws a shape computation of exported models: sizes are gathered, sliced and joined, then used by a Reshape or
    Broadcast."""
    sizes = draw_sizes(rng, 2, 5)
    x = parameter(rng, "f32", sizes, 0.8)
    shape = ops.shape_of(x, rng.choice(["i32", "i64"]))
    kind = shape.get_element_type().get_type_name()
    pieces = []
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(sizes))
        how = rng.randrange(5)
        if how == 0:
            piece = ops.unsqueeze(ops.gather(shape, constant(at), constant(0)), constant(0))
        elif how == 1:
            piece = ops.strided_slice(shape, constant([at]), constant([at + 1]), constant([1]), [0], [0])
        elif how == 2:
            piece = ops.slice(shape, constant([at]), constant([len(sizes)]), constant([1]))
        elif how == 3:
            piece = ops.split(shape, constant(0), len(sizes)).output(at)
        else:
            piece = ops.reshape(ops.squeeze(ops.gather(shape, constant([at]), constant(0)), constant([0])), constant([1]), False)
        if rng.random() < 0.3:
            piece = ops.multiply(piece, constant([2], kind))
        if rng.random() < 0.2:
            quotient = ops.divide(piece, ops.slice(shape, constant([0]), constant([1]), constant([1])))
            piece = ops.add(quotient, constant([1], kind))
        pieces.append(piece)
    target = ops.concat([*pieces, constant([rng.choice([1, 3])], kind)], 0)
    if rng.random() < 0.3:
        target = scattered(rng, target, pieces[0])
    if rng.random() < 0.3:
        target = ops.convert(target, rng.choice(["i32", "i64"]))
    node = ops.broadcast(parameter_of_one := ops.parameter([1], ov.Type.f32), target) if rng.random() < 0.5 else None
    if node is not None:
        return model_of(node, [x, parameter_of_one])
    rest = ops.concat([constant([-1], kind), pieces[0]], 0)
    node = ops.reshape(x, rest, rng.random() < 0.5)
    if any(0 <= dim.get_max_length() < dim.get_min_length() for dim in node.get_output_partial_shape(0)):
        raise ValueError("no size fits, and the runtime does not refuse it")
    return model_of(node, [x])


NO_END = r"expected .*, (?!9223372036854775807)\d{17,}\)"
DEVIATIONS = [
    ("looser", "BatchToSpace-1", r"^BatchToSpace : \w+\[\d+\.\.,", NO_END, "the runtime divides the number that stands for no upper bound"),
    ("looser", "DepthToSpace-1", r"^DepthToSpace .*: \w+\[.*\d+\.\.,", NO_END, "the runtime divides the number that stands for no upper bound"),
    (
        "looser",
        "Reshape of a shape",
        r"; Reshape special_zero=True: \w+\[.*\?.*\.\.\d+.*\], i64\[",
        LESS,
        "a size that may be 0 copies then, which the runtime does not reckon with",
    ),
    (
        "looser",
        "Slice-8",
        r"^Slice : \w+\[[^]]*(\?|\.\.)[^]]*\], .*[=,]-\d",
        LESS,
        "a slice back from before the begin of a small dim has one element, and one to 2^31 - 1 of a larger dim none",
    ),
]
DRAWS = {
    "BatchToSpace-1": batch_to_space,
    "Col2Im-15": col2im,
    "DepthToSpace-1": depth_to_space,
    "ExtractImagePatches-3": extract_image_patches,
    "GatherElements-6": gather_elements,
    "GatherND-5": gather_nd(opset5.gather_nd),
    "GatherND-8": gather_nd(opset8.gather_nd),
    "GatherTree-1": gather_tree,
    "Pad-1": pad(opset1.pad, 0),
    "Pad-12": pad(opset12.pad, -2),
    "Reshape of a shape": shape_graph,
    "Reverse-1": reverse,
    "ReverseSequence-1": reverse_sequence,
    "Roll-7": roll,
    "ScatterElementsUpdate-12": scatter_elements(opset12.scatter_elements_update, ["none", "sum", "prod", "min", "max", "mean"]),
    "ScatterElementsUpdate-3": scatter_elements(opset3.scatter_elements_update, []),
    "ScatterNDUpdate-15": scatter_nd(opset15.scatter_nd_update, ["none", "sum", "sub", "prod", "min", "max"]),
    "ScatterNDUpdate-3": scatter_nd(opset4.scatter_nd_update, []),
    "ScatterUpdate-3": scatter_update,
    "ShuffleChannels-3": shuffle_channels,
    "SpaceToBatch-1": space_to_batch,
    "SpaceToDepth-1": space_to_depth,
    "Tile-1": tile,
    "Broadcast-1": broadcast(opset1.broadcast, ["NUMPY", "EXPLICIT"]),
    "Broadcast-3": broadcast(opset3.broadcast, ["NUMPY", "EXPLICIT", "BIDIRECTIONAL"]),
    "Gather-1": gather(opset1.gather, False),
    "Gather-7": gather(opset7.gather, True),
    "Gather-8": gather(opset8.gather, True),
    "ShapeOf-1": shape_of(opset1.shape_of),
    "ShapeOf-3": shape_of(opset3.shape_of),
    "Slice-8": slice_8,
    "SliceScatter-15": slice_scatter,
    "Split-1": split,
    "StridedSlice-1": strided_slice,
    "VariadicSplit-1": variadic_split,
}
