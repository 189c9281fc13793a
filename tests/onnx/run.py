#!/usr/bin/env python3
"""Runs ONNX's node tests in irrun, each as the IR that OpenVINO's converter makes of it: `make onnx`.

    run.py IRRUN [--only NAME] [--keep DIR] [--verbose]

The pooling tests have to be convertible and to give what ONNX expects, within the default tolerances of `irrun --expect`. So has
every other test whose IR consists of ops and element types that irrun has; the rest of them is counted by what stands in the way.
Of every IR, whatever its ops, each layer has to have the type and shape that OpenVINO infers. What differs for a reason stands in
deviations.py, and has to differ as said there. Model and tensors of a test that fails otherwise are kept in DIR, and the status is 1."""

import argparse
import collections
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from convert import NotConvertible, array_of, collect, convert  # noqa: E402
from deviations import DEVIATIONS  # noqa: E402
from oracle import exact, inferred, ir, runtime  # noqa: E402

LEAST = {"pooling": 51, "other": 146}  # tests of each group that are compared
EQUAL, DEVIATES, FAILED = "equal", "as in deviations.py", "failed"
NOT_CONVERTIBLE, LACKS_OP, LACKS_TYPE = "not convertible", "with an op that irrun lacks", "with a type that irrun lacks"
SKIPPED = (NOT_CONVERTIBLE, LACKS_OP, LACKS_TYPE)  # what excuses tests of the group "other"
REFUSALS = (1, 3, 4, 5)  # exit statuses: differs, breaks the spec, not runnable here, bad input


def group_of(case):
    return "pooling" if "pool" in case.name else "other"


@dataclasses.dataclass
class Verdict:
    what: str  # EQUAL, one of SKIPPED, the rules that irrun raised, or its exit status
    text: str = ""
    runtime: str = None  # what the reference runtime does, where irrun does not give what is expected
    within: bool = False  # irrun passes with ONNX's tolerances
    check: str = ""  # what irrun's check finds otherwise than the reference runtime


class Judge:
    """irrun and the reference runtime, which are given one test after another."""

    def __init__(self, program, reference):
        self.program, self.reference = program, reference
        self.compared = 0  # outputs of layers
        listed = json.loads(subprocess.run([program, "--list-ops", "--json"], check=True, capture_output=True).stdout)
        self.ops = {op["type"] for op in listed["ops"] if op["runs"]}
        self.precisions = {precision for precision, _ in ir.TYPES.values()}

    def judge(self, case, folder):
        try:
            converted = convert(case, folder)
        except NotConvertible as error:
            return Verdict(NOT_CONVERTIBLE, str(error))
        verdict = self.judge_run(case, folder, converted)
        verdict.check = self.check(folder / "model.xml")
        return verdict

    def check(self, path):
        """The first layer that is inferred otherwise, or the first error."""
        report = inferred.report_of(self.program, path)
        wrong = [one["message"] for one in report["diagnostics"] if one["severity"] == "error" and one["rule"] != "IR210"]
        compared, found = inferred.differences(report, inferred.read(path))
        self.compared += compared
        return next((text for _, _, text in found), wrong[0] if wrong else "")

    def judge_run(self, case, folder, converted):
        lacking = [(LACKS_OP, converted.ops() - self.ops), (LACKS_TYPE, converted.precisions() - self.precisions)]
        for what, names in lacking if group_of(case) == "other" else []:
            if names:
                return Verdict(what, ", ".join(sorted(names)))
        inputs, expected = (
            {name: array_of(value) for name, value in values.items()} for values in (converted.inputs, converted.expected)
        )
        words = [*save(folder, "input", inputs), *save(folder, "expect", expected)]
        verdict = self.run(folder, words)
        if verdict.what != EQUAL:
            verdict.runtime = self.run_reference(converted, inputs, expected)
            verdict.within = self.run(folder, [*words, f"--rtol={case.rtol}", f"--atol={case.atol}"]).what == EQUAL
        return verdict

    def run(self, folder, words):
        done = subprocess.run([self.program, "model.xml", *words], cwd=folder, capture_output=True, timeout=60)
        message = done.stderr.decode(errors="replace")
        if done.returncode == 0:
            return Verdict(EQUAL)
        rules = sorted(set(re.findall(r"error: .* \[(IR\d+) [\w-]+\]$", message, re.M)))
        if done.returncode not in REFUSALS or not rules:
            return Verdict(f"status {done.returncode}", message)
        return Verdict(" ".join(rules), re.search(r"error: (.*) \[IR", message)[1])

    def run_reference(self, converted, inputs, expected):
        """The runtime on the same IR: "equal", "differs" or "refuses"."""
        outcome = self.reference.run(converted.xml(), converted.blob(), inputs.values())
        if outcome.failed:
            return "refuses"
        same = all(
            got.shape == want.shape and got.dtype == want.dtype and not exact.differing(got, want).any()
            for got, want in zip(outcome.arrays, expected.values())
        )
        return EQUAL if same else "differs"


