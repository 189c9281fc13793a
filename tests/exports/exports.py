"""Exports language models, compresses some, and compares irrun with OpenVINO at every step of some conversations.
usage: exports.py IRRUN FOLDER TRANSFORMERS4 [--only REGEX]
Models are kept in FOLDER: a second run only compares. TRANSFORMERS4 is a folder with the older transformers, which
some architectures need. Prints a row for each model: the largest differences relative to the largest logit, or why it
was not compared. The status is 1 if a model was not made, or if irrun differs from OpenVINO or fails."""

import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "golden")]

import architectures  # noqa: E402
from MAKE_LANGUAGE import CONFIG, NEAR, Trial, distance  # noqa: E402

PROMPT, GREEDY, HIDDEN = 7, 8, 2  # ids of a prompt, ids that follow it, ids of the padding
VOCABULARY = 900  # less than every model has
CACHED = 4  # size of Mamba's window, which the first step fills
EQUAL, REFUSED = "equal", "refused by OpenVINO"  # results that are no fault of irrun


# ---- making models ----


def make_missing(folder, older, models):
    """Makes the models that FOLDER lacks: first the exports, of which the others are made."""
    def is_missing(model):
        recipe = folder / model / "recipe"
        return not recipe.exists() or recipe.read_text(encoding="utf-8") != architectures.recipe(model)

    exports = dict.fromkeys(f"{model.split('/')[0]}/f32" for model in models)
    groups = [[name for name in exports if architectures.ARCHITECTURES[name.split("/")[0]].older == is_older] for is_older in (False, True)]
    groups.append([model for model in models if model not in exports])
    (folder / "log").unlink(missing_ok=True)
    for group, path in zip(groups, ("", older, "")):
        missing = list(filter(is_missing, group))
        for model in missing:
            shutil.rmtree(folder / model, ignore_errors=True)  # one of an older row
        if missing:
            command = [sys.executable, "-B", HERE / "make_models.py", folder, *missing]
            print("making " + ", ".join(missing), flush=True)
            with open(folder / "log", "a", encoding="utf-8") as log:
                subprocess.run(command, env=os.environ | {"PYTHONPATH": str(path)}, stderr=log, check=False)


# ---- conversations ----


def conversation(names, lengths, beams=None, hidden=0):
    """Returns the inputs of steps with so many ids, as optimum-intel makes them. `hidden`: so many ids at the start of
    the last sequence are padding. `beams`: two sequences are read, and reordered before each step."""
    rng, past, result = np.random.default_rng(sum(lengths)), 0, []
    batch = 1 if beams is None else 2
    for i, length in enumerate(lengths):
        mask = np.ones((batch, past + length), np.int64)
        mask[-1, :hidden] = 0
        positions = np.where(mask == 0, 1, np.cumsum(mask, 1) - 1)[:, past:]
        window = np.array([past]) if past else np.arange(CACHED)
        step = {
            "input_ids": rng.integers(3, VOCABULARY, (batch, length)),
            # A model that keeps a window of ids, not all ids, needs the mask of the new ones.
            "attention_mask": mask[:, past:] if "cache_position" in names else mask,
            "position_ids": positions,
            "cache_position": window,
            "beam_idx": np.array(beams[i] if beams else range(batch), np.int32),
        }
        result.append({name: step[name] for name in names})
        past += length
    return result


def conversations(names):
    # A model that keeps a window reads one id at a time after the prompt.
    more = 1 if "cache_position" in names else 2
    lengths = (PROMPT, 1, 1, more, 1)
    return {
        "one": conversation(names, (PROMPT, 1, 1, 1, 1)),
        "beams": conversation(names, lengths, [[0, 1], [1, 0], [1, 1], [0, 1], [0, 0]]),
        "padded": conversation(names, lengths, [[0, 1]] * len(lengths), HIDDEN),
    }


# ---- OpenVINO, in a process of its own, which it can end ----


def greedy(infer, names):
    """Returns the prompt, and the ids that follow it."""
    steps = conversation(names, (PROMPT, *[1] * (GREEDY - 1)))
    prompt, ids = steps[0]["input_ids"], []
    for step in steps:
        if ids:
            step["input_ids"] = np.array([ids[-1:]])
        ids.append(int(infer(step)[0, -1].argmax()))
    return prompt[0].tolist(), ids


