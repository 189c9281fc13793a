#!/usr/bin/env python3
"""Makes tests/golden/language: small language models, the inputs of a prompt and of some steps, and the logits that
OpenVINO computes in f32. `make golden` runs this script too.

    MAKE_LANGUAGE.py [--check IRRUN [--only REGEX]]

With --check, writes nothing: compares irrun with OpenVINO, with each setting of SETTINGS, for every combination of
family, weights, group, zero points and batch, and continues from states that were saved (`make language`). The status
is 1 if a model differs."""

import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np
import openvino as ov

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from language_models import FAMILIES, MASKS, Language, build, steps  # noqa: E402
from oracle import files, runtime  # noqa: E402

CONFIG = runtime.CONFIG | {"KV_CACHE_PRECISION": "f32"}
NEAR = 1e-4  # of the largest logit of a step
PASSES = ("widen", "fold", "quantize", "pack", "fuse", "layout")
SETTINGS = ["--threads=1", "--threads=2", "--kernels=plain", *[f"--skip-pass={name}" for name in PASSES]]
GROUPS = {0: 64, 32: 64, 64: 64, 128: 128}  # {size of a group: size of the hidden tensors}

KEPT = [
    Language("llama", hidden=32, batch=4),
    Language("llama", "u4", 32, "each"),
    Language("llama", "f4e2m1", 32, scales="f8e8m0", table="same", batch=4),
    Language("qwen2", "i4", 64, batch=4),
    Language("qwen2", "bf16", hidden=32, mask="booleans"),
    Language("qwen3", "u8", zeros="each", hidden=32, batch=4),
    Language("qwen3", "u2", 64, "one"),
    Language("gemma", "i8", hidden=32, batch=4),
    Language("gemma", "f16", hidden=32),
    Language("phi", "u4", 64, "one", batch=4),
    Language("phi", "nf4", 64, mask="infinities", written_out=True),
    Language("phi3", "f8e4m3", hidden=32, batch=4),
    Language("phi3", "i4", 128, hidden=128),
    Language("llama", "codebook", 64),
    Language("qwen3", "f4e2m1", 32, scales="f8e4m3"),
    Language("gpt2", "u8", zeros="each", hidden=32, batch=4),
]


def all_languages():
    """Yields every combination of KEPT's properties that compressors write."""
    plain = [Language(family, weights) for family in FAMILIES for weights in ("f32", "f16", "bf16")]
    low = [("u8", "each"), ("u8", "one"), ("u4", "each"), ("u4", "one"), ("u2", "each"), ("u2", "one")]
    low += [(weights, "none") for weights in ("i8", "i4", "nf4", "f4e2m1", "f8e4m3", "f8e5m2", "codebook")]
    packed = [
        Language(family, weights, group, zeros, hidden=hidden)
        for family, (weights, zeros), (group, hidden) in itertools.product(FAMILIES, low, GROUPS.items())
    ]
    scaled = [
        Language(family, weights, 32, scales=scales, table="same")
        for family, weights, scales in itertools.product(FAMILIES, ("f4e2m1", "f8e4m3"), ("f8e8m0", "f8e4m3"))
    ]
    forms = [Language(family, "u4", 32, "each", mask=mask, written_out=out) for family in FAMILIES for mask in MASKS for out in (False, True)]
    forms = [form for form in forms if not (form.written_out and form.mask == "booleans")]
    for language in [*plain, *packed, *scaled, *forms]:
        for batch in (1, 4):
            yield Language(**vars(language) | {"batch": batch})


def expected(model, inputs):
    """Returns OpenVINO's logits of each step."""
    request = ov.compile_model(model, "CPU", CONFIG).create_infer_request()
    return [np.array(request.infer(step)["logits"]) for step in inputs]


def distance(got, wanted):
    """Returns the largest difference of a step's logits, relative to the largest one of the step."""
    return float(np.max([np.abs(g - w).max() / np.abs(w).max() for g, w in zip(got, wanted, strict=True)]))


