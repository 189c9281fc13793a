#!/usr/bin/env python3
"""Runs ONNX's node tests in irrun, each as the IR that OpenVINO's converter makes of it: `make onnx`.

    run.py IRRUN [--only NAME...] [--list-missing] [--cache DIR] [--verbose]

A test passes when irrun's outputs have ONNX's types and shapes, integers are the same, and floats within the tolerances that ONNX has for the test; of the
tests of pooling within irrun's own, which are narrower. Where the outputs are not ONNX's but OpenVINO's of the same IR, the converter changed what is meant.
What differs from both for a reason stands in deviations.py. Tests that need what irrun does not run are counted by what is missing: --list-missing prints
that alone. Of every IR each layer has to have the type and shape that OpenVINO infers. The status is 1 where something is wrong."""

import argparse
import collections
import concurrent.futures
import dataclasses
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
LEAST = {"converted": 1577, EQUAL: 1495}  # so many tests at least
REFUSALS = (3, 4, 5)  # exit statuses: breaks the spec, not runnable here, bad input
JUDGES = 2  # side by side


@dataclasses.dataclass
class Verdict:
    what: str  # EQUAL, CONVERTER, NOT_RUN, NOT_CONVERTIBLE, "differs", the rules that irrun raised, or its exit status
    text: str = ""
    missing: list = dataclasses.field(default_factory=list)  # ops and types that irrun does not run
    check: str = ""  # what irrun's check finds otherwise than OpenVINO


class Judge:
    """irrun and the reference runtime, which are given one test after another."""

    def __init__(self, program, reference, checks):
        self.program, self.reference, self.checks = program, reference, checks
        self.compared = 0  # outputs of layers

    def judge(self, folder):
        case = json.loads((folder / "case.json").read_text())
        if "refused" in case:
            return Verdict(NOT_CONVERTIBLE, case["refused"])
        verdict = self.judge_run(folder, case)
        verdict.check = self.check(folder / "model.xml") if self.checks else ""
        return verdict

    def check(self, path):
        """The first layer that is inferred otherwise, or the first error."""
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
        own = exact.differing if "pool" in folder.name else None
        text = first_difference(outputs, expected, own or (lambda got, want: differing(got, want, case)))
        return self.blame_converter(folder, case, Verdict("differs", text), outputs) if text else verdict

    def run(self, folder, case):
        """(verdict, outputs)."""
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
        """What irrun does otherwise than ONNX may be what OpenVINO does with the IR, refusals (without outputs) too."""
        inputs = [load(folder / file) for _, file in case["inputs"]]
        theirs = self.reference.run((folder / "model.xml").read_text(), (folder / "model.bin").read_bytes(), inputs)
        if theirs.failed or not outputs:
            return Verdict(CONVERTER, verdict.text) if theirs.failed and not outputs and not theirs.crashed else verdict
        text = first_difference(outputs, theirs.arrays, lambda got, want: differing(got, want, case))
        return Verdict("differs", f"{verdict.text}; and from OpenVINO: {text}") if text else Verdict(CONVERTER, verdict.text)


def file_words(option, files):
    return [word for name, file in files for word in (option, f"{name}={file}")]


def first_difference(outputs, expected, differs):
    """Text, empty where there is none."""
    for i, (got, want) in enumerate(zip(outputs, expected)):
        if text := near.difference(got, want, differs):
            return f"output {i}: {text}"
    return ""


def differing(got, want, case):
    """Array of booleans: floats within the test's tolerances, where NaN is NaN, all else exact."""
    if want.dtype.kind in "iub":
        return got != want
    return ~np.isclose(got.astype(np.float64), want.astype(np.float64), case["rtol"], case["atol"], equal_nan=True)


def command(folder):
    """Repeats a test."""
    case = json.loads((folder / "case.json").read_text())
    tolerances = [f"--rtol={case['rtol']}", f"--atol={case['atol']}"]
    return f"cd {folder} && irrun model.xml " + shlex.join([*file_words("-i", case["inputs"]), *file_words("-e", case["outputs"]), *tolerances])


def judge_all(program, paths, checks):
    """([(folder, verdict)], outputs of layers that were compared)."""
    with runtime.Runtime() as reference:
        judge = Judge(program, reference, checks)
        return [(path, judge.judge(path)) for path in paths], judge.compared


def fault(verdict, deviation):
    """What is wrong with a verdict; None when nothing is."""
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
    """What irrun does not run, by how many tests wait for it."""
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
