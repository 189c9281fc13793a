#!/usr/bin/env python3
"""Lists the ops and inputs that the installed OpenVINO has and irrun lacks: newest.py IRRUN.
The `openvino` package has C++ headers: opset*_tbl.hpp lists the ops of an opset, and constructors in op/*.hpp take an
op's inputs as Output<Node>. Ops and inputs are compared with `irrun --list-ops --json`. The status is 1 if any op or
input is new."""

import json
import pathlib
import re
import subprocess
import sys

import openvino

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "src/ops"))
import MAKE_OPSETS

HEADERS = pathlib.Path(openvino.__file__).parent / "include/openvino/op"
NAMESPACE = re.compile(r"namespace (?:ov::op::)?v(\d+) \{")
CLASS = re.compile(r"class OPENVINO_API (\w+)")


def read_inputs():
    """Returns {(class, version in the headers): largest number of Output<Node> arguments of a constructor}."""
    found = {}
    for path in HEADERS.glob("*.hpp"):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        spaces = list(NAMESPACE.finditer(text))
        for i, space in enumerate(spaces):
            part = text[space.end():spaces[i + 1].start() if i + 1 < len(spaces) else len(text)]
            classes = list(CLASS.finditer(part))
            for k, name in enumerate(classes):
                body = part[name.end():classes[k + 1].start() if k + 1 < len(classes) else len(part)]
                calls = re.findall(rf"\b{name[1]}\(([^;{{]*)\)", body)
                found[name[1], int(space[1])] = max((call.count("Output<Node>&") for call in calls), default=0)
    return found


def main():
    listed = json.loads(subprocess.run([sys.argv[1], "--list-ops", "--json"], check=True, capture_output=True).stdout)
    ops = {(op["type"], op["version"]): op for op in listed["ops"] if op["dialect"] == "openvino"}
    spelling = {there: here for here, there in MAKE_OPSETS.FILE_SPELLING.items()}
    inputs = read_inputs()
    news = []
    n_inputs = 0
    for name, by_opset in sorted(MAKE_OPSETS.read_opsets().items()):
        for first, last, version in MAKE_OPSETS.merge(by_opset):
            op = ops.get((name, version or first))
            if op is None:
                news.append(f"{name}-{version or first} of opset{first} is not in irrun's table")
                continue
            if op["opset_last"] < last:
                news.append(f"{name}-{op['version']} is in opset{last}; irrun's table ends with opset{op['opset_last']}")
            most = inputs.get((spelling.get(name, name), version), 0)
            n_inputs += most
            if most > len(op["inputs"]) and not op["inputs_variadic"]:
                news.append(f"{name}-{op['version']} has {most} inputs; irrun's row has {len(op['inputs'])}")
    print("\n".join(news))
    print(f"OpenVINO {openvino.__version__}: {len(ops)} ops and {n_inputs} inputs compared, {len(news)} new")
    return 1 if news or n_inputs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
