"""What every layer of an IR computes in OpenVINO, as an .npz for `irrun --expect`.

    python openvino_tensors.py MODEL.xml INPUTS.npz OUT.npz

INPUTS.npz holds the inputs by name; one of `irrun --save-all` will do. A layer is called as irrun calls it: by its
name, with ".PORT" when it has several outputs. Needs the Python packages openvino and numpy.
"""
import sys

import numpy as np
import openvino as ov


def key(output):
    node = output.get_node()
    name = node.get_friendly_name()
    return name if node.get_output_size() == 1 else f"{name}.{output.get_index()}"


def find_input(parameter, inputs):
    names = [parameter.get_friendly_name(), *parameter.output(0).get_names()]
    for name in names:
        if name in inputs:
            return inputs[name]
    sys.exit(f"no tensor for input {' or '.join(map(repr, names))}; there are {', '.join(inputs)}")


def main(model_path, inputs_path, out_path):
    model = ov.Core().read_model(model_path)
    inputs = dict(np.load(inputs_path))
    parameters = model.get_parameters()
    outputs = [output for node in model.get_ordered_ops() if node.get_type_name() not in ("Constant", "Result")
               for output in node.outputs()]
    # With a Result at every output nothing is fused away.
    results = [ov.opset8.result(output) for output in outputs]
    whole = ov.Model(results, parameters, "every layer")
    compiled = ov.Core().compile_model(whole, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    computed = compiled([find_input(parameter, inputs) for parameter in parameters])
    np.savez(out_path, **{key(output): computed[i] for i, output in enumerate(outputs)})
    print(f"{out_path}: {len(outputs)} tensors")


if len(sys.argv) != 4:
    sys.exit(__doc__)
main(*sys.argv[1:])
