#!/usr/bin/env python3
"""Makes tests/golden/families: a model of each family of ops, with inputs and expected outputs.
A family is a folder of src/ops, or the graphs of patterns.py. `make golden` runs this script too.

    MAKE_FAMILIES.py IRRUN

The cases are drawn by tests/conformance/values.py. A few of each op are chosen, such that they cover as many element
types and attribute values as possible. All cases of a family become one model, whose inputs and outputs have the names
of their cases.
Expected outputs are those of the reference runtime. If it is known to be wrong, they are those of values_exact.py. They
are never irrun's. If irrun's outputs differ without a known reason, nothing is written. Prints what is left out,
and why."""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import numpy as np
import openvino as ov

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "src/ops"
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "conformance")]

import draw_shapes  # noqa: E402
import patterns  # noqa: E402
import values  # noqa: E402
from oracle import files, near, runtime  # noqa: E402
from shapes import families  # noqa: E402
from values_exact import exact_outputs  # noqa: E402

KNOWN = values.Deviations(values.DEVIATIONS, families())
DRAWN, MOST = 60, 5  # DRAWN: cases that are drawn of an op; MOST: cases that are kept
# Kinds of types of inputs and outputs. One type of each kind is enough.
KINDS = {"f32": "f32", "f16": "f16", "i32": "integer", "i64": "integer", "u8": "integer", "boolean": "boolean"}
# SMALL: {family: greatest number of elements of a case, counting all inputs and outputs}. If no small case is drawn, an
# input has up to USUAL elements. Sequences have more elements, because irrun computes short sequences without vectors.
SMALL, USUAL = collections.defaultdict(lambda: 32, sequence=140), values.ELEMENTS
LARGE = 1000  # one case with more elements than this is enough

# The runtime does not run these ops if their scalar inputs are Parameters.
OF_CONSTANTS = ["HardSigmoid-1", "Selu-1"]

# The runtime differs from f64 by 1e-6 to 5e-6 of the largest element, irrun by 3e-8. Elements can differ by 1e-5 of the
# largest.
INEXACT = ["DFT", "ExperimentalDetectronROIFeatureExtractor"]
# Patterns are chains of sums, each of which the runtime adds up in its own order.
INEXACT += [pattern.__name__ for pattern in patterns.PATTERNS]

GENERATED = re.compile(r" for op: .*| \(.*|'?\b[A-Z]\w*_\d+[.\d]*'?")  # generated names in the runtime's messages
OWN_CASES = "the other goldens have cases of it"
LEFT_OUT = {
    **dict.fromkeys(["AdaptiveAvgPool-8", "AdaptiveMaxPool-8", "AvgPool-1", "AvgPool-14", "AvgPool-16", "MaxPool-1", "MaxPool-8", "MaxPool-14"], OWN_CASES),
    **dict.fromkeys(["Concat-1", "Convert-1", "ConvertLike-1", "ReduceMax-1", "ReduceMean-1"], OWN_CASES),
    **dict.fromkeys(["Reshape-1", "Squeeze-1", "Squeeze-15", "Transpose-1", "Unsqueeze-1"], OWN_CASES),
    **dict.fromkeys(["Const-1", "Parameter-1", "Result-1"], "every model has it"),
    **dict.fromkeys(["BGRtoNV12-17", "GroupedMatMul-17", "RGBtoNV12-17"], "the runtime does not run it yet; tests/cli/latest_ops.bats has cases"),
    "RNNCell-3": "it is RNNCell-1 by another number",
    "ShuffleChannels-1": "it is ShuffleChannels-3 by another number",
}


# ---- choice of cases ----


def elements_of(case):
    outputs = [output.get_shape() if output.get_partial_shape().is_static else [] for output in case.model.outputs]
    return sum(array.size for array in case.inputs.values()) + sum(int(np.prod(shape)) for shape in outputs)


