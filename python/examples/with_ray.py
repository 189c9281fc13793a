"""with_ray.py MODEL IN OUT: runs MODEL on every .npy and .npz of the folder IN, on a Ray cluster.

A .npy has the first input, a .npz inputs by name. Results go to the folder OUT, under the same name: a .npy has the
only output, a .npz all outputs by name. The cluster is this machine's, or your own: ray.init("auto"), with the folders
on all machines.
"""

import sys
import time
from pathlib import Path

import numpy as np
import ray

import irrun

BATCH = 250  # tensors in one task


def run_file(model: irrun.Model, file: Path, out: Path) -> None:
    try:
        results = model.run(np.load(file))
    except Exception as error:
        raise RuntimeError(f"{file}: {error}") from None  # the task has many files
    if len(results) == 1:
        np.save(out / f"{file.stem}.npy", results[0])
    else:
        np.savez(out / f"{file.stem}.npz", **results)  # type: ignore[arg-type] # the stubs of NumPy take a name for allow_pickle


@ray.remote(num_cpus=1)
def run(model: irrun.Model, files: list[Path], out: Path) -> int:
    for file in files:
        run_file(model, file, out)
    return len(files)


if __name__ == "__main__":
    model, folder, out = (str(Path(argument).resolve()) for argument in sys.argv[1:4])
    Path(out).mkdir(parents=True, exist_ok=True)
    files = sorted([*Path(folder).glob("*.npy"), *Path(folder).glob("*.npz")])
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    shared = ray.put(irrun.load(model, threads=1))  # a task loads it anew
    start = time.perf_counter()
    n = sum(ray.get([run.remote(shared, files[i : i + BATCH], Path(out)) for i in range(0, len(files), BATCH)]))
    print(f"{n} tensors, {n / (time.perf_counter() - start):.0f} a second")
    ray.shutdown()
