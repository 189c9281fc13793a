"""Makes faults in one layer of an IR. Each fault changes a valid model in one place, and declares the change at both
ends of an edge."""

import dataclasses
import xml.etree.ElementTree as ET

NUMBERS = ["-2", "-1", "0", "1", "2", "3", "7", "100", str(2**31), str(-(2**63)), str(2**63 - 1), "0.5", "-0.5"]
TEXTS = ["", "x", "1x", "true", "1,1", "1,2,3,4,5"]
TYPES = ["f32", "f16", "i32", "i64", "u8", "i8", "u32", "u64", "boolean", "f64", "bf16", "string", "i4"]
TYPES_AS_LARGE = {1: ["i8", "u8", "boolean"], 2: ["i16", "u16", "f16", "bf16"], 4: ["i32", "u32", "f32"], 8: ["i64", "u64", "f64"]}
PRECISIONS = {"boolean": "BOOL", "f16": "FP16", "f32": "FP32", "f64": "FP64"}
VALUES = [-(2**63), -(2**31), -100, -5, -2, -1, 0, 1, 2, 3, 5, 100, 2**31 - 1, 2**59]


@dataclasses.dataclass
class Fault:
    tree: ET.Element
    contents: bytearray
    kind: str = ""
    where: str = ""
    value: str = ""

    def __str__(self):
        return f"{self.kind} {self.where} {self.value!r}"


class Net:
    """Holds the layers and edges of an IR, and the layer to damage."""

    def __init__(self, tree, op_type):
        self.layers = {layer.get("id"): layer for layer in tree.iterfind("layers/layer")}
        self.edges = tree.find("edges")
        self.layer = [layer for layer in self.layers.values() if layer.get("type") == op_type][-1]

    def inputs(self):
        return self.layer.findall("input/port")

    def edge_of(self, port, layer=None):
        for edge in self.edges:
            if edge.get("to-layer") == (self.layer if layer is None else layer).get("id") and edge.get("to-port") == port.get("id"):
                return edge
        raise ValueError("an input without an edge")

    def source_of(self, port):
        return self.layers[self.edge_of(port).get("from-layer")]

    def sources(self, op_type):
        """Returns [(number of the input, its source)] for sources of type `op_type`."""
        found = [(i, self.source_of(port)) for i, port in enumerate(self.inputs())]
        return [(i, layer) for i, layer in found if layer.get("type") == op_type]

    def declare(self, source, dims, element_type):
        """Declares dims and type at the output of a Parameter or Const and at its consumers' ports."""
        source.find("data").set("shape", ",".join(dims))
        source.find("data").set("element_type", element_type)
        ports = [source.find("output/port")]
        for edge in self.edges:
            if edge.get("from-layer") == source.get("id"):
                consumer = self.layers[edge.get("to-layer")]
                ports += [port for port in consumer.findall("input/port") if port.get("id") == edge.get("to-port")]
        for port in ports:
            for dim in port.findall("dim"):
                port.remove(dim)
            for dim in dims:
                ET.SubElement(port, "dim").text = dim if dim.isdigit() else "-1"
            port.set("precision", PRECISIONS.get(element_type, element_type.upper()))


def dims_of(source):
    return [dim for dim in source.find("data").get("shape").split(",") if dim]


# ---- attributes ----


def attribute_of(rng, net):
    data = net.layer.find("data")
    return data, rng.choice(sorted(data.keys()))


def attribute_removed(rng, net, fault):
    data, fault.where = attribute_of(rng, net)
    fault.value = data.attrib.pop(fault.where)


def attribute_misspelt(rng, net, fault):
    data, fault.where = attribute_of(rng, net)
    fault.value = fault.where[:-1] if rng.random() < 0.5 else fault.where + "s"
    data.set(fault.value, data.attrib.pop(fault.where))


def attribute_changed(rng, net, fault):
    """Changes one item of a list, or the whole value."""
    data, fault.where = attribute_of(rng, net)
    items = data.get(fault.where).split(",")
    if len(items) > 1 and rng.random() < 0.7:
        at = rng.randrange(len(items))
        items[at : at + 1] = rng.choice([[], [rng.choice(NUMBERS)], [items[at], items[at]], [rng.choice(TEXTS)]])
        fault.value = ",".join(items)
    else:
        fault.value = rng.choice([*NUMBERS, *TEXTS, rng.choice(TYPES), data.get(fault.where).upper(), data.get(fault.where) + ",1"])
    data.set(fault.where, fault.value)


# ---- inputs ----


def parameter_of(rng, net, fault):
    i, source = rng.choice(net.sources("Parameter"))
    fault.where = f"input {i}"
    return source


