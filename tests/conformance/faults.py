#!/usr/bin/env python3
"""Compares which faulty models irrun and the reference runtime refuse. The models have one op; `make conformance` runs
it too.

    faults.py IRRUN [--seed N] [--count N] [--op NAME...] [--keep DIR]

Changes one detail of each valid model from shapes.py (model_faults.py). Either both must refuse the model, or both
accept it. If both accept it, irrun must infer the same result as the runtime, or a tighter one, as in shapes.py. Any
other difference needs a reason (fault_deviations.py), and so does each error that only irrun reports."""

import argparse
import collections
import json
import multiprocessing
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import openvino as ov

from deviations import Deviations, is_default
from fault_deviations import DEVIATIONS
from model_faults import fault_in
from shapes import compare_outputs, families, inferred, instances_of

BATCH = 100
TIMEOUT = 3
MEMORY = 4 << 30
FAULTS_A_MODEL = 5
DIED = "the runtime crashed or hung"
DEFAULT_DIFFERS = "IR212"  # irrun itself reports that the runtime differs


def answer(path, core, instances):
    """Returns (inferred, message): the runtime's inference, or its message if it refuses the model. If `instances`,
    infers for sizes that the Parameters allow."""
    try:
        model = core.read_model(path)
        return (instances_of(model) if instances else [inferred.of_runtime(output) for output in model.outputs]), None
    except Exception as refused:  # pylint: disable=broad-except
        return None, " ".join(str(refused).split("\n", 1)[-1].split())


def serve(pipe):
    """Runs the runtime in a process of its own, because it can crash."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    core = ov.Core()
    while True:
        path, instances = pipe.recv()
        pipe.send(answer(path, core, instances))


class Runtime:
    def __init__(self):
        self.process = None

    def ask(self, path, instances=False):
        """Returns what answer() returns. If the runtime crashes or hangs, the message says so."""
        if self.process is None:
            context = multiprocessing.get_context("spawn")  # a fork would copy the state of threads
            self.pipe, far = context.Pipe()
            self.process = context.Process(target=serve, args=(far,), daemon=True)
            self.process.start()
            far.close()
        try:
            self.pipe.send((str(path), instances))
            if self.pipe.poll(TIMEOUT):
                return self.pipe.recv()
        except (EOFError, ConnectionError):
            pass
        self.stop()
        return None, DIED

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None


def reports_of(irrun, paths):
    """Returns a report for each model, None if irrun crashes. Ignores declared shapes, which the fault can have made
    wrong."""
    command = [irrun, "--check-shapes", "--json", "-v", "--max-errors=0", "--allow=IR301,IR302", *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if run.returncode in (0, 3, 4, 6):
        return json.loads(run.stdout)["models"]
    return [None] if len(paths) == 1 else [report for path in paths for report in reports_of(irrun, [path])]


def difference(report, expected, message):
    """Returns (what, texts). `what` is "crash", "stricter", "laxer", "type", "shape", .."""
    if report is None:
        return "crash", ["irrun crashes"]
    errors = [f"{d['rule']}: {d['message']}" for d in report["diagnostics"] if d["severity"] == "error"]
    if any(d["rule"] == DEFAULT_DIFFERS for d in report["diagnostics"]):
        return None, []
    if errors and expected is not None:
        return "stricter", errors
    if not errors and expected is None:
        return "laxer", [message]
    what, text = (None, "") if expected is None else compare_outputs(report, expected)
    return what, [text]


def draw_faults(op, draw, options, folder):
    """Returns [(path, fault)]."""
    rng, cases = random.Random(f"{options.seed} {op}"), []
    for _ in range(4 * options.count + 100):
        if len(cases) >= options.count:
            break
        try:
            model = draw(rng)
            model.validate_nodes_and_infer_types()
        except Exception:  # pylint: disable=broad-except
            continue
        path = folder / "valid.xml"
        ov.save_model(model, path, compress_to_fp16=False)
        text, contents = path.read_bytes(), path.with_suffix(".bin").read_bytes()
        for _ in range(FAULTS_A_MODEL):
            fault = fault_in(rng, op.rpartition("-")[0], ET.fromstring(text), bytearray(contents))
            path = folder / f"{op}_{len(cases)}.xml"
            path.write_bytes(ET.tostring(fault.tree))
            path.with_suffix(".bin").write_bytes(fault.contents)
            cases.append((path, fault))
    return cases


def check_op(op, draw, runtime, known, options, folder):
    """Returns the number of cases, the number of differences without a reason, and counts of the known reasons."""
    cases, counts, told = draw_faults(op, draw, options, folder), collections.Counter(), collections.Counter()
    for begin in range(0, len(cases), BATCH):
        batch = cases[begin : begin + BATCH]
        for (path, fault), report in zip(batch, reports_of(options.irrun, [path for path, _ in batch]), strict=True):
            expected, message = runtime.ask(path)
            what, texts = difference(report, expected, message)
            if what == "tighter":
                what, text = compare_outputs(report, expected, (runtime.ask(path, instances=True)[0] or []))
                texts = [text]
            if what in (None, "tighter"):
                counts[what or ("refused" if expected is None else "the same")] += 1
                continue
            reasons = [known.reason_of(what, op, str(fault), text) for text in texts]
            counts["reasons" if all(reasons) else what] += 1
            told.update({reason for reason in reasons if reason})
            if not all(reasons):
                print(f"{path}: {fault}: {what}: {texts[reasons.index(None)]}")
    print(f"{op}: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    right = sum(counts[what] for what in ("reasons", "refused", "the same", "tighter"))
    return len(cases), len(cases) - right + (len(cases) == 0), told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("irrun")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--op", nargs="*", default=[])
    parser.add_argument("--keep", help="a folder for the models; else they are removed")
    options = parser.parse_args()
    draws = {op: draw for op, draw in families().items() if re.fullmatch(r"\w+-[0-9]+", op)}
    wrong, told, runtime, drawn, known = 0, collections.Counter(), Runtime(), {}, Deviations(DEVIATIONS, draws)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.keep or scratch)
        folder.mkdir(exist_ok=True)
        for op, draw in draws.items():
            if not options.op or op in options.op:
                drawn[op], differ, reasons = check_op(op, draw, runtime, known, options, folder)
                wrong += differ
                told += reasons
    runtime.stop()
    for reason, n in told.most_common():
        print(f"{n}: {reason}")
    print(f"{wrong} differences without a reason")
    return wrong + known.tell_faults(drawn, is_default(parser, options)) > 0


if __name__ == "__main__":
    sys.exit(main())
