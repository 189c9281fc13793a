#!/usr/bin/env python3
"""Runs real models in irrun and in OpenVINO, on random inputs, and compares the outputs.

    run_models.py IRRUN FOLDER... [--only NAME...] [--inner]

Takes each .xml below the folders that has its .bin beside it. Outputs have to be as near to OpenVINO's as oracle/near.py says. Prints a line for each
model, the ops that models wait for, and how many are equal; the status is 1 where one differs. With --inner the first layer that differs is named, by
what every layer computes in OpenVINO, and each layer that is wrong when it is fed what OpenVINO computes before it."""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from layers import models_of  # noqa: E402
from oracle import inferred, ir, near, refusals, runtime  # noqa: E402

TENSORS = HERE.parent.parent / "tools" / "openvino_tensors.py"
SIZES = {4: [1, 3, 64, 64]}  # of dims that are open, by rank
OTHER_SIZES = [1, 16, 16, 16, 16]
SECONDS = 600
LAYERS = 10  # that are shown
INNER = ["--rtol=1e-3", "--atol=1e-3"]  # how near inner tensors have to be


def size_of(dim, usual):
    """A size for a dim of irrun's report that is as near to the usual one as it allows."""
    if isinstance(dim, int):
        return dim
    most = dim and dim["max"]
    size = max(usual, int(dim["min"]) if dim else 0)
    return size if most is None else min(size, int(most))


def draw_input(rng, value):
    """An array for an input of irrun's report."""
    dims = value["shape"] or []
    shape = [size_of(*pair) for pair in zip(dims, SIZES.get(len(dims), OTHER_SIZES))]
    dtype = ir.dtype_of(value["type"])
    return (rng.random(shape) if dtype.kind == "f" else rng.integers(0, 2, shape)).astype(dtype)


def lay_out(path, folder):
    """The model in a folder of its own, of version 11: of version 10 OpenVINO changes the types of inputs and outputs."""
    model = folder / path.name
    model.write_bytes(path.read_bytes().replace(b'version="10"', b'version="11"', 1))
    model.with_suffix(".bin").symlink_to(path.with_suffix(".bin").resolve())
    return model


class Judge:
    def __init__(self, irrun, reference, inner):
        self.irrun, self.reference, self.inner = irrun, reference, inner
        self.missing = collections.Counter()

    def judge(self, path, folder):
        """("equal", "differs", "not run", "refused" or "OpenVINO fails", text)."""
        model = lay_out(path, folder)
        report = inferred.report_of(self.irrun, model)
        strange = {value["type"] for value in report["inputs"] + report["outputs"]} - set(ir.TYPES)
        if strange:
            return "not run", f"type {', '.join(sorted(strange))}"
        rng = np.random.default_rng(1)
        inputs = {value["name"]: draw_input(rng, value) for value in report["inputs"]}
        np.savez(folder / "inputs.npz", **inputs)
        begin = time.monotonic()
        done = self.run(model, "--max-errors=0", "-i", folder / "inputs.npz", "-o", folder / "outputs.npz")
        seconds = time.monotonic() - begin
        if done.returncode != 0:
            return self.refusal(done)
        theirs = self.reference.run(model.read_text(), model.with_suffix(".bin").read_bytes(), inputs.values())
        if theirs.failed:
            return "OpenVINO fails", theirs.reason.splitlines()[-1]
        outputs = np.load(folder / "outputs.npz")
        for value, want in zip(report["outputs"], theirs.arrays):
            if text := near.difference(outputs[value["name"]], want):
                return "differs", f"output '{value['name']}': {text}" + (self.first_layer(model) if self.inner else "")
        return "equal", f"{seconds:.2f} s"

    def run(self, *words):
        return subprocess.run([self.irrun, *words], capture_output=True, timeout=SECONDS, check=False, text=True)

    def refusal(self, done):
        errors = refusals.errors_of(done.stderr)
        names = refusals.missing_of(errors)
        if names is None:
            return "refused", "; ".join(f"{rule} {text}" for text, rule in errors) or f"status {done.returncode}: {done.stderr[:500]}"
        self.missing.update(names)
        return "not run", ", ".join(names)

    def first_layer(self, model):
        """What irrun says of layers, compared with OpenVINO's."""
        tensors = model.parent / "tensors.npz"
        subprocess.run([sys.executable, "-B", TENSORS, model, model.parent / "inputs.npz", tensors], check=True, capture_output=True)
        words = [model, "-i", model.parent / "inputs.npz", "-e", tensors, *INNER]
        compared, isolated = (self.run(*words, *more).stdout for more in ([], ["--isolate"]))
        first = re.findall(r".* is the first that diverges.*", compared)
        alone = re.findall(r"^ *\d+ .* DIFFERS .*", isolated, re.M)
        return "".join(f"\n  {line}" for line in [*first, *(f"fed by OpenVINO: {line}" for line in alone[:LAYERS])])


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("irrun", type=pathlib.Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", metavar="NAME", nargs="+", default=[], help="names of files without .xml")
    parser.add_argument("--inner", action="store_true", help="name the first layer that differs")
    return parser.parse_args()


def main():
    args = options()
    paths = [path for path in models_of(args.folders) if not args.only or path.stem in args.only]
    tally = collections.Counter()
    with runtime.Runtime() as reference:
        judge = Judge(args.irrun.resolve(), reference, args.inner)
        for path in paths:
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    what, text = judge.judge(path, pathlib.Path(scratch))
                except subprocess.TimeoutExpired:
                    what, text = "refused", f"no answer in {SECONDS} s"
            tally[what] += 1
            print(f"{path}: {what}: {text}", flush=True)
    for name, count in judge.missing.most_common():
        print(f"{count:4} models wait for {name}")
    print(f"{len(paths)} models with a .bin: {', '.join(f'{n} {what}' for what, n in tally.items())}")
    return 1 if tally["differs"] + tally["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
