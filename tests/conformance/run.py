#!/usr/bin/env python3
"""Compares irrun with the reference runtime and with the exact model on random models: `make conformance`.

    run.py IRRUN [--seed N] [--count N] [--family NAME] [--only NUMBER] [--keep DIR]

Both programs must refuse the same models. Outputs must have equal shapes, and values within the default tolerances of
`irrun --expect`. Intervals of open dims must be sound and tight (intervals.py). Known differences are a family's
deviations. A model with any other difference is kept in DIR, and the status is 1."""

import argparse
import collections
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from case import text_of  # noqa: E402
from families import FAMILIES  # noqa: E402
from intervals import check_intervals  # noqa: E402
from oracle import exact, ir, near, runtime, windows  # noqa: E402
from oracle.evaluation import Evaluation  # noqa: E402
from oracle.ops import OPS  # noqa: E402
from program import Crash, Program  # noqa: E402

EXACT = "differs from the exact model"
ENOUGH = 500  # a deviation that applies to so many cases must excuse at least one


def difference(mine, theirs, dynamic):
    """Returns (what, text). `what` is "irrun" or "runtime" if only one refuses the model, "shape" or "values" if
    outputs differ, or None."""
    if mine.refused or theirs.failed:
        if mine.refused and theirs.failed:
            return None, ""
        who = "irrun" if mine.refused else "runtime"
        return who, f"only {who} refuses: {mine.message or theirs.reason}"
    for i, array in enumerate(mine.arrays):
        seen = theirs.arrays[i]
        if mine.types[i] != theirs.types[i] or not (dynamic or mine.shapes[i] == theirs.shapes[i]):
            return "shape", f"irrun infers {mine.types[i]}{mine.shapes[i]}, the runtime {theirs.types[i]}{theirs.shapes[i]}"
        text = near.difference(array, seen, exact.differing)
        if text:
            same = array.shape == seen.shape and array.dtype == seen.dtype
            return "values" if same else "shape", f"irrun against the runtime, output {i}: {text}"
    return None, ""


def sizes_of(inputs):
    """Returns the magnitudes of float inputs and of the first input. Later integer inputs, such as axes, are returned
    unchanged."""
    return [array if array.dtype.kind == "b" or (i > 0 and array.dtype.kind in "iu") else np.abs(array) for i, array in enumerate(inputs)]


def check_exactly(case, mine, model, inputs):
    """Raises AssertionError if irrun's results differ from the exact model's."""
    outputs = Evaluation(model, inputs, OPS).outputs
    sizes = outputs if case.exactly() or case.ulps() else Evaluation(model, sizes_of(inputs), OPS).outputs
    for i, (array, own, size) in enumerate(zip(mine.arrays, outputs, sizes, strict=True)):
        text = near.difference(array, own, measure_of(case, size))
        if text:
            raise AssertionError(f"irrun {EXACT}, output {i}: {text}")


def measure_of(case, size):
    """Returns a function that compares elements with the exact model's. `size` is the exact model's result for the
    magnitudes of the inputs."""
    if case.exactly():
        return exact.other_bits
    if case.ulps() or size.dtype.kind in "iub":
        return lambda got, own: near.beyond_ulps(got, own.astype(np.float64), case.ulps()) if own.dtype.kind not in "iub" else got != own
    half = 2.0**-53 if ir.type_of(size) == "f64" else 2.0**-24
    return lambda got, own: near.beyond_magnitude(got, own, size.astype(np.float64), half=half)


def excuses(known, mine, what):
    """Returns the ids of deviations that allow this difference. Each rule that only irrun reports needs one."""
    if what != "irrun":
        return [deviation.id for deviation in known if deviation.what == what]
    used = [deviation for deviation in known if deviation.what in mine.rules]
    return [deviation.id for deviation in used] if mine.rules == {deviation.what for deviation in used} else []


