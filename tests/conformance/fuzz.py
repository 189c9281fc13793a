#!/usr/bin/env python3
"""Compares irrun with OpenVINO and with itself on random models, without end: `make fuzz-diff`.

    fuzz.py IRRUN [--time 10m] [--seed N] [--only NUMBER] [--op NAME...] [--keep DIR]

A case is a model of one op, or a graph of two or three, from the draws of shapes_*.py (fuzz_draw.py). Half of the models
of one op get a fault (model_faults.py).
Valid models: both programs have to infer the same type and shape for each layer and accept the run; results have to be
as near as values.py says. A graph whose outputs differ is judged layer by layer, on irrun's tensors. Runs of irrun with
other kernels, threads, passes, sizes and inputs are compared, and parts of the model (fuzz_irrun.py).
Faulty models: both programs have to refuse the same ones, as faults.py compares. A run of an accepted one must end.
irrun runs in the process that draws the models, OpenVINO in two others. A process that dies is started again; if irrun
worked in it, that is a finding. Known differences are those of values.py, shapes.py and faults.py.
Prints a line for each finding, with the command that repeats it, and keeps its model in DIR. The exit status is 1 if
there is a finding."""

import argparse
import collections
import dataclasses
import multiprocessing
import pathlib
import random
import re
import shutil
import sys
import time
import traceback
import xml.etree.ElementTree as ET

import numpy as np
import openvino as ov
from openvino.passes import ConstantFolding, Manager

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "golden")]

import draw_shapes  # noqa: E402
import fault_deviations  # noqa: E402
import faults  # noqa: E402
import fuzz_deviations  # noqa: E402
import fuzz_draw  # noqa: E402
import fuzz_irrun  # noqa: E402
import shapes  # noqa: E402
import values  # noqa: E402
import values_deviations  # noqa: E402
import values_exact  # noqa: E402
from case_text import text_of, text_of_node  # noqa: E402
from deviations import Deviations  # noqa: E402
from irrun import Error  # noqa: E402
from model_faults import fault_in  # noqa: E402
from oracle import inferred, ir, runtime  # noqa: E402

SECONDS = 240  # time limit of one case
FAULTY = 0.5  # share of models of one op that get a fault
BOUND = 8  # greatest number in the inputs of a layer that is judged by itself: the draws have no greater ones
DECLARED = ["IR301", "IR302"]  # rules of declared types and shapes
INTERNAL = (6, 7)  # statuses that no model may cause


class InProcess(values.Judge):
    """Judges as values.py does, with irrun in this process."""

    def __init__(self, irrun, folder, reference, program):
        super().__init__(irrun, folder, reference, False)
        self.module, self.has_run = program, True

    def run(self, case):
        try:
            return values.EQUAL, "", self.module.run(self.folder / "model.xml", case.inputs, **fuzz_irrun.PLAIN)
        except Error as refused:
            self.has_run = False
            return *refusal(refused), []


def refusal(refused):
    """Returns (what, text) of an error, in the words of values.py."""
    errors = [d for d in refused.diagnostics if d.severity == "error"]
    text = "; ".join(f"{d.rule} {d.message}" for d in errors)
    if errors and {d.rule for d in errors} <= {"IR004", "IR210"}:  # more memory than MOST_MEMORY, or an op that irrun does not run
        return values.NOT_RUN, text
    return (values.CRASHES if refused.status in INTERNAL else values.REFUSES), text


