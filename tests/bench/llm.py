"""Compares a language model in OpenVINO and in irrun: a token, a prompt, what the length of the state costs, and a new
process up to its first token. Makes the models that are missing.
usage: llm.py BUILD [--weights i4 u8 f16 f32] [--threads N...] [--seconds S] [--rounds N] [--sizes NAME=NUMBER...]"""
import argparse
import os
import subprocess
import sys

import numpy as np
from peers import row, run

HERE = os.path.dirname(__file__)
PEER = [sys.executable, '-B', os.path.join(HERE, 'llm_peer.py')]


class Model:
    def __init__(self, build, weights, sizes):
        self.weights, self.irrun = weights, os.path.join(build, 'irrun')
        self.stopwatch = os.path.join(build, 'tests', 'bench', 'stopwatch')
        name = '_'.join([weights, *sizes]).replace('=', '')
        self.path = os.path.join(build, 'llm', f'{name}.xml')
        self.ids = os.path.join(build, 'llm', 'ids.npy')
        self.peaks = []  # bytes of OpenVINO and of irrun
        if not os.path.exists(self.path):
            maker = os.path.join(HERE, 'llama_model.py')
            subprocess.run([sys.executable, '-B', maker, self.path, weights, *sizes], check=True)
        np.save(self.ids, np.random.default_rng(2).integers(0, 1000, (1, 64)))

    def times(self, threads, length, seconds):
        """Returns [[OpenVINO, irrun] for a prompt, [...] for a token] in ms, and the share of what the machine reads."""
        theirs = run([*PEER, self.path, 'times', str(threads), str(length), str(seconds)])
        rounds = f'{seconds}s' if seconds else '1'
        words = ['--llm', '--json', '--threads', str(threads), '--shape', f'input_ids=1,1..{length}', self.path]
        mine = run([self.irrun, f'--bench={rounds}', *words])['models'][0]['llm_bench']
        prompt, token = ([theirs[f'{name}_ns'], mine[name]['min_ns']] for name in ('prompt', 'token'))
        if length == 128:
            self.peaks.append([theirs['peak_bytes'], mine['peak_bytes']])
        return np.array([prompt, token]) / 1e6, mine['weight_bytes_per_s'] / mine['read_bytes_per_s']

    def process(self, command):
        done = subprocess.run([self.stopwatch, '1', *command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f'{command}: {done.stderr}')
        return float(done.stdout.split()[0])

    def cold(self):
        """Returns [ms of OpenVINO, ms of irrun]."""
        ours = [self.irrun, '--greedy', '1', '-i', f'input_ids={self.ids}', self.path]
        return [self.process([*PEER, self.path, 'first', self.ids]), self.process(ours)]

    def logits(self):
        """Returns the logits of a token after the prompt, of OpenVINO and of irrun."""
        out = [os.path.join(os.path.dirname(self.path), name) for name in ('theirs.npy', 'ours.npy')]
        subprocess.run([*PEER, self.path, 'logits', self.ids, out[0]], check=True)
        steps = [self.ids, f'{out[1]}.0.npy'], ['5', out[1]]
        words = [['--step', '-i', f'input_ids={ids}', '-o', f'logits={path}'] for ids, path in steps]
        subprocess.run([self.irrun, self.path, '--llm', '-q', *sum(words, [])[1:]], check=True)
        return [np.load(path).astype(np.float64) for path in out]


def table(heads):
    print()
    row(heads)
    row(['---', *['---:'] * (len(heads) - 1)])


def compare(weights, what, pair, *more):
    row([weights, what, *(f'{ms:.1f}' for ms in pair), f'{pair[1] / pair[0]:.2f}', *more])


def print_times(models, options):
    share_head = 'weights read, of what the machine reads'
    table(['weights, threads', 'the best in ms', 'OpenVINO', 'irrun', 'irrun : OpenVINO', share_head])
    for model in models:
        for threads in options.threads:
            name, rounds = f'{model.weights}, {threads}', range(options.rounds)
            taken = [model.times(threads, 128, options.seconds) for _ in rounds]
            best = np.min([times for times, _ in taken], axis=0)
            compare(name, 'a token', best[1], f'{max(share for _, share in taken):.0%}')
            compare(name, 'a prompt of 128', best[0], '')
            few, many = (np.min([model.times(threads, n, 0)[0][1] for _ in rounds], axis=0) for n in (20, 2000))
            compare(name, 'a token after 2,000 minus one after 20', many - few, '')


def print_processes(models, options):
    print('\nA new process (OpenVINO: of Python) up to the first token after a prompt of 64, and the peak memory of a prompt')
    print('of 128 and 16 tokens:')
    table(['weights', '', 'OpenVINO', 'irrun', 'irrun : OpenVINO'])
    for model in models:
        compare(model.weights, 'the best in ms', np.min([model.cold() for _ in range(options.rounds)], axis=0))
        size = os.path.getsize(model.path[:-3] + 'bin') / 1e6
        compare(model.weights, f'MB; the file has {size:.1f}', np.min(model.peaks, axis=0) / 1e6)


def print_logits(models):
    print('\nA token after a prompt of 64:')
    table(['weights', 'sum of the logits: OpenVINO', 'irrun', 'largest difference, of the largest logit'])
    for model in models:
        theirs, ours = model.logits()
        largest = np.abs(theirs - ours).max() / np.abs(theirs).max()
        row([model.weights, f'{theirs.sum():.6g}', f'{ours.sum():.6g}', f'{largest:.1e}'])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('build')
    parser.add_argument('--weights', nargs='+', default=['i4', 'u8'])
    parser.add_argument('--threads', nargs='+', type=int, default=[1, 2])
    parser.add_argument('--seconds', type=float, default=2)
    parser.add_argument('--rounds', type=int, default=2)
    parser.add_argument('--sizes', nargs='+', default=[])
    options = parser.parse_args()
    os.makedirs(os.path.join(options.build, 'llm'), exist_ok=True)
    models = [Model(options.build, weights, options.sizes) for weights in options.weights]
    print_times(models, options)
    print_processes(models, options)
    print_logits(models)


if __name__ == '__main__':
    main()
