"""Measures how long irrun takes to read and check each model that has a .bin, and how long OpenVINO takes to read it.
irrun is measured as a process.
usage: reading.py BUILD FOLDER"""
import os
import pathlib
import statistics
import subprocess
import sys
import time

import openvino

RUNS = 10


def process_ms(build, *command):
    """Returns the best time of a process, or None if the process fails."""
    stopwatch = os.path.join(build, 'tests', 'bench', 'stopwatch')
    done = subprocess.run([stopwatch, str(RUNS), *command], capture_output=True, text=True, check=False)
    return float(done.stdout.split()[0]) if done.returncode == 0 else None


def irrun_ms(build, path):
    return process_ms(build, os.path.join(build, 'irrun'), '--check-shapes', '-q', str(path))


def openvino_ms(core, path):
    """Returns the best time of a call, or None if OpenVINO refuses the model."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter_ns()
        try:
            core.read_model(path)
        except RuntimeError:
            return None
        times.append((time.perf_counter_ns() - start) / 1e6)
    return min(times)


def main():
    build, core, pairs = sys.argv[1], openvino.Core(), []
    for path in sorted(pathlib.Path(sys.argv[2]).glob('*.xml')):
        mine = irrun_ms(build, path) if path.with_suffix('.bin').exists() else None
        theirs = openvino_ms(core, path) if mine is not None else None
        if theirs is not None:
            pairs.append((theirs, mine))
    if not pairs:
        sys.exit(f'{sys.argv[2]} has no model with a .bin that both read')
    ratios = sorted(theirs / mine for theirs, mine in pairs)
    sums = [sum(times) for times in zip(*pairs)]
    print(f'{len(pairs)} real models (best of {RUNS}): read_model of OpenVINO {sums[0]:.1f} ms in all, --check-shapes -q of irrun {sums[1]:.1f} ms, '
          f'a process each; /bin/true takes {process_ms(build, "/bin/true"):.3f} ms')
    print(f'  OpenVINO : irrun, all together    {sums[0] / sums[1]:9.2f} x     geometric mean {statistics.geometric_mean(ratios):.2f}, '
          f'from {ratios[0]:.2f} to {ratios[-1]:.2f}')


if __name__ == '__main__':
    main()
