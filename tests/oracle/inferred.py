"""Compares the types and shapes that irrun infers for a model with those of the reference runtime.
An output's form here is (type, dims): dims is a list of (least, most), or None if the rank is unknown."""

import collections
import json
import subprocess

import numpy as np

NO_LIMIT = 2**63 - 1

# LOOSER names ops for which the runtime may know a rank, and irrun may not; each has its reason.
LOOSER = {
    "Squeeze-1": "an axis that only a run knows may be one that is not 1, which stays",
    "TensorIterator-1": "a declared output without a <dim> is a scalar or of an unknown rank",
}


def reported_dim(dim):
    """Returns (least, most) of a dim in irrun's report: 3, null, or {"min": 1, "max": 640}. "max" can be null, and
    large numbers are texts."""
    if isinstance(dim, dict):
        return int(dim["min"]), NO_LIMIT if dim["max"] is None else int(dim["max"])
    return (0, NO_LIMIT) if dim is None else (int(dim), int(dim))


def reported(value):
    """Returns (type, dims) of a layer's input or output in irrun's report."""
    dims = None if value["shape"] is None else [reported_dim(dim) for dim in value["shape"]]
    return value["type"] or "dynamic", dims


def most_of(dim):
    """Returns the upper bound of a dim in the runtime. A bound of 2^60 or more comes from computing with an open dim,
    and counts as no limit."""
    most = dim.get_max_length()
    return most if 0 <= most < 2**60 else NO_LIMIT


def of_runtime(output):
    """Returns (type, dims) of an output of the runtime's model or node."""
    shape = output.get_partial_shape()
    dims = None if shape.rank.is_dynamic else [(dim.get_min_length(), most_of(dim)) for dim in shape]
    return output.get_element_type().get_type_name(), dims


def compare_dims(mine, theirs):
    """Compares two lists of dims. Returns "shape" if no shape fits both, "looser" if irrun's dims allow more, "tighter"
    if they allow less, or None."""
    if mine is None or theirs is None:
        return None if mine == theirs else "looser" if mine is None else "tighter"
    if len(mine) != len(theirs) or any(a[0] > b[1] or b[0] > a[1] for a, b in zip(mine, theirs)):
        return "shape"
    if any(a[0] < b[0] or a[1] > b[1] for a, b in zip(mine, theirs)):
        return "looser"
    return None if mine == theirs else "tighter"


def compare(mine, theirs):
    """Returns "type" if the types differ, otherwise the result of compare_dims."""
    return "type" if mine[0] != theirs[0] else compare_dims(mine[1], theirs[1])


def read(path):
    """Reads a model and the .bin beside it with the runtime.
    Version 10 is changed to 11, because the runtime changes the types of inputs and outputs of version 10."""
    import openvino

    text = path.read_bytes().replace(b'version="10"', b'version="11"', 1)
    weights = openvino.Tensor(np.fromfile(path.with_suffix(".bin"), np.uint8))
    return openvino.Core().read_model(text, weights)


def report_of(irrun, path):
    """Checks a model with irrun and returns its part of the report: {"layers": [...], "diagnostics": [...], ...}."""
    run = subprocess.run([irrun, "--check-shapes", "--json", "-v", path], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3, 4):
        raise RuntimeError(f"{path}: exit status {run.returncode}: {run.stderr[:1000]}")
    return json.loads(run.stdout)["models"][0]


def nodes_of(model):
    """Returns {name: node} of the runtime's nodes that have a unique name."""
    nodes = collections.defaultdict(list)
    for node in model.get_ordered_ops():
        nodes[node.get_friendly_name()].append(node)
    return {name: of_name[0] for name, of_name in nodes.items() if len(of_name) == 1}


def differences(report, model):
    """Returns (number of outputs compared, [(op, what, text)]). Layers behind a layer that differs are not listed,
    because their differences follow from it.
    Known differences are not listed either: "tighter", and the ops of LOOSER."""
    nodes, compared, found, differing = nodes_of(model), 0, [], set()
    for layer in report["layers"]:
        node, op = nodes.get(layer["name"]), f"{layer['op']}-{layer['version']}"
        if layer["op"] == "Result" or node is None or node.get_output_size() != len(layer["outputs"]):
            continue
        follows = any(value["from"] in differing for value in layer["inputs"])
        for port, (value, output) in enumerate(zip(layer["outputs"], node.outputs())):
            mine, theirs = reported(value), of_runtime(output)
            what = compare(mine, theirs)
            compared += 1
            if what in (None, "tighter"):
                continue
            differing.add(f"{layer['id']}:{port}")
            if not follows and not (what == "looser" and mine[1] is None and op in LOOSER):
                found.append((op, what, f"layer '{layer['name']}': {mine} against the runtime's {theirs}"))
    return compared, found
