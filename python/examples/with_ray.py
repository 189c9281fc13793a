"""with_ray.py MODEL IN OUT: runs MODEL on every .npy of the folder IN, on a Ray cluster; results go to the folder OUT.

The cluster is this machine's, or your own: ray.init("auto"), with the folders on all machines.
"""

import sys
import time
from pathlib import Path

import numpy as np
import ray

import irrun

BATCH = 250  # tensors in one task


@ray.remote(num_cpus=1)
def run(model: irrun.Model, files: list[Path], out: Path) -> int:
    for file in files:
        (result,) = model.run({"x": np.load(file)}).values()
        np.save(out / file.name, result)
    return len(files)


if __name__ == "__main__":
    model, folder, out = (str(Path(argument).resolve()) for argument in sys.argv[1:4])
    Path(out).mkdir(parents=True, exist_ok=True)
    files = sorted(Path(folder).glob("*.npy"))
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    shared = ray.put(irrun.load(model, threads=1))  # a task loads it anew
    start = time.perf_counter()
    n = sum(ray.get([run.remote(shared, files[i : i + BATCH], Path(out)) for i in range(0, len(files), BATCH)]))
    print(f"{n} tensors, {n / (time.perf_counter() - start):.0f} a second")
    ray.shutdown()
