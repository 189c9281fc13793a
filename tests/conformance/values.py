#!/usr/bin/env python3
"""Compares irrun's results with the reference runtime's, on random models of one op.

    values.py IRRUN [--seed N] [--count N] [--op NAME...] [--keep DIR] [--all]

Uses the models of shapes.py with known sizes, and contents that a run allows (values_contents.py). values_near.py has
the tolerances of floats. Integers and booleans must be equal.
Prints a line for each op, and the folder of each difference without a reason (values_deviations.py). `irrun
DIR/model.xml -i DIR/inputs.npz -e DIR/expected.npz` repeats the comparison.
Ops that irrun cannot run are counted. With --all, the runtime runs them too, which shows whether their contents are
allowed."""

import argparse
import collections
import dataclasses
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import openvino as ov

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import draw_shapes  # noqa: E402
from oracle import ir, near, refusals, runtime  # noqa: E402
from case_text import text_of  # noqa: E402
from program import Crash, Program  # noqa: E402
from shapes import families  # noqa: E402
from deviations import Deviations, is_default  # noqa: E402
from exact_elementwise import ELEMENTWISE  # noqa: E402
from values_contents import NoContents, draw_contents, with_constants  # noqa: E402
from values_deviations import DEVIATIONS  # noqa: E402
from values_exact import EXACT, exact_outputs, inputs_of  # noqa: E402
from values_near import beyond_exact, measures_of  # noqa: E402

ELEMENTS = 600  # elements that an input should have at most; ten draws are tried
EQUAL, DIFFERS, REFUSES, CRASHES, NOT_RUN, FAILED = "equal", "differs", "irrun refuses", "irrun crashes", "not run", "runtime fails"
EXPLAINED, WRONG = "explained", (DIFFERS, REFUSES, CRASHES)
SHOWN = 3  # differences that are printed for each op
MORE = {"If-8": 3, "Pad-12": 5}  # {op: factor of its number of cases}, for ops whose known differences are rare
ROWS = ["NonMaxSuppression-1", "NonMaxSuppression-3", "NonMaxSuppression-4"]  # the runtime returns fewer rows


@dataclasses.dataclass
class Case:
    model: ov.Model
    inputs: dict  # {name: array} in the order of the Parameters
    text: str


def draw_case(rng, draw):
    """Draws a case. Raises if the runtime refuses the model, or if no contents are possible."""
    draw_shapes.NUMBERS_OF.clear()
    made = draw(rng)
    return case_of(made[0] if isinstance(made, tuple) else made, np.random.default_rng(rng.getrandbits(32)))


def case_of(model, contents):
    """Returns the case of a model with contents drawn by the generator `contents`. Names inputs and outputs."""
    model = with_constants(model, contents)
    model.validate_nodes_and_infer_types()
    for i, result in enumerate(model.get_results()):
        result.set_friendly_name(f"y{i}")
        if result.get_element_type().get_type_name() not in ir.TYPES:
            raise NoContents("type of an output")
    inputs = draw_contents(model, contents)
    for i, parameter in enumerate(model.get_parameters()):
        parameter.set_friendly_name(f"x{i}")
    return Case(model, {f"x{i}": array for i, array in enumerate(inputs.values())}, text_of(model))


def draw_small_case(rng, draw):
    """Draws a case that is small and, mostly, has output elements."""
    for _ in range(10):
        case = draw_case(rng, draw)
        sizes = [array.size for array in case.inputs.values()]
        is_empty = 0 in sizes or any(output.get_partial_shape().is_static and 0 in output.get_shape() for output in case.model.outputs)
        if max(sizes, default=0) <= ELEMENTS and (not is_empty or rng.random() < 0.05):
            break
    return case


def draw_cases(op, draw, options):
    """Returns as many cases as requested, if the op allows, and the message of the last refusal."""
    rng, cases, refused = random.Random(f"{options.seed} {op}"), [], ""
    for _ in range(6 * options.count + 60):
        if len(cases) == options.count:
            break
        try:
            cases.append(draw_small_case(rng, draw))
        except Exception as error:  # pylint: disable=broad-except # any exception of the binding is a refusal
            refused = str(error).strip().splitlines()[-1]
    return cases, refused


