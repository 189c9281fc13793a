"""The .npz files of openvino_tensors.py and onnx_tensors.py, with keys as irrun writes and reads them."""
import re
import sys
import zipfile

import numpy as np


def plain(key):
    """A key as the name that it stands for: irrun writes no "..", which climbs where a file is unpacked, but %2E%2E."""
    return re.sub("%(00|2E|25)", lambda found: chr(int(found[1], 16)), key)


def safe(name):
    name = re.sub("%(?=00|2E|25)", "%25", name)
    name = name.replace("\0", "%00")
    return re.sub(r"(?<![^/\\])\.\.(?![^/\\])", "%2E%2E", name)


def load(path):
    with np.load(path) as file:
        return {plain(key): file[key] for key in file.files}


def save(path, tensors):
    """As numpy.savez, which takes no tensor called "file"."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, tensor in tensors.items():
            with archive.open(safe(name) + ".npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(tensor), allow_pickle=False)


def find_input(names, inputs, type_name):
    """The tensor for an input that has these names, in its type."""
    for name in names:
        if name in inputs:
            return inputs[name].astype(type_name, copy=False)
    sys.exit(f"no tensor for input {' or '.join(map(repr, names))}; there are {', '.join(inputs)}")


def count_left_out(names, why):
    """Says of what is not in the file how many there are, and which, as far as a line goes."""
    if names:
        shown = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
        print(f"left out, for {why}: {len(names)}: {shown}")
