"""The picture of a model, drawn by the program."""

import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Mapping
from pathlib import Path

from irrun._native import Source


def program() -> str | None:
    """The program of the same installation, or else the one in PATH."""
    return shutil.which("irrun", path=sysconfig.get_path("scripts")) or shutil.which("irrun")


def draw(model: Source, weights: Source | None, shapes: Mapping[str, str], form: str) -> str | None:
    """What --graph=FORM prints of the model; None if the program, or the `dot` that it needs for svg, is missing."""
    path = program()
    if path is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        command = [path, f"--graph={form}", os.fsdecode(model) if not isinstance(model, bytes) else "-"]
        if isinstance(weights, bytes):
            file = Path(folder) / "weights.bin"
            file.write_bytes(weights)
            weights = file
        if weights is not None:
            command += ["--weights", os.fsdecode(weights)]
        for name, shape in shapes.items():
            command += ["--shape", f"{name}={shape}"]
        given = model if isinstance(model, bytes) else b""
        drawn = subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return drawn.stdout.decode("utf-8", "replace") or None
