"""tensors.py MODEL FOLDER N: makes N different inputs of MODEL, x00000 and so on: .npy for one input, .npz for several.
Open sizes become 4."""

import sys
from pathlib import Path

import numpy as np

import irrun

model, folder = irrun.load(sys.argv[1]), Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(1)
for i in range(int(sys.argv[3])):
    arrays = {
        value.name: random.uniform(1, 4, [4 if isinstance(dim, tuple) else dim for dim in value.shape]).astype(value.dtype)
        for value in model.inputs
    }
    if len(arrays) == 1:
        np.save(folder / f"x{i:05}.npy", *arrays.values())  # type: ignore[arg-type] # the stubs of NumPy take a name for allow_pickle
    else:
        np.savez(folder / f"x{i:05}.npz", **arrays)  # type: ignore[arg-type] # the stubs of NumPy take a name for allow_pickle
