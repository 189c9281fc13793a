"""with_dask.py MODEL IN OUT: runs MODEL on every .npy and .npz of the folder IN, on a Dask cluster.

A .npy has the first input, a .npz inputs by name. Results go to the folder OUT, under the same name: a .npy has the
only output, a .npz all outputs by name. The cluster is one of this machine's processes, or your own:
Client("scheduler:8786"), with the folders on all machines.
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


def run_file(model: irrun.Model, file: Path, out: Path) -> None:
    try:
        results = model.run(np.load(file))
    except Exception as error:
        raise RuntimeError(f"{file}: {error}") from None  # the task has many files
    if len(results) == 1:
        np.save(out / f"{file.stem}.npy", results[0])
    else:
        np.savez(out / f"{file.stem}.npz", **results)  # type: ignore[arg-type] # the stubs of NumPy take a name for allow_pickle


def run(path: str, files: list[Path], out: Path) -> int:
    for file in files:
        run_file(loaded(path), file, out)
    return len(files)


if __name__ == "__main__":
    model, folder, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    files = sorted([*folder.glob("*.npy"), *folder.glob("*.npz")])
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        start = time.perf_counter()
        tasks = [client.submit(run, model, files[i : i + BATCH], out) for i in range(0, len(files), BATCH)]
        n = sum(client.gather(tasks))
        print(f"{n} tensors, {n / (time.perf_counter() - start):.0f} a second")