class Worker:
    """Draws and checks cases. `stage` is told what is going on."""

    def __init__(self, options, stage):
        self.options, self.stage = options, stage
        self.folder = options.keep / "current"
        (self.folder / "part").mkdir(parents=True, exist_ok=True)
        self.program = fuzz_irrun.Program(stage)
        self.reference, self.reader = runtime.Runtime(), faults.Runtime()
        draws = shapes.families()
        self.draws = [(op, draw) for op, draw in draws.items() if values.chosen(op, options.op)]
        known = [*draws, "Convert-1", "Reshape-1"]
        self.of_values = Deviations(values_deviations.DEVIATIONS + fuzz_deviations.DEVIATIONS, known)
        self.of_shapes = Deviations([*map(dataclasses.astuple, shapes.deviations().rows), *fuzz_deviations.DEVIATIONS], known)
        self.of_faults = Deviations(fault_deviations.DEVIATIONS + fuzz_deviations.DEVIATIONS, known)
        draw_shapes.DRAWING["open"] = False

    def check(self, number):
        """Returns (findings, counts). Findings are checked once more with fresh processes of the runtime, because an
        earlier model can have harmed them."""
        findings, counts = self.check_once(number)
        if findings:
            self.stop()
            findings, counts = self.check_once(number)
        return findings, counts

    def stop(self):
        self.reference.stop()
        self.reader.stop()

    def check_once(self, number):
        rng, self.counts = random.Random(f"{self.options.seed} {number}"), collections.Counter()
        for path in self.folder.glob("*.*"):
            path.unlink()
        self.stage("drawing")
        drawn = fuzz_draw.draw(rng, self.draws)
        if drawn is None:
            self.counts["not drawn"] += 1
            return [], self.counts
        self.name = drawn.name()
        has_fault = len(drawn.ops) == 1 and re.fullmatch(r"\w+-\d+", self.name) and rng.random() < FAULTY
        check = self.check_fault if has_fault else self.check_valid
        try:
            found = check(rng, drawn)
        except Exception:  # pylint: disable=broad-except # a fault of this program
            found = [("this program fails", traceback.format_exc())]
        return [(f"{self.name}: {what}", text) for what, text in found], self.counts

    # ---- valid models ----

    def save(self, name, model, **inputs):
        """Writes a model and its inputs. Returns its path."""
        path = self.folder / f"{name}.xml"
        ov.save_model(model, path, compress_to_fp16=False)
        for key, arrays in inputs.items():
            np.savez(self.folder / f"{key}.npz", **arrays)
        return path

    def check_valid(self, rng, drawn):
        self.counts["models of one op" if len(drawn.ops) == 1 else "graphs"] += 1
        try:
            path = self.save("model", drawn.case.model, inputs=drawn.case.inputs, more=drawn.more)
        except RuntimeError:
            self.counts["graphs that the runtime does not write"] += 1
            return []
        if len(drawn.ops) > 1 and self.is_known_refusal(drawn, errors_of(self.program.load(path).check())):
            self.counts["graphs that are refused for a known reason"] += 1
            return []
        found = self.check_shapes(drawn, path, drawn.case.model)
        ran, more = self.check_values(drawn, path)
        found += more
        if not ran:
            return found
        try:
            found += fuzz_irrun.variants(self.program, path, drawn.case.inputs, drawn.more, self.counts)
            found += fuzz_irrun.Parts(self.program, path, drawn.case.inputs, self.folder / "part", self.counts).compare(rng)
            if drawn.opened:
                found += self.check_opened(drawn, path)
        except Error as refused:  # IR210: a pass can remove a layer that irrun does not run
            what, text = refusal(refused)
            self.counts[f"refused in another way: {what}"] += 1
            found += [] if what == values.NOT_RUN else [("refused in another way", text)]
        return found + (self.check_larger(drawn) if drawn.larger else [])

    def check_shapes(self, drawn, path, model):
        """Compares types and shapes of all layers. In a graph, some are needed by no output, and
        some have other ranks than their draw gave them."""
        report, found = fuzz_irrun.report_of(self.program.load(path, allow=["IR109", "IR315"] if len(drawn.ops) > 1 else [])), []
        what, text = shapes.compare({**report, "layers": []}, [], None)
        told = [(what, self.name, text_of(model), text)] if what else []
        nodes = inferred.nodes_of(model)
        for layer in report["layers"]:
            node = nodes.get(layer["name"])
            if layer["op"] == "Result" or node is None or node.get_output_size() != len(layer["outputs"]):
                continue
            if any(inferred.compare(inferred.reported(value), inferred.of_runtime(port)) for value, port in zip(layer["inputs"], node.inputs())):
                continue  # a difference follows from that of an earlier layer
            op = next((op for op in drawn.ops if op.startswith(f"{layer['op']}-")), f"{layer['op']}-{layer['version']}")
            for port, (value, output) in enumerate(zip(layer["outputs"], node.outputs())):
                mine, theirs = inferred.reported(value), inferred.of_runtime(output)
                self.counts["inferred outputs of layers"] += 1
                if (what := inferred.compare(mine, theirs)) not in (None, "tighter"):
                    told.append((what, op, text_of_node(node), f"output {port} is {mine}, expected {theirs}"))
        for what, op, case, text in told:
            if not self.of_shapes.reason_of(what, op, case, text):
                found.append((f"inferred: {what}", f"{text} {case[:300]}"))
        return found

    def check_values(self, drawn, path):
        """Compares the outputs with the runtime's. Returns whether irrun ran the model, and the findings."""
        if len(drawn.ops) == 1:
            found = self.judge(drawn.ops[0], drawn.case)
            return self.judged.has_run, found
        self.stage("OpenVINO runs a graph")
        theirs = self.reference.run(path.read_text(), path.with_suffix(".bin").read_bytes(), drawn.case.inputs.values())
        try:
            arrays = self.program.run(path, drawn.case.inputs, **fuzz_irrun.PLAIN)
        except Error as refused:
            what, text = refusal(refused)
            self.counts[f"graphs: {what}"] += 1
            nodes = [(op, text_of_node(node)) for op in drawn.ops for node in drawn.case.model.get_ops() if node.get_type_name() == op.rpartition("-")[0]]
            is_known = what == values.NOT_RUN or (what == values.REFUSES and theirs.failed)
            is_known = is_known or any(self.of_values.reason_of(what, op, case, text) for op, case in nodes)
            return False, [] if is_known or self.is_known_refusal(drawn, errors_of(refused.diagnostics)) else [(what, text)]
        if theirs.failed:
            self.counts["graphs: runtime fails"] += 1
            return True, []
        text = fuzz_irrun.differing(arrays, theirs.arrays)
        self.counts["graphs: layer by layer" if text else "graphs: equal"] += 1
        return True, self.check_layers(drawn, path) if text else []

    def judge(self, op, case):
        """Judges a model of one op as values.py does."""
        self.stage(f"OpenVINO runs {op}")
        self.judged = InProcess(self.options.irrun, self.folder / "part", self.reference, self.program)
        what, text = self.judged.judge(op, case)
        self.counts[f"one op: {what}"] += 1
        is_known = what not in values.WRONG or self.of_values.reason_of(what, op, case.text, text)
        return [] if is_known else [(f"{op} {what}", f"{text} {case.text[:300]}")]

    def check_layers(self, drawn, path):
        """Compares each layer of a graph by itself, on irrun's tensors. A layer that differs is judged as a model of one
        op."""
        parts, found = fuzz_irrun.Parts(self.program, path, drawn.case.inputs, self.folder / "part", self.counts), []
        for layer in fuzz_irrun.layers_to_cut(parts.model):
            part = parts.single(layer)
            is_state = parts.model.layers[layer].type == "ReadValue"  # the runtime does not run it without an Assign
            if part is None or is_state or not all(is_usual(array) for array in part[1].values()):
                self.counts["layers that are not judged"] += 1
                continue
            path, inputs, mine = part
            self.stage("OpenVINO runs a layer")
            theirs = self.reference.run(path.read_text(), path.with_suffix(".bin").read_bytes(), inputs.values())
            if theirs.failed or not fuzz_irrun.differing(mine, theirs.arrays):
                self.counts[f"layers: {'runtime fails' if theirs.failed else 'equal'}"] += 1
                continue
            model, op = folded(path), f"{parts.model.layers[layer].type}-{parts.model.layers[layer].version}"
            for nodes, letter in ((model.get_parameters(), "x"), (model.get_results(), "y")):
                for i, node in enumerate(nodes):
                    node.set_friendly_name(f"{letter}{i}")
            if has_usual_constants(model):
                found += self.judge(op, values.Case(model, inputs, text_of(model)))
        return found

    def check_opened(self, drawn, path):
        """Checks the model with open sizes. It has to give the same bits."""
        opened = self.save("opened", drawn.opened)
        self.counts["opened models"] += 1
        found = self.check_shapes(drawn, opened, drawn.opened)
        how = {**fuzz_irrun.PLAIN, "allow": DECLARED}
        text = fuzz_irrun.other_bits(*(self.program.run(one, drawn.case.inputs, **how) for one in (opened, path)))
        return found + ([("with open sizes", text)] if text else [])

    def check_larger(self, drawn):
        path = self.save("larger", drawn.larger.model, larger=drawn.larger.inputs)
        self.counts["larger models"] += 1
        try:
            return fuzz_irrun.variants(self.program, path, drawn.larger.inputs, None, self.counts)
        except Error as refused:
            what, text = refusal(refused)  # larger inputs are not drawn, so the page can forbid the run
            self.counts[f"larger models: {what}"] += 1
            return [("larger", text)] if what == values.CRASHES else []

    def is_known_refusal(self, drawn, errors):
        """Returns whether irrun refuses a graph for known reasons. The shape that a layer gets in a graph can be one that
        its draw would not give it, as if it had a fault. `errors` are texts such as "IR207: axis is 2; ..."."""
        reasons = [
            any(self.of_faults.reason_of("stricter", op, f"{kind} ", text) for op in drawn.ops for kind in ("input_rank", "input_size")) for text in errors
        ]
        return bool(errors) and all(reasons)

    # ---- faulty models ----

    def check_fault(self, rng, drawn):
        """Checks a model of one op with a fault. In a graph, irrun would not report what follows from the fault."""
        self.counts["models with a fault"] += 1
        op, valid = drawn.ops[0], self.save("valid", drawn.opened or drawn.case.model)
        fault = fault_in(rng, op.rpartition("-")[0], ET.fromstring(valid.read_bytes()), bytearray(valid.with_suffix(".bin").read_bytes()))
        path = self.folder / "model.xml"
        path.write_bytes(ET.tostring(fault.tree))
        path.with_suffix(".bin").write_bytes(fault.contents)
        try:
            model = self.program.load(path, allow=DECLARED)
            report = fuzz_irrun.report_of(model)
        except Error as refused:
            model, report = None, fuzz_irrun.report_of(None, refused.diagnostics)
        self.stage("OpenVINO reads a model with a fault")
        expected, message = self.reader.ask(path)
        what, texts = faults.difference(report, expected, message)
        if what == "tighter":
            what, text = shapes.compare_outputs(report, expected, self.reader.ask(path, instances=True)[0] or [])
            texts = [text]
        if message == faults.DIED:
            what = None
        self.counts[f"faults: {what or (message if message == faults.DIED else 'both refuse' if expected is None else 'both accept')}"] += 1
        unknown = [] if what in (None, "tighter") else [t for t in texts if not self.of_faults.reason_of(what, op, str(fault), t)]
        found = [(what, text) for text in unknown] + (self.run_fault(rng, path, model) if model and not has_errors(report) else [])
        return [(f"{fault}: {what}", text) for what, text in found]

    def run_fault(self, rng, path, model):
        """Runs a model with a fault that irrun accepts, on any inputs. It may refuse the inputs."""
        if any(value.type not in ir.TYPES or value.shape is None for value in model.inputs):
            return []
        inputs = {f"x{i}": any_array(rng, value) for i, value in enumerate(model.inputs)}
        np.savez(self.folder / "inputs.npz", **inputs)
        try:
            self.counts["runs of models with a fault"] += 1
            return fuzz_irrun.variants(self.program, path, inputs, None, self.counts, allow=DECLARED)
        except Error as refused:
            what, text = refusal(refused)
            return [("run", text)] if what == values.CRASHES else []


