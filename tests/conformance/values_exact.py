"""Computes the ops in EXACT by the specification. For these ops, the runtime is wrong too often to judge irrun. Each
function takes the node and its input arrays, and returns its output arrays, floats as f64."""

import itertools
import math
from fractions import Fraction

import numpy as np
import openvino as ov

from exact_elementwise import ELEMENTWISE
from exact_movement import MOVED
from exact_sequences import SEQUENCES
from oracle import ir

CORE = ov.Core()

# ---- Interpolate ----


HALF = Fraction(1, 2)


def place_of(how, scale, n, n_out, j):
    """Returns the input position as a fraction. As in the runtime, a scale that differs from the ratio of the sizes is
    applied in single precision."""
    if scale == 1 or n == n_out:
        return Fraction(j)
    if how in ("align_corners", "pytorch_half_pixel") and n_out == 1:
        return Fraction(0)
    if how == "align_corners":
        return Fraction(j * (n - 1), n_out - 1)
    before, behind = {"asymmetric": (0, 0), "tf_half_pixel_for_nn": (HALF, 0)}.get(how, (HALF, HALF))
    if scale == np.float32(n_out) / np.float32(n):
        return (j + before) * n / Fraction(n_out) - behind
    return Fraction(float(np.float32((j + float(before)) / scale))) - behind


def nearest_of(how, scale, x):
    if how == "simple":
        return math.ceil(x) if scale < 1 else int(x)
    if how in ("floor", "ceil"):
        return getattr(math, how)(x)
    return math.ceil(x - HALF) if how == "round_prefer_floor" else math.floor(x + HALF)


def cubic(x, a):
    x = abs(x)
    return (a + 2) * x**3 - (a + 3) * x**2 + 1 if x < 1 else a * (x**3 - 5 * x**2 + 8 * x - 4) if x < 2 else 0


def triangle(x):
    return max(0, 1 - abs(x))


def weights_of(told, scale, n, n_out, j):
    """Returns {element: weight} on one axis."""
    mode, a = told["mode"], told["cube_coeff"]
    x, found = place_of(told["coordinate_transformation_mode"], scale, n, n_out, j), {}
    if mode == "nearest":
        return {min(max(nearest_of(told["nearest_mode"], scale, x), 0), n - 1): 1}
    x = float(x)
    if mode == "linear_onnx":
        x = min(max(x, 0), n - 1)
        return {i: triangle(x - i) for i in (math.floor(x), min(math.floor(x) + 1, n - 1))}
    if mode == "cubic":
        for i in range(math.floor(x) - 1, math.floor(x) + 3):
            at = min(max(i, 0), n - 1)
            found[at] = found.get(at, 0) + cubic(x - i, a)
        return found
    if mode == "linear":
        factor = scale if told["antialias"] else 1
        reach, middle = 2 if scale > 1 else math.ceil(2 / factor), round(x)
        found = {i: triangle(factor * (x - i)) for i in range(max(middle - reach, 0), min(middle + reach, n - 1) + 1)}
    else:
        step = n / n_out
        wide, center = max(step, 1), (j + 0.5) * step
        reach = wide * (1 if mode == "bilinear_pillow" else 2)
        rule = triangle if mode == "bilinear_pillow" else lambda x: cubic(x, a)
        found = {i: rule((i + 0.5 - center) / wide) for i in range(max(int(center - reach + 0.5), 0), min(int(center + reach + 0.5), n))}
    total = sum(found.values())
    return {i: w / total for i, w in found.items()} if total else {}


def later_attributes(told, rank):
    """Translates the attributes of version 1 into those of version 4, as the runtime does."""
    linear, is_image = "linear_onnx" if rank < 5 else "linear", rank == 4 and told["axes"] == [2, 3]
    is_half = told["mode"] == "linear" and not is_image and not any(told["pads_begin"] + told["pads_end"])
    way = "align_corners" if told["align_corners"] else "half_pixel" if is_half else "asymmetric"
    said = {"mode": told["mode"].replace("linear", linear), "coordinate_transformation_mode": way, "nearest_mode": "simple", "cube_coeff": -0.75}
    return {**said, "shape_calculation_mode": "sizes", "antialias": told["antialias"], "pads_begin": [], "pads_end": []}