def features_of(op, case):
    """Returns {feature of the op that the case has: weight}."""
    node = next((node for node in case.model.get_ops() if node.get_type_name() == op.rsplit("-", 1)[0]), None)
    if node is None:
        return {}
    told = {(name, value) for name, value in node.get_attributes().items() if isinstance(value, (str, bool))}
    told |= {(name, *value) for name, value in node.get_attributes().items() if isinstance(value, list) and value and isinstance(value[0], str)}
    kind = KINDS.get(node.get_input_element_type(0).get_type_name()) if node.get_input_size() else None
    found = {("attribute", one, kind == "f32"): {"f32": 3, "f16": 0}.get(kind, 1) for one in told}
    return {**found, ("type", kind): 6 if kind == "f32" else 3, ("inputs", node.get_input_size()): 1}


def usual_types(case):
    ports = [*case.model.inputs, *case.model.outputs]
    return all(port.get_element_type().get_type_name() in KINDS for port in ports)


def rank_of(family, op, case, seen):
    """Returns the rank of a case; the case of the highest rank is chosen next. New features raise it, and elements
    lower it. Among small cases, the largest comes first."""
    new, size = sum(weight for feature, weight in features_of(op, case).items() if feature not in seen), elements_of(case)
    return new - max(0, size - SMALL[family]) / 100, size


def taken_cases(family, op, draw, judge, notes):
    """Returns [(XML, constants, case, expected outputs)]. All ops of a family are drawn with the same random numbers,
    so that many have equal inputs."""
    for values.ELEMENTS in (SMALL[family], USUAL):
        drawn, refused = values.draw_cases(family, draw, argparse.Namespace(seed=1, count=DRAWN))
        if drawn:
            break
    left = [case for case in drawn if usual_types(case)]
    if op in OF_CONSTANTS:
        left = [with_known_numbers(case) for case in left]
    taken, seen = [], {}
    while left and len(taken) < MOST:
        best = max(left, key=lambda case: rank_of(family, op, case, seen))
        left.remove(best)
        if taken and (rank_of(family, op, best, seen)[0] <= len(taken) or elements_of(best) > LARGE):
            break
        expected = expected_of(op, best, judge, notes)
        if expected and any(array.any() for array in expected):  # outputs of only zeros would test little
            seen.update(features_of(op, best))
            taken.append((*merged_parts(judge.folder), best, expected))
    if not taken:
        raise SystemExit(f"{op}: no case is drawn of which it is known what is expected: {refused or notes}")
    return taken


def with_known_numbers(case):
    """Returns the case with Constants instead of all one-element inputs after the first."""
    parameters = case.model.get_parameters()
    kept = [node for i, node in enumerate(parameters) if i == 0 or list(node.get_output_shape(0)) not in ([], [1])]
    for node in parameters:
        if node not in kept:
            value = ov.op.Constant(case.inputs.pop(node.get_friendly_name()))
            for target in node.output(0).get_target_inputs():
                target.replace_source_output(value.output(0))
    return values.Case(ov.Model(case.model.get_results(), kept, "random"), case.inputs, case.text)


def expected_of(op, case, judge, notes):
    """Returns the arrays of the outputs, or None if the case cannot be judged."""
    what, text = judge.judge(op, case)
    if what in values.WRONG:
        reason = KNOWN.reason_of(what, op, case.text, text)
        if not reason:
            raise SystemExit(f"{op}: {what}: {text}\n{case.text}")
        notes[f"left out a case of {op}: {reason}"] += 1
        return None
    if what in (values.NOT_RUN, values.FAILED):
        notes[f"left out a case of {op}: {what}: {GENERATED.sub('', text)}"] += 1
        return None
    with np.load(judge.folder / "expected.npz") as file:
        arrays = [file[f"y{i}"] for i in range(len(case.model.outputs))]
    if what == values.EXPLAINED:
        types = [array.dtype for array in arrays]
        exact = exact_outputs(next(node for node in case.model.get_ops() if node.get_type_name() in values.EXACT), case.inputs)
        if any(dtype.kind in "iu" and (abs(array % 1 - 0.5) < 0.001).any() for array, dtype in zip(exact, types)):
            return None  # a tie can be rounded either way
        arrays = [(np.round(array) if dtype.kind in "iu" else array).astype(dtype) for array, dtype in zip(exact, types)]
        notes[f"not the runtime's answer, but that of the page, of a case of {op}: {text}"] += 1
    if op not in values.ROWS:
        return arrays
    known = all(output.get_partial_shape().is_static and len(array) <= output.get_shape()[0] for array, output in zip(arrays, case.model.outputs))
    return [with_all_rows(array, output) for array, output in zip(arrays, case.model.outputs)] if known else None