def errors_of(diagnostics):
    return [f"{d.rule}: {d.message}" for d in diagnostics if d.severity == "error"]


def has_errors(report):
    return any(d["severity"] == "error" for d in report["diagnostics"])


def folded(path):
    """Returns the model of a file, with Constants in place of layers that depend on constants alone."""
    model, manager = ov.Core().read_model(path), Manager()
    manager.register_pass(ConstantFolding())
    manager.run_passes(model)
    return model


def has_usual_constants(model):
    nodes = [node for node in model.get_ops() if node.get_type_name() == "Constant" and node.get_element_type().get_type_name() in ir.FLOATS]
    return all(is_usual(values_exact.constant_of(node)) for node in nodes)


def is_usual(array):
    return array.dtype.kind == "b" or bool((np.abs(array.astype(np.float64)) <= BOUND).all())


def any_array(rng, value):
    shape = [dim if isinstance(dim, int) else max(dim[0], min(3, dim[1] or 3)) for dim in value.shape]
    shape = [min(size, 100_000) for size in shape]
    if np.prod(shape, dtype=float) > 1e6:
        shape = [min(size, 3) for size in shape]
    return np.random.default_rng(rng.getrandbits(32)).uniform(-3, 4, shape).astype(ir.dtype_of(value.type))


# ---- the process that watches ----


