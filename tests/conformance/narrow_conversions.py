#!/usr/bin/env python3
"""Compares irrun's conversions from and to low-bit types, packed as in a .bin, with the reference runtime's.

    narrow_conversions.py IRRUN

Converts every number of each low-bit type, as a constant, to each numeric type. Converts some thousand numbers, as an
input, to each low-bit type. Lists the types that the runtime does not convert."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import openvino as ov
from openvino import opset1
from openvino.passes import ConstantFolding, Manager

BITS = {"u1": 1, "u2": 2, "u3": 3, "u4": 4, "u6": 6, "i4": 4, "nf4": 4, "f4e2m1": 4, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8}
TARGETS = ["f32", "f16", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "boolean"]
PRECISIONS = {"f32": "FP32", "f16": "FP16", "f64": "FP64", "boolean": "BOOL", "u1": "BIN"}
MODEL = """<net name="narrow" version="11"><layers>
<layer id="0" name="c" type="{layer}" version="opset1"><data element_type="{t}" shape="{n}"{place}/>
<output><port id="0" precision="{p}"><dim>{n}</dim></port></output></layer>
<layer id="1" name="v" type="Convert" version="opset1"><data destination_type="{to}"/><input><port id="0"><dim>{n}</dim></port></input>
<output><port id="1" precision="{q}"><dim>{n}</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0"><dim>{n}</dim></port></input></layer></layers>
<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
"""


def write_model(path, kind, to, data, count):
    """Writes a model that converts a constant or, if `data` is None, an input."""
    def precision(name):
        return PRECISIONS.get(name, name.upper())
    layer, place = ("Const", f' offset="0" size="{len(data)}"') if data else ("Parameter", "")
    path.write_text(MODEL.format(layer=layer, t=kind, place=place, to=to, n=count, p=precision(kind), q=precision(to)))
    path.with_suffix(".bin").write_bytes(data or b"")


def run(irrun, path, *words):
    done = subprocess.run([irrun, str(path), *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{path.read_text()}: exit status {done.returncode}: {done.stderr[:500]}")


def folded(path):
    """Returns the constant as the runtime converts it, or None if the runtime does not convert it before a run."""
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
    """Returns whether results agree. NaN and infinities have no integer, so the runtime can choose any integer for
    them."""
    if made.dtype.kind == "f":
        return np.array_equal(made, expected, equal_nan=True)
    return np.array_equal(made[np.isfinite(floats)], expected[np.isfinite(floats)])


class Tally:
    def __init__(self):
        self.wrong, self.same, self.not_told = 0, 0, set()

    def count(self, name, agrees, made, expected):
        self.same += agrees
        self.wrong += not agrees
        if not agrees:
            print(f"{name}: {made[:16]}, expected {expected[:16]}")


def compare_from(irrun, folder, rng, tally):
    path, out = folder / "narrow.xml", folder / "out.npy"
    for kind, bits in BITS.items():
        data = bytes(range(256)) if bits == 8 else rng.bytes(96)
        count = len(data) * 8 // bits - (bits == 4)  # for 4-bit types, half a byte stays unused
        for to in TARGETS:
            write_model(path, kind, to, data, count)
            expected = folded(path)
            run(irrun, path, "--output", out)
            if expected is None:
                tally.not_told.add(f"{kind} to {to}")
            else:
                made = np.load(out)
                tally.count(f"{kind} to {to}", agree(made, expected, folded_floats(path, kind, data, count)), made, expected)


def numbers(rng):
    """Draws floats of every magnitude, and midpoints between numbers of a low-bit type."""
    halves = np.arange(0x7C01, dtype=np.uint16).view(np.float16)
    return {
        "f32": np.concatenate([halves, -halves, rng.normal(0, 100, 4094)]).astype(np.float32),
        "f16": np.concatenate([halves, -halves, halves[:6]]),
        "i32": rng.integers(-600, 600, 4096, dtype=np.int32),
        "u8": np.arange(256, dtype=np.uint8),
    }


def evaluated(array, kind, to):
    """Returns the bytes that the runtime's evaluate() gives, or None if it has no such conversion."""
    given, made = (ov.Tensor(getattr(ov.Type, name), ov.Shape([array.size])) for name in (kind, to))
    given.data.reshape(-1).view(array.dtype)[...] = array
    layer = opset1.convert(opset1.parameter([array.size], getattr(ov.Type, kind)), to)
    return np.frombuffer(made.data.tobytes(), np.uint8) if layer.evaluate([made], [given]) else None


def compare_to(irrun, folder, rng, tally):
    path, given, out = folder / "narrow.xml", folder / "in.npy", folder / "out.raw"
    for kind, array in numbers(rng).items():
        np.save(given, array)
        for to in BITS:
            write_model(path, kind, to, None, array.size)
            run(irrun, path, "--input", given, "--output", out)
            made, expected = np.fromfile(out, np.uint8), evaluated(array, kind, to)
            if expected is None:
                tally.not_told.add(f"{kind} to {to}")
            else:
                tally.count(f"{kind} to {to}", np.array_equal(made, expected), made, expected)


def main():
    tally, rng = Tally(), np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for compare in (compare_from, compare_to):
            compare(sys.argv[1], pathlib.Path(folder), rng, tally)
    not_told = ", ".join(sorted(tally.not_told))
    print(f"{tally.same} conversions from and to narrow types are the runtime's, {tally.wrong} are not; it does not tell: {not_told}")
    return tally.wrong > 0


if __name__ == "__main__":
    sys.exit(main())