def interpolate(node, arrays):
    told, version = node.get_attributes(), node.get_type_info().version_id
    x = arrays[0].astype(np.float64)
    sizes, scales, axes = arrays[1], arrays[2 if version == "opset4" else 1], arrays[3 if version == "opset4" else 2 :]
    if version == "opset1":
        axes, told = [told["axes"]], later_attributes(told, x.ndim)
    pads = [[*told[name], *[0] * x.ndim][: x.ndim] for name in ("pads_begin", "pads_end")]
    x = np.pad(x, list(zip(*pads)))
    resized = []  # [(axis, input size, output size, scale)], width first
    for i, axis in sorted(enumerate(axes[0] if axes else range(x.ndim)), key=lambda pair: -pair[1]):
        n = x.shape[axis]
        if told["shape_calculation_mode"] == "scales":
            scale = np.float32(scales[i])
            n_out = n if scale == 1 else int(np.float32(n) * (scale + np.float32(1e-6)))
        else:
            n_out = int(sizes[i])
            scale = np.float32(n_out) / np.float32(n)
        resized.append((int(axis), n, n_out, float(scale)))
    told["antialias"] = told["antialias"] and any(scale < 1 for *_, scale in resized)
    for axis, n, n_out, scale in resized:
        matrix = np.zeros((n_out, n))
        for j in range(n_out):
            for at, weight in weights_of(told, scale, n, n_out, j).items():
                matrix[j, at] = weight
        x = np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0, axis)
        if "pillow" in told["mode"] and arrays[0].dtype.kind in "iu":  # Pillow rounds integers after each axis
            x = np.sign(x) * np.floor(np.abs(x) + 0.5)
    return [x]


# ---- Loop and TensorIterator: the runtime computes the body, this file the iterations ----


def computed(body, arrays):
    """Computes the body's Results for the arrays of its Parameters."""
    model = body.clone()
    for parameter, array in zip(model.get_parameters(), arrays):
        parameter.set_partial_shape(ov.PartialShape(array.shape))
    model.validate_nodes_and_infer_types()
    compiled = CORE.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    results = compiled(arrays)
    return [results[i] for i in range(len(compiled.outputs))]


def part(array, link, count):
    """Returns the slice of an array for iteration `count`."""
    size, axis = link.part_size, link.axis
    start = link.start if link.start >= 0 else link.start + array.shape[axis] + 1
    first = start + count * link.stride - (size if link.stride < 0 else 0)
    return np.take(array, range(first, first + size), axis)