def serve(pipe, shared, options):
    """Checks the cases whose numbers come through the pipe."""
    worker = Worker(options, fuzz_irrun.Stage(shared))
    while (number := pipe.recv()) is not None:
        pipe.send(worker.check(number))
    worker.stop()


class Watch:
    """Checks cases in a child process, and starts another one if it dies."""

    def __init__(self, options):
        self.options, self.process, self.pipe = options, None, None

    def check(self, number):
        """Returns (findings, counts) of a case."""
        context = multiprocessing.get_context("spawn")
        if not self.process:
            self.pipe, far = context.Pipe()
            self.shared = context.Array("c", 200)
            self.process = context.Process(target=serve, args=(far, self.shared, self.options))
            self.process.start()
            far.close()
        self.pipe.send(number)
        try:
            if self.pipe.poll(SECONDS):
                return self.pipe.recv()
            how = f"no answer in {SECONDS} s"
        except (EOFError, ConnectionError):
            self.process.join()
            how = f"died with status {self.process.exitcode}"
        stage = bytes(self.shared[:]).partition(b"\0")[0].decode()
        if not stage:
            sys.exit(f"the process that checks did not start: it {how}")
        self.process.kill()
        self.process.join()
        self.process = None
        is_irrun = stage.startswith("irrun")
        return ([("crash", f"{how} in {stage}")] if is_irrun else []), collections.Counter({f"{how} in {stage.partition(' ')[0]}": 1})

    def stop(self):
        if self.process:
            self.pipe.send(None)
            self.process.join()


