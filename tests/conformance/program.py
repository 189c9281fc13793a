"""Runs irrun on models, one after the other, in a temporary folder."""

import dataclasses
import json
import math
import pathlib
import re
import subprocess

import numpy as np

from oracle import ir

REFUSALS = (3, 4, 5)  # exit statuses: invalid model, unsupported, bad input


class Crash(Exception):
    """irrun ended with an exit status that is neither success nor a refusal."""


@dataclasses.dataclass
class Answer:
    refused: bool
    message: str = ""
    rules: set = dataclasses.field(default_factory=set)  # ids of the rules that irrun reported as errors
    types: list = None  # type of each output
    shapes: list = None  # inferred shape of each output: (least, most) of each dim, or None if the rank is unknown
    arrays: list = None


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = pathlib.Path(path).resolve(), pathlib.Path(folder)

    def run(self, *arguments):
        done = subprocess.run([self.path, *arguments], check=False, cwd=self.folder, capture_output=True, timeout=60)
        if done.returncode != 0 and done.returncode not in REFUSALS:
            raise Crash(f"irrun {' '.join(arguments)}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def answer(self, model, inputs, options=()):
        """Saves the model and inputs, then checks and runs the model."""
        save(self.folder, model, inputs)
        inputs, outputs = ([layer.name for layer in model.in_order(op)] for op in ("Parameter", "Result"))
        return self.ask("model.xml", inputs, outputs, options)

    def ask(self, path, inputs, outputs, options=()):
        """Checks and runs the model in a file of the folder. The inputs' files are named after the inputs."""
        checked = self.run(path, "--check-shapes", "--json", *options)
        report = json.loads(checked.stdout)["models"][0]
        errors = [(d["rule"], d["message"]) for d in report["diagnostics"] if d["severity"] == "error"]
        message = "; ".join(f"{rule} {text}" for rule, text in errors)
        ran = self.run(path, *options, *file_words("-i", inputs), *file_words("-o", outputs))
        if checked.returncode != 0:
            if ran.returncode == 0:
                raise Crash(f"--check-shapes refuses what runs: {message}")
            return Answer(True, message, {rule for rule, _ in errors})
        types = [output["type"] for output in report["outputs"]]
        shapes = [shape_of(output["shape"]) for output in report["outputs"]]
        if ran.returncode != 0:
            message = ran.stderr.decode()
            return Answer(True, message, set(re.findall(r"error: .* \[(IR\d+) [\w-]+\]$", message, re.M)), types, shapes)
        return Answer(False, "", set(), types, shapes, [self.load(name) for name in outputs])

    def load(self, name):
        array = np.load(self.folder / f"{name}.npy")
        (self.folder / f"{name}.npy").unlink()
        return array.view(ir.dtype_of("bf16")) if array.dtype.kind == "V" else array


def shape_of(dims):
    return None if dims is None else tuple(bounds(dim) for dim in dims)


def bounds(dim):
    """Returns (least, most) of a dim in irrun's report."""
    if isinstance(dim, int):
        return dim, dim
    most = dim and dim["max"]
    return (dim["min"] if dim else 0), (math.inf if most is None else most)


def file_words(option, names):
    return [word for name in names for word in (option, f"{name}={name}.npy")]


def save(folder, model, inputs):
    (folder / "model.xml").write_text(model.xml(), encoding="utf-8")
    (folder / "model.bin").write_bytes(model.blob)
    for layer, array in zip(model.in_order("Parameter"), inputs):
        np.save(folder / f"{layer.name}.npy", array)
