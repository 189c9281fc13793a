"""Averaging pools in exact arithmetic: Python's integers and fractions, one rounding at the end.

It shares nothing with irrun or OpenVINO; plain and slow on purpose. A window without input gives 0."""

import dataclasses
import fractions
import itertools
import math

import numpy as np

from oracle import ir


class Refused(ValueError):
    """The rules of the op do not allow these parameters."""


@dataclasses.dataclass
class Pool:
    """Attributes of AvgPool-1; lists have one item for each spatial axis."""

    kernel: list
    strides: list
    pads_begin: list
    pads_end: list
    exclude_pad: bool
    rounding_type: str = "floor"
    auto_pad: str = "explicit"


def ceil_div(a, b):
    return -(-a // b)


def resolved_pads(pool, spatial):
    """(begin, end) for each axis, as auto_pad has it."""
    if pool.auto_pad == "explicit":
        return list(zip(pool.pads_begin, pool.pads_end))
    if pool.auto_pad == "valid":
        return [(0, 0)] * len(spatial)
    pads = []
    for n, k, s in zip(spatial, pool.kernel, pool.strides):
        total = max(0, (ceil_div(n, s) - 1) * s + k - n)
        small = total // 2
        pads.append((small, total - small) if pool.auto_pad == "same_upper" else (total - small, small))
    return pads


def output_size(n, k, s, begin, end, rounding_type):
    room = n + begin + end - k
    if room < 0:
        raise Refused(f"kernel {k} exceeds the padded input {n + begin + end}")
    return (ceil_div(room, s) if rounding_type == "ceil" else room // s) + 1


def pool_shape(shape, pool):
    if len(shape) not in (3, 4, 5):
        raise Refused(f"rank {len(shape)}")
    lists = [pool.kernel, pool.strides, pool.pads_begin, pool.pads_end]
    if any(len(values) != len(shape) - 2 for values in lists):
        raise Refused("length of an attribute")
    if min(pool.kernel + pool.strides) < 1 or min(pool.pads_begin + pool.pads_end) < 0 or min(shape[:2]) < 1:
        raise Refused("value out of range")
    spatial = shape[2:]
    pads = resolved_pads(pool, spatial)
    if pool.exclude_pad and any(max(pad) >= k for pad, k in zip(pads, pool.kernel)):
        raise Refused("a pad is not smaller than its window")
    sizes = [
        output_size(n, k, s, begin, end, pool.rounding_type)
        for n, k, s, (begin, end) in zip(spatial, pool.kernel, pool.strides, pads)
    ]
    return (*shape[:2], *sizes)


def pool_windows(shape, pool):
    """For each spatial axis the ranges of input positions that its windows cover."""
    out = pool_shape(shape, pool)
    pads = resolved_pads(pool, shape[2:])
    windows = []
    for n, n_out, k, s, (begin, _) in zip(shape[2:], out[2:], pool.kernel, pool.strides, pads):
        starts = [o * s - begin for o in range(n_out)]
        windows.append([range(max(0, start), max(0, min(n, start + k))) for start in starts])
    return windows


def empty_windows(shape, pool):
    """Array of the output's shape, true where no input element lies in the window."""
    flags = [np.array([len(window) == 0 for window in axis]) for axis in pool_windows(shape, pool)]
    empty = np.zeros([len(axis) for axis in flags], bool)
    for i, axis in enumerate(flags):
        empty |= axis.reshape([-1 if j == i else 1 for j in range(len(flags))])
    return np.broadcast_to(empty, pool_shape(shape, pool))


def overhangs(shape, pool):
    """True when some window reaches past the end padding."""
    out = pool_shape(shape, pool)
    pads = resolved_pads(pool, shape[2:])
    rows = zip(shape[2:], out[2:], pool.kernel, pool.strides, pads)
    return any((n_out - 1) * s - begin + k > n + end for n, n_out, k, s, (begin, end) in rows)


def avg_pool(x, pool):
    pads = resolved_pads(pool, x.shape[2:])
    by_taps = pool.exclude_pad or not any(begin or end for begin, end in pads)
    return averages(x, pool_windows(x.shape, pool), None if by_taps else math.prod(pool.kernel))


def adaptive_shape(shape, sizes):
    if len(shape) not in (3, 4, 5) or len(sizes) != len(shape) - 2 or min(sizes) < 1 or min(shape) < 1:
        raise Refused("rank or sizes")
    return (*shape[:2], *(int(size) for size in sizes))


def adaptive_avg_pool(x, sizes):
    adaptive_shape(x.shape, sizes)
    bins = [
        [range(i * n // out, ceil_div((i + 1) * n, out)) for i in range(out)]
        for n, out in zip(x.shape[2:], (int(size) for size in sizes))
    ]
    return averages(x, bins, None)


def averages(x, windows, divisor):
    """Means over the product of the axes' ranges; `divisor` None: the number of elements in each window."""
    planes = x.reshape(x.shape[0] * x.shape[1], *x.shape[2:])
    out = np.zeros((len(planes), *(len(axis) for axis in windows)), x.dtype)
    for plane, result in zip(planes, out):
        exact, scale = scaled(plane)
        for where in itertools.product(*(range(len(axis)) for axis in windows)):
            window = tuple(slice(axis[i].start, axis[i].stop) for axis, i in zip(windows, where))
            taps = plane[window]
            if taps.size:
                result[where] = mean(taps, exact[window], scale, divisor or taps.size)
    return out.reshape(*x.shape[:2], *out.shape[1:])


def scaled(plane):
    """The finite elements as integers, times `scale`; the others as 0."""
    if plane.dtype.kind in "iu":
        return plane.astype(object), 1
    values = [fractions.Fraction(float(v)) if np.isfinite(v) else fractions.Fraction(0) for v in plane.flat]
    scale = max((value.denominator for value in values), default=1)
    exact = np.empty(plane.size, object)
    exact[:] = [int(value * scale) for value in values]
    return exact.reshape(plane.shape), scale


def mean(taps, exact, scale, divisor):
    value = fractions.Fraction(int(exact.sum()), scale * divisor)
    if taps.dtype.kind in "iu":
        return round(value)  # half to even
    special = 0.0
    for tap in taps[~np.isfinite(taps)]:
        special += float(tap)  # infinities and NaN; the first sum that is NaN stays so
    return float(value) + special


def tolerance(element_type):
    """(atol, rtol) of a comparison when none is given."""
    floats = {"f64": (1e-12, 1e-9), "f32": (1e-6, 1e-5), "f16": (1e-3, 1e-3), "bf16": (1e-2, 1e-2)}
    return floats.get(element_type, (0, 0))


def differing(got, expected, element_type=None):
    """Array, true where |got - expected| <= atol + rtol * |expected| does not hold; equal NaN and infinities agree."""
    atol, rtol = tolerance(element_type or ir.type_of(expected))
    if expected.dtype.kind in "iu":
        return got != expected
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(got - expected) <= atol + rtol * np.abs(expected)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    return ~(same | (near & np.isfinite(got) & np.isfinite(expected)))
