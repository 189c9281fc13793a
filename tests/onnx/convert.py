"""Converts ONNX's node tests to IR with OpenVINO's converter, once for each pair of versions of the packages onnx and
openvino.
Each test gets a folder with its model, its inputs and the outputs that ONNX expects."""

import json
import pathlib
import sys
import warnings

import ml_dtypes
import numpy as np

sys.modules["openvino_telemetry"] = None  # stops the converter from sending usage data
import onnx  # noqa: E402
import openvino  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

from oracle import ir  # noqa: E402

BITS = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4_e2m1fn": 4}  # bits of elements that share a byte


def folders(root):
    """Returns the folders of all tests below `root`. Missing folders are made first."""
    root = pathlib.Path(root) / f"onnx-{onnx.__version__}_openvino-{openvino.__version__.split('-', maxsplit=1)[0]}"
    if not (root / "all.json").exists():
        cases = collect()
        print(f"converting {len(cases)} tests to {root}", file=sys.stderr, flush=True)
        for case in cases:
            if not (root / case.name / "case.json").exists():
                convert(case, root / case.name)
        (root / "all.json").write_text(json.dumps([case.name for case in cases]))
    return [root / name for name in json.loads((root / "all.json").read_text())]


def collect():
    """Returns all node tests of ONNX, which have seeded random numbers. numpy's warnings about infinite numbers are
    silenced."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return collect_testcases(None)


def convert(case, folder):
    """Writes the test's model and case.json.
    If there is no IR or no usable data, `refused` of case.json says why.
    Otherwise `inputs` and `outputs` of case.json are lists of [name, file], in the order of the IR."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(case.model, folder / "model.onnx")
    told = {"rtol": case.rtol, "atol": case.atol}
    try:
        model = openvino.convert_model(folder / "model.onnx")
        openvino.save_model(model, folder / "model.xml", compress_to_fp16=False)
        (inputs, outputs), *others = case.data_sets
        if others:
            raise ValueError("several sets of data")
        told["inputs"] = save(folder, "input", bound(model.inputs, case.model.graph.input, inputs))
        told["outputs"] = save(folder, "expect", bound(model.outputs, case.model.graph.output, outputs))
    except Exception as error:  # pylint: disable=broad-except # any exception is a refusal
        told = {"refused": reason(error)}
    (folder / "case.json").write_text(json.dumps(told))


def bound(ports, values, data):
    """Returns {name: data} of the IR's inputs or outputs, in the IR's order. Usually a port has the name of its ONNX
    value. If a port has none of the names, as in graphs without computation, ports and values are paired in order."""
    known = {value.name: one for value, one in zip(values, data)}
    names = [next((name for name in sorted(port.get_names()) if name in known), None) for port in ports]
    if None in names:
        return {port.get_any_name(): one for port, one in zip(ports, data)}
    return {name: known[name] for name in names}


def reason(error):
    """Returns the last line of the converter's error."""
    lines = [line.strip(" -") for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def save(folder, kind, arrays):
    """Saves the arrays and returns [[name, file]]. A file is .npy, or .raw if irrun reads the array's type as bytes."""
    saved = []
    for i, (name, value) in enumerate(arrays.items()):
        array, file = array_of(value), folder / f"{kind}{i}.npy"
        if array.dtype in [np.dtype(dtype) for _, dtype in ir.TYPES.values()]:
            np.save(file, array)
        elif array.dtype == object:
            raise ValueError("data of strings, sequences or nothing")
        else:
            file = file.with_suffix(".raw")
            file.write_bytes(packed(array).tobytes())
        saved.append([name, file.name])
    return saved


def array_of(value):
    """Returns a tensor of a test as an array with the tensor's own element type."""
    if isinstance(value, onnx.TensorProto):
        value = onnx.numpy_helper.to_array(value)
    return np.asarray(value)


def packed(array):
    """Returns the bytes of an array whose type numpy does not have. Elements of less than a byte fill each byte from
    its low bits on."""
    bits = BITS.get(array.dtype.name, 8)
    numbers = np.ascontiguousarray(array).reshape(-1).view(np.uint8) & (2**bits - 1)
    each = 8 // bits
    rows = np.pad(numbers, (0, -len(numbers) % each)).reshape(-1, each)
    return (rows << (bits * np.arange(each, dtype=np.uint8))).sum(1).astype(np.uint8)


def load(path):
    """Returns the array in a file that save or irrun wrote."""
    if path.suffix == ".raw":
        return np.fromfile(path, np.uint8)
    array = np.load(path)
    return array.view(ml_dtypes.bfloat16) if array.dtype.kind == "V" else array
