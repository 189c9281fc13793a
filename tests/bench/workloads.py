"""The rows of a table of workloads, as Python."""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = ['workloads.txt', 'windows.txt', 'small.txt']


class Workload:
    """A pool of one input and one output, both f32."""

    def __init__(self, line):
        self.row = line.strip()
        self.name, self.op, _, *lists = line.split()
        self.shape, self.kernel, self.strides, self.pads, self.sizes = (
            None if text == '-' else [int(number) for number in text.split(',')] for text in lists)

    @property
    def output(self):
        spatial = self.sizes or [(size + 2 * pad - kernel) // stride + 1 for size, kernel, stride, pad
                                 in zip(self.shape[2:], self.kernel, self.strides, self.pads)]
        return self.shape[:2] + spatial

    @property
    def bytes(self):
        return 4 * (math.prod(self.shape) + math.prod(self.output))


def read(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as table:
        return [Workload(line) for line in table if not line.startswith('#')]