def rows_of_both(got, want):
    """Returns the rows that both arrays have, if irrun's further rows are all -1, which marks the end."""
    count = min(len(got), len(want))
    return (got[:count], want[:count]) if (got[count:] == -1).all() else (got, want)


def first_difference(arrays, wanted, measures):
    """Returns the text of the first difference, or "". `measures` has a function for each output that compares
    elements."""
    found = [near.difference(got, want, measure) for got, want, measure in zip(arrays, wanted, measures, strict=True)]
    return next((f"output {i}: {text}" for i, text in enumerate(found) if text), "")


def exact_difference(op, node, given, arrays, outputs):
    """Returns the text of the first difference from the exact model, or "". Exact numbers are rounded to the output's
    type, ties to either side, and wrap in integer types."""
    for i, (got, want) in enumerate(zip(arrays, outputs, strict=True)):
        if got.shape != want.shape:
            return f"output {i}: {got.dtype}{list(got.shape)}, expected {list(want.shape)}"
        if got.dtype.kind in "iu" and want.dtype.kind == "f":
            wrong = (got != wrapped(np.floor(want + 0.5 - 1e-4), got.dtype)) & (got != wrapped(np.ceil(want - 0.5 + 1e-4), got.dtype))
        elif got.dtype.kind in "iub":
            wrong = got != want.astype(got.dtype)
        else:
            wrong = beyond_exact(op, node, given, got, want.astype(np.float64))
        if wrong.any():
            at = np.unravel_index(np.argmax(wrong), got.shape)
            return f"output {i}: {int(wrong.sum())} of {wrong.size} elements differ, first at {[int(k) for k in at]}: {got[at]}, by the page {want[at]}"
    return ""


def wrapped(numbers, dtype):
    """Converts numbers to the type. Numbers within i64 wrap; for larger numbers any result is right."""
    with np.errstate(invalid="ignore"):
        return numbers.astype(np.int64).astype(dtype)


class Judge:
    def __init__(self, irrun, folder, reference, always):
        self.program, self.folder, self.reference, self.always = Program(irrun, folder), pathlib.Path(folder), reference, always

    def judge(self, op, case):
        """Judges a case. Returns (what, text)."""
        ov.save_model(case.model, self.folder / "model.xml", compress_to_fp16=False)
        np.savez(self.folder / "inputs.npz", **case.inputs)
        what, text, arrays = self.run(case)
        if what == CRASHES or (what == NOT_RUN and not self.always):
            return what, text
        xml, weights = (self.folder / "model.xml").read_text(), (self.folder / "model.bin").read_bytes()
        theirs = self.reference.run(xml, weights, case.inputs.values())
        if theirs.failed:
            return FAILED, f"{theirs.failed}: {theirs.reason.splitlines()[-1]}"
        np.savez(self.folder / "expected.npz", **{f"y{i}": array for i, array in enumerate(theirs.arrays)})
        if what != EQUAL:
            return what, text
        wanted = theirs.arrays
        if op in ROWS:
            arrays, wanted = zip(*map(rows_of_both, arrays, wanted))
        node = case.model.get_results()[0].input_value(0).get_node()
        if node.get_type_name() in ELEMENTWISE:  # only the exact model judges elementwise ops
            measures = [near.differing] * len(wanted)
        else:
            measures = measures_of(op, (xml, weights), case.inputs, self.reference, wanted)
        return self.judge_exactly(op, node, case, arrays, first_difference(arrays, wanted, measures))

    def judge_exactly(self, op, node, case, arrays, text):
        """Returns (what, text). `text` is the difference from the runtime. The exact model judges elementwise ops
        always, other ops in EXACT if there is a difference."""
        is_judged = node.get_type_name() in EXACT and (text or node.get_type_name() in ELEMENTWISE)
        outputs = exact_outputs(node, case.inputs) if is_judged else None
        if outputs is None:
            return (DIFFERS if text else EQUAL), text
        wrong = exact_difference(op, node, inputs_of(node, case.inputs), arrays, outputs)
        return (DIFFERS, wrong) if wrong else (EXPLAINED, EXACT[node.get_type_name()][1]) if text else (EQUAL, "")

    def run(self, case):
        """Runs irrun. Returns (what, text, arrays)."""
        names = [f"y{i}" for i in range(len(case.model.outputs))]
        words = [word for name in names for word in ("-o", f"{name}={name}.npy")]
        try:
            done = self.program.run("model.xml", *(["-i", "inputs.npz"] if case.inputs else []), *words)
        except (Crash, subprocess.TimeoutExpired) as error:
            return CRASHES, str(error), []
        if done.returncode == 0:
            return EQUAL, "", [self.program.load(name) for name in names]
        errors = refusals.errors_of(done.stderr.decode(errors="replace"))
        if missing := refusals.missing_of(errors):
            return NOT_RUN, ", ".join(missing), []
        return REFUSES, "; ".join(f"{rule} {text}" for text, rule in errors), []


