"""Draws models for fuzz.py from the draws of shapes_*.py: one op, or several ops joined into one graph; the same model
with open sizes; a larger one."""

import dataclasses
import math

import numpy as np
import openvino as ov
from openvino import opset16 as ops

import draw_shapes
import patterns
import values
from oracle import ir
from values_contents import CONTENTS, NARROW, draw_contents

TRIES = 30
ALONE = ["Multinomial-13", "RandomUniform-8"]  # no graph has them, because the numbers of both programs differ
LARGE = 200_000  # elements that a tensor of an enlarged model can have


@dataclasses.dataclass
class Drawn:
    """Holds a drawn model. `case` has fixed sizes. `opened` is the same model with open sizes, or None. `larger` is a
    larger case of it, or None. `more` are other inputs of `case`."""

    ops: list
    case: values.Case
    more: dict
    opened: ov.Model = None
    larger: values.Case = None

    def name(self):
        return " + ".join(self.ops)


# ---- joined graphs ----


def is_usual(parameter):
    """Returns whether any small numbers are allowed as the Parameter's contents."""
    if parameter.get_friendly_name() in draw_shapes.NUMBERS_OF:
        return False
    targets = parameter.output(0).get_target_inputs()
    return bool(targets) and all(target.get_index() not in CONTENTS.get(target.get_node().get_type_name(), {}) for target in targets)


def is_source(node):
    """Returns whether another op may read the node's results."""
    return node.get_type_name() not in ("Constant", "Result") and (node.get_type_name() != "Parameter" or is_usual(node))


def converted(value, element_type):
    """Returns the output in another type, or None if a conversion could overflow."""
    own = value.get_element_type()
    if own == element_type:
        return value
    name, wanted = own.get_type_name(), element_type.get_type_name()
    is_safe = wanted in ir.FLOATS and (name in ir.FLOATS or name in ("boolean", "i8", "u8"))
    return ops.convert(value, element_type).output(0) if is_safe else None


def shaped(value, shape):
    """Returns as many elements of the output as the shape needs, in this shape."""
    count, needed = math.prod(value.get_shape()), math.prod(shape)
    flat = ops.reshape(value, draw_shapes.constant([-1]), False)
    if count != needed:
        flat = ops.gather(flat, draw_shapes.constant(np.arange(needed) % count), draw_shapes.constant(0))
    return ops.reshape(flat, draw_shapes.constant(np.array(shape, np.int64)), False).output(0)


def reshaped(model, shapes):
    """Returns the model with these shapes of Parameters, or None if the runtime refuses it."""
    try:
        made = model.clone()
        made.reshape({made.input(i): ov.PartialShape(shape) for i, shape in enumerate(shapes)})
        return made
    except Exception:  # pylint: disable=broad-except # any exception of the binding is a refusal
        return None


def fed(model, at, shape):
    """Returns the model with this shape of Parameter `at`, or None if the runtime refuses it. Bodies and contents that are
    not usual are made for the drawn shape."""
    has_bodies = any(node.get_type_name() in ("If", "Loop", "TensorIterator") for node in model.get_ops())
    if has_bodies or not len(shape) or not all(map(is_usual, model.get_parameters())):
        return None
    return reshaped(model, [shape if i == at else parameter.get_output_shape(0) for i, parameter in enumerate(model.get_parameters())])


def join(rng, first, second):
    """Returns a graph in which an output of the model `first` feeds a Parameter of `second`. Raises if there is none
    that fits."""
    sources = [output for node in first.get_ordered_ops() if is_source(node) for output in node.outputs()]
    value = rng.choice([output for output in sources if output.get_partial_shape().is_static and math.prod(output.get_shape())])
    if first.get_sinks() and second.get_sinks():
        raise ValueError("two variables of one name")
    at = rng.choice([i for i, parameter in enumerate(second.get_parameters()) if is_usual(parameter)])
    value = converted(value, second.get_parameters()[at].get_element_type())
    if value is None:
        raise ValueError("no conversion")
    shape = second.get_parameters()[at].get_output_shape(0)
    if value.get_shape() != shape:
        other = fed(second, at, value.get_shape()) if rng.random() < 0.7 else None
        second, value = (other, value) if other else (second, shaped(value, shape))
    parameter = second.get_parameters()[at]
    for target in parameter.output(0).get_target_inputs():
        target.replace_source_output(value)
    kept = [result for result in first.get_results() if first.get_sinks() or rng.random() < 0.5]  # an Assign needs its ReadValue
    parameters = [*first.get_parameters(), *second.get_parameters()[:at], *second.get_parameters()[at + 1 :]]
    return ov.Model([*kept, *second.get_results()], [*first.get_sinks(), *second.get_sinks()], parameters, "random")


