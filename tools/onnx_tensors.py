"""What every node of an ONNX model computes in onnxruntime, as an .npz for `irrun --expect`.

    python onnx_tensors.py MODEL.onnx INPUTS.npz OUT.npz

INPUTS.npz holds the inputs by name; one of `irrun --save-all` will do. Tensors keep their names of ONNX, which an IR
that OpenVINO made of the model has at its ports. Needs the Python packages onnx, onnxruntime and numpy.
"""
import sys

import numpy as np
import onnx
import onnxruntime


def main(model_path, inputs_path, out_path):
    model = onnx.load(model_path)
    inputs = dict(np.load(inputs_path))
    shown = {output.name for output in model.graph.output}
    for node in model.graph.node:
        for name in node.output:
            if name and name not in shown:
                model.graph.output.append(onnx.ValueInfoProto(name=name))
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    wanted = [value.name for value in session.get_inputs()]
    missing = [name for name in wanted if name not in inputs]
    if missing:
        sys.exit(f"no tensor for input {', '.join(map(repr, missing))}; there are {', '.join(inputs)}")
    names = [value.name for value in session.get_outputs()]
    computed = session.run(names, {name: inputs[name] for name in wanted})
    np.savez(out_path, **dict(zip(names, computed)))
    print(f"{out_path}: {len(names)} tensors")


if len(sys.argv) != 4:
    sys.exit(__doc__)
main(*sys.argv[1:])