def openvino_answers(path):
    """Returns conversations with the logits of their steps, and a greedy one."""
    import openvino

    core = openvino.Core()
    model = core.read_model(path)
    names = [name for port in model.inputs for name in port.names]
    request = core.compile_model(model, "CPU", CONFIG).create_infer_request()
    talks = conversations(names)
    logits = {}
    for kind, steps in talks.items():
        request.reset_state()
        logits[kind] = [np.array(request.infer(step)["logits"]) for step in steps]
    request.reset_state()
    return talks, logits, greedy(lambda step: np.array(request.infer(step)["logits"]), names)


def ask_openvino(path):
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(openvino_answers, path).result()


# ---- comparison ----


def checked(irrun, model):
    """Returns the number of errors and warnings of the model, by rule."""
    done = subprocess.run([irrun, "--check-shapes", "-q", model], capture_output=True, text=True, check=False)
    rules = collections.Counter(re.findall(r"(error|warning): .*\[(IR\d+)", done.stderr))
    if done.returncode != 0 and not rules:
        raise ValueError(f"--check-shapes: {done.stderr.strip() or f'status {done.returncode}'}")
    return ", ".join(f"{n} {kind}{'s' * (n > 1)} {rule}" for (kind, rule), n in rules.items()) or "ok"


def distance_of(irrun, model, kind, steps, wanted):
    """Returns how far irrun's logits are from OpenVINO's. A conversation of one sequence tests --llm, too."""
    words = []
    if kind == "one":
        steps, words = [{"input_ids": step["input_ids"]} for step in steps], ["--llm"]
    with tempfile.TemporaryDirectory() as scratch:
        got = Trial(irrun, model, pathlib.Path(scratch), steps).run(0, len(steps), *words)
    if kind == "padded":  # padding has no meaning, and a row of attention without a source is not the same everywhere
        got[0][-1, :HIDDEN] = wanted[0][-1, :HIDDEN] = 0
    return distance(got, wanted)


def greedy_of(irrun, model, prompt):
    command = [irrun, model, "-q", "--greedy", str(GREEDY), "-i", f"input_ids={','.join(map(str, prompt))}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ValueError(f"--greedy: {done.stderr.strip()}")
    return [int(word) for word in re.findall(r"\d+", done.stdout)]


def compare(irrun, model, answers):
    """Returns cells of the model's row, and whether irrun agrees with OpenVINO."""
    talks, logits, (prompt, ids) = answers
    cells = [checked(irrun, model)]
    good = "error" not in cells[0]
    for kind, steps in talks.items():
        far = distance_of(irrun, model, kind, steps, logits[kind])
        good = good and far <= NEAR  # not if it is NaN
        cells.append(f"{far:.1e}" + ("" if far <= NEAR else " DIFFERS"))
    same = greedy_of(irrun, model, prompt) == ids
    return [*cells, "equal" if same else "DIFFERS"], good and same


def outcome(irrun, model):
    """Returns cells of the model's row and what main counts."""
    if not model.exists():
        return ["not made"], "not made"
    try:
        answers = ask_openvino(model)
    except (RuntimeError, concurrent.futures.BrokenExecutor) as error:
        return [f"{REFUSED}: {str(error).strip().splitlines()[-1]}"], REFUSED
    try:
        cells, good = compare(irrun, model, answers)
    except ValueError as error:
        return ["irrun FAILS: " + str(error).replace("\n", " ")], "failed in irrun"
    return cells, EQUAL if good else "different"


def row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("irrun", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("transformers4", type=pathlib.Path)
    parser.add_argument("--only", metavar="REGEX", default="")
    arguments = parser.parse_args()
    models = [model for model in architectures.models() if re.search(arguments.only, model)]
    make_missing(arguments.folder.resolve(), arguments.transformers4.resolve(), models)
    counts = collections.Counter()
    row(["model", "check", "one sequence", "beams", "padded", "greedy"])
    row(["---", "---", *["---:"] * 3, "---"])
    for model in models:
        cells, result = outcome(arguments.irrun.resolve(), arguments.folder.resolve() / model / "model.xml")
        counts[result] += 1
        row([model, *cells])
    print(f"of {len(models)} models: " + ", ".join(f"{n} {result}" for result, n in counts.items()))
    sys.exit(0 if models and not counts.keys() - {EQUAL, REFUSED} else 1)


if __name__ == "__main__":
    main()
