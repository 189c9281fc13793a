"""ONNX's node tests as IR: each in a folder with the model that OpenVINO's converter makes of it, its inputs, and what ONNX expects. They are made once for
the versions of both packages."""

import json
import pathlib
import sys
import warnings

import ml_dtypes
import numpy as np

sys.modules["openvino_telemetry"] = None  # so that the converter tells nobody of its use
import onnx  # noqa: E402
import openvino  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

from oracle import ir  # noqa: E402

BITS = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2, "float4_e2m1fn": 4}  # of elements that share a byte


def folders(root):
    """Folders of all tests below `root`, made where they are missing."""
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
    """All node tests of ONNX. Their numbers are seeded; some are infinite on purpose, of which numpy warns."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return collect_testcases(None)


def convert(case, folder):
    """Writes the test's model, and case.json: `refused` says why there is no IR and data of it, else `inputs` and `outputs` are [[name, file]], in the order
    of the IR."""
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
    except Exception as error:  # pylint: disable=broad-except # whatever the binding throws is the converter's refusal
        told = {"refused": reason(error)}
    (folder / "case.json").write_text(json.dumps(told))


def bound(ports, values, data):
    """Name -> data of the inputs or outputs of an IR, in its order. Ports keep ONNX's names, but for some of a graph that does
    nothing: then they have its order."""
    known = {value.name: one for value, one in zip(values, data)}
    names = [next((name for name in sorted(port.get_names()) if name in known), None) for port in ports]
    if None in names:
        return {port.get_any_name(): one for port, one in zip(ports, data)}
    return {name: known[name] for name in names}


def reason(error):
    """The last line that the converter says."""
    lines = [line.strip(" -") for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def save(folder, kind, arrays):
    """[[name, file]] of the arrays: .npy, or .raw of types that irrun reads as bytes."""
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
    """A tensor of a test as array, as it is in memory."""
    if isinstance(value, onnx.TensorProto):
        value = onnx.numpy_helper.to_array(value)
    return np.asarray(value)


def packed(array):
    """The bytes of a type that numpy does not know; elements of less than a byte from its low bits on."""
    bits = BITS.get(array.dtype.name, 8)
    numbers = np.ascontiguousarray(array).reshape(-1).view(np.uint8) & (2**bits - 1)
    each = 8 // bits
    rows = np.pad(numbers, (0, -len(numbers) % each)).reshape(-1, each)
    return (rows << (bits * np.arange(each, dtype=np.uint8))).sum(1).astype(np.uint8)


def load(path):
    """What is in a file of save or of irrun."""
    if path.suffix == ".raw":
        return np.fromfile(path, np.uint8)
    array = np.load(path)
    return array.view(ml_dtypes.bfloat16) if array.dtype.kind == "V" else array