def rounds_of(node, arrays, links):
    """Returns the largest possible number of iterations."""
    if node.get_type_name() == "Loop":
        trips = int(arrays[0].flat[0])
        return (trips if trips >= 0 else math.inf) if bool(arrays[1].flat[0]) else 0
    return min(arrays[link.input_index].shape[link.axis] // link.part_size for link in links if hasattr(link, "part_size"))


def iterate(node, arrays):
    is_loop = node.get_type_name() == "Loop"
    body = node.get_function() if is_loop else node.get_body()
    number_at, again_at = node.get_special_body_ports() if is_loop else (-1, -1)
    links = node.get_input_descriptions()
    given = {link.body_parameter_index: arrays[link.input_index] for link in links}
    made = []
    for count in itertools.takewhile(lambda count: count < rounds_of(node, arrays, links), itertools.count()):
        if count > 0:
            given.update({link.body_parameter_index: made[-1][link.body_value_index] for link in links if hasattr(link, "body_value_index")})
        given.update({link.body_parameter_index: part(arrays[link.input_index], link, count) for link in links if hasattr(link, "part_size")})
        if number_at >= 0:
            given[number_at] = np.full([1] if body.get_parameters()[number_at].get_output_shape(0) else [], count)
        made.append(computed(body, [given[i] for i in range(len(given))]))
        if again_at >= 0 and not made[-1][again_at].all():
            break
    outputs = {}
    for link in node.get_output_descriptions():
        values = [values[link.body_value_index] for values in made]
        outputs[link.output_index] = np.concatenate([np.atleast_1d(v) for v in values], link.axis) if hasattr(link, "axis") else values[-1]
    return [outputs[i] for i in range(len(outputs))]


# ---- elements, and their neighbours ----


def quantize_to_f8(node, arrays):
    """Scales and shifts, rounds to the data's type, then to the nearest number of the f8 type, and scales back."""
    most, bits, least = (448, 3, -6) if node.get_attributes()["destination_type"] == "f8e4m3" else (57344, 2, -14)
    x, scale, shift = (array.astype(np.float32) for array in [*arrays, np.zeros(1)][:3])
    x = np.clip((x * scale - shift).astype(arrays[0].dtype).astype(np.float64), -most, most)
    steps = 2.0 ** (np.maximum(np.floor(np.log2(np.maximum(np.abs(x), 1e-30))), least) - bits)
    return [(np.round(x / steps) * steps + shift) / scale]


def normalize_mean(node, arrays):
    told = node.get_attributes()
    axes = tuple(int(axis) for axis in (arrays[1] if len(arrays) > 1 else told["reduction_axes"]))  # an attribute of version 2
    x = arrays[0].astype(np.float64)
    x = x - (x.mean(axes, keepdims=True) if axes else x)
    deviation, eps = np.sqrt((x * x).mean(axes, keepdims=True)) if axes else 0, told["eps"]
    inside = told.get("eps_mode", "inside_sqrt").lower() == "inside_sqrt"
    return [x / (np.sqrt(deviation**2 + eps) if inside else deviation + eps) if told["normalize_variance"] else x]


def normalize_length(node, arrays):
    told, axes = node.get_attributes(), tuple(int(axis) for axis in np.atleast_1d(arrays[1]))
    x = arrays[0].astype(np.float64)
    squares = (x * x).sum(axes, keepdims=True)
    return [x / np.sqrt(squares + told["eps"] if told["eps_mode"] == "add" else np.maximum(squares, told["eps"])) if axes else (x != 0).astype(np.float64)]


def normalize_response(node, arrays):
    told, axes = node.get_attributes(), {int(axis) % arrays[0].ndim for axis in arrays[1]}
    x, reach = arrays[0].astype(np.float64), (told["size"] - 1) // 2
    squares = np.zeros_like(x)
    for at in np.ndindex(*x.shape):
        squares[at] = (x[tuple(slice(max(0, i - reach), i + reach + 1) if a in axes else slice(i, i + 1) for a, i in enumerate(at))] ** 2).sum()
    return [x / (told["bias"] + told["alpha"] / told["size"] ** len(axes) * squares) ** told["beta"]]


def colors(node, arrays):
    """Converts NV12 and I420, in one tensor or in planes, to RGB or BGR."""
    op, light = node.get_type_name(), arrays[0].astype(np.float64)[..., 0]
    if len(arrays) == 1:
        batch, width = light.shape[0], light.shape[2]
        light, rest = np.split(light, [light.shape[1] * 2 // 3], 1)
        u, v = np.moveaxis(rest.reshape(batch, -1, width // 2, 2), 3, 0) if op.startswith("NV12") else np.moveaxis(rest.reshape(batch, 2, -1, width // 2), 1, 0)
    else:
        u, v = np.moveaxis(np.concatenate(arrays[1:], -1).astype(np.float64), -1, 0)
    u, v = (plane.repeat(2, 1).repeat(2, 2) - 128 for plane in (u, v))
    light = 1.164 * (light - 16)
    rgb = np.stack([light + 1.596 * v, light - 0.391 * u - 0.813 * v, light + 2.018 * u], -1)
    return [np.clip(rgb[..., ::-1] if op.endswith("BGR") else rgb, 0, 255)]


ROUNDS = "the runtime makes other iterations than the page says: none where their number is known to the run alone, one where the body reads no part"
# {op: (function, reason for which the runtime differs)}
EXACT = {
    **ELEMENTWISE,
    **MOVED,
    **SEQUENCES,
    "FakeConvert": (quantize_to_f8, "the runtime rounds to f16 first, and that to the type"),
    **dict.fromkeys(
        ["I420toBGR", "I420toRGB", "NV12toBGR", "NV12toRGB"], (colors, "of bytes the runtime rounds what f32 makes of the sum, also where that is halfway between two")
    ),
    "Interpolate": (
        interpolate,
        "the runtime interpolates on other axes than the last two or three, with pads, and in narrow integers as the page does not",
    ),
    "LRN": (normalize_response, "of several axes the runtime sums other squares than the page"),
    "Loop": (iterate, ROUNDS),
    "MVN": (normalize_mean, "without axes the runtime gives the input; of f16 its eps is 0, and 0 / eps is NaN"),
    "NormalizeL2": (normalize_length, "without axes the page has 1 for each element that is not 0; of f16 the runtime's eps is 0"),
    "TensorIterator": (iterate, ROUNDS),
}


def constant_of(node):
    """Returns the array of a Constant."""
    return node.get_data(dtype=np.float32).astype(ir.dtype_of("bf16")) if node.get_element_type() == ov.Type.bf16 else node.data


def inputs_of(node, inputs):
    """Returns the arrays of a node's inputs. If an input comes from another op, returns None. `inputs` is {name: array}
    of Parameters."""
    sources = [node.input_value(i).get_node() for i in range(node.get_input_size())]
    if any(source.get_type_name() not in ("Parameter", "Constant") for source in sources):
        return None
    return [inputs[source.get_friendly_name()] if source.get_type_name() == "Parameter" else constant_of(source) for source in sources]


def exact_outputs(node, inputs):
    """Returns the arrays of a node's outputs, or None if the exact model cannot compute them."""
    arrays = inputs_of(node, inputs)
    return EXACT[node.get_type_name()][0](node, arrays) if arrays is not None else None
