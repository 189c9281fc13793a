#!/usr/bin/env python3
"""Compares the types and shapes that irrun infers for every layer with those that OpenVINO infers when it reads the
model.

    layers.py IRRUN FOLDER...

Takes each .xml below the folders if its .bin lies beside it. irrun checks the model with the .bin and without it.
Prints a line for each model that OpenVINO refuses. Also prints, for each op and kind of difference, the count and the
first layer that has the difference.
The exit status is 1 if any layer differs."""

import collections
import pathlib
import shutil
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))

from oracle import inferred


def models_of(folders):
    paths = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.xml"))
    return [path for path in paths if path.with_suffix(".bin").exists()]


def reports_of(irrun, path):
    """Returns two reports of irrun: of the model with its .bin, and of the model without it."""
    with tempfile.TemporaryDirectory() as scratch:
        alone = pathlib.Path(scratch) / path.name
        shutil.copy(path, alone)
        return [inferred.report_of(irrun, one) for one in (path, alone)]


def main():
    irrun, paths = sys.argv[1], models_of(sys.argv[2:])
    counts, first, refused, compared = collections.Counter(), {}, 0, 0
    for path in paths:
        reports = reports_of(irrun, path)
        try:
            model = inferred.read(path)
        except RuntimeError as error:
            refused += 1
            print(f"{path}: irrun says {reports[0]['verdict']}, OpenVINO refuses: {str(error).strip().splitlines()[-1]}")
            continue
        for report in reports:
            n, found = inferred.differences(report, model)
            compared += n
            for op, what, text in found:
                counts[op, what] += 1
                first.setdefault((op, what), f"{path}: {text}")
    for (op, what), count in sorted(counts.items()):
        print(f"{op} {what}: {count}, the first: {first[op, what]}")
    print(f"{len(paths) - refused} models with a .bin: {compared} outputs compared with OpenVINO's, {sum(counts.values())} differ")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
