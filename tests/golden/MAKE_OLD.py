"""Packs models of IR versions 2 to 7 with their inputs and expected outputs: MAKE_OLD.py FOLDER.. OUT.zip

A folder has NAME.xml, NAME.bin and NAME.npz, whose keys are in:INPUT and out:OUTPUT. The outputs are those of the
Inference Engine 2021.1, the last that read these versions. For each layer type and each version of a file, the
smallest model is taken.
"""

import io
import re
import sys
import zipfile
from pathlib import Path

import numpy as np

MOST = 1
DATE = (2020, 1, 1, 0, 0, 0)  # the archive has the same bytes each time


def kinds(model: Path) -> set[tuple[str, str]]:
    text = model.read_text(encoding="utf-8", errors="replace")
    version = re.search(r'<net[^>]* version="(\d+)"', text)
    types = re.findall(r'<layer [^>]*type="([^"]+)"', text)
    return {(kind.lower(), version.group(1) if version else "") for kind in types}


def files_of(model: Path) -> list[Path]:
    return [path for path in (model, model.with_suffix(".bin"), model.with_suffix(".npz")) if path.exists()]


def choose(folders: list[Path]) -> list[Path]:
    models = [path for folder in folders for path in folder.glob("*.xml") if path.with_suffix(".npz").exists()]
    models.sort(key=lambda path: (sum(part.stat().st_size for part in files_of(path)), path.name))
    counts: dict[tuple[str, str], int] = {}
    chosen = []
    for model in models:
        missing = [kind for kind in kinds(model) if counts.get(kind, 0) < MOST and kind[0] not in ("input", "const")]
        if missing:
            chosen.append(model)
            for kind in kinds(model):
                counts[kind] = counts.get(kind, 0) + 1
    return chosen


def main() -> None:
    *folders, out = map(Path, sys.argv[1:])
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for model in sorted(choose(folders), key=lambda path: path.name):
            for path in (model, model.with_suffix(".bin")):
                if path.exists():
                    archive.writestr(zipfile.ZipInfo(path.name, DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
            with np.load(model.with_suffix(".npz")) as tensors, io.BytesIO() as packed:
                with zipfile.ZipFile(packed, "w") as inner:
                    for key in tensors.files:
                        side, name = key.split(":", 1)
                        with io.BytesIO() as array:
                            np.save(array, tensors[key])
                            inner.writestr(zipfile.ZipInfo(f"{side}/{name}.npy", DATE), array.getvalue())
                info = zipfile.ZipInfo(f"{model.stem}/io.npz", DATE)
                archive.writestr(info, packed.getvalue(), zipfile.ZIP_DEFLATED)


main()
