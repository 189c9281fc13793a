#!/usr/bin/env python3
"""Compares irrun with the reference runtime on random models of one pool: `make conformance`.

    run.py IRRUN [--seed N] [--count N] [--only NUMBER] [--keep DIR]

Shapes have to be equal (those of dynamic models no wider than the runtime's), values within the default tolerances of
`irrun --expect`, and both have to refuse the same models. What differs for a reason stands in deviations.py. A model that
differs otherwise is kept in DIR, and the status is 1."""

import argparse
import collections
import dataclasses
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from deviations import DEVIATIONS  # noqa: E402
from draw import draw  # noqa: E402
from oracle import exact, ir, runtime  # noqa: E402

REFUSALS = (3, 4, 5)  # exit statuses: breaks the spec, not runnable here, bad input


class Crash(Exception):
    """irrun ended in a way that no input may bring about."""


@dataclasses.dataclass
class Answer:
    refused: bool
    message: str
    rules: set  # that irrun raised as errors
    type: str = None
    shape: tuple = None  # as checked: (least, most) of each dim
    array: np.ndarray = None


class Program:
    """irrun, run on one model after another in a scratch folder."""

    def __init__(self, path, folder):
        self.path, self.folder = pathlib.Path(path).resolve(), pathlib.Path(folder)

    def run(self, *arguments):
        done = subprocess.run([self.path, *arguments], cwd=self.folder, capture_output=True, timeout=60)
        if done.returncode != 0 and done.returncode not in REFUSALS:
            raise Crash(f"irrun {' '.join(arguments)}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def answer(self, case, model, inputs):
        """Checks and runs the model."""
        save(self.folder, model, inputs)
        checked = self.run("model.xml", "--check-shapes", "--json")
        report = json.loads(checked.stdout)["models"][0]
        errors = [(d["rule"], d["message"]) for d in report["diagnostics"] if d["severity"] == "error"]
        message = "; ".join(f"{rule} {text}" for rule, text in errors)
        words = [word for layer, name in zip(model.in_order("Parameter"), names(inputs)) for word in ("-i", f"{layer.name}={name}")]
        (self.folder / "y.npy").unlink(missing_ok=True)
        ran = self.run("model.xml", *words, "--output", "y.npy")
        if checked.returncode != 0:
            if ran.returncode == 0:
                raise Crash(f"--check-shapes refuses what runs: {message}")
            return Answer(True, message, {rule for rule, _ in errors})
        if ran.returncode != 0:
            message = ran.stderr.decode()
            return Answer(True, message, set(re.findall(r"error: .* \[(IR\d+) [\w-]+\]$", message, re.M)))
        output = report["outputs"][0]
        array = np.load(self.folder / "y.npy")
        array = array.view(ir.dtype_of("bf16")) if array.dtype.kind == "V" else array
        return Answer(False, "", set(), output["type"], tuple(bounds(dim) for dim in output["shape"]), array)


def bounds(dim):
    """(least, most) of a dim in irrun's report."""
    if isinstance(dim, int):
        return dim, dim
    most = dim and dim["max"]
    return (dim["min"] if dim else 0), (math.inf if most is None else most)


def names(inputs):
    return [f"x{i}.npy" for i in range(len(inputs))]


def save(folder, model, inputs):
    (folder / "model.xml").write_text(model.xml(), encoding="utf-8")
    (folder / "model.bin").write_bytes(model.blob)
    for name, array in zip(names(inputs), inputs):
        np.save(folder / name, array)


def difference(mine, theirs):
    """(what, text): "irrun" or "runtime" when it alone refuses, "shape", "values"; (None, "") when nothing differs."""
    if mine.refused or theirs.failed:
        if mine.refused and theirs.failed:
            return None, ""
        who = "irrun" if mine.refused else "runtime"
        return who, f"only {who} refuses: {mine.message or theirs.reason}"
    seen = theirs.arrays[0]
    if mine.type != theirs.types[0] or not shapes_agree(mine, theirs.shapes[0]):
        return "shape", f"irrun infers {mine.type}{mine.shape}, the runtime {theirs.types[0]}{theirs.shapes[0]}"
    if mine.array.shape != seen.shape or mine.array.dtype != seen.dtype:
        return "shape", f"irrun computes {mine.array.dtype}{mine.array.shape}, the runtime {seen.dtype}{seen.shape}"
    return (None, "") if not exact.differing(mine.array, seen).any() else ("values", worst(mine.array, seen))


def shapes_agree(mine, shape):
    """Dims that the runtime knows are equal; others lie within its bounds and hold what the run gave."""
    if len(mine.shape) != len(shape):
        return False
    rows = zip(mine.shape, shape, mine.array.shape)
    return all(least <= low <= size <= high <= most for (low, high), (least, most), size in rows)


def worst(got, expected):
    at = np.unravel_index(np.argmax(exact.differing(got, expected)), got.shape)
    return f"values differ, first at {[int(i) for i in at]}: {got[at]} against {expected[at]}"


def excuses(case, mine, what):
    """Ids of the deviations that allow such a difference; every rule that irrun alone raised needs one."""
    known = [deviation for deviation in DEVIATIONS if deviation.applies(case)]
    if what != "irrun":
        return [deviation.id for deviation in known if deviation.what == what]
    used = [deviation for deviation in known if deviation.what in mine.rules]
    return [deviation.id for deviation in used] if mine.rules == {deviation.what for deviation in used} else []


def judge(case, program, reference, seed):
    """(verdict, text): "agree", "both refuse", the id of a deviation, or "unexplained"."""
    model, inputs = case.model(), case.inputs(seed)
    mine = program.answer(case, model, inputs)
    theirs = reference.run(model.xml(), model.blob, inputs)
    what, text = difference(mine, theirs)
    if what is None:
        return ("both refuse" if mine.refused else "agree"), ""
    reasons = excuses(case, mine, what)
    if not reasons:
        return "unexplained", text
    if not mine.refused:
        own = case.evaluate(inputs[0])
        if mine.array.shape != own.shape or exact.differing(mine.array, own).any():
            return "unexplained", f"excused by {reasons}, but irrun differs from the exact model too: {worst(mine.array, own)}"
    return reasons[0], text


def summary(tally, reference):
    print(f"{tally['agree']} agree, {tally['both refuse']} refused by both; deviations (tests/conformance/deviations.py):")
    for deviation in DEVIATIONS:
        count = tally[deviation.id]
        print(f"  {count or 'no':>5} {'case' if count == 1 else 'cases'}  {deviation.id}: {deviation.reason}")
    print(f"  the runtime was started anew {reference.restarts} times after it died")
    print(f"{tally['unexplained']} differences without a reason")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("irrun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one case, with what is found")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/conformance"), metavar="DIR")
    return parser.parse_args()


def main():
    args = options()
    print(f"seed {args.seed}, {args.count} models (--seed {args.seed} draws the same again)", flush=True)
    tally = collections.Counter()
    numbers = range(args.count) if args.only is None else [args.only]
    with tempfile.TemporaryDirectory() as folder, runtime.Runtime() as reference:
        program = Program(args.irrun, folder)
        for number in numbers:
            case = draw(args.seed, number)
            try:
                verdict, text = judge(case, program, reference, args.seed)
            except (Crash, exact.Refused, subprocess.TimeoutExpired) as error:
                verdict, text = "unexplained", str(error)
            tally[verdict] += 1
            if args.only is not None:
                print(f"{verdict}: {text}")
            if verdict == "unexplained":
                kept = args.keep / str(number)
                kept.mkdir(parents=True, exist_ok=True)
                save(kept, case.model(), case.inputs(args.seed))
                print(f"DIFFERENCE {text}\n  {case.text()}\n  model and inputs are in {kept}", flush=True)
        summary(tally, reference)
    return 1 if tally["unexplained"] else 0


if __name__ == "__main__":
    sys.exit(main())
