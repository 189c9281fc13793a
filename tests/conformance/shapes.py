#!/usr/bin/env python3
"""Compares irrun's inference with the reference runtime's, on random models of one op.

    shapes.py IRRUN [--seed N] [--count N] [--op NAME...] [--keep DIR]

A module shapes_*.py has DRAWS: {"MatMul-1": draw}. draw(rng) makes an openvino.Model of the op, or raises if the
runtime refuses the draw. It can also return sizes of Parameters, {node: sizes}. The outputs for these sizes must lie in
the intervals that irrun infers for open sizes.
A model that the runtime makes and writes is valid. irrun must report no error or warning, and infer the runtime's type
and shape for every output. If irrun infers a "tighter" shape, the shape must contain the runtime's shapes for sizes
within the open ones.
A module's DEVIATIONS, rows of deviations.py, allow other differences: "type", "shape" (sizes with nothing in common),
"unsound" (intervals without the sizes of an instance), "looser" (wider intervals), "error" and "warning"."""

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
sys.path[:0] = [str(HERE), str(HERE.parent)]

from case_text import text_of  # noqa: E402
from deviations import Deviations, is_default  # noqa: E402
from oracle import inferred  # noqa: E402

BATCH = 100
SHOWN = 3  # differences that are printed for each op
INSTANCES = 12  # number of choices of sizes that are tried
SIZES = (0, 1, 1, 2, 3, 4, 5, 6, 8, 16)
KINDS = ("type", "shape", "unsound", "looser", "tighter")  # of differences; the first one is reported


def modules():
    return [importlib.import_module(path.stem) for path in sorted(HERE.glob("shapes_*.py"))]


def families():
    """Returns {op: draw} of all modules."""
    return {op: draw for module in modules() for op, draw in module.DRAWS.items()}


def deviations():
    """Returns the deviations of all modules."""
    return Deviations([row for module in modules() for row in getattr(module, "DEVIATIONS", [])], families())


def open_declared(path):
    """Opens the declared shapes in a file, so that irrun cannot rely on them. Ports of Parameters stay, because they
    must equal the Parameter's shape."""
    tree = ElementTree.parse(path)
    for layer in tree.iterfind("layers/layer"):
        for dim in layer.iterfind("*/port/dim") if layer.get("type") != "Parameter" else ():
            dim.text = "-1"
    tree.write(path)


def is_instance(sizes, dims):
    """Returns whether the runtime's dims, or some sizes that they allow, lie in irrun's dims."""
    if dims is None or sizes is None:
        return True
    return len(sizes) == len(dims) and all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(sizes, dims))


def instance_of(model, sizes):
    """Returns the dims of all outputs for these sizes of Parameters."""
    names = {model.get_parameter_index(node): ov.PartialShape(shape) for node, shape in sizes.items()}
    model = model.clone()
    model.reshape({model.input(i): shape for i, shape in names.items()})
    return [inferred.of_runtime(output)[1] for output in model.outputs]


def sizes_within(rng, shape):
    """Draws sizes that an open shape allows. Many are equal, so that sizes of several inputs fit each other."""
    usual = rng.choice(SIZES)
    sizes = [usual if rng.random() < 0.6 else rng.choice(SIZES) for _ in shape]
    return [min(max(size, dim.get_min_length()), inferred.most_of(dim)) for size, dim in zip(sizes, shape)]


def instances_of(model):
    """Returns the runtime's inference [[dims of each output]] for several choices of sizes that the Parameters allow.
    Choices that the runtime refuses are left out."""
    rng, found = random.Random(1), []
    for _ in range(INSTANCES):
        shapes = {node: node.get_partial_shape() for node in model.get_parameters()}
        try:
            found.append(instance_of(model, {node: sizes_within(rng, shape) for node, shape in shapes.items() if shape.rank.is_static}))
        except Exception:  # pylint: disable=broad-except
            continue
    return found


def compare(report, expected, instance):
    """Returns (what, text) of the greatest difference, or (None, "") if there is none."""
    for kind in ("error", "warning"):
        for diagnostic in report["diagnostics"]:
            if diagnostic["severity"] == kind:
                return kind, f"{diagnostic['rule']}: {diagnostic['message']}"
    return compare_outputs(report, expected, [instance] if instance else [])


def compare_outputs(report, expected, instances=()):
    """Returns (what, text) of the greatest difference in types and shapes, or (None, "")."""
    results, found = [layer for layer in report["layers"] if layer["op"] == "Result" and "inside" not in layer], []
    for i, (theirs, layer) in enumerate(zip(expected, results, strict=True)):
        mine = inferred.reported(layer["inputs"][0])
        if what := inferred.compare(mine, theirs):
            found.append((KINDS.index(what), f"output {i} is {mine}, expected {theirs}"))
        for instance in instances:
            if not is_instance(instance[i], mine[1]):
                found.append((KINDS.index("unsound"), f"output {i} is {mine}, an instance {instance[i]}"))
    return (KINDS[min(found)[0]], min(found)[1]) if found else (None, "")


def reports_of(irrun, paths):
    run = subprocess.run([irrun, "--check-shapes", "--json", "-v", *map(str, paths)], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3, 4):
        sys.exit(f"exit status {run.returncode}: {run.stderr[:1000]}")
    report = json.loads(run.stdout)
    return report["models"]


def draw_models(op, draw, options, folder):
    """Returns [(path, model, expected, instance)], and the number of draws that the runtime refused."""
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
        drawn.append((path, model, [inferred.of_runtime(output) for output in model.outputs], instance))
    return drawn, refused


def check_op(op, draw, known, options, folder):
    """Returns the number of cases, and of differences without a deviation."""
    drawn, refused = draw_models(op, draw, options, folder)
    counts, wrong = collections.Counter(), 0
    for begin in range(0, len(drawn), BATCH):
        batch = drawn[begin : begin + BATCH]
        for (path, model, expected, instance), report in zip(batch, reports_of(options.irrun, [path for path, *_ in batch]), strict=True):
            what, text = compare(report, expected, instance)
            if what == "tighter":
                what, text = compare_outputs(report, expected, instances_of(model))
            reason = known.reason_of(what, op, text_of(model), text) if what not in (None, "tighter") else None
            counts[what, reason] += 1
            if what not in (None, "tighter") and not reason:
                wrong += 1
                if wrong <= SHOWN:
                    print(f"{path}: {what}: {text}\n  {text_of(model)}")
    told = [f"{n} {what}{f' ({reason})' if reason else ''}" for (what, reason), n in sorted(counts.items(), key=str) if what]
    print("; ".join([f"{op}: {counts[None, None]} of {len(drawn)} the same, {refused} draws refused by the runtime", *told]))
    return len(drawn), wrong + (len(drawn) == 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("irrun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--op", nargs="*", default=[])
    parser.add_argument("--keep", help="a folder for the models; else they are removed")
    options = parser.parse_args()
    wrong, known, drawn = 0, deviations(), {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(exist_ok=True)
        for op, draw in families().items():
            if not options.op or op in options.op:
                drawn[op], differ = check_op(op, draw, known, options, folder)
                wrong += differ
    print(f"{wrong} differences without a reason")
    return wrong + known.tell_faults(drawn, is_default(parser, options)) > 0


if __name__ == "__main__":
    sys.exit(main())
