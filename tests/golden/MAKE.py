#!/usr/bin/env python3
"""Makes the golden cases in this folder: `make golden`.

Expected values are those of OpenVINO's CPU plugin, run twice in fresh processes. A model in exact arithmetic (tests/oracle)
has to agree with it. Where OpenVINO is known not to be exact (f64, integers of 32 bits and more, windows without input, types
that it converts at the boundary of an IR of version 10, and what oracle/ops.py doubts), or a case says why it cannot be asked,
the expected values are the exact model's."""

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
MOST_FILES = 3  # of a case's inputs, and of its outputs
INEXACT_TYPES = {"f64", "i32", "u32", "i64", "u64"}


def run_all(cases):
    """Outcomes of all cases, in a process of its own; None for one that the runtime is not asked."""
    with runtime.Runtime() as reference:
        return [None if case.exact_because else run_case(reference, case) for case in cases]


def run_case(reference, case):
    model = case.reference or case.model
    return reference.run(model.xml(), model.blob, case.inputs)


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
    if case.model.version == 10 or case.reference:
        # The runtime converts outputs at the boundary of such a model; indices of a reference may have another type.
        seen = seen.astype(own.dtype)
    if seen.dtype != own.dtype:
        raise SystemExit(f"{case.name}: the runtime's type is {seen.dtype}, the exact model's {own.dtype}")
    differs = exact.differing(seen, own, "f32" if element_type == "f64" else element_type) & ~doubt
    if differs.any():
        raise SystemExit(f"{case.name}: runtime {seen[differs][:5]}, exact {own[differs][:5]}")


def check_known(case, values):
    """Values that are known by hand, of the exact model."""
    for value, known in zip(values, case.known or ()):
        if known is not None and exact.differing(np.array(known, value.dtype).reshape(value.shape), value).any():
            raise SystemExit(f"{case.name}: exact {value.tolist()}, known {known}")


def expected_values(case, outcome, tally):
    own = evaluation.Evaluation(case.model, case.inputs, OPS)
    check_known(case, own.outputs)
    if case.exact_because:
        tally[case.exact_because] += len(own.outputs)
        return own.outputs
    result = []
    for i, (value, doubt) in enumerate(zip(own.outputs, own.output_doubts)):
        agree(case, outcome.arrays[i], value, doubt)
        inexact = doubt.any() or ir.type_of(value) in INEXACT_TYPES or outcome.arrays[i].dtype != value.dtype
        tally["not in every element what the runtime gives" if inexact else "runtime"] += 1
        result.append(value if inexact else outcome.arrays[i])
    return result


def npz(arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def tensor_file(folder, stem, array, form, key):
    """Writes a tensor in one of the forms that irrun reads; returns the file's name."""
    if form == "raw":
        folder.write(f"{stem}.raw", array.tobytes())
        return f"{stem}.raw".split("/")[1]
    if form == "npz":
        folder.write(f"{stem}.npz", npz({key: array}))
        return f"{stem}.npz".split("/")[1]
    if form == "fortran":
        array = np.asfortranarray(array)
    elif form == "big_endian":
        array = array.astype(array.dtype.newbyteorder(">"))
    folder.write_array(f"{stem}.npy", array)
    return f"{stem}.npy".split("/")[1]


def tensor_words(folder, case, kind, names, arrays):
    """Writes the inputs or the expected outputs; returns the words that name them. Many go into one file."""
    stem = {"input": "x", "expect": "expected"}[kind]
    if len(names) > MOST_FILES:
        folder.write(f"{case.name}/{stem}.npz", npz(dict(zip(names, arrays))))
        return [f"--{kind}", f"{stem}.npz"]
    words = []
    for i, (name, array) in enumerate(zip(names, arrays)):
        alone = len(names) == 1
        file = tensor_file(folder, f"{case.name}/{stem}{'' if alone else i}", array, case.form, name)
        words += [f"--{kind}", file if alone else f"{name}={file}"]
    return words


def write_case(folder, case, expected):
    if not case.shown:
        folder.write_model(f"{case.name}/model", case.model)
    inputs = [layer.name for layer in case.model.in_order("Parameter")]
    outputs = [layer.output_names or layer.name for layer in case.model.in_order("Result")]
    words = [case.shown or "model.xml", *case.options]
    words += tensor_words(folder, case, "input", inputs, case.inputs)
    words += tensor_words(folder, case, "expect", outputs, expected)
    folder.write(f"{case.name}/cmd", shlex.join(words) + "\n")
    if case.exit:
        folder.write(f"{case.name}/exit", f"{case.exit}\n")


def main():
    cases = all_cases()
    folder = files.Folder(HERE, GENERATED)
    tally = collections.Counter()
    for case, first, second in zip(cases, run_all(cases), run_all(cases)):
        if not case.exact_because:
            check_runtime(case, first, second)
        expected = expected_values(case, first, tally)
        write_case(folder, case, [case.spoil(value) if case.spoil else value for value in expected])
    print(f"{len(cases)} cases; {tally.pop('runtime')} outputs from the runtime, others from the exact model:")
    for reason, count in tally.items():
        print(f"  {count:3} {reason}")
    folder.finish()


if __name__ == "__main__":
    main()
