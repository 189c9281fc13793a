#!/usr/bin/env python3
"""Compares irrun's inference with the reference runtime's, on random models of one op; `make conformance` runs it too.

    shapes.py IRRUN [--seed N] [--count N] [--op NAME...] [--keep DIR]

A module shapes_*.py of this folder has DRAWS: {"MatMul-1": draw}. draw(rng) makes an openvino.Model of that op, or raises if
the runtime refuses the draw. It may also return sizes of Parameters, {node: sizes}: the outputs for these sizes must lie in
the intervals that irrun infers for open ones. A model that the runtime made and wrote is valid: irrun must find no error or
warning, and infer the runtime's type and shape for every output. DEVIATIONS of a module, {"MatMul-1": {"looser": "reason"}},
allow a difference: "type", "shape" (sizes with nothing in common), "unsound" intervals, which exclude the sizes of an
instance, "looser" and "tighter" ones, "error", "warning"."""

import argparse
import collections
import importlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import openvino as ov

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from oracle import inferred  # noqa: E402

BATCH = 100


def families():
    """{op: (draw, deviations)} of all modules."""
    sys.path.insert(0, str(HERE))
    found = {}
    for path in sorted(HERE.glob("shapes_*.py")):
        module = importlib.import_module(path.stem)
        for op, draw in module.DRAWS.items():
            found[op] = (draw, getattr(module, "DEVIATIONS", {}).get(op, {}))
    return found


def open_declared(path):
    """Opens the declared shapes of a file's layers, so that irrun cannot rely on them. Ports of Parameters must equal their
    shapes."""
    tree = ElementTree.parse(path)
    for layer in tree.iterfind("layers/layer"):
        for dim in layer.iterfind("*/port/dim") if layer.get("type") != "Parameter" else ():
            dim.text = "-1"
    tree.write(path)


def is_instance(sizes, dims):
    """Whether these sizes fit the dims."""
    return dims is None or (len(sizes) == len(dims) and all(low <= size <= high for size, (low, high) in zip(sizes, dims)))


def instance_of(model, sizes):
    """The sizes of all outputs for these sizes of Parameters."""
    names = {model.get_parameter_index(node): ov.PartialShape(shape) for node, shape in sizes.items()}
    model = model.clone()
    model.reshape({model.input(i): shape for i, shape in names.items()})
    return [list(output.get_shape()) for output in model.outputs]


def compare(report, expected, instance):
    """(what, text) of the first difference; (None, "") if there is none."""
    for kind in ("error", "warning"):
        for diagnostic in report["diagnostics"]:
            if diagnostic["severity"] == kind:
                return kind, f"{diagnostic['rule']}: {diagnostic['message']}"
    return compare_outputs(report, expected, instance)


def compare_outputs(report, expected, instance=None):
    """The same for types and shapes only."""
    results = [layer for layer in report["layers"] if layer["op"] == "Result"]
    for i, (theirs, layer) in enumerate(zip(expected, results)):
        mine = inferred.reported(layer["inputs"][0])
        what = inferred.compare(mine, theirs)
        if instance and not is_instance(instance[i], mine[1]):
            return "unsound", f"output {i} is {mine}, {instance[i]} of an instance"
        if what:
            return what, f"output {i} is {mine}, expected {theirs}"
    return None, ""


def reports_of(irrun, paths):
    run = subprocess.run([irrun, "--check-shapes", "--json", "-v", *map(str, paths)], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3, 4):
        sys.exit(f"exit status {run.returncode}: {run.stderr[:1000]}")
    report = json.loads(run.stdout)
    return report["models"]


def draw_models(op, draw, options, folder):
    """[(path, expected, instance)], and the number of draws that the runtime refused."""
    rng, drawn, refused = random.Random(f"{options.seed} {op}"), [], 0
    while len(drawn) < options.count and refused < 4 * options.count + 100:
        try:
            model, sizes = made if isinstance(made := draw(rng), tuple) else (made, None)
            model.validate_nodes_and_infer_types()
            instance = instance_of(model, sizes) if sizes else None
        except Exception:  # pylint: disable=broad-except
            refused += 1
            continue
        path = folder / f"{op}_{len(drawn)}.xml"
        ov.save_model(model, path, compress_to_fp16=False)
        if sizes:
            open_declared(path)
        drawn.append((path, [inferred.of_runtime(output) for output in model.outputs], instance))
    return drawn, refused


def check_op(op, draw, deviations, options, folder):
    """Number of differences without a deviation."""
    drawn, refused = draw_models(op, draw, options, folder)
    counts, shown = collections.Counter(), 0
    for begin in range(0, len(drawn), BATCH):
        batch = drawn[begin : begin + BATCH]
        for (path, expected, instance), report in zip(batch, reports_of(options.irrun, [path for path, *_ in batch])):
            what, text = compare(report, expected, instance)
            counts[what] += 1
            if what and what not in deviations:
                shown += 1
                if shown <= 3 or what == "unsound":
                    print(f"{path}: {what}: {text}")
    unexplained = sum(n for what, n in counts.items() if what and what not in deviations)
    told = ", ".join(f"{n} {what} ({deviations.get(what, 'unexplained')})" for what, n in sorted(counts.items(), key=str) if what)
    print(f"{op}: {counts[None]} of {len(drawn)} the same, {refused} draws refused by the runtime{'; ' + told if told else ''}")
    return unexplained + (len(drawn) == 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("irrun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--op", nargs="*", default=[])
    parser.add_argument("--keep", help="a folder for the models; else they are removed")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(exist_ok=True)
        for op, (draw, deviations) in families().items():
            if not options.op or op in options.op:
                wrong += check_op(op, draw, deviations, options, folder)
    print(f"{wrong} differences without a reason")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
