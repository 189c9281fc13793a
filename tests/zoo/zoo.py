"""Checks, runs and times published architectures in irrun and in OpenVINO, a line each, then a table of the families.
usage: zoo.py BUILD [--only REGEX] [--threads N...] [--seconds S] [--rounds N] [--precision TYPE] [--json FILE]
    [--list]

A model, OpenVINO's results and irrun's result are kept in BUILD/zoo. A stopped zoo goes on where it stopped; a new
build of irrun is measured anew. The status is 1 if irrun has a fault in a model."""
import argparse
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

import numpy as np
import openvino
import scipy.optimize

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / 'bench')]

import architectures  # noqa: E402
import report  # noqa: E402
from networks_check import Judge, distance  # noqa: E402
from oracle import inferred, near, refusals  # noqa: E402

SECONDS = 1800  # time limit of each command
COLD_PEER = HERE.parent / 'bench' / 'networks_peer.py'
LINES = 6  # most lines that are printed of a fault
TIES = 10000  # of so many elements of a FakeQuantize, one can be halfway between two steps, and be rounded to the other
# Properties of OpenVINO: quantized networks in f32
IN_F32 = {'LP_TRANSFORMS_MODE': 'NO', 'DYNAMIC_QUANTIZATION_GROUP_SIZE': 0}


class Fault(Exception):
    """Holds the stage that failed and a text."""

    def __init__(self, stage, text):
        super().__init__(stage, '\n'.join(str(text).strip().splitlines()[-LINES:]))


@dataclasses.dataclass
class Entry:
    """An architecture and its files."""

    architecture: architectures.Architecture
    folder: pathlib.Path

    model = property(lambda self: self.folder / 'model.xml')
    inputs = property(lambda self: self.folder / 'inputs.npz')
    expected = property(lambda self: self.folder / 'expected.npz')
    exact = property(lambda self: self.folder / 'expected_f32.npz')  # quantized networks computed in f32
    result = property(lambda self: self.folder / 'result.json')