def judge(family, case, program, reference, args, tally):
    """Returns (verdict, text). The verdict is "agree", "both refuse", (family, deviation), or "unexplained"."""
    if family.judge:
        return family.judge(family, case, program, reference, args, tally, difference)
    model, inputs = case.model(), case.inputs(args.seed)
    mine = program.answer(model, inputs, case.options())
    spelled_out = case.reference()
    theirs = reference.run(spelled_out.xml(), spelled_out.blob, inputs)
    if case.dynamic() and mine.shapes:
        tally.update(check_intervals(case, model, mine.shapes, theirs.shapes))
    if not mine.refused:
        check_exactly(case, mine, model, inputs)
    what, text = difference(mine, theirs, case.dynamic())
    known = [deviation for deviation in family.deviations if deviation.applies(case)]
    tally.update(("applies", family.name, deviation.id) for deviation in known)
    if what is None:
        return ("both refuse" if mine.refused else "agree"), ""
    reasons = excuses(known, mine, what)
    return ((family.name, reasons[0]), text) if reasons else ("unexplained", text)


def draw(seed, number, only=None):
    """Draws (family, case). The same arguments give the same case."""
    rng = random.Random(f"{seed}:{number}")
    families = [family for family in FAMILIES if only in (None, family.name)]
    family = rng.choices(families, [family.share for family in families])[0]
    return family, family.draw(rng, number)


def idle_deviations(tally):
    """Returns texts about deviations that excuse nothing, although they apply to ENOUGH cases."""
    named = [(family.name, deviation.id) for family in FAMILIES for deviation in family.deviations]
    return [f"{family}: {name} excuses none of {n} cases" for family, name in named if (n := tally["applies", family, name]) >= ENOUGH and not tally[family, name]]


def summary(tally, reference):
    print(f"{tally['agree']} agree, {tally['both refuse']} refused by both; deviations:")
    for family in FAMILIES:
        print(f"  {family.name}")
        for deviation in family.deviations:
            count = tally[family.name, deviation.id]
            print(f"  {count or 'no':>5} {'case' if count == 1 else 'cases'}  {deviation.id}: {deviation.reason}")
    print(f"{tally['converted']} nGraph models converted, {tally['not in an IR']} that no IR can say", end="; ")
    print(f"{tally['mended ports']} ports mended")
    print(f"{tally['intervals']} inferred intervals are sound and tight", end="; ")
    print(f"of the runtime's {tally['intervals looser']} are looser and {tally['intervals unsound']} leave out a size")
    print(f"the runtime was started anew {reference.restarts} times after it died")
    print(f"{tally['unexplained']} differences without a reason")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("irrun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--family", choices=[family.name for family in FAMILIES], help="no other cases")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one case, with what is found")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/conformance"), metavar="DIR")
    return parser.parse_args()


def keep(folder, case, seed, text):
    folder.mkdir(parents=True, exist_ok=True)
    case.save(folder, seed)
    print(f"DIFFERENCE {text}\n  {text_of(case)}\n  model and inputs are in {folder}", flush=True)


def main():
    args = options()
    print(f"seed {args.seed}, {args.count} models (--seed {args.seed} draws the same again)", flush=True)
    tally = collections.Counter()
    numbers = range(args.count) if args.only is None else [args.only]
    with tempfile.TemporaryDirectory() as folder, runtime.Runtime() as reference:
        program = Program(args.irrun, folder)
        for number in numbers:
            family, case = draw(args.seed, number, args.family)
            try:
                verdict, text = judge(family, case, program, reference, args, tally)
            except (AssertionError, Crash, windows.Refused, subprocess.TimeoutExpired) as error:
                verdict, text = "unexplained", str(error)
            tally[verdict] += 1
            if args.only is not None:
                print(f"{verdict}: {text}\n  {text_of(case)}")
            if verdict == "unexplained":
                keep(args.keep / str(number), case, args.seed, text)
        summary(tally, reference)
    idle = idle_deviations(tally)
    for text in idle:
        print(text)
    return 1 if tally["unexplained"] or idle else 0


if __name__ == "__main__":
    sys.exit(main())
