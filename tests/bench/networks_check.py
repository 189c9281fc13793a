"""Runs whole networks in OpenVINO and in irrun, with its fast and its plain kernels, and compares the outputs.
usage: networks_check.py BUILD [--real DIR] [--only NAME...]

Outputs have to be as near to OpenVINO's as tests/oracle/near.py requires. If an output is not, prints the first layer
that differs. Also prints each layer that differs when it is run alone, on OpenVINO's inputs for it.
A network that rounds inside can round a tie to the other side. If no layer differs alone, such a difference is no
fault. The status is 1 if there is a fault."""
import argparse
import pathlib
import re
import subprocess
import sys

import numpy as np

import networks_list

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from oracle import near, runtime  # noqa: E402

TENSORS = HERE.parent.parent / 'tools' / 'openvino_tensors.py'
INNER = ['--rtol=1e-3', '--atol=1e-3']  # allowed differences of inner tensors
ROUNDING = re.compile(r'type="(FakeQuantize|Round)"')
SECONDS = 600
LAYERS = 10  # most layers that are printed


class Judge:
    def __init__(self, build):
        self.irrun = build / 'irrun'

    def run(self, network, *words):
        return subprocess.run([self.irrun, network.model, '-i', network.inputs, *words], capture_output=True, text=True, timeout=SECONDS, check=False)

    def judge(self, network, want, kernels):
        """Returns ("equal", "tie" or "fault", text)."""
        outputs = network.folder / 'outputs.npz'
        done = self.run(network, '-q', f'--kernels={kernels}', '-o', outputs)
        if done.returncode != 0:
            return 'fault', done.stderr.strip() or f'status {done.returncode}'
        got = list(np.load(outputs).values())
        wrong = [f'output {i}: {text}' for i, pair in enumerate(zip(got, want, strict=True)) if (text := near.difference(*pair))]
        if not wrong:
            return 'equal', f'{max(map(distance, got, want)):.1e} of the largest'
        first, alone = self.layers(network, kernels)
        what = 'tie' if ROUNDING.search(network.model.read_text()) and not alone else 'fault'
        return what, ''.join(f'\n  {line}' for line in [*wrong, *first, *(f'fed by OpenVINO: {line}' for line in alone[:LAYERS])])

    def layers(self, network, kernels):
        """Returns the lines of the first layer that differs, and of the layers that differ alone. Layers that oneDNN
        fuses have no outputs to compare."""
        tensors = network.folder / 'tensors.npz'
        subprocess.run([sys.executable, '-B', TENSORS, network.model, network.inputs, tensors], check=True, capture_output=True)
        words = [f'--kernels={kernels}', '-e', tensors, *INNER]
        compared = self.run(network, *words)
        alone = self.run(network, *words, '--isolate').stdout
        return (re.findall(r'.* diverges .*', compared.stderr + compared.stdout)[:1], re.findall(r'^ *\d+ .* DIFFERS .*', alone, re.M))


def distance(got, want):
    """Returns the largest difference, relative to the largest magnitude."""
    got, want = got.astype(np.float64), want.astype(np.float64)
    return np.abs(got - want).max(initial=0) / max(np.abs(want).max(initial=0), np.finfo(np.float32).tiny)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    networks_list.add_options(parser)
    options = parser.parse_args()
    lists = networks_list
    networks = lists.prepare(options, lists.LIGHT + lists.REAL + [lists.YOLO] + lists.PACKAGES)
    judge, faults = Judge(options.build.resolve()), 0
    with runtime.Runtime() as reference:
        for network in networks:
            weights = network.model.with_suffix('.bin').read_bytes()
            theirs = reference.run(network.model.read_text(), weights, list(np.load(network.inputs).values()))
            if theirs.failed:
                sys.exit(f'{network.name}: OpenVINO fails: {theirs.reason}')
            for kernels in ('fast', 'plain'):
                what, text = judge.judge(network, theirs.arrays, kernels)
                faults += what == 'fault'
                print(f'{network.name} ({network.what}), {kernels}: {what}: {text}', flush=True)
    print(f'{len(networks)} networks, {faults} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
