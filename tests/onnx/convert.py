"""ONNX's node tests as IR: the model that OpenVINO's converter makes of each, its inputs, and what ONNX expects of it."""

import dataclasses
import pathlib
import sys
import warnings
import xml.etree.ElementTree

import numpy as np

sys.modules["openvino_telemetry"] = None  # so that the converter tells nobody of its use
import onnx  # noqa: E402
import openvino  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402


class NotConvertible(Exception):
    """The converter refuses the model; the text is its reason."""


@dataclasses.dataclass
class Converted:
    """An IR in a folder, model.xml and model.bin, and the data of each of its inputs and outputs."""

    folder: pathlib.Path
    inputs: dict
    expected: dict

    def xml(self):
        return (self.folder / "model.xml").read_text(encoding="utf-8")

    def blob(self):
        return (self.folder / "model.bin").read_bytes()

    def ops(self):
        """Types of all layers."""
        return {layer.get("type") for layer in xml.etree.ElementTree.fromstring(self.xml()).iter("layer")}

    def precisions(self):
        """Element types of all outputs, spelled as in the file."""
        outputs = xml.etree.ElementTree.fromstring(self.xml()).iter("output")
        return {port.get("precision") for output in outputs for port in output.iter("port")}


def collect():
    """All node tests of ONNX. Their numbers are seeded; some are infinite on purpose, of which numpy warns."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return collect_testcases(None)


def convert(case, folder):
    """Writes the IR of a test's model into `folder`, beside the model itself."""
    onnx.save(case.model, folder / "model.onnx")
    try:
        model = openvino.convert_model(folder / "model.onnx")
    except Exception as error:  # whatever the binding throws is the converter's refusal
        raise NotConvertible(reason(error)) from error
    openvino.save_model(model, folder / "model.xml", compress_to_fp16=False)
    if len(case.data_sets) != 1:
        raise ValueError(f"{case.name} has {len(case.data_sets)} sets of data")
    inputs = bound(model.inputs, case.model.graph.input, case.data_sets[0][0])
    return Converted(folder, inputs, bound(model.outputs, case.model.graph.output, case.data_sets[0][1]))


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


def array_of(value):
    """A tensor of a test as array, as it is in memory."""
    if isinstance(value, onnx.TensorProto):
        value = onnx.numpy_helper.to_array(value)
    return np.asarray(value)