def with_all_rows(array, output):
    """Adds the rows of -1 that the specification requires after the last result, and that the runtime lacks."""
    full = np.full(tuple(output.get_shape()), -1, array.dtype)
    full[: len(array)] = array
    return full


# ---- one model of many cases ----


class Merged:
    """Holds the model of a family: layers, edges and constants of its cases, one case after the other. Equal inputs
    become one Parameter."""

    def __init__(self, name):
        self.net = ElementTree.Element("net", name=name, version="11")
        self.layers, self.edges = ElementTree.SubElement(self.net, "layers"), ElementTree.SubElement(self.net, "edges")
        self.blob, self.arrays = b"", {}
        self.shared = {}  # {type, shape and bytes of an input: id of its Parameter}

    def add(self, label, net, weights, inputs, outputs):
        """Adds a case. `label` begins the names of its layers. `inputs` and `outputs` are {name: array}."""
        for data in net.iter("data"):
            if {"offset", "size"} <= data.attrib.keys():
                data.set("offset", str(int(data.get("offset")) + len(self.blob)))
            if "variable_id" in data.attrib:
                data.set("variable_id", label)
        self.blob += weights + b"\0" * (-len(weights) % 64)
        numbers = {layer.get("id"): self.add_layer(label, layer, inputs) for layer in net.find("layers")}
        for edge in net.find("edges"):
            edge.set("from-layer", numbers[edge.get("from-layer")])
            edge.set("to-layer", numbers[edge.get("to-layer")])
            self.edges.append(edge)
        self.arrays.update({f"out/{label}.{name}": array for name, array in outputs.items()})

    def add_layer(self, label, layer, inputs):
        """Adds a layer. Returns its new id."""
        number, name, op = str(len(self.layers)), layer.get("name"), layer.get("type")
        if op == "Parameter":
            array = inputs[name]
            held = array.dtype.str, array.shape, array.tobytes()
            if held in self.shared:
                return self.shared[held]
            self.shared[held] = number
            self.arrays[f"in/x{number}"] = array
        layer.set("name", f"x{number}" if op == "Parameter" else f"{label}.{name if op == 'Result' else number}")
        layer.set("id", number)
        for i, inner in enumerate(layer.findall(".//layer")):
            inner.set("name", f"{label}.{number}.{i}")
        for element in layer.iter():
            element.attrib.pop("output_names", None)  # the runtime invents these names
            element.attrib.pop("names", None)
        self.layers.append(layer)
        return number

    def xml(self):
        for element in self.net.iter():
            for told in element.findall("rt_info"):
                element.remove(told)
            element.text, element.tail = None if element.text is None or not element.text.strip() else element.text.strip(), None
        for element in self.net.iter():
            if element.tag in ("layer", "edge"):
                element.tail = "\n"
            elif element.tag in ("layers", "edges", "net"):
                element.text = element.tail = "\n"
        return '<?xml version="1.0"?>\n' + ElementTree.tostring(self.net, encoding="unicode").replace(" />", "/>")


def merged_parts(folder):
    return ElementTree.parse(folder / "model.xml").getroot(), (folder / "model.bin").read_bytes()


# ---- families ----


