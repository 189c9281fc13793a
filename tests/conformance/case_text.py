"""Describes a random model of one op in one line, for reports and for the patterns of deviations.py."""

import openvino as ov

from oracle import ir


def text_of(model):
    """Describes the nodes between Parameters and Results: attributes, types, shapes, and the elements of short
    Constants."""
    nodes = [node for node in model.get_ordered_ops() if node.get_type_name() not in ("Parameter", "Result", "Constant")]
    return "; ".join(text_of_node(node) for node in nodes)


def text_of_node(node):
    return f"{node.get_type_name()} {told(node.get_attributes())}: {ports(node.inputs())} -> {ports(node.outputs())}"


def told(attributes):
    return " ".join(f"{name}={value}" for name, value in attributes.items())


def ports(values):
    return ", ".join(f"{value.get_element_type().get_type_name()}{value.get_partial_shape()}{numbers(value)}" for value in values)


def numbers(value):
    source = value.get_source_output().get_node() if isinstance(value, ov.Input) else value.get_node()
    if source.get_type_name() != "Constant" or source.get_element_type().get_type_name() not in ir.TYPES or source.data.size > 8:
        return ""
    return f"={','.join(str(number) for number in source.data.flat)}"