class Child:
    """A process of a Python script that answers orders, lines of JSON."""

    def __init__(self, stage, log, script, *words):
        self.stage, self.log = stage, log
        with open(log, 'w', encoding='utf-8') as errors:
            self.process = subprocess.Popen([sys.executable, '-B', HERE / script, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True)

    def kill(self):
        """Kills the process and its children: one that outlives it would keep its answers open."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.kill()
        self.process.communicate()

    def ask(self, *order):
        """Returns the answer. An answer {"error": text} and a process that ends are faults."""
        limit = threading.Timer(SECONDS, self.kill)
        limit.start()
        try:
            self.process.stdin.write(json.dumps(order) + '\n')
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ''
        limit.cancel()
        answer = json.loads(line) if line else {'error': f'{self.log.read_text(encoding="utf-8")}\nended with status {self.process.wait()}'}
        if isinstance(answer, dict):
            raise Fault(self.stage, answer['error'])
        return answer

    def is_alive(self):
        return self.process.poll() is None


def peer(entry):
    return Child('OpenVINO', entry.folder / 'openvino.log', 'openvino_peer.py', entry.model, entry.inputs)


def run(stage, command, statuses=(0,)):
    """Runs a command. A status that is not in `statuses` is a fault of this stage."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise Fault(stage, f'no end after {SECONDS} s') from error
    if done.returncode not in statuses:
        raise Fault(stage, '; '.join(f'{rule} {text}' for text, rule in refusals.errors_of(done.stderr)) or
                    f'status {done.returncode}: {done.stderr}')
    return done


# ---- comparison ----


def matched(got, want):
    """Returns the arrays of `got` with their rows, one for each box, in the order in which they are nearest to those of
    `want`."""
    def rows(arrays):
        return np.concatenate([array.reshape(len(array), -1) / max(np.abs(scale).max(), 1e-9) for array, scale in zip(arrays, want)], axis=1)
    if not len(want[0]):
        return got
    mine = rows(got)
    _, order = scipy.optimize.linear_sum_assignment([np.abs(mine - row).max(axis=1) for row in rows(want)])
    return [array[order] for array in got]


def in_order(architecture, got, want):
    """Returns `got` with its rows in the order of `want` if only rows of tied scores can have changed places: the
    scores, in their own order, are equal."""
    same = [a.shape == b.shape and len(a) == len(want[0]) for a, b in zip(got, want)]
    scores = [i for i, array in enumerate(want) if array.ndim == 1 and array.dtype.kind == 'f']
    if not architecture.unordered or not all(same) or any(near.difference(got[i], want[i]) for i in scores):
        return got
    return matched(got, want)


def load(path):
    with np.load(path) as file:
        return list(file.values())


def farthest(got, want):
    """Returns the largest distance between outputs, or infinity if their shapes differ."""
    same = all(a.shape == b.shape for a, b in zip(got, want, strict=True))
    return float(max(map(distance, got, want))) if same else np.inf


def is_tie(line):
    """Returns whether a line on a layer says that a few elements of a FakeQuantize differ."""
    found = re.search(r'FakeQuantize-1 .* DIFFERS +(\d+) of (\d+)', line)
    return found is not None and int(found[1]) <= 1 + int(found[2]) / TIES


def compare(entry, judge, result):
    """Notes the largest distance from OpenVINO's outputs. If it is too large, looks for layers that differ when they are
    fed OpenVINO's tensors. If there is none, small differences have grown on their way, and that is no fault.
    OpenVINO has two answers for quantized networks, in integers and in f32. Outputs may be as far from one of them as it
    is from the other."""
    want = load(entry.expected)
    got = in_order(entry.architecture, load(entry.folder / 'outputs.npz'), want)
    wrong = [f'output {i}: {text}' for i, pair in enumerate(zip(got, want, strict=True)) if (text := near.difference(*pair))]
    result['distance'] = farthest(got, want)
    if entry.architecture.quantize:
        in_f32 = load(entry.exact)
        result['distance'] = min(result['distance'], farthest(got, in_f32))
        if result['distance'] <= farthest(in_f32, want):
            return
    if not wrong:
        return
    first, alone = judge.layers(entry, 'fast')
    alone = [line for line in alone if not is_tie(line)]
    (entry.folder / 'tensors.npz').unlink(missing_ok=True)
    result['grown'] = [*wrong[:1], *first]
    if alone:
        raise Fault('compare', '\n'.join([*wrong[:1], *first, *(f'fed by OpenVINO: {line}' for line in alone[:LINES - 2])]))


# ---- one model ----


class Zoo:
    def __init__(self, options):
        self.options, self.build = options, options.build.resolve()
        self.irrun = self.build / 'irrun'
        self.judge, self.maker = Judge(self.build), None
        self.root = self.build / f'zoo/openvino-{openvino.__version__.split("-", maxsplit=1)[0]}'
        files = [self.irrun, *self.build.glob('irrun-onednn.so')]
        self.key = hashlib.sha256(b''.join(path.read_bytes() for path in files)).hexdigest() + options.precision

    def entry(self, architecture):
        return Entry(architecture, self.root / architecture.path)

    def known(self, entry):
        """Returns the result of this irrun that is kept, or None."""
        result = json.loads(entry.result.read_text()) if entry.result.exists() else {'irrun': None}
        has_times = result.get('ms', {}).keys() >= set(map(str, self.options.threads))
        return result if result['irrun'] == self.key and (has_times or report.is_fault(result)) else None

    def measure(self, architecture):
        entry = self.entry(architecture)
        result = self.known(entry)
        if result is None:
            result = {'family': architecture.family, 'name': architecture.name, 'irrun': self.key}
            try:
                self.fill(entry, result)
            except Fault as fault:
                result['fault'] = fault.args
            entry.result.write_text(json.dumps(result, indent=1))
        return result

    def make(self, entry):
        """Makes the model, its inputs and OpenVINO's results, unless they exist."""
        entry.folder.mkdir(parents=True, exist_ok=True)
        if not entry.inputs.exists():
            if not (self.maker and self.maker.is_alive()):
                self.maker = Child('convert', self.root / 'convert.log', 'make_model.py')
            self.maker.ask(entry.architecture.path, str(entry.folder))
        if not entry.expected.exists():
            with peer(entry) as child:
                if entry.architecture.quantize:
                    child.ask('outputs', str(entry.exact), IN_F32)
                child.ask('outputs', str(entry.expected), {})

    def fill(self, entry, result):
        self.make(entry)
        result['bytes'] = entry.model.with_suffix('.bin').stat().st_size
        self.check(entry, result)
        run('run', [self.irrun, entry.model, '-i', entry.inputs, '-q', '--max-errors=0', '-o', entry.folder / 'outputs.npz'])
        compare(entry, self.judge, result)
        if not self.options.threads:
            return
        with peer(entry) as child:
            result['ms'] = {str(threads): self.times(entry, threads, child) for threads in self.options.threads}
        result['cold'] = [self.cold([sys.executable, '-B', COLD_PEER, entry.model, entry.inputs]),
                          self.cold([self.irrun, '-q', '--input', entry.inputs, entry.model])]

    def check(self, entry, result):
        found = run('check', [self.irrun, '--check-shapes', '--json', '-v', entry.model], (0, 3, 4)).stdout
        told = json.loads(found)['models'][0]
        levels = [one['severity'] for one in told['diagnostics']]
        result['layers'], result['warnings'] = len(told['layers']), levels.count('warning')
        errors = [f'{one["rule"]} {one["message"]}' for one in told['diagnostics'] if one['severity'] == 'error']
        if errors:
            raise Fault('check', '\n'.join(errors[:LINES]))
        _, differing = inferred.differences(told, inferred.read(entry.model))
        result['looser'] = [text for _, what, text in differing if what == 'looser'][:LINES]
        wrong = [f'{op}: {text}' for op, what, text in differing if what != 'looser']
        if wrong:
            raise Fault('shapes', '\n'.join(wrong[:LINES]))

    def times(self, entry, threads, child):
        """Returns the best times of OpenVINO and irrun in ms. Rounds alternate, so that a slow moment of the machine
        affects both."""
        seconds = self.options.seconds / self.options.rounds
        pairs = []
        for _ in range(self.options.rounds):
            theirs = child.ask('time', threads, seconds, self.options.precision)
            command = [self.irrun, f'--bench={seconds}s', '--threads', threads, '--input', entry.inputs, '--json',
                       '--precision', self.options.precision, entry.model]
            ours = json.loads(run('time', command).stdout)['models'][0]
            if any(one['rule'] == 'IR706' and one['severity'] == 'warning' for one in ours['diagnostics']):
                raise Fault('time', f'this machine has no products of {self.options.precision}')
            pairs.append((theirs, ours['bench']['min_ns']))
        return [min(best) / 1e6 for best in zip(*pairs)]

    def cold(self, command):
        """Returns the time in ms and the peak memory in MiB of a process that reads, plans and runs once."""
        milliseconds, peak = run('time', [self.build / 'tests/bench/stopwatch', 1, *command]).stdout.split()
        return float(milliseconds), float(peak) / 1024


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--only', default='', metavar='REGEX', help='architectures whose FAMILY/NAME contains this')
    parser.add_argument('--threads', type=int, nargs='*', default=[1, 2], help='none: measure no times')
    parser.add_argument('--seconds', type=float, default=1, help='of each program and number of threads, in all rounds')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--precision', choices=['f32', 'bf16', 'f16'], default='f32', help='of the timed products, in both')
    parser.add_argument('--json', metavar='FILE', type=pathlib.Path, help='write all results')
    parser.add_argument('--list', action='store_true', help='print the names of the architectures, measure none')
    return parser.parse_args()


def main():
    options = read_options()
    chosen = [one for one in architectures.all_architectures() if re.search(options.only, one.path)]
    if options.list:
        print('\n'.join(one.path for one in chosen))
        return 0
    zoo, results = Zoo(options), []
    for architecture in chosen:
        results.append(zoo.measure(architecture))
        print(report.line(results[-1]), flush=True)
    if zoo.maker:
        zoo.maker.kill()
    report.print_families(results, options.threads)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + '\n')
    return 1 if any(report.is_fault(result) for result in results) else 0


if __name__ == '__main__':
    sys.exit(main())
