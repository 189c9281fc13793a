"""Runs whole networks in OpenVINO and in irrun, with its fast and its plain kernels, and compares the outputs.
usage: networks_check.py BUILD [--real DIR] [--only NAME...]

Outputs have to be as near to OpenVINO's as tests/oracle/near.py says. Where one is not, the first layer that differs is named, and each layer
that is wrong when it is fed what OpenVINO computes before it. A network that rounds inside may round a tie the other way: where no layer is wrong
when it is fed so, that is no fault. The status is 1 where there is one."""
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
INNER = ['--rtol=1e-3', '--atol=1e-3']  # how near inner tensors have to be
ROUNDING = re.compile(r'type="(FakeQuantize|Round)"')
SECONDS = 600
LAYERS = 10  # that are shown


class Judge:
    def __init__(self, build):
        self.irrun = build / 'irrun'

    def run(self, network, *words):
        return subprocess.run([self.irrun, network.model, '-i', network.inputs, *words], capture_output=True, text=True, timeout=SECONDS, check=False)

    def judge(self, network, want, kernels):
        """("equal", "tie" or "fault", text)."""
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
        """The first layer that differs, and those that are wrong alone. What layers compute is compared without oneDNN's fused ones."""
        tensors = network.folder / 'tensors.npz'
        subprocess.run([sys.executable, '-B', TENSORS, network.model, network.inputs, tensors], check=True, capture_output=True)
        words = [f'--kernels={kernels}', '-e', tensors, *INNER]
        compared = self.run(network, *words)
        alone = self.run(network, *words, '--isolate').stdout
        return (re.findall(r'.* diverges .*', compared.stderr + compared.stdout)[:1], re.findall(r'^ *\d+ .* DIFFERS .*', alone, re.M))


def distance(got, want):
    """The largest difference, of the largest magnitude."""
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
