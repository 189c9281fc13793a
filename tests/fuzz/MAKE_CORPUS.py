#!/usr/bin/env python3
"""Makes the seeds of the fuzz targets: files for fuzz_model, fuzz_json and so on, each in a folder of its name.

    MAKE_CORPUS.py BUILD OUT

Seeds are random models of every op from tests/conformance, the models of this project, and one command line of each
kind. Needs the runtime. BUILD is the build whose tests were configured: it has the unpacked archives."""

import pathlib
import random
import re
import sys
import tempfile
import zipfile

import numpy as np
import openvino as ov

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "conformance"), str(HERE.parent)]

import draw_shapes  # noqa: E402
import ngraph_cases  # noqa: E402
from shapes import families  # noqa: E402
from values import draw_small_case  # noqa: E402

DRAWS = 2  # models of each op, with known sizes and constants
LARGEST = 12000  # bytes of a seed
COMMANDS = len(re.findall(r'^    \{.*"\},$', (HERE / "fuzz_modes.c").read_text(), re.M))
LINES = [
    "m.xml\n--fill=random:7\n--output=out.npy\n-v",
    "m.xml\n-i\nx=1,2\n--fill=y=iota\n--shape=y=3,4\n-o\nz=out.npz\n--json",
    "--check-shapes\nm.xml\n--allow=IR301\n--deny=IR209,IR204\n--strict\n--max-errors=3",
    "m.xml\n--fill=ones\n--step\n--fill=zeros\n--expect=y.npz\n--atol=1e-3\n--ulp=z=4\n--heatmap=a.png",
    "--test\n--filter=*/pool*\n--threads=2\n--junit=a.xml\n.",
    "--convert=out.xml\nm.xml\n-qq",
    "--edit=x: u8 nhwc mean=1,2 scale=3\n--edit=model: weights=f16\n-o\nout.xml\nm.xml",
    "--cut=a..b\n-oout.xml\nm.xml",
    "--explain=IR304,AvgPool-14\n--format=json",
]


def saved(model, folder):
    """Returns the contents of the model's two files, as fuzz_split in tests/fuzz/fuzz.h expects them."""
    ov.save_model(model, folder / "m.xml", compress_to_fp16=False)
    return joined(folder / "m.xml")


def joined(xml):
    text = re.sub(rb">\s+<", b"><", xml.read_bytes())
    text = re.sub(rb"\s*<rt_info>.*</rt_info>\s*(?=</net>)", b"", text, flags=re.S)
    weights = xml.with_suffix(".bin")
    return text + (b"\0" + weights.read_bytes() if weights.exists() else b"")


def drawn_models(folder):
    """Yields random models of each op: two with constants and known sizes, one with open sizes or inputs in place of
    constants."""
    for op, draw in families().items():
        rng, made = random.Random(op), 0
        for is_open in [False] * (4 * DRAWS) + [True] * 8:
            draw_shapes.DRAWING["open"] = is_open
            try:
                model = draw(rng) if is_open else draw_small_case(rng, draw).model
                contents = saved(model[0] if isinstance(model, tuple) else model, folder)
            except Exception:  # pylint: disable=broad-except # the runtime refuses some draws
                continue
            if made < DRAWS + is_open and len(contents) <= LARGEST:
                made += 1
                yield contents


def own_models(build):
    folders = [SOURCE / "models", HERE.parent / "faults", HERE.parent / "golden", build / "tests/golden"]
    for path in sorted(path for folder in folders for path in folder.rglob("*.xml")):
        contents = joined(path)
        if len(contents) <= LARGEST:
            yield contents


def old_models():
    """Yields nGraph models: JSON and archives."""
    for folder in (SOURCE / "models/ngraph", HERE.parent / "faults"):
        for path in sorted(folder.glob("*.json")):
            if path.stat().st_size <= LARGEST:
                yield path.read_bytes()
    rng = random.Random(1)
    for number in range(60):
        text = ngraph_cases.draw(rng, number).text
        yield text if isinstance(text, bytes) else text.encode()


def tensor_files():
    with zipfile.ZipFile(HERE.parent / "data/npy.zip") as archive:
        for name in archive.namelist():
            contents = archive.read(name)
            if contents and len(contents) <= LARGEST:
                yield contents


def put(out, target, contents):
    folder = out / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{len(list(folder.iterdir())):05}").write_bytes(contents)


def main():
    build, out = map(pathlib.Path, sys.argv[1:])
    rng = np.random.default_rng(1)
    models = list(own_models(build))
    with tempfile.TemporaryDirectory() as folder:
        for contents in drawn_models(pathlib.Path(folder)):
            models.append(contents)
            tail = rng.integers(0, 256, 64, np.uint8).tobytes()
            put(out, "contents", (contents if b"\0" in contents else contents + b"\0") + tail)
    for contents in models:
        put(out, "model", contents)
    for contents in old_models():
        put(out, "json", contents)
    for contents in tensor_files():
        put(out, "tensors", bytes(rng.integers(0, 256, 2, np.uint8)) + contents)
    for line in LINES:
        put(out, "options", line.encode())
    for command in range(COMMANDS):
        for contents in rng.choice(len(models), 6, replace=False):
            put(out, "modes", bytes([command]) + models[contents])


if __name__ == "__main__":
    main()
