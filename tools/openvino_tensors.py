"""Saves the output of every layer of an IR in OpenVINO as an .npz for `irrun --expect`.

    python openvino_tensors.py MODEL.xml INPUTS.npz OUT.npz [WEIGHTS.bin]

INPUTS.npz holds the inputs by name; a file of `irrun --save-all` has them too. The keys are irrun's: a layer's name,
with ".PORT" if the layer has several outputs. If several layers share a name, their outputs are left out. Types are
those that the file declares, because OpenVINO makes f16 inputs and outputs of IR version 10 f32. The script needs the
Python packages openvino and numpy.
"""
import collections
import sys
import xml.etree.ElementTree as ElementTree

import openvino as ov

from tensor_archive import count_left_out, find_inputs, load, save

TYPES = {"FP16": "float16", "FP32": "float32", "FP64": "float64", "BOOL": "bool", "I8": "int8", "I16": "int16",
         "I32": "int32", "I64": "int64", "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64"}


def key(output):
    node = output.get_node()
    name = node.get_friendly_name()
    return name if node.get_output_size() == 1 else f"{name}.{output.get_index()}"


def declared_types(model_path):
    types = {}
    for layer in ElementTree.parse(model_path).getroot().findall("layers/layer"):
        ports = layer.findall("output/port")
        for index, port in enumerate(ports):
            name = layer.get("name") if len(ports) == 1 else f"{layer.get('name')}.{index}"
            types[name] = TYPES.get(port.get("precision"))
    return types


def read_model(path, weights):
    try:
        return ov.Core().read_model(path, weights) if weights else ov.Core().read_model(path)
    except RuntimeError as error:
        reason = [line for line in str(error).splitlines() if line and not line.startswith("Exception from")]
        sys.exit(f"{path}: OpenVINO cannot read it: {' '.join(reason)}")


def is_kept(node):
    return node.get_type_name() not in ("Constant", "Result", "Assign")


def has_numpy_type(output):
    try:
        return output.get_element_type().to_dtype() is not None
    except (RuntimeError, TypeError, KeyError):
        return False


def main(model_path, inputs_path, out_path, weights=None):
    model = read_model(model_path, weights)
    inputs = load(inputs_path)
    outputs = [output for node in model.get_ordered_ops() if is_kept(node) for output in node.outputs()]
    counts = collections.Counter(map(key, outputs))
    # A Result's name is a key of the tensor that the Result reads.
    sources = {result.get_friendly_name(): result.input_value(0) for result in model.get_results()}
    counts.update(name for name, source in sources.items() if name in counts and key(source) != name)
    count_left_out([name for name, count in counts.items() if count > 1], "several layers have the name")
    count_left_out([key(output) for output in outputs if not has_numpy_type(output)], "numpy lacks the type")
    outputs = [output for output in outputs if counts[key(output)] == 1 and has_numpy_type(output)]
    # A Result at every output keeps OpenVINO from fusing layers.
    results = [ov.opset8.result(output) for output in outputs]
    parameters = model.get_parameters()
    whole = ov.Model(results, model.get_sinks(), parameters, "every layer")
    compiled = ov.Core().compile_model(whole, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    wanted = [([parameter.get_friendly_name(), *parameter.output(0).get_names()],
               parameter.get_element_type().to_dtype()) for parameter in parameters]
    computed = compiled(find_inputs(wanted, inputs))
    types = declared_types(model_path)
    tensors = {}
    for i, output in enumerate(outputs):
        type_name = types.get(key(output))
        tensors[key(output)] = computed[i] if type_name is None else computed[i].astype(type_name, copy=False)
    save(out_path, tensors)
    print(f"{out_path}: {len(tensors)} tensors")


if len(sys.argv) not in (4, 5):
    sys.exit(__doc__)
main(*sys.argv[1:])
