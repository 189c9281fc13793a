"""Reads tables of workloads."""
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = ['workloads.txt', 'windows.txt', 'small.txt', 'types.txt']
TYPE_BYTES = {'f32': 4, 'f16': 2, 'bf16': 2, 'i8': 1, 'u8': 1}
INDEX_BYTES = 8


class Workload:
    """Holds a pool whose input and output have the same element type. MaxPool-8 has indices as a second output."""

    def __init__(self, line):
        self.row = line.strip()
        self.name, self.op, self.type, *lists = line.split()
        self.shape, self.kernel, self.strides, self.pads, self.sizes = (
            None if text == '-' else [int(number) for number in text.split(',')] for text in lists)

    @property
    def has_indices(self):
        return self.op == 'MaxPool-8'

    @property
    def output(self):
        spatial = self.sizes or [(size + 2 * pad - kernel) // stride + 1 for size, kernel, stride, pad
                                 in zip(self.shape[2:], self.kernel, self.strides, self.pads)]
        return self.shape[:2] + spatial

    @property
    def bytes(self):
        n_in, n_out = math.prod(self.shape), math.prod(self.output)
        return TYPE_BYTES[self.type] * (n_in + n_out) + (INDEX_BYTES * n_out if self.has_indices else 0)


def read(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as table:
        return [Workload(line) for line in table if not line.startswith('#')]
