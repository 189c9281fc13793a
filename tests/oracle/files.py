"""Keeps a folder of generated files: writes files that differ, removes stale files, and prints a summary."""

import io
import pathlib
import zipfile

import numpy as np


def npy(array):
    """Returns the bytes that numpy.save writes."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def archive(members, compression=zipfile.ZIP_STORED):
    """Returns the bytes of a zip file of `members`, {name: bytes}. Equal members give equal bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression, compresslevel=9) as made:
        for name, content in members.items():
            made.writestr(zipfile.ZipInfo(name), content, compression)
    return file.getvalue()


def npz(arrays):
    """Returns the bytes of an .npz file. All arrays are deflated, which makes small ones larger."""
    return archive({f"{name}.npy": npy(array) for name, array in arrays.items()}, zipfile.ZIP_DEFLATED)


class Folder:
    def __init__(self, root, generated):
        """Opens the folder `root`. `generated` holds glob patterns of all files under `root` that a script makes."""
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
