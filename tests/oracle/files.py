"""A folder of generated files: writes what differs, removes what is no longer made, and says so."""

import io
import pathlib

import numpy as np


class Folder:
    def __init__(self, root, generated):
        """`generated`: glob patterns of all files under `root` that a script makes."""
        self.root = pathlib.Path(root)
        self.stale = {path for pattern in generated for path in self.root.glob(pattern)}
        self.changes = {"new": [], "changed": [], "removed": []}
        self.total = 0

    def write(self, name, content):
        content = content.encode() if isinstance(content, str) else content
        path = self.root / name
        self.stale.discard(path)
        self.total += 1
        if path.exists() and path.read_bytes() == content:
            return
        self.changes["changed" if path.exists() else "new"].append(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def write_array(self, name, array):
        buffer = io.BytesIO()
        np.save(buffer, array)
        self.write(name, buffer.getvalue())

    def write_model(self, name, model):
        """`name` without suffix."""
        self.write(f"{name}.xml", model.xml())
        if model.blob:
            self.write(f"{name}.bin", model.blob)

    def finish(self):
        for path in sorted(self.stale):
            path.unlink()
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
            self.changes["removed"].append(str(path.relative_to(self.root)))
        for what, names in self.changes.items():
            for name in names:
                print(f"{what:8} {name}")
        counts = ", ".join(f"{len(names)} {what}" for what, names in self.changes.items())
        print(f"{self.root.name}: {self.total} files, {counts}")