def check_op(op, draw, known, options, judge):
    """Returns (counts, number of cases that differ without a reason)."""
    cases, refused = draw_cases(op, draw, argparse.Namespace(seed=options.seed, count=options.count * MORE.get(op, 1)))
    counts, reasons, missing, wrong, failure = collections.Counter(), collections.Counter(), set(), 0, ""
    for number, case in enumerate(cases):
        what, text = judge.judge(op, case)
        reason = text if what == EXPLAINED else known.reason_of(what, op, case.text, text) if what in WRONG else None
        counts[EXPLAINED if reason else what] += 1
        if reason:
            reasons[reason] += 1
        elif what in WRONG:
            wrong += 1
            if wrong <= SHOWN:
                kept = options.keep / op.replace(" ", "_") / str(number)
                shutil.copytree(judge.folder, kept, dirs_exist_ok=True)
                print(f"{kept}: {what}: {text}\n  {case.text[:400]}")
        elif what == NOT_RUN:
            missing.add(text)
        elif what == FAILED:
            failure = text
    told_counts = ", ".join(f"{n} {what}" for what, n in counts.items())
    more = [*(f"{n} because {reason}" for reason, n in reasons.items()), *([f"it says: {failure}"] if failure else [])]
    more += [f"not run: {'; '.join(sorted(missing)[:SHOWN])}"] if missing - {op} else []
    print("; ".join([f"{op}: {told_counts or f'none drawn: {refused}'}", *more]), flush=True)
    return counts, wrong


def parser():
    made = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    made.add_argument("irrun")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--count", type=int, default=20)
    made.add_argument("--op", nargs="*", default=[])
    made.add_argument("--keep", type=pathlib.Path, default=HERE.parents[1] / "build/values", metavar="DIR")
    made.add_argument("--all", action="store_true", help="the runtime runs what irrun does not")
    return made


def chosen(op, names):
    """Returns whether the names include the op, such as Add-1, with or without its version."""
    return not names or op in names or op.rsplit("-", 1)[0] in names


def main():
    options = parser().parse_args()
    draw_shapes.DRAWING["open"] = False
    total, drawn, wrong, ran = collections.Counter(), {}, 0, 0
    draws = families()
    known = Deviations(DEVIATIONS, draws)
    with runtime.Runtime() as reference, tempfile.TemporaryDirectory() as folder:
        judge = Judge(options.irrun, folder, reference, options.all)
        for op, draw in draws.items():
            if chosen(op, options.op):
                counts, differ = check_op(op, draw, known, options, judge)
                drawn[op] = sum(counts.values())
                total, wrong, ran = total + counts, wrong + differ, ran + (counts[EQUAL] > 0)
        print(f"{ran} ops ran; of all cases {', '.join(f'{n} {what}' for what, n in total.items())}")
        print(f"the runtime was started anew {reference.restarts} times after it died")
    print(f"{wrong} differences without a reason")
    return wrong + known.tell_faults(drawn, is_default(parser(), options)) > 0


if __name__ == "__main__":
    sys.exit(main())
