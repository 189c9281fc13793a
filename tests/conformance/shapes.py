#!/usr/bin/env python3
"""Compares what irrun infers with what the reference runtime infers, on random models of one op: `make conformance` runs it too.

    shapes.py IRRUN [--seed N] [--count N] [--op NAME...] [--keep DIR]

A module shapes_*.py of this folder has DRAWS: {"MatMul-1": draw}, where draw(rng) makes an openvino.Model of that op, or raises
where the runtime refuses what was drawn. What the runtime made and wrote is valid: irrun has to find no error and no warning in it,
and every output with the runtime's type and shape. DEVIATIONS of a module, {"MatMul-1": {"looser": "reason"}}, allow what differs:
"type", "shape" (sizes that have nothing in common), "looser" and "tighter" intervals, "error", "warning"."""

import argparse
import collections
import importlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import openvino as ov

HERE = pathlib.Path(__file__).resolve().parent
BATCH = 100
NO_LIMIT = 2**63 - 1


def families():
    """{op: (draw, deviations)} of every module."""
    sys.path.insert(0, str(HERE))
    found = {}
    for path in sorted(HERE.glob("shapes_*.py")):
        module = importlib.import_module(path.stem)
        for op, draw in module.DRAWS.items():
            found[op] = (draw, getattr(module, "DEVIATIONS", {}).get(op, {}))
    return found


def bounds_of(dim):
    """(least, most) of a dim as the report has it: 3, null, {"min": 1, "max": 640}; "max": null. Large numbers are texts."""
    if isinstance(dim, dict):
        return int(dim["min"]), NO_LIMIT if dim["max"] is None else int(dim["max"])
    return (0, NO_LIMIT) if dim is None else (int(dim), int(dim))


def most_of(dim):
    """The runtime's upper bound; where it computed with that of an open dim, a number beyond any tensor stands there."""
    most = dim.get_max_length()
    return most if 0 <= most < 2**60 else NO_LIMIT


def expected_of(model):
    """[(type, bounds of each dim, or None of an unknown rank)] as the runtime infers them."""
    outputs = []
    for output in model.outputs:
        shape = output.get_partial_shape()
        dims = None
        if not shape.rank.is_dynamic:
            dims = [(d.get_min_length(), most_of(d)) for d in shape]
        outputs.append((output.get_element_type().get_type_name(), dims))
    return outputs


def compare_dims(mine, theirs):
    """"shape", "looser", "tighter", or None."""
    if mine is None or theirs is None:
        return None if mine == theirs else "looser" if mine is None else "tighter"
    if len(mine) != len(theirs) or any(a[0] > b[1] or b[0] > a[1] for a, b in zip(mine, theirs)):
        return "shape"
    if any(a[0] < b[0] or a[1] > b[1] for a, b in zip(mine, theirs)):
        return "looser"
    return None if mine == theirs else "tighter"


def compare(report, expected):
    """(what, text) of the first difference; (None, "") when there is none."""
    for kind in ("error", "warning"):
        for diagnostic in report["diagnostics"]:
            if diagnostic["severity"] == kind:
                return kind, f"{diagnostic['rule']}: {diagnostic['message']}"
    return compare_outputs(report, expected)


def compare_outputs(report, expected):
    """The same of types and shapes alone."""
    results = [layer for layer in report["layers"] if layer["op"] == "Result"]
    for i, ((kind, dims), layer) in enumerate(zip(expected, results)):
        value = layer["inputs"][0]
        shape = value["shape"]
        mine = None if shape is None else [bounds_of(dim) for dim in shape]
        if (value["type"] or "dynamic") != kind:
            return "type", f"output {i} is {value['type']}, expected {kind}"
        what = compare_dims(mine, dims)
        if what:
            return what, f"output {i} is {shape}, expected {dims}"
    return None, ""


def reports_of(irrun, paths):
    run = subprocess.run([irrun, "--check-shapes", "--json", "-v", *map(str, paths)], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3, 4):
        sys.exit(f"exit status {run.returncode}: {run.stderr[:1000]}")
    report = json.loads(run.stdout)
    return report["models"]


def draw_models(op, draw, options, folder):
    """[(path, expected)]; and how many draws the runtime refused."""
    rng, drawn, refused = random.Random(f"{options.seed} {op}"), [], 0
    while len(drawn) < options.count and refused < 4 * options.count + 100:
        try:
            model = draw(rng)
            model.validate_nodes_and_infer_types()
        except Exception:  # pylint: disable=broad-except
            refused += 1
            continue
        path = folder / f"{op}_{len(drawn)}.xml"
        ov.save_model(model, path, compress_to_fp16=False)
        drawn.append((path, expected_of(model)))
    return drawn, refused


def check_op(op, draw, deviations, options, folder):
    """Number of differences that no deviation explains."""
    drawn, refused = draw_models(op, draw, options, folder)
    counts, shown = collections.Counter(), 0
    for begin in range(0, len(drawn), BATCH):
        batch = drawn[begin : begin + BATCH]
        for (path, expected), report in zip(batch, reports_of(options.irrun, [path for path, _ in batch])):
            what, text = compare(report, expected)
            counts[what] += 1
            if what and what not in deviations:
                shown += 1
                if shown <= 3:
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