def patterns_model(judge):
    """Returns the model of the patterns. Raises if irrun's outputs are not near the runtime's."""
    model = Merged("patterns")
    for pattern in patterns.PATTERNS:
        case = values.Case(*patterns.make(pattern), pattern.__name__)
        ov.save_model(case.model, judge.folder / "model.xml", compress_to_fp16=False)
        np.savez(judge.folder / "inputs.npz", **case.inputs)
        net, weights = merged_parts(judge.folder)
        theirs = judge.reference.run((judge.folder / "model.xml").read_text(), weights, case.inputs.values())
        _, text, arrays = judge.run(case)
        if wrong := theirs.reason or text or values.first_difference(arrays, theirs.arrays, [near.differing] * len(theirs.arrays)):
            raise SystemExit(f"{case.text}: {wrong}")
        model.add(case.text, net, weights, case.inputs, {f"y{k}": array for k, array in enumerate(theirs.arrays)})
    return model


def tolerances(model):
    """Returns {output: tolerance} for a family's outputs of INEXACT ops and patterns."""
    outputs = {name: array for name, array in model.arrays.items() if re.split("[-.]", name.removeprefix("out/"))[0] in INEXACT and array.dtype == np.float32}
    return {name.removeprefix("out/"): {"atol": float(f"{1e-5 * np.abs(array).max():.1g}")} for name, array in outputs.items()}


def folders():
    """Returns {op of the table, such as nonmaxsuppression1: folder of src/ops whose files name it}."""
    names = re.findall(r"IR_OP\((\w+)\)", (SOURCES / "op_list.inc").read_text())
    words = {path: set(re.findall(r"\w+", path.read_text())) for path in sorted(SOURCES.glob("*/*.c")) if path.parent.name != "ngraph"}
    return {name.replace("_", ""): path.parent.name for name in names for path, found in words.items() if {name, f"ir_op_{name}"} & found}


def running_ops(irrun):
    """Returns the ops that irrun runs, according to --list-ops."""
    told = json.loads(subprocess.run([irrun, "--list-ops", "--json"], capture_output=True, check=True).stdout)
    return [f"{op['type']}-{op['version']}" for op in told["ops"] if op["dialect"] == "openvino" and op["runs"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("irrun")
    options = parser.parse_args()
    draw_shapes.DRAWING["open"] = False
    draws, homes, notes, models = families(), folders(), collections.Counter(), {}
    with runtime.Runtime() as reference, tempfile.TemporaryDirectory() as scratch:
        judge = values.Judge(options.irrun, scratch, reference, False)
        for op in running_ops(options.irrun):
            if op in LEFT_OUT:
                continue
            family = homes[op.replace("-", "").lower()]
            model = models.setdefault(family, Merged(family))
            for i, (net, weights, case, expected) in enumerate(taken_cases(family, op, draws[op], judge, notes)):
                model.add(f"{op}.{i}", net, weights, case.inputs, {f"y{k}": array for k, array in enumerate(expected)})
        models["patterns"] = patterns_model(judge)
    folder = files.Folder(HERE / "families", ["*.xml", "*.bin", "*/io.npz", "irrun-test.json", "left_out"])
    for family, model in models.items():
        folder.write(f"{family}.xml", model.xml())
        if model.blob:
            folder.write(f"{family}.bin", model.blob)
        folder.write(f"{family}/io.npz", files.npz(model.arrays))
    told = {family: {"outputs": tolerances(model)} for family, model in models.items() if tolerances(model)}
    folder.write("irrun-test.json", json.dumps({"cases": told}, indent=2) + "\n")
    folder.write("left_out", "".join(f"{op}: {reason}\n" for op, reason in LEFT_OUT.items()))
    for op, reason in LEFT_OUT.items():
        print(f"left out {op}: {reason}")
    for note, count in notes.items():
        print(f"{note}{f' ({count} times)' if count > 1 else ''}")
    folder.finish()


if __name__ == "__main__":
    main()
