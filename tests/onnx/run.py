#!/usr/bin/env python3
"""Runs ONNX's node tests in irrun, each as the IR that OpenVINO's converter makes of it: `make onnx`.

    run.py IRRUN [--only NAME...] [--list-missing] [--cache DIR] [--verbose]

A test passes when irrun's outputs have ONNX's types and shapes, equal integers, and floats within tolerances.
The tolerances are ONNX's; tests of pooling use irrun's tolerances, which are narrower.
If the outputs differ from ONNX's and equal OpenVINO's of the same IR, the converter changed the meaning, and the test
counts as such.
If the outputs differ from both, the test fails. If deviations.py lists such a test with a reason, the difference is excused.

If a test needs an op or type that irrun does not run, it counts as "not run". The missing ops and types are printed;
--list-missing prints nothing else.
Each layer of every IR must get the type and shape that OpenVINO infers. The exit status is 1 if any test fails."""

import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import itertools
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from convert import folders, load  # noqa: E402
from deviations import DEVIATIONS  # noqa: E402
from oracle import exact, inferred, near, refusals, runtime  # noqa: E402

EQUAL, CONVERTER, DEVIATES = "equal to ONNX", "equal to OpenVINO, whose converter changed what is meant", "as in deviations.py"
FAILED, NOT_RUN, NOT_CONVERTIBLE = "failed", "not run", "not convertible"
LEAST = {"converted": 1577, EQUAL: 1495}  # the least number of tests of each kind
REFUSALS = (3, 4, 5)  # exit statuses: the model breaks the spec, irrun cannot run it, an input is bad
JUDGES = 2  # processes of the runtime that run at the same time


@dataclasses.dataclass
class Verdict:
    what: str  # EQUAL, CONVERTER, NOT_RUN, NOT_CONVERTIBLE, "differs", the rules that irrun raised, or its exit status
    text: str = ""
    missing: list = dataclasses.field(default_factory=list)  # ops and types that irrun does not run
    check: str = ""  # first difference between irrun's check and OpenVINO


class Judge:
    """Runs tests one after another in irrun and in one reference runtime."""

    def __init__(self, program, reference, checks):
        self.program, self.reference, self.checks = program, reference, checks
        self.compared = 0  # number of layers' outputs that were compared

    def judge(self, folder):
        case = json.loads((folder / "case.json").read_text())
        if "refused" in case:
            return Verdict(NOT_CONVERTIBLE, case["refused"])
        verdict = self.judge_run(folder, case)
        verdict.check = self.check(folder / "model.xml") if self.checks else ""
        return verdict

    def check(self, path):
        """Returns a text on the first layer with another type or shape than in OpenVINO. If all agree, returns irrun's
        first error, or ""."""
        report = inferred.report_of(self.program, path)
        wrong = [one["message"] for one in report["diagnostics"] if one["severity"] == "error" and one["rule"] != "IR210"]
        compared, found = inferred.differences(report, inferred.read(path))
        self.compared += compared
        return next((text for _, _, text in found), wrong[0] if wrong else "")

    def judge_run(self, folder, case):
        verdict, outputs = self.run(folder, case)
        if verdict.what != EQUAL:
            return self.blame_converter(folder, case, verdict) if verdict.what.startswith("IR") else verdict
        expected = [load(folder / file) for _, file in case["outputs"]]
        differs = exact.differing if "pool" in folder.name else functools.partial(differing, case=case)
        text = first_difference(outputs, expected, differs)
        return self.blame_converter(folder, case, Verdict("differs", text), outputs) if text else verdict

    def run(self, folder, case):
        """Runs irrun on a test. Returns (verdict, outputs); the outputs are empty if irrun refuses."""
        with tempfile.TemporaryDirectory() as scratch:
            files = [(name, pathlib.Path(scratch) / file) for name, file in case["outputs"]]
            words = ["--max-errors=0", *file_words("-i", case["inputs"]), *file_words("-o", files)]
            done = subprocess.run([self.program, "model.xml", *words], cwd=folder, capture_output=True, timeout=60, check=False)
            if done.returncode == 0:
                return Verdict(EQUAL), [load(path) for _, path in files]
        message = done.stderr.decode(errors="replace")
        errors = refusals.errors_of(message)
        if done.returncode not in REFUSALS or not errors:
            return Verdict(f"status {done.returncode}", message[:300]), []
        if missing := refusals.missing_of(errors):
            return Verdict(NOT_RUN, ", ".join(missing), missing), []
        return Verdict(" ".join(sorted({rule for _, rule in errors})), errors[0][0]), []

    def blame_converter(self, folder, case, verdict, outputs=None):
        """Compares irrun with OpenVINO on the same IR. If both refuse or their outputs are equal, returns the verdict
        CONVERTER."""
        inputs = [load(folder / file) for _, file in case["inputs"]]
        theirs = self.reference.run((folder / "model.xml").read_text(), (folder / "model.bin").read_bytes(), inputs)
        if theirs.failed or not outputs:
            return Verdict(CONVERTER, verdict.text) if theirs.failed and not outputs and not theirs.crashed else verdict
        text = first_difference(outputs, theirs.arrays, lambda got, want: differing(got, want, case))
        return Verdict("differs", f"{verdict.text}; and from OpenVINO: {text}") if text else Verdict(CONVERTER, verdict.text)


