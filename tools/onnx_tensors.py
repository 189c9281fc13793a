"""Saves the output of every node of an ONNX model in onnxruntime as an .npz for `irrun --expect`.

    python onnx_tensors.py MODEL.onnx INPUTS.npz OUT.npz

INPUTS.npz holds the inputs by name; a file of `irrun --save-all` has them too. A tensor keeps its ONNX name, which
the IR that OpenVINO makes of the model has at its ports. irrun looks for a layer's name first, and a layer has the name
of its ONNX node. So if a tensor has the name of another node, it gets the name of its own node instead. The script
needs the Python packages onnx, onnxruntime and numpy.
"""
import collections
import os
import sys

import numpy as np
import onnx
import onnxruntime

from tensor_archive import count_left_out, find_inputs, load, save

TYPES = {"tensor(float16)": "float16", "tensor(float)": "float32", "tensor(double)": "float64", "tensor(bool)": "bool"}


def keys_of_tensors(graph):
    """Returns the key of each tensor that a node computes, or "" if the tensor can have no key of its own."""
    n_nodes = collections.Counter(node.name for node in graph.node)
    keys = {}
    for node in graph.node:
        outputs = [name for name in node.output if name]
        for port, name in enumerate(node.output):
            own = node.name if len(outputs) == 1 else f"{node.name}.{port}"
            if name and node.op_type != "Constant":
                keys[name] = name if name not in n_nodes or (name == node.name and len(outputs) == 1) else \
                    own if n_nodes[node.name] == 1 and node.name else ""
    return keys


def main(model_path, inputs_path, out_path):
    # onnxruntime reads weights in other files itself, so the weights are not loaded here.
    model = onnx.load(model_path, load_external_data=False)
    inputs = load(inputs_path)
    keys = keys_of_tensors(model.graph)
    shown = {output.name for output in model.graph.output}
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in keys if name not in shown)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.add_session_config_entry("session.model_external_initializers_file_folder_path",
                                     os.path.dirname(os.path.abspath(model_path)))
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    wanted = [([value.name], TYPES.get(value.type, value.type[len("tensor("):-1])) for value in session.get_inputs()]
    given = {names[0]: tensor for (names, _), tensor in zip(wanted, find_inputs(wanted, inputs))}
    names = [value.name for value in session.get_outputs() if value.type.startswith("tensor(")]
    tensors = dict(given)
    for name, tensor in zip(names, session.run(names, given)):
        tensors.setdefault(keys.get(name, name), tensor)
    count_left_out([name for name in names if keys.get(name) == ""], "other nodes have the name")
    count_left_out([value.name for value in session.get_outputs() if value.name not in names], "it is no tensor")
    tensors.pop("", None)
    save(out_path, {name: tensor for name, tensor in tensors.items() if np.asarray(tensor).dtype != object})
    print(f"{out_path}: {len(tensors)} tensors")


if len(sys.argv) != 4:
    sys.exit(__doc__)
main(*sys.argv[1:])
