"""Compares what OpenVINO computes of converted models with their data sets: openvino_conversions.py IRRUN FOLDER"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import openvino as ov

TOLERANCE = 1e-4  # of the largest expected number


def compute(core: ov.Core, model: Path, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    network = core.read_model(model)
    compiled = core.compile_model(network, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    results = compiled(inputs)
    return {name: value for port, value in results.items() for name in port.names}


def differs(got: np.ndarray, expected: np.ndarray) -> bool:
    if got.size != expected.size:
        return True
    apart = np.abs(got.astype("f8").ravel() - expected.astype("f8").ravel())
    most = np.abs(expected.astype("f8")).max(initial=0)
    return bool(apart.max(initial=0) > TOLERANCE * max(most, 1e-6))


def main() -> int:
    irrun, folder = sys.argv[1], Path(sys.argv[2])
    core, n, failed = ov.Core(), 0, 0
    with tempfile.TemporaryDirectory() as work:
        for model in sorted(folder.glob("*.xml")):
            out = Path(work) / model.name
            subprocess.run([irrun, "--convert", out, model, "-qq"], check=True, stdout=subprocess.DEVNULL)
            with np.load(folder / model.stem / "io.npz") as data:
                inputs = {key[3:]: data[key] for key in data.files if key.startswith("in/")}
                expected = {key[4:]: data[key] for key in data.files if key.startswith("out/")}
            n += 1
            print(model.stem, end=" ", flush=True)
            try:
                got = compute(core, out, inputs)
                wrong = [name for name in expected if name not in got or differs(got[name], expected[name])]
            except RuntimeError as error:
                wrong = [str(error).strip()[-300:]]
            print("ok" if not wrong else f"DIFFERS {wrong}")
            failed += bool(wrong)
    print(f"{n} models, {failed} differ")
    return 1 if failed else 0


sys.exit(main())