def seconds_of(text):
    found = re.fullmatch(r"(\d+)([smh]?)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text}: expected a time such as 90s, 10m or 2h")
    return int(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def parser():
    made = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    made.add_argument("irrun")
    made.add_argument("--time", type=seconds_of, default="10m")
    made.add_argument("--seed", type=int, default=int(time.time()))
    made.add_argument("--only", type=int, metavar="NUMBER", help="one case")
    made.add_argument("--op", nargs="*", default=[])
    made.add_argument("--keep", type=pathlib.Path, default=HERE.parents[1] / "build/fuzz-diff", metavar="DIR")
    return made


def main():
    options = parser().parse_args()
    begin, number, total, n_found = time.monotonic(), options.only or 0, collections.Counter(), 0
    print(f"SEED={options.seed}", flush=True)
    watch = Watch(options)
    while True:
        findings, counts = watch.check(number)
        total += counts
        for what, text in findings:
            n_found += 1
            kept = options.keep / f"{options.seed}-{number}"
            shutil.copytree(options.keep / "current", kept, dirs_exist_ok=True)
            print(f"FINDING {what}: {text}\n  make fuzz-diff SEED={options.seed} ONLY={number}   # kept in {kept}", flush=True)
        number += 1
        if options.only is not None or time.monotonic() - begin > options.time:
            break
    watch.stop()
    print(f"{number - (options.only or 0)} models in {time.monotonic() - begin:.0f} s; SEED={options.seed}")
    for what, count in sorted(total.items()):
        print(f"{count:8} {what}")
    print(f"{n_found} findings")
    return n_found > 0


if __name__ == "__main__":
    sys.exit(main())