def file_words(option, files):
    return [word for name, file in files for word in (option, f"{name}={file}")]


def first_difference(outputs, expected, differs):
    """Returns a text on the first output that differs, or ""."""
    for i, (got, want) in enumerate(zip(outputs, expected, strict=True)):
        if text := near.difference(got, want, differs):
            return f"output {i}: {text}"
    return ""


def differing(got, want, case):
    """Returns an array of booleans, true where elements differ. Floats must be within the test's tolerances, and NaN
    equals NaN. All other types must be equal."""
    if want.dtype.kind in "iub":
        return got != want
    return ~np.isclose(got.astype(np.float64), want.astype(np.float64), case["rtol"], case["atol"], equal_nan=True)


def command(folder):
    """Returns the shell command that repeats a test."""
    case = json.loads((folder / "case.json").read_text())
    tolerances = [f"--rtol={case['rtol']}", f"--atol={case['atol']}"]
    return f"cd {folder} && irrun model.xml " + shlex.join([*file_words("-i", case["inputs"]), *file_words("-e", case["outputs"]), *tolerances])


def judge_all(program, paths, checks):
    """Returns ([(folder, verdict)], number of layers' outputs that were compared)."""
    with runtime.Runtime() as reference:
        judge = Judge(program, reference, checks)
        return [(path, judge.judge(path)) for path in paths], judge.compared


def fault(verdict, deviation):
    """Returns a text on what is wrong with a verdict, or None."""
    if verdict.check:
        return verdict.check
    if verdict.what in (EQUAL, CONVERTER):
        return "stands in deviations.py, and passes" if deviation else None
    if verdict.what in (NOT_RUN, NOT_CONVERTIBLE) or (deviation and deviation.what == verdict.what):
        return None
    return f"{verdict.what}: {verdict.text}"


def count_as(verdict, wrong):
    if wrong:
        return FAILED
    return verdict.what if verdict.what in (EQUAL, CONVERTER, NOT_RUN, NOT_CONVERTIBLE) else DEVIATES


def print_missing(verdicts):
    """Prints each op and type that irrun does not run, and the number of tests that need it."""
    waiting = collections.Counter(name for verdict in verdicts for name in verdict.missing)
    alone = collections.Counter(verdict.missing[0] for verdict in verdicts if len(verdict.missing) == 1)
    if waiting:
        print("tests  for it alone  what irrun does not run")
    for name, count in sorted(waiting.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:5}  {alone[name]:12}  {name}")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("irrun", type=pathlib.Path)
    parser.add_argument("--only", metavar="NAME", nargs="+", default=[], help="no other tests; a part of the name will do")
    parser.add_argument("--list-missing", action="store_true", help="print which ops tests wait for, and nothing else")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path("build/onnx"), metavar="DIR", help="the converted tests")
    parser.add_argument("--verbose", action="store_true", help="a line for every test")
    return parser.parse_args()


def main():
    args = options()
    paths = [path for path in folders(args.cache) if not args.only or any(name in path.name for name in args.only)]
    with concurrent.futures.ThreadPoolExecutor(JUDGES) as pool:
        parts = [pool.submit(judge_all, args.irrun.resolve(), paths[i::JUDGES], not args.list_missing) for i in range(JUDGES)]
    verdicts = dict(itertools.chain(*(part.result()[0] for part in parts)))
    if args.list_missing:
        print_missing(verdicts.values())
        return 0
    known = {name: deviation for deviation in DEVIATIONS for name in deviation.tests}
    tally = collections.Counter()
    for path in paths:
        verdict, deviation = verdicts[path], known.pop(path.name, None)
        wrong = fault(verdict, deviation)
        tally[count_as(verdict, wrong)] += 1
        if wrong:
            print(f"{path.name}: {wrong}\n  {command(path)}")
        elif args.verbose:
            print(f"{path.name}: {deviation.reason if deviation else f'{verdict.what} {verdict.text}'}")
    print_missing(verdicts.values())
    converted = len(paths) - tally[NOT_CONVERTIBLE]
    counts = [f"{tally[what]} {what}" for what in (EQUAL, CONVERTER, DEVIATES, FAILED, NOT_RUN)]
    print(f"{len(paths)} tests, {converted} converted, {converted - tally[NOT_RUN]} ran: {', '.join(counts)}")
    print(f"{sum(part.result()[1] for part in parts)} outputs of layers inferred as OpenVINO does")
    counted = {"converted": converted, EQUAL: tally[EQUAL]}
    few = [f"fewer than {least} tests are {what}" for what, least in LEAST.items() if counted[what] < least]
    faults = [] if args.only else [*few, *(f"{name}: in deviations.py, and no test of ONNX" for name in known)]
    for text in faults:
        print(text)
    return 1 if faults or tally[FAILED] else 0


if __name__ == "__main__":
    sys.exit(main())