def input_rank(rng, net, fault):
    source = parameter_of(rng, net, fault)
    dims = dims_of(source)
    if dims == ["..."]:
        dims = [str(rng.randint(1, 4)) for _ in range(rng.randint(0, 6))]
    elif rng.random() < 0.5 and dims:
        del dims[rng.randrange(len(dims))]
    else:
        dims.insert(rng.randint(0, len(dims)), rng.choice(["1", "2", "3", "?"]))
    fault.value = ",".join(dims)
    net.declare(source, dims, source.find("data").get("element_type"))


def input_size(rng, net, fault):
    source = parameter_of(rng, net, fault)
    dims = dims_of(source)
    dims[rng.randrange(len(dims))] = str(rng.choice([0, 1, 2, 3, 4, 5, 8, 9, 1000, 2**31, 2**59]))
    fault.value = ",".join(dims)
    net.declare(source, dims, source.find("data").get("element_type"))


def input_type(rng, net, fault):
    source = parameter_of(rng, net, fault)
    fault.value = rng.choice(TYPES)
    net.declare(source, dims_of(source), fault.value)


def input_missing(rng, net, fault):
    port = rng.choice(net.inputs())
    fault.where = f"input {net.inputs().index(port)} of {len(net.inputs())}"
    net.edges.remove(net.edge_of(port))
    net.layer.find("input").remove(port)


def input_more(rng, net, fault):
    """Adds an input with the same source as another one."""
    port = rng.choice(net.inputs())
    more = ET.fromstring(ET.tostring(port))
    more.set("id", "1000")
    net.layer.find("input").append(more)
    edge = ET.SubElement(net.edges, "edge", net.edge_of(port).attrib)
    edge.set("to-port", "1000")
    fault.where = f"as input {net.inputs().index(port)}"


# ---- constants ----


def constant_of(rng, net, fault):
    i, source = rng.choice(net.sources("Const"))
    fault.where = f"input {i}"
    return source


def constant_changed(rng, net, fault):
    """Changes one number, or sets all to the same number."""
    source = constant_of(rng, net, fault)
    data = source.find("data")
    kind, offset, size = data.get("element_type"), int(data.get("offset")), int(data.get("size"))
    width = {"i32": 4, "i64": 8, "u64": 8, "u32": 4, "i8": 1, "u8": 1}[kind]
    value = rng.choice([value for value in VALUES if value.bit_length() < 8 * width])
    raw = (value % 2 ** (8 * width)).to_bytes(width, "little")
    n = size // width
    at = range(n) if rng.random() < 0.3 else [rng.randrange(n)]
    for i in at:
        fault.contents[offset + i * width : offset + (i + 1) * width] = raw
    fault.value = f"{value} at {list(at)}"


def constant_type(rng, net, fault):
    source = constant_of(rng, net, fault)
    kind = source.find("data").get("element_type")
    fault.value = rng.choice([other for kinds in TYPES_AS_LARGE.values() if kind in kinds for other in kinds if other != kind])
    net.declare(source, dims_of(source), fault.value)


def constant_rank(rng, net, fault):
    source = constant_of(rng, net, fault)
    dims = dims_of(source)
    if "1" in dims and rng.random() < 0.5:
        dims.remove("1")
    else:
        dims.insert(rng.randint(0, len(dims)), "1")
    fault.value = ",".join(dims)
    net.declare(source, dims, source.find("data").get("element_type"))


def constant_length(rng, net, fault):
    """Drops the last numbers. Their bytes stay in the file."""
    source = constant_of(rng, net, fault)
    dims, data = dims_of(source), source.find("data")
    n = int(dims[0])
    left = rng.choice([0, n - 1])
    data.set("size", str(int(data.get("size")) // n * left))
    dims[0] = fault.value = str(left)
    net.declare(source, dims, data.get("element_type"))


# ---- the layer ----


def opset_other(rng, net, fault):
    fault.value = rng.choice([f"opset{rng.randint(1, 16)}", "opset17", "opset0", "extension"])
    if fault.value == net.layer.get("version"):
        raise ValueError("the same opset")
    net.layer.set("version", fault.value)


FAULTS = [attribute_removed, attribute_misspelt, *[attribute_changed] * 6, *[input_rank, input_size, input_type] * 3]
FAULTS += [input_missing, input_more, *[constant_changed] * 4, constant_type, constant_rank, constant_length, opset_other]


def fault_in(rng, op_type, tree, contents):
    """Returns a model with a random fault that is possible in it."""
    text, before = ET.tostring(tree), bytes(contents)
    while True:
        tree = ET.fromstring(text)
        make, fault = rng.choice(FAULTS), Fault(tree, bytearray(before))
        fault.kind = make.__name__
        net = Net(tree, op_type)
        try:
            make(rng, net, fault)
        except (IndexError, KeyError, ValueError, AttributeError, ZeroDivisionError):
            continue
        if ET.tostring(tree) != text or fault.contents != before:
            return fault
