"""with_dask.py MODEL IN OUT: runs MODEL on every .npy of the folder IN, on a Dask cluster; results go to the folder OUT.

The cluster is one of this machine's processes, or your own: Client("scheduler:8786"), with the folders on all machines.
"""

import functools
import sys
import time
from pathlib import Path

import numpy as np
from dask.distributed import Client

import irrun

BATCH = 250  # tensors in one task


@functools.lru_cache  # one a process
def loaded(path: str) -> irrun.Model:
    return irrun.load(path, threads=1)


def run(model: str, files: list[Path], out: Path) -> int:
    for file in files:
        (result,) = loaded(model).run({"x": np.load(file)}).values()
        np.save(out / file.name, result)
    return len(files)


if __name__ == "__main__":
    model, folder, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    files = sorted(folder.glob("*.npy"))
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        start = time.perf_counter()
        tasks = [client.submit(run, model, files[i : i + BATCH], out) for i in range(0, len(files), BATCH)]
        n = sum(client.gather(tasks))
        print(f"{n} tensors, {n / (time.perf_counter() - start):.0f} a second")
