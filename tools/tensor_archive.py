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


def find_inputs(wanted, inputs):
    """Returns a tensor for each input that a model wants, in the model's order. `wanted` lists the input's names and its
    NumPy type. If names are missing and `inputs` has as many tensors as the model wants, these are in its order."""
    missing = [names for names, _ in wanted if not any(name in inputs for name in names)]
    if missing and len(inputs) != len(wanted):
        sys.exit(f"no tensor for input {' or '.join(map(repr, missing[0]))}; there are {', '.join(inputs)}")
    in_order = list(inputs.values())
    found = []
    for number, (names, type_name) in enumerate(wanted):
        tensor = next((inputs[name] for name in names if name in inputs), None) if not missing else in_order[number]
        found.append(tensor.astype(type_name, copy=False))
    return found


def count_left_out(names, why):
    """Prints how many tensors are not in the file, and the first few names."""
    if names:
        shown = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
        print(f"left out, for {why}: {len(names)}: {shown}")
