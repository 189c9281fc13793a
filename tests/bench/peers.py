"""Prints how long workloads take in OpenVINO, onnxruntime, oneDNN (if installed) and irrun, in turn.
usage: peers.py BUILD [--threads N...] [--seconds S] [--rounds N] [--table FILE | --drawn N [--seed N] [--types TYPE...]
[--indices]] [--only NAME...] [--json FILE]"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

import drawn
import workloads

HERE = workloads.HERE


def run(command, **variables):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables}, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: {done.stderr.strip() or done.stdout.strip()}')
    return json.loads(done.stdout) if done.stdout.strip() else {}


class Timers:
    """Functions that measure a workload. Each returns a dict with 'min_ns', or an empty one if the peer lacks the
    op."""

    def __init__(self, build, models):
        self.irrun_path = os.path.join(build, 'irrun')
        self.onednn_path = os.path.join(build, 'tests', 'bench', 'onednn_timer')
        self.models = models
        self.peers = {'OpenVINO': self.in_python('openvino'), 'onnxruntime': self.in_python('onnxruntime')}
        if os.path.exists(self.onednn_path):
            self.peers['oneDNN'] = self.onednn

    def model(self, workload):
        return os.path.join(self.models, workload.name + '.xml')

    def in_python(self, peer):
        def timer(workload, threads, seconds):
            return run([sys.executable, '-B', os.path.join(HERE, 'peer_timers.py'), peer, workload.row,
                        self.model(workload), str(threads), str(seconds)])
        return timer

    def onednn(self, workload, threads, seconds):
        if workload.sizes is not None or workload.type != 'f32' or workload.has_indices:
            return {}
        lists = [workload.shape, workload.output, workload.kernel, workload.strides, workload.pads]
        return run([self.onednn_path, workload.op, str(seconds), *(','.join(map(str, one)) for one in lists)],
                   OMP_NUM_THREADS=str(threads))

    def irrun(self, workload, threads, seconds):
        report = run([self.irrun_path, f'--bench={seconds}s', '--threads', str(threads), '--fill', 'random:1', '--json',
                      self.model(workload)])
        return report['models'][0]['bench']


def measure(timers, workload, threads, options):
    """Returns {name: best time in ns}. Rounds alternate between all, so that a slow moment of the machine affects all
    alike."""
    best = {}

    def note(name, taken):
        if taken is not None:
            best[name] = min(taken, best.get(name, taken))

    for _ in range(options.rounds):
        for name, timer in timers.peers.items():
            note(name, timer(workload, threads, options.seconds / options.rounds).get('min_ns'))
        bench = timers.irrun(workload, threads, options.seconds / options.rounds)
        note('irrun', bench['min_ns'])
        note('floor', bench['floor_ns'])
    return best


def row(cells):
    print('| ' + ' | '.join(cells) + ' |', flush=True)


def ahead(timers, best):
    """Returns the best peer's time : irrun's time, or None if no peer has the op."""
    times = [best[name] for name in timers.peers if name in best]
    return min(times) / best['irrun'] if times else None


def print_row(timers, workload, threads, best):
    def microseconds(name):
        return f'{best[name] / 1e3:.1f}' if name in best else '-'
    ratio = ahead(timers, best)
    row([workload.name, str(threads), *map(microseconds, timers.peers), microseconds('irrun'), microseconds('floor'),
         f'{best["irrun"] / best["floor"]:.2f}', '-' if ratio is None else f'{ratio:.2f}'])


def print_summary(timers, results, threads):
    ratios = [ahead(timers, one['ns']) for one in results if one['threads'] == threads]
    ratios = [ratio for ratio in ratios if ratio is not None]
    if ratios:
        print(f'\nOn {threads} thread{"s" * (threads > 1)}: ahead by {statistics.geometric_mean(ratios):.2f} in the geometric mean, '
              f'behind in {sum(ratio < 1 for ratio in ratios)} of {len(ratios)}')


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build')
    parser.add_argument('--threads', type=int, nargs='+', default=[1, 2])
    parser.add_argument('--seconds', type=float, default=0.6, help='of each, in all rounds')
    parser.add_argument('--rounds', type=int, default=2)
    parser.add_argument('--table', choices=workloads.TABLES, default=workloads.TABLES[0])
    parser.add_argument('--drawn', type=int, metavar='N', help='instead of a table: random pools')
    parser.add_argument('--seed', type=int, default=1, help='of those')
    parser.add_argument('--types', choices=workloads.TYPE_BYTES, default=['f32'], nargs='+', metavar='TYPE', help='of those: f32, f16, bf16, i8, u8')
    parser.add_argument('--indices', action='store_true', help='of those, with maxima')
    parser.add_argument('--only', nargs='+', metavar='NAME', help='workloads')
    parser.add_argument('--json', metavar='FILE', help='write the times there too')
    return parser.parse_args()


def main():
    options = read_options()
    table = workloads.read(options.table) if options.drawn is None else [
        workloads.Workload(row) for row in drawn.rows(options.drawn, options.seed, options.types, options.indices)]
    table = [workload for workload in table if not options.only or workload.name in options.only]
    results = []
    with tempfile.TemporaryDirectory() as models:
        subprocess.run(['awk', '-v', f'folder={models}', '-f', os.path.join(HERE, 'models.awk')],
                       input=''.join(f'{workload.row}\n' for workload in table), text=True, check=True)
        timers = Timers(options.build, models)
        print(f'Best times in microseconds of {options.seconds} s each; floor: read and write the same bytes.\n')
        row(['workload', 'threads', *timers.peers, 'irrun', 'floor', 'irrun : floor', 'best peer : irrun'])
        row(['---', *['---:'] * (len(timers.peers) + 5)])
        for threads in options.threads:
            for workload in table:
                best = measure(timers, workload, threads, options)
                print_row(timers, workload, threads, best)
                results.append({'name': workload.name, 'threads': threads, 'bytes': workload.bytes, 'ns': best})
    for threads in options.threads:
        print_summary(timers, results, threads)
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            json.dump(results, file, indent=1)


if __name__ == '__main__':
    main()
