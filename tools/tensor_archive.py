"""Reads and writes the .npz files of openvino_tensors.py and onnx_tensors.py, with keys as irrun writes and reads
them."""
import re
import sys
import zipfile

import numpy as np


def plain(key):
    """Returns the tensor name of a key. irrun writes ".." as %2E%2E, because ".." in a file name leaves the folder in
    which an archive is unpacked."""
    return re.sub("%(00|2E|25)", lambda found: chr(int(found[1], 16)), key)


def safe(name):
    name = re.sub("%(?=00|2E|25)", "%25", name)
    name = name.replace("\0", "%00")
    return re.sub(r"(?<![^/\\])\.\.(?![^/\\])", "%2E%2E", name)


def load(path):
    with np.load(path) as file:
        return {plain(key): file[key] for key in file.files}


def save(path, tensors):
    """Works like numpy.savez, which cannot save a tensor with the name "file"."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, tensor in tensors.items():
            with archive.open(safe(name) + ".npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(tensor), allow_pickle=False)


def find_input(names, inputs, type_name):
    """Returns the tensor of an input that has any of `names`, converted to the input's type."""
    for name in names:
        if name in inputs:
            return inputs[name].astype(type_name, copy=False)
    sys.exit(f"no tensor for input {' or '.join(map(repr, names))}; there are {', '.join(inputs)}")


def count_left_out(names, why):
    """Prints how many tensors are not in the file, and the first few names."""
    if names:
        shown = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
        print(f"left out, for {why}: {len(names)}: {shown}")
