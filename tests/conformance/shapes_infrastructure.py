"""Draws variables that are read and assigned, and Identity."""

import openvino as ov
from openvino import opset3, opset6, opset16

from draw_shapes import NUMBERS, draw_sizes, model_of, open_dims, parameter, type_of


def with_assign(variable, value, assign, parameters):
    """Makes a model of a ReadValue and an Assign."""
    return ov.Model([opset16.result(variable)], [assign(value, "state")], parameters)


def state_3(rng):
    first = parameter(rng, rng.choice(NUMBERS), draw_sizes(rng, 0, 3))
    variable = opset3.read_value(first, "state")
    return with_assign(variable, variable, opset3.assign, [first])


def state_6(rng):
    kind, sizes = rng.choice(NUMBERS), draw_sizes(rng, 0, 3)
    shape = open_dims(rng, sizes)
    parameters = [parameter(rng, kind, sizes)] if rng.random() < 0.8 else []
    told = parameters == [] or rng.random() < 0.9
    variable = opset6.read_value(*parameters, "state", *((type_of(kind), shape) if told else (ov.Type.dynamic, ov.PartialShape.dynamic())))
    value = variable
    if rng.random() < 0.5:
        value = parameter(rng, kind, sizes)
        parameters.append(value)
    return with_assign(variable, value, opset6.assign, parameters)


def identity(rng):
    data = parameter(rng, rng.choice([*NUMBERS, "boolean", "u4", "nf4", "string"]), draw_sizes(rng, 0, 4))
    return model_of(opset16.identity(data), [data])


DRAWS = {"Assign-3": state_3, "Assign-6": state_6, "Identity-16": identity, "ReadValue-3": state_3, "ReadValue-6": state_6}
