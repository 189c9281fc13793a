#!/usr/bin/env python3
"""Runs real models in irrun and in OpenVINO, on random inputs, and compares the outputs.

    run_models.py IRRUN FOLDER... [--only NAME...] [--inner]

Takes each .xml below the folders if its .bin lies beside it. oracle/near.py says how near the outputs must be to
OpenVINO's.
Prints a line for each model, the missing ops with the number of models that need them, and the number of equal models.
The exit status is 1 if a model differs.

OpenVINO computes models of f16 in f32. irrun rounds every tensor to f16, as the IR says, which can change detections
near a threshold.
So if outputs of an f16 model differ, irrun also runs the model with f32 in place of f16. These outputs must be as near
as those of any f32 model.

With --inner, prints the first layer that differs from OpenVINO, and each layer that differs when its inputs are
OpenVINO's tensors."""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent.parent / "tools")]

import tensor_archive  # noqa: E402
from layers import models_of  # noqa: E402
from oracle import inferred, ir, near, refusals, runtime  # noqa: E402

TENSORS = HERE.parent.parent / "tools" / "openvino_tensors.py"
SIZES = {4: [1, 3, 64, 64]}  # sizes for open dims, by rank
OTHER_SIZES = [1, 16, 16, 16, 16]
SECONDS = 600
LAYERS = 10  # the greatest number of layers that are printed
WIDER = {"f16": "f32", "FP16": "FP32"}
INNER = ["--rtol=1e-3", "--atol=1e-3"]  # tolerances for tensors inside the model


def size_of(dim, usual):
    """Returns a size for a dim of irrun's report: the allowed size that is nearest to `usual`."""
    if isinstance(dim, int):
        return dim
    most = dim and dim["max"]
    size = max(usual, int(dim["min"]) if dim else 0)
    return size if most is None else min(size, int(most))


def draw_input(rng, value):
    """Returns a random array for an input of irrun's report."""
    dims = value["shape"] or []
    shape = [size_of(*pair) for pair in zip(dims, SIZES.get(len(dims), OTHER_SIZES))]
    dtype = ir.dtype_of(value["type"])
    return (rng.random(shape) if dtype.kind == "f" else rng.integers(0, 2, shape)).astype(dtype)


def lay_out(path, folder):
    """Writes the model to its own folder. Version 10 becomes 11, because OpenVINO changes the types of inputs and
    outputs of version 10."""
    model = folder / path.name
    model.write_bytes(path.read_bytes().replace(b'version="10"', b'version="11"', 1))
    model.with_suffix(".bin").symlink_to(path.with_suffix(".bin").resolve())
    return model


def widen(model):
    """Changes f16 to f32 in a model that lay_out() made. Returns False if the model has no f16 constants."""
    tree, blob = ElementTree.parse(model), model.with_suffix(".bin").read_bytes()
    widened = [data for data in tree.iter("data") if data.get("element_type") == "f16" and "offset" in data.attrib]
    if not widened:
        return False
    for data in widened:
        numbers = np.frombuffer(blob, np.float16, int(data.get("size")) // 2, int(data.get("offset"))).astype(np.float32)
        blob += bytes(-len(blob) % 4)
        data.attrib.update(offset=str(len(blob)), size=str(numbers.nbytes))
        blob += numbers.tobytes()
    for element in tree.iter():
        element.attrib.update({name: WIDER[text] for name, text in element.attrib.items() if text in WIDER})
    tree.write(model)
    model.with_suffix(".bin").unlink()
    model.with_suffix(".bin").write_bytes(blob)
    return True


def in_order_of(want, got):
    """Returns the detections (rows of 7) of `got` in the order of `want`: each row of `want` takes the nearest row that
    is left.
    Rows with nearly equal scores may come in any order."""
    left, found = list(got.reshape(-1, 7)), []
    for row in want.reshape(-1, 7):
        found.append(left.pop(int(np.argmin([np.abs(other - row).max() for other in left]))))
    return np.array(found).reshape(got.shape)


def difference(got, want):
    """Returns a text on the difference, or ""."""
    text = near.difference(got, want)
    if text and want.ndim == 4 and want.shape[3] == 7 and got.shape == want.shape:
        return near.difference(got[..., 2], want[..., 2]) or near.difference(in_order_of(want, got), want)
    return text


class Judge:
    def __init__(self, irrun, reference, inner):
        self.irrun, self.reference, self.inner = irrun, reference, inner
        self.missing = collections.Counter()

    def judge(self, path, folder):
        """Returns (verdict, text). The verdict is "equal", "equal as f32", "differs", "not run", "refused" or "OpenVINO
        fails"."""
        model = lay_out(path, folder)
        what, text = self.compare(model)
        if what == "differs" and widen(model):
            what, as_f32 = self.compare(model)
            return (f"{what} as f32", f"{as_f32}; of f16 {text}")
        return what, text

    def compare(self, model):
        folder = model.parent
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
        outputs = tensor_archive.load(folder / "outputs.npz")
        for value, want in zip(report["outputs"], theirs.arrays, strict=True):
            if text := difference(outputs[value["name"]], want):
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
        """Returns irrun's lines on the first layer that differs from OpenVINO, and on layers that differ with
        OpenVINO's inputs."""
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
    return 1 if set(tally) - {"equal", "equal as f32", "not run", "OpenVINO fails"} else 0


if __name__ == "__main__":
    sys.exit(main())
