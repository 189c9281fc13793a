#!/usr/bin/env python3
"""Makes the golden cases in this folder: `make golden`.
A family of cases is a folder with a line of `commands` for each case, and NAME.xml. The constants, inputs and expected
outputs of all cases are in tensors.npz, which CMake unpacks into a folder for each case.

Expected values are those of OpenVINO's CPU plugin, which is run twice in new processes. A model in exact arithmetic
(tests/oracle) must agree with them.
The expected values are the exact model's if OpenVINO is known to be inexact: f64, integers of 32 bits and more, windows
without input, types that it converts at the boundary of an IR of version 10, and doubts of oracle/ops.py. They are the
exact model's too if a case has a reason why OpenVINO cannot run it."""

import collections
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

MOST_FILES = 3  # largest number of a case's inputs, and of its outputs, that get a file each
TENSORS = {"input": "x", "expect": "expected"}
INEXACT_TYPES = {"f64", "i32", "u32", "i64", "u64"}


def run_all(cases):
    """Runs all cases in a process of its own. If a case does not need the runtime, its result is None."""
    with runtime.Runtime() as reference:
        return [None if case.exact_because else run_case(reference, case) for case in cases]


def run_case(reference, case):
    model = case.reference or case.model
    return reference.run(model.xml(), model.blob, case.inputs)


def check_runtime(case, first, second):
    """Checks that the runtime accepts the model, and that two runs return the same bits."""
    for outcome in (first, second):
        if outcome.failed:
            raise SystemExit(f"{case.name}: the runtime refuses it: {outcome.reason}")
    if [array.tobytes() for array in first.arrays] != [array.tobytes() for array in second.arrays]:
        raise SystemExit(f"{case.name}: two runs of the runtime differ")


def agree(case, seen, own, doubt):
    """Checks that the runtime's output equals the exact one, without the elements in doubt."""
    element_type = ir.type_of(own)
    if seen.shape != own.shape:
        raise SystemExit(f"{case.name}: the runtime's shape is {seen.shape}, the exact model's {own.shape}")
    if case.model.version == 10 or case.reference:
        # The runtime converts outputs at the boundary of an IR of version 10. A reference can have another type of
        # indices.
        seen = seen.astype(own.dtype)
    if seen.dtype != own.dtype:
        raise SystemExit(f"{case.name}: the runtime's type is {seen.dtype}, the exact model's {own.dtype}")
    differs = exact.differing(seen, own, "f32" if element_type == "f64" else element_type) & ~doubt
    if differs.any():
        raise SystemExit(f"{case.name}: runtime {seen[differs][:5]}, exact {own[differs][:5]}")


def check_known(case, values):
    """Checks the exact model's values against those that are known by hand."""
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
    for i, (value, doubt) in enumerate(zip(own.outputs, own.output_doubts, strict=True)):
        agree(case, outcome.arrays[i], value, doubt)
        inexact = doubt.any() or ir.type_of(value) in INEXACT_TYPES or outcome.arrays[i].dtype != value.dtype
        tally["not in every element what the runtime gives" if inexact else "runtime"] += 1
        result.append(value if inexact else outcome.arrays[i])
    return result


def tensor_file(members, path, array, form, key):
    """Adds a tensor in one of the formats that irrun reads. Returns the file's name."""
    if form == "raw":
        content = array.tobytes()
    elif form == "npz":
        content = files.npz({key: array})
    elif form == "fortran":
        content = files.npy(np.asfortranarray(array))
    else:
        content = files.npy(array.astype(array.dtype.newbyteorder(">")) if form == "big_endian" else array)
    path = f"{path}.{form if form in ('raw', 'npz') else 'npy'}"
    members[path] = content
    return path.split("/")[1]


def tensor_words(members, case, kind, names, arrays):
    """Adds the inputs or the expected outputs. Returns the options that name their files. More than MOST_FILES tensors
    go into one file."""
    path = f"{case.name}/{TENSORS[kind]}"
    if len(names) > MOST_FILES:
        members[f"{path}.npz"] = files.npz(dict(zip(names, arrays)))
        return [f"--{kind}", f"{path}.npz".split("/")[1]]
    words = []
    for i, (name, array) in enumerate(zip(names, arrays)):
        alone = len(names) == 1
        file = tensor_file(members, f"{path}{'' if alone else i}", array, case.form, name)
        words += [f"--{kind}", file if alone else f"{name}={file}"]
    return words


def add_case(members, case, expected):
    """Adds the case's files to those of its family. Returns its line of `commands`."""
    if case.model.blob and not case.shown:
        members[f"{case.name}/model.bin"] = case.model.blob
    inputs = [layer.name for layer in case.model.in_order("Parameter")]
    outputs = [layer.output_names or layer.name for layer in case.model.in_order("Result")]
    words = [*case.options, *tensor_words(members, case, "input", inputs, case.inputs), *tensor_words(members, case, "expect", outputs, expected)]
    model = f'"$IRRUN_SOURCE"/{case.shown}' if case.shown else "model.xml"
    return f"{case.name} {case.exit} {model} {shlex.join(words)}\n"


def main():
    cases = all_cases()
    families = {case.family: ([], {}) for case in cases}
    folder = files.Folder(HERE, [f"{family}/*" for family in families])
    tally = collections.Counter()
    for case, first, second in zip(cases, run_all(cases), run_all(cases), strict=True):
        if not case.exact_because:
            check_runtime(case, first, second)
        expected = expected_values(case, first, tally)
        commands, members = families[case.family]
        commands.append(add_case(members, case, [case.spoil(value) if case.spoil else value for value in expected]))
        if not case.shown:
            folder.write(f"{case.family}/{case.name}.xml", case.model.xml())
    for family, (commands, members) in families.items():
        folder.write(f"{family}/commands", "".join(sorted(commands)))
        folder.write(f"{family}/tensors.npz", files.archive(members))
    print(f"{len(cases)} cases; {tally.pop('runtime')} outputs from the runtime, others from the exact model:")
    for reason, count in tally.items():
        print(f"  {count:3} {reason}")
    folder.finish()


if __name__ == "__main__":
    main()
