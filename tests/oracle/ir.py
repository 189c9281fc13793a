"""Writes OpenVINO IR models: model.xml and the bytes of its model.bin."""

import dataclasses
import math
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

import ml_dtypes
import numpy as np

# {short name of an element type: (its spelling in <port precision="">, its numpy type)}
TYPES = {
    "f32": ("FP32", np.float32),
    "f64": ("FP64", np.float64),
    "f16": ("FP16", np.float16),
    "bf16": ("BF16", ml_dtypes.bfloat16),
    "i8": ("I8", np.int8),
    "u8": ("U8", np.uint8),
    "i16": ("I16", np.int16),
    "u16": ("U16", np.uint16),
    "i32": ("I32", np.int32),
    "u32": ("U32", np.uint32),
    "i64": ("I64", np.int64),
    "u64": ("U64", np.uint64),
    "boolean": ("BOOL", np.bool_),
}
FLOATS = ("f32", "f64", "f16", "bf16")
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


def dtype_of(element_type):
    return np.dtype(TYPES[element_type][1])


def type_of(array):
    return next(name for name, (_, dtype) in TYPES.items() if np.dtype(dtype) == array.dtype)


def join(values):
    return ",".join(str(value) for value in values)


@dataclasses.dataclass
class Output:
    """Describes an output port: its declared type and shape, and the layer and port where its edges start."""

    type: str
    shape: Sequence
    layer: "Layer" = None
    port: int = 0
    names: str = None
    rt_info: str = None  # XML inside the port


@dataclasses.dataclass
class Layer:
    id: int
    name: str
    type: str
    opset: str
    data: dict
    inputs: list
    outputs: list
    rt_info: str = None
    output_names: str = None
    input_blocks: int = 1  # 2 means: every input has its own <input>, as on the pages of the adaptive ops


class Model:
    """Holds a graph under construction. Layers get the ids 0, 1, 2.. or, if given, those of `ids`."""

    def __init__(self, name="model", version=11, comment=None, ids=None):
        self.name, self.version, self.comment = name, version, comment
        self.ids = iter(ids) if ids else iter(range(1 << 20))
        self.layers, self.blob, self.extra = [], b"", ""  # extra: XML after <edges>
        self.layer_order = self.edge_order = None  # order in the file, as lists of positions; None: order of creation

    def parameter(self, name, element_type, shape, declared=None, **port):
        """Adds a Parameter. `shape` is the text of the attribute or a list of dims. `declared` holds the dims of the
        port; None means `shape`."""
        dims = declared if declared is not None else shape
        text = shape if isinstance(shape, str) else join(shape)
        data = {"shape": text, "element_type": element_type}
        return self.layer("Parameter", name, "opset1", data, [], Output(element_type, tuple(dims), **port))

    def const(self, name, array, **data):
        """Adds a Const. `data` overrides attributes; an attribute that is None is not written."""
        array = np.asarray(array)
        element_type = type_of(array)
        attributes = {
            "element_type": element_type,
            "shape": join(array.shape),
            "offset": len(self.blob),
            "size": array.nbytes,
        }
        self.blob += array.tobytes()
        return self.layer("Const", name, "opset1", {**attributes, **data}, [], Output(element_type, array.shape))

    def layer(self, op, name, opset, data, inputs, outputs, **more):
        """Adds a layer. `outputs` is None, one Output or a list of Outputs, and is the return value."""
        ports = outputs if isinstance(outputs, list) else [outputs] if outputs else []
        layer = Layer(next(self.ids), name, op, opset, data, inputs, list(ports), **more)
        for i, output in enumerate(ports):
            output.layer, output.port = layer, len(inputs) + i
        self.layers.append(layer)
        return outputs

    def result(self, name, source, **more):
        self.layer("Result", name, "opset1", {}, [source], None, **more)

    def in_order(self, op):
        """Returns the layers of type `op` in the order of the file. For Parameters and Results, this is the order of
        the model's inputs and outputs."""
        layers = [self.layers[i] for i in self.layer_order or range(len(self.layers))]
        return [layer for layer in layers if layer.type == op]

    def constant(self, layer):
        begin = layer.data["offset"]
        dims = [int(dim) for dim in layer.data["shape"].split(",") if dim]
        dtype = dtype_of(layer.data["element_type"])
        data = self.blob[begin : begin + math.prod(dims) * dtype.itemsize]
        return np.frombuffer(data, dtype).reshape(dims)

    def edges(self):
        lines = [
            f'<edge from-layer="{source.layer.id}" from-port="{source.port}" to-layer="{layer.id}" to-port="{port}"/>'
            for layer in self.layers
            for port, source in enumerate(layer.inputs)
        ]
        return [lines[i] for i in self.edge_order] if self.edge_order else lines

    def xml(self):
        lines = ['<?xml version="1.0"?>']
        if self.comment:
            lines.append(f"<!-- {self.comment} -->")
        lines += [f'<net name={quoteattr(self.name)} version="{self.version}">', "  <layers>"]
        for i in self.layer_order or range(len(self.layers)):
            lines += layer_lines(self.layers[i])
        lines += ["  </layers>", "  <edges>", *("    " + edge for edge in self.edges()), "  </edges>"]
        lines += ["  " + line for line in self.extra.splitlines()]
        return "\n".join([*lines, "</net>", ""])


def layer_lines(layer):
    head = {"id": layer.id, "name": layer.name, "type": layer.type, "version": layer.opset}
    if layer.output_names:
        head["output_names"] = layer.output_names
    lines = [f"    <layer {attributes(head)}>"]
    data = {name: value for name, value in layer.data.items() if value is not None}
    if data:
        lines.append(f"      <data {attributes(data)}/>")
    if layer.rt_info:
        lines.append(f"      <rt_info>{layer.rt_info}</rt_info>")
    blocks = [list(enumerate(layer.inputs))]
    if layer.input_blocks > 1:
        blocks = [[port] for port in enumerate(layer.inputs)]
    for block in blocks if layer.inputs else []:
        ports = [port_lines(i, source.type, source.shape) for i, source in block]
        lines += ["      <input>", *sum(ports, []), "      </input>"]
    if layer.outputs:
        ports = [port_lines(o.port, o.type, o.shape, o.names, o.rt_info) for o in layer.outputs]
        lines += ["      <output>", *sum(ports, []), "      </output>"]
    return [*lines, "    </layer>"]


def port_lines(number, element_type, shape, names=None, rt_info=None):
    head = {"id": number, "precision": TYPES[element_type][0]}
    if names:
        head["names"] = names
    body = "".join(f"<dim>{dim}</dim>" for dim in shape) + (f"<rt_info>{rt_info}</rt_info>" if rt_info else "")
    tag = f"        <port {attributes(head)}"
    return [f"{tag}>{body}</port>" if body else f"{tag}/>"]


def attributes(values):
    return " ".join(f"{name}={quoteattr(str(value))}" for name, value in values.items())