def save(folder, kind, arrays):
    """Writes arrays for the option --`kind`; returns its words."""
    for i, array in enumerate(arrays.values()):
        np.save(folder / f"{kind}{i}.npy", array)
    return [word for i, name in enumerate(arrays) for word in (f"--{kind}", f"{name}={kind}{i}.npy")]


def fault(group, verdict, deviation):
    """What is wrong with a verdict; None when nothing is."""
    if verdict.check:
        return verdict.check
    what = f"{verdict.what}: {verdict.text}" + (f" (the runtime: {verdict.runtime})" if verdict.runtime else "")
    if deviation is None:
        return None if verdict.what == EQUAL or (group == "other" and verdict.what in SKIPPED) else what
    if verdict.what == EQUAL:
        return "stands in deviations.py, and passes"
    said = (deviation.what, deviation.runtime, deviation.within)
    reason = deviation.what != NOT_CONVERTIBLE or deviation.reason == verdict.text
    if reason and said == (verdict.what, verdict.runtime, verdict.within):
        return None
    return f"{what}; within ONNX's tolerances: {verdict.within}; not as in deviations.py"


def report(tallies):
    for deviation in DEVIATIONS:
        runtime_does = f" (the runtime: {deviation.runtime})" if deviation.runtime else ""
        print(f"{', '.join(deviation.tests)}: {deviation.what}{runtime_does}: {deviation.reason}")
    for group, tally in tallies.items():
        counts = [f"{tally[what]} {what}" for what in (EQUAL, DEVIATES, FAILED, *SKIPPED)]
        print(f"{group}: {sum(tally.values())} tests: {', '.join(counts)}")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("irrun", type=pathlib.Path)
    parser.add_argument("--only", metavar="NAME", help="one test")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/onnx"), metavar="DIR")
    parser.add_argument("--verbose", action="store_true", help="a line for every test")
    return parser.parse_args()


def count_as(verdict, wrong):
    if wrong:
        return FAILED
    return verdict.what if verdict.what in (EQUAL, *SKIPPED) else DEVIATES


def too_few(tallies):
    """Groups of which hardly anything was compared."""
    return [
        f"{group}: fewer than {least} tests were compared"
        for group, least in LEAST.items()
        if tallies[group][EQUAL] + tallies[group][DEVIATES] + tallies[group][FAILED] < least
    ]


def main():
    args = options()
    cases = [case for case in collect() if args.only in (None, case.name)]
    known = {name: deviation for deviation in DEVIATIONS for name in deviation.tests}
    tallies = {group: collections.Counter() for group in LEAST}
    with runtime.Runtime() as reference:
        judge = Judge(args.irrun.resolve(), reference)
        for case in cases:
            group, deviation = group_of(case), known.pop(case.name, None)
            shutil.rmtree(args.keep / case.name, ignore_errors=True)
            with tempfile.TemporaryDirectory() as scratch:
                folder = pathlib.Path(scratch)
                verdict = judge.judge(case, folder)
                wrong = fault(group, verdict, deviation)
                if wrong:
                    shutil.copytree(folder, args.keep / case.name)
            tallies[group][count_as(verdict, wrong)] += 1
            if wrong:
                print(f"{case.name}: {wrong}; kept in {args.keep / case.name}", flush=True)
            elif args.verbose:
                print(f"{case.name}: {deviation.reason if deviation else f'{verdict.what} {verdict.text}'}", flush=True)
    report(tallies)
    print(f"{judge.compared} outputs of layers inferred as OpenVINO does")
    faults = [] if args.only else [*too_few(tallies), *(f"{name}: in deviations.py, and no test of ONNX" for name in known)]
    for text in faults:
        print(text)
    return 1 if faults or any(tally[FAILED] for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
