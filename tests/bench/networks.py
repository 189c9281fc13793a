"""Compares how long whole networks take in OpenVINO and in irrun.
Measures a run on 1 and 2 threads. Also measures a new process that reads the model and runs it once, and its peak
memory.
usage: networks.py BUILD [--real DIR] [--only NAME...] [--quick] [--threads N...] [--seconds S] [--rounds N] [--steps
N]"""
import argparse
import os
import statistics
import subprocess
import sys

import networks_list
from peers import row, run

PEER = os.path.join(os.path.dirname(__file__), 'networks_peer.py')


class Machine:
    """Measures networks in OpenVINO and in irrun."""

    def __init__(self, build):
        self.irrun = os.path.join(build, 'irrun')
        self.stopwatch = os.path.join(build, 'tests', 'bench', 'stopwatch')

    def report(self, network, threads, seconds):
        command = [self.irrun, f'--bench={seconds}s', '--threads', threads, '--input', network.inputs, '--profile', '--json', network.model]
        return run([str(word) for word in command])['models'][0]

    def run_ns(self, network, threads, options):
        """Returns the best times of a run in OpenVINO and in irrun. Rounds alternate, so that a slow moment of the
        machine affects both."""
        pairs, seconds = [], options.seconds / options.rounds
        for _ in range(options.rounds):
            theirs = run([sys.executable, '-B', PEER, network.model, network.inputs, str(threads), str(seconds)])
            pairs.append((theirs['min_ns'], self.report(network, threads, seconds)['bench']['min_ns']))
        return tuple(map(min, zip(*pairs)))

    def cold(self, network, options):
        """Returns [(ms, KiB) of OpenVINO, (ms, KiB) of irrun]: the best time and the smallest peak of a process, over
        all rounds."""
        commands = [[sys.executable, '-B', PEER, network.model, network.inputs], [self.irrun, '-q', '--input', network.inputs, network.model]]
        rounds = [[self.process(command) for command in commands] for _ in range(options.rounds)]
        return [tuple(map(min, zip(*taken))) for taken in zip(*rounds)]

    def process(self, command):
        done = subprocess.run([self.stopwatch, '1', *command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f'{command}: {done.stderr}')
        milliseconds, peak = done.stdout.split()
        return float(milliseconds), float(peak)

    def steps(self, network, options):
        """Returns [(ns, share, step)] of a run on one thread, the longest step first. A step's time is its best in all
        rounds, because a single measurement can be disturbed."""
        profiles = [self.report(network, 1, options.seconds / options.rounds)['profile'] for _ in range(options.rounds)]
        taken = [(min(one['duration_ns'] for one in same), same[0]) for same in zip(*profiles)]
        whole = sum(ns for ns, _ in taken)
        return sorted(((ns, ns / whole, step) for ns, step in taken), key=lambda one: -one[0])


def table(heads):
    row(heads)
    row(['---', *['---:'] * (len(heads) - 1)])


def print_runs(machine, networks, options):
    print('\nThe best run in ms:\n')
    table(['network', 'threads', 'OpenVINO', 'irrun', 'irrun : OpenVINO'])
    ratios = []
    for threads in options.threads:
        for network in networks:
            theirs, mine = machine.run_ns(network, threads, options)
            ratios.append(mine / theirs)
            row([network.name, str(threads), f'{theirs / 1e6:.2f}', f'{mine / 1e6:.2f}', f'{ratios[-1]:.2f}'])
    print(f'\nirrun : OpenVINO {statistics.geometric_mean(ratios):.2f} in the geometric mean, above 1.25 in '
          f'{sum(ratio > 1.25 for ratio in ratios)} of {len(ratios)}')


def print_cold(machine, networks, options):
    print('\nA cold process (OpenVINO: of Python), the best in ms, and its peak in MiB:\n')
    table(['network', 'MB of .bin', 'OpenVINO', 'irrun', 'OpenVINO : irrun', 'peak of OpenVINO', 'peak of irrun', 'irrun : OpenVINO'])
    times, peaks = [], []
    for network in networks:
        (their_ms, their_peak), (my_ms, my_peak) = machine.cold(network, options)
        times.append(their_ms / my_ms)
        peaks.append(my_peak / their_peak)
        row([network.name, f'{network.model.with_suffix(".bin").stat().st_size / 1e6:.1f}', f'{their_ms:.0f}', f'{my_ms:.0f}', f'{times[-1]:.1f}',
             f'{their_peak / 1024:.0f}', f'{my_peak / 1024:.0f}', f'{peaks[-1]:.2f}'])
    print(f'\nOpenVINO : irrun {statistics.geometric_mean(times):.1f} in time, irrun : OpenVINO {statistics.geometric_mean(peaks):.2f} in memory, '
          'in the geometric mean')


def print_steps(machine, networks, options):
    print('\nWhat kernels take on one thread, and the longest steps:\n')
    table(['network', 'ms', 'share', 'kernel or step'])
    for network in networks:
        steps, kernels = machine.steps(network, options), {}
        for ns, share, step in steps:
            name = f'all of {step["kernel"].split("+")[0]} ({step["isa"]})'
            before = kernels.get(name, (0, 0))
            kernels[name] = (before[0] + ns, before[1] + share)
        rows = sorted(((*sums, name) for name, sums in kernels.items()), reverse=True)[:options.steps]
        rows += [(ns, share, f'{step["id"]} {step["name"]}: {step["op"]}, {step["kernel"]} ({step["isa"]})') for ns, share, step in steps[:options.steps]]
        for ns, share, text in rows:
            row([network.name, f'{ns / 1e6:.2f}', f'{share:.1%}', text])


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    networks_list.add_options(parser)
    parser.add_argument('--quick', action='store_true', help='a round of a third of a second')
    parser.add_argument('--threads', type=int, nargs='*', default=[1, 2])
    parser.add_argument('--seconds', type=float, default=3, help='of each, in all rounds')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--steps', type=int, default=0, metavar='N', help='show the N kernels and steps that take longest')
    options = parser.parse_args()
    if options.quick:
        options.seconds, options.rounds = 0.3, 1
    return options


def main():
    options = read_options()
    networks = networks_list.prepare(options, networks_list.LIGHT + networks_list.REAL + [networks_list.YOLO])
    machine = Machine(options.build)
    if options.threads:
        print_runs(machine, networks, options)
        print_cold(machine, networks, options)
    if options.steps:
        print_steps(machine, networks, options)


if __name__ == '__main__':
    main()
