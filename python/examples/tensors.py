"""tensors.py FOLDER N: makes N different inputs of models/demo/pool.xml, x00000.npy and so on."""

import sys
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(1)
for i in range(int(sys.argv[2])):
    np.save(folder / f"x{i:05}.npy", random.random((1, 1, 4, 4), np.float32))