def pattern_model(pattern):
    """Returns the model of a pattern with fixed sizes. Its integers are masks or positions, which have to stay."""
    model, inputs = patterns.make(pattern)
    model.reshape({model.input(i): ov.PartialShape(array.shape) for i, array in enumerate(inputs.values())})
    for parameter, array in zip(model.get_parameters(), inputs.values()):
        parameter.set_friendly_name(f"{pattern.__name__}_{parameter.get_friendly_name()}")
        if array.dtype.kind == "i":
            draw_shapes.NUMBERS_OF[parameter.get_friendly_name()] = array
    return model


# ---- other sizes ----


def opened(rng, model):
    """Returns the model with open sizes of Parameters, or None if the runtime refuses it."""
    draw_shapes.DRAWING["open"] = True
    shapes = [draw_shapes.open_dims(rng, parameter.get_output_shape(0), 0.9) for parameter in model.get_parameters()]
    draw_shapes.DRAWING["open"] = False
    return reshaped(model, shapes) if any(shape.is_dynamic for shape in shapes) else None


def enlarged(rng, model):
    """Returns the model with larger sizes of Parameters, or None. Equal sizes stay equal, because they may have to
    be."""
    shapes = [list(parameter.get_output_shape(0)) for parameter in model.get_parameters()]
    for _ in range(6):
        factors = {size: rng.choice((1, 1, 2, 7, 20, 64)) for shape in shapes for size in shape if size > 1}
        made = [[size * factors.get(size, 1) for size in shape] for shape in shapes]
        larger = reshaped(model, made) if made != shapes and max(map(math.prod, made)) <= LARGE else None
        outputs = [output for node in larger.get_ordered_ops() for output in node.outputs()] if larger else []
        if larger and all(output.get_partial_shape().is_static and math.prod(output.get_shape()) <= LARGE for output in outputs):
            return larger
    return None


# ---- drawn cases ----


def model_of(made):
    return made[0] if isinstance(made, tuple) else made


def drawn_ops(rng, draws):
    """Returns (names, model) of one to three ops. Sometimes a pattern is the first."""
    names, count = [], rng.choice((1, 1, 2, 2, 3))
    if count > 1 and rng.random() < 0.15:
        pattern = rng.choice(patterns.PATTERNS)
        names, model = [pattern.__name__], pattern_model(pattern)
    for _ in range(TRIES):
        op = rng.choice(draws)
        if count > 1 and op[0] in ALONE:
            continue
        try:
            made = model_of(op[1](rng))
            made.validate_nodes_and_infer_types()
            model = join(rng, model, made) if names else made
        except Exception:  # pylint: disable=broad-except # any exception of the binding is a refusal
            continue
        names.append(op[0])
        if len(names) == count:
            break
    return names, model


def draw(rng, draws):
    """Draws a model. `draws` are pairs (op, draw of shapes_*.py)."""
    for _ in range(TRIES):
        draw_shapes.NUMBERS_OF.clear()
        try:
            names, model = drawn_ops(rng, draws)
            return with_contents(rng, names, model)
        except Exception:  # pylint: disable=broad-except # any exception of the binding is a refusal
            continue
    return None


def with_contents(rng, names, model):
    """Returns the Drawn of a model. Raises if no contents are possible."""
    before = [p.get_friendly_name() for p in model.get_parameters() if p.get_element_type().get_type_name() not in NARROW]
    case = values.case_of(model, np.random.default_rng(rng.getrandbits(32)))
    if sum(array.size for array in case.inputs.values()) > 4 * values.ELEMENTS:
        raise ValueError("too large")
    for i, name in enumerate(before):
        if name in draw_shapes.NUMBERS_OF:
            draw_shapes.NUMBERS_OF[f"x{i}"] = draw_shapes.NUMBERS_OF[name]
    drawn = Drawn(names, case, draw_contents(case.model, np.random.default_rng(rng.getrandbits(32))))
    if rng.random() < 0.4:
        drawn.opened = opened(rng, case.model)
    if rng.random() < 0.25 and not any(name in draw_shapes.NUMBERS_OF for name in case.inputs):
        larger = enlarged(rng, case.model)
        drawn.larger = values.case_of(larger, np.random.default_rng(rng.getrandbits(32))) if larger else None
    return drawn
