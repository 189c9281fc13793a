#!/usr/bin/env python3
"""Compares what irrun makes of constants of narrow types, packed as in a .bin, with what the reference runtime makes of them:

    narrow_conversions.py IRRUN

Every value of every type, converted to every type of numbers. Of types that the runtime does not convert, it says so."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import openvino as ov
from openvino.passes import ConstantFolding, Manager

BITS = {"u1": 1, "u2": 2, "u3": 3, "u4": 4, "u6": 6, "i4": 4, "nf4": 4, "f4e2m1": 4, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8}
TARGETS = ["f32", "f16", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "boolean"]
PRECISIONS = {"f32": "FP32", "f16": "FP16", "f64": "FP64", "boolean": "BOOL", "u1": "BIN"}
MODEL = """<net name="narrow" version="11"><layers>
<layer id="0" name="c" type="Const" version="opset1"><data element_type="{t}" shape="{n}" offset="0" size="{size}"/>
<output><port id="0" precision="{p}"><dim>{n}</dim></port></output></layer>
<layer id="1" name="v" type="Convert" version="opset1"><data destination_type="{to}"/><input><port id="0"><dim>{n}</dim></port></input>
<output><port id="1" precision="{q}"><dim>{n}</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0"><dim>{n}</dim></port></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
"""


def write_model(path, kind, to, data, count):
    precision = lambda name: PRECISIONS.get(name, name.upper())
    path.write_text(MODEL.format(t=kind, to=to, n=count, size=len(data), p=precision(kind), q=precision(to)))
    path.with_suffix(".bin").write_bytes(data)


def folded(path):
    """What the runtime makes of the constant; None where it makes nothing before a run."""
    model = ov.Core().read_model(path)
    passes = Manager()
    passes.register_pass(ConstantFolding())
    passes.run_passes(model)
    source = model.get_results()[0].input(0).get_source_output().get_node()
    return source.data.flatten() if source.get_type_name() == "Constant" else None


def folded_floats(path, kind, data, count):
    write_model(path, kind, "f32", data, count)
    return folded(path)


def agree(made, expected, floats):
    """What is not finite has no integer: C++ leaves open which one the runtime makes of it."""
    if made.dtype.kind == "f":
        return np.array_equal(made, expected, equal_nan=True)
    return np.array_equal(made[np.isfinite(floats)], expected[np.isfinite(floats)])


def main():
    irrun, wrong, same, not_told = sys.argv[1], 0, 0, set()
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "narrow.xml"
        for kind, bits in BITS.items():
            data = bytes(range(256)) if bits == 8 else rng.bytes(96)
            count = len(data) * 8 // bits - (bits == 4)  # half a byte is left over
            for to in TARGETS:
                write_model(path, kind, to, data, count)
                expected = folded(path)
                out = pathlib.Path(folder) / "out.npy"
                run = subprocess.run([irrun, str(path), "--output", str(out)], capture_output=True, text=True, check=False)
                if run.returncode:
                    sys.exit(f"{kind} to {to}: exit status {run.returncode}: {run.stderr[:500]}")
                if expected is None:
                    not_told.add(f"{kind} to {to}")
                elif agree(np.load(out), expected, folded_floats(path, kind, data, count)):
                    same += 1
                else:
                    wrong += 1
                    print(f"{kind} to {to}: {np.load(out)[:16]}, expected {expected[:16]}")
    print(f"{same} conversions of narrow constants are the runtime's, {wrong} are not; it does not tell: {', '.join(sorted(not_told))}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