def tolerance(logits):
    return NEAR * float(min(np.abs(step).max() for step in logits))


# ---- golden files ----


def make(folder):
    """Writes a model, and its data set as an archive, for each of KEPT."""
    kept = files.Folder(folder, ["*"])
    tolerances = {}
    with tempfile.TemporaryDirectory() as scratch:
        for language in KEPT:
            path, inputs = pathlib.Path(scratch, "model.xml"), steps(language)
            ov.save_model(build(language), path, compress_to_fp16=False)
            logits = expected(path, inputs)
            tolerances[language.name] = {"atol": tolerance(logits), "rtol": 0}
            members = {f"{language.name}{suffix}": path.with_suffix(suffix).read_bytes() for suffix in (".xml", ".bin")}
            for i, (step, wanted) in enumerate(zip(inputs, logits, strict=True), 1):
                arrays = {f"in/{name}": array for name, array in step.items()} | {"out/logits": wanted}
                members[f"{language.name}/step_{i}/io.npz"] = files.npz(arrays)
            kept.write(f"{language.name}.zip", files.archive(members, files.zipfile.ZIP_DEFLATED))
    kept.write("irrun-test.json", json.dumps({"cases": tolerances}, indent=1) + "\n")
    kept.finish()


# ---- comparison of every combination ----


class Trial:
    """Runs a model in irrun. The inputs and outputs of the steps are files of a folder."""

    def __init__(self, irrun, model, folder, inputs):
        self.irrun, self.model, self.folder = irrun, model, folder
        for i, step in enumerate(inputs):
            np.savez(folder / f"in{i}.npz", **step)

    def run(self, first, last, *words):
        """Runs steps first .. last - 1. Returns their logits."""
        steps_of = [["--step", "-i", self.folder / f"in{i}.npz", "-o", self.folder / f"out{i}.npz"] for i in range(first, last)]
        command = [self.irrun, self.model, "-q", *words, *list(itertools.chain(*steps_of))[1:]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(done.stderr.strip() or f"status {done.returncode}")
        return [np.load(self.folder / f"out{i}.npz")["logits"] for i in range(first, last)]


def trouble(trial, wanted):
    """Returns a text that says in which settings irrun differs from OpenVINO, or continues a saved state with other
    bits; empty: in none."""
    n, found, bits = len(wanted), [], {}
    for setting in SETTINGS:
        got = trial.run(0, n, setting)
        far = distance(got, wanted)
        bits[setting] = [g.tobytes() for g in got]
        if not far <= NEAR:  # also if it is NaN
            found.append(f"{setting} {far:.1e}")
    state = f"{trial.folder}/state.npz"
    halves = trial.run(0, 2, "--save-state", state, "--threads=1") + trial.run(2, n, "--load-state", state, "--threads=1")
    if [half.tobytes() for half in halves] != bits["--threads=1"]:
        found.append("other bits after a saved state")
    return ", ".join(found)


def check(irrun, only):
    n_models = n_wrong = 0
    for language in all_languages():
        if not re.search(only, language.name):
            continue
        n_models += 1
        with tempfile.TemporaryDirectory() as scratch:
            folder, inputs = pathlib.Path(scratch), steps(language)
            model = folder / "model.xml"
            ov.save_model(build(language), model, compress_to_fp16=False)
            try:
                found = trouble(Trial(irrun, model, folder, inputs), expected(model, inputs))
            except ValueError as error:
                found = str(error)
        if found:
            n_wrong += 1
            print(f"{language.name}: {found}", flush=True)
    print(f"{n_models} language models, {n_wrong} differ from OpenVINO")
    return 1 if n_wrong or not n_models else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", metavar="IRRUN")
    parser.add_argument("--only", metavar="REGEX", default="")
    arguments = parser.parse_args()
    if arguments.check:
        sys.exit(check(pathlib.Path(arguments.check).resolve(), arguments.only))
    make(HERE / "language")


if __name__ == "__main__":
    main()
