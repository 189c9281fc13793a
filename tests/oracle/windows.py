"""Computes the windows of the pooling ops with plain integers: pads, output sizes, input positions of each window, bins
of the adaptive ops."""

import dataclasses
import itertools

import numpy as np

ROUNDINGS = ("floor", "ceil", "ceil_torch")
AUTO_PADS = ("explicit", "same_upper", "same_lower", "valid")


class Refused(ValueError):
    """The rules of the op do not allow these parameters."""


@dataclasses.dataclass
class Pool:
    """Holds the attributes of AvgPool and MaxPool. Lists have one item for each spatial axis."""

    kernel: list
    strides: list
    pads_begin: list
    pads_end: list
    exclude_pad: bool = None  # None for MaxPool, which has no such attribute
    rounding_type: str = "floor"
    auto_pad: str = "explicit"
    dilations: list = None  # None means ones

    @property
    def steps(self):
        return self.dilations or [1] * len(self.kernel)

    def axes(self):
        """Returns (kernel, stride, dilation) of each axis."""
        return list(zip(self.kernel, self.strides, self.steps))


def ceil_div(a, b):
    return -(-a // b)


def extent(kernel, dilation):
    return (kernel - 1) * dilation + 1


def resolved_pads(pool, spatial):
    """Returns (begin, end) for each axis, after auto_pad is applied."""
    if pool.auto_pad == "explicit":
        return list(zip(pool.pads_begin, pool.pads_end))
    if pool.auto_pad == "valid":
        return [(0, 0)] * len(spatial)
    pads = []
    for n, (k, s, d) in zip(spatial, pool.axes()):
        total = max(0, (ceil_div(n, s) - 1) * s + extent(k, d) - n)
        small = total // 2
        pads.append((small, total - small) if pool.auto_pad == "same_upper" else (total - small, small))
    return pads


def output_size(n, window, stride, begin, end, rounding_type):
    room = n + begin + end - window
    if room < 0:
        raise Refused(f"window {window} exceeds the padded input {n + begin + end}")
    if rounding_type == "floor":
        return room // stride + 1
    last = ceil_div(room, stride)
    if rounding_type == "ceil_torch" and last * stride >= n + begin:
        return last  # a further window would begin in the end padding
    return last + 1


def pool_shape(shape, pool):
    if len(shape) not in (3, 4, 5):
        raise Refused(f"rank {len(shape)}")
    lists = [pool.kernel, pool.strides, pool.pads_begin, pool.pads_end, pool.steps]
    if any(len(values) != len(shape) - 2 for values in lists):
        raise Refused("length of an attribute")
    if min(pool.kernel + pool.strides + pool.steps) < 1 or min(pool.pads_begin + pool.pads_end) < 0 or min(shape[:2]) < 1:
        raise Refused("value out of range")
    spatial = shape[2:]
    pads = resolved_pads(pool, spatial)
    extents = [extent(k, d) for k, _, d in pool.axes()]
    if pool.exclude_pad and any(max(pad) >= window for pad, window in zip(pads, extents)):
        raise Refused("a pad is not smaller than its window")
    rows = zip(spatial, extents, pool.strides, pads)
    sizes = [output_size(n, window, s, begin, end, pool.rounding_type) for n, window, s, (begin, end) in rows]
    return (*shape[:2], *sizes)


def inside(taps, n):
    """Returns the part of a range that lies in [0, n)."""
    left = [tap for tap in taps if 0 <= tap < n]
    return range(left[0], left[-1] + 1, taps.step) if left else range(0)


def pool_windows(shape, pool):
    """Returns, for each spatial axis, the range of input positions of each window."""
    out = pool_shape(shape, pool)
    pads = resolved_pads(pool, shape[2:])
    windows = []
    for n, n_out, (k, s, d), (begin, _) in zip(shape[2:], out[2:], pool.axes(), pads):
        starts = [o * s - begin for o in range(n_out)]
        windows.append([inside(range(start, start + k * d, d), n) for start in starts])
    return windows


def empty_windows(shape, pool):
    """Returns an array of the output's shape, true where no input element lies in the window."""
    return np.broadcast_to(without_elements(pool_windows(shape, pool)), pool_shape(shape, pool))


def without_elements(ranges):
    """Returns an array of one plane of the output, true where no input element lies in the window. `ranges` comes from
    pool_windows."""
    flags = [np.array([len(window) == 0 for window in axis], bool) for axis in ranges]
    empty = np.zeros([len(axis) for axis in flags], bool)
    for i, axis in enumerate(flags):
        empty |= axis.reshape([-1 if j == i else 1 for j in range(len(flags))])
    return empty


def adaptive_shape(shape, sizes):
    sizes = [int(size) for size in sizes]
    if len(shape) not in (3, 4, 5) or len(sizes) != len(shape) - 2 or min(shape[2:]) < 1:
        raise Refused("rank or shape")
    if min(sizes) < 1 or max(sizes) > np.iinfo(np.int32).max:
        raise Refused("output size")
    return (*shape[:2], *sizes)


def adaptive_bins(shape, sizes):
    """Returns, for each spatial axis, the range of input positions of each bin."""
    out = adaptive_shape(shape, sizes)
    return [[range(i * n // o, ceil_div((i + 1) * n, o)) for i in range(o)] for n, o in zip(shape[2:], out[2:])]


def walk(windows):
    """Yields (index of an output element, the ranges of its window) for all outputs in row-major order."""
    for where in itertools.product(*(range(len(axis)) for axis in windows)):
        yield where, [axis[i] for axis, i in zip(windows, where)]
