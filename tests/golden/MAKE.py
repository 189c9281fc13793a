#!/usr/bin/env python3
"""Makes the golden cases in this folder: `make golden`.

Expected values are those of OpenVINO's CPU plugin, run twice in fresh processes. A model in exact arithmetic (tests/oracle)
has to agree with it. Where OpenVINO is known not to be exact (f64, integers of 32 bits and more, windows without input, types
that it converts at the boundary of an IR of version 10), the expected values are the exact model's."""

import collections
import io
import pathlib
import shlex
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from cases import all_cases  # noqa: E402
from oracle import evaluation, exact, files, ir, runtime  # noqa: E402
from oracle.ops import OPS  # noqa: E402

GENERATED = ["*/model.xml", "*/model.bin", "*/*.npy", "*/*.npz", "*/*.raw", "*/cmd", "*/exit"]
INEXACT_TYPES = {"f64", "i32", "u32", "i64", "u64"}


def run_all(cases):
    """Outcomes of all cases, in a process of its own."""
    with runtime.Runtime() as reference:
        return [reference.run(case.model.xml(), case.model.blob, case.inputs) for case in cases]


def check_runtime(case, first, second):
    """The runtime takes the model, and its two runs agree in every bit."""
    for outcome in (first, second):
        if outcome.failed:
            raise SystemExit(f"{case.name}: the runtime refuses it: {outcome.reason}")
    if [array.tobytes() for array in first.arrays] != [array.tobytes() for array in second.arrays]:
        raise SystemExit(f"{case.name}: two runs of the runtime differ")


def agree(case, seen, own, doubt):
    """Compares the runtime's output with the exact one, but where it is known to do otherwise."""
    element_type = ir.type_of(own)
    if seen.shape != own.shape:
        raise SystemExit(f"{case.name}: the runtime's shape is {seen.shape}, the exact model's {own.shape}")
    if case.model.version == 10:  # the runtime converts outputs at the boundary of such a model
        seen = seen.astype(own.dtype)
    if seen.dtype != own.dtype:
        raise SystemExit(f"{case.name}: the runtime's type is {seen.dtype}, the exact model's {own.dtype}")
    differs = exact.differing(seen, own, "f32" if element_type == "f64" else element_type) & ~doubt
    if differs.any():
        raise SystemExit(f"{case.name}: runtime {seen[differs][:5]}, exact {own[differs][:5]}")


def expected_values(case, outcome, tally):
    own = evaluation.Evaluation(case.model, case.inputs, OPS)
    result = []
    for i, (value, doubt) in enumerate(zip(own.outputs, own.output_doubts)):
        agree(case, outcome.arrays[i], value, doubt)
        inexact = doubt.any() or ir.type_of(value) in INEXACT_TYPES or outcome.arrays[i].dtype != value.dtype
        tally["exact" if inexact else "runtime"] += 1
        result.append(value if inexact else outcome.arrays[i])
    return result


def tensor_file(folder, stem, array, form, key):
    """Writes a tensor in one of the forms that irrun reads; returns the file's name."""
    if form == "raw":
        folder.write(f"{stem}.raw", array.tobytes())
        return f"{stem}.raw".split("/")[1]
    if form == "npz":
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **{key: array})
        folder.write(f"{stem}.npz", buffer.getvalue())
        return f"{stem}.npz".split("/")[1]
    if form == "fortran":
        array = np.asfortranarray(array)
    elif form == "big_endian":
        array = array.astype(array.dtype.newbyteorder(">"))
    folder.write_array(f"{stem}.npy", array)
    return f"{stem}.npy".split("/")[1]


def write_case(folder, case, expected):
    words = [case.shown or "model.xml", *case.options]
    if not case.shown:
        folder.write_model(f"{case.name}/model", case.model)
    for kind, layers, arrays in (
        ("input", case.model.in_order("Parameter"), case.inputs),
        ("expect", case.model.in_order("Result"), expected),
    ):
        for i, (layer, array) in enumerate(zip(layers, arrays)):
            alone = len(layers) == 1
            stem = {"input": "x", "expect": "expected"}[kind] + ("" if alone else str(i))
            name = tensor_file(folder, f"{case.name}/{stem}", array, case.form, layer.name)
            words += [f"--{kind}", name if alone else f"{layer.output_names or layer.name}={name}"]
    folder.write(f"{case.name}/cmd", shlex.join(words) + "\n")
    if case.exit:
        folder.write(f"{case.name}/exit", f"{case.exit}\n")


def main():
    cases = all_cases()
    folder = files.Folder(HERE, GENERATED)
    tally = collections.Counter()
    for case, first, second in zip(cases, run_all(cases), run_all(cases)):
        check_runtime(case, first, second)
        expected = expected_values(case, first, tally)
        write_case(folder, case, [case.spoil(value) if case.spoil else value for value in expected])
    print(f"{len(cases)} cases; outputs from the runtime: {tally['runtime']}, from the exact model: {tally['exact']}")
    folder.finish()


if __name__ == "__main__":
    main()
