"""Computes averages and maxima in exact arithmetic: Python's integers and fractions, with one rounding at the end.

The code shares nothing with irrun or OpenVINO, and is plain and slow on purpose."""

import fractions
import math

import ml_dtypes
import numpy as np

from oracle import ir
from oracle.windows import walk


def planes_of(x):
    """Returns an [N, C, D..] array as a list of N * C arrays."""
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:])


# ---- averages ----


def averages(x, windows, divisor=None):
    """Returns the mean of each window; a window is the product of one range for each axis. If `divisor` is None, a mean
    divides by the number of elements.
    The mean of a window without elements is 0."""
    planes = planes_of(x)
    out = np.zeros((len(planes), *(len(axis) for axis in windows)), x.dtype)
    for plane, result in zip(planes, out):
        exact, scale = scaled(plane)
        for where, ranges in walk(windows):
            window = tuple(slice(axis.start, axis.stop, axis.step) for axis in ranges)
            taps = plane[window]
            if taps.size:
                result[where] = mean(taps, exact[window], scale, divisor or taps.size)
    return out.reshape(*x.shape[:2], *out.shape[1:])


def scaled(values):
    """Returns (the finite elements times `scale` as integers, `scale`). Infinities and NaN become 0."""
    if values.dtype.kind in "iu":
        return values.astype(object), 1
    numbers = [fractions.Fraction(float(v)) if np.isfinite(v) else fractions.Fraction(0) for v in values.flat]
    scale = max((number.denominator for number in numbers), default=1)
    exact = np.empty(values.size, object)
    exact[:] = [int(number * scale) for number in numbers]
    return exact.reshape(values.shape), scale


def mean(taps, exact, scale, divisor):
    value = fractions.Fraction(int(exact.sum()), scale * divisor)
    if taps.dtype.kind in "iu":
        return round(value)  # rounds half to even
    special = 0.0
    for tap in taps[~np.isfinite(taps)]:
        special += float(tap)  # adds infinities and NaN; a sum that is NaN stays NaN
    return float(value) + special


# ---- maxima ----


def lowest(dtype):
    """Returns a type's lowest finite number, as a Python number."""
    if dtype.kind == "b":
        return False
    limits = np.iinfo(dtype) if dtype.kind in "iu" else ml_dtypes.finfo(dtype)
    return np.array(limits.min, dtype).item()


def greatest(taps, from_first):
    """Returns the position of the greatest element, or None if no element is greater than the starting value.
    The starting value is the first element if `from_first`, otherwise the lowest finite number.
    Comparing with > keeps the first of equal elements, and skips every NaN behind the starting value."""
    best, at = (taps[0].item(), 0) if from_first else (lowest(taps.dtype), None)
    for i, tap in enumerate(taps.tolist()):
        if tap > best:
            best, at = tap, i
    return at


def maxima(x, windows, from_first):
    """Returns (values, positions within the plane). If a window has no maximum, its value is the lowest finite number,
    and its position is 0."""
    planes = planes_of(x)
    values = np.full((len(planes), *(len(axis) for axis in windows)), lowest(x.dtype), x.dtype)
    positions = np.zeros(values.shape, np.int64)
    places = np.arange(math.prod(x.shape[2:])).reshape(x.shape[2:])
    for p, plane in enumerate(planes):
        for where, ranges in walk(windows):
            window = np.ix_(*ranges)
            taps = plane[window].ravel()
            at = greatest(taps, from_first) if taps.size else None
            if at is not None:
                values[(p, *where)], positions[(p, *where)] = taps[at], places[window].ravel()[at]
    shape = (*x.shape[:2], *values.shape[1:])
    return values.reshape(shape), positions.reshape(shape)


def indices(positions, shape, axis):
    """Converts positions within a plane to indices of the input's elements, counted from `axis` on."""
    plane = math.prod(shape[2:])
    starts = np.arange(shape[0] * shape[1]).reshape(*shape[:2], *[1] * (len(shape) - 2)) * plane
    return (starts + positions) % max(1, math.prod(shape[axis % len(shape) :]))


# ---- comparing ----


def tolerance(element_type):
    """Returns (atol, rtol), the default tolerances of a comparison."""
    floats = {"f64": (1e-12, 1e-9), "f32": (1e-6, 1e-5), "f16": (1e-3, 1e-3), "bf16": (1e-2, 1e-2)}
    return floats.get(element_type, (0, 0))


def differing(got, expected, element_type=None):
    """Returns an array of booleans, true where |got - expected| <= atol + rtol * |expected| is false. NaN equals NaN,
    and an infinity equals itself."""
    atol, rtol = tolerance(element_type or ir.type_of(expected))
    if expected.dtype.kind in "iub":
        return got != expected
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(got - expected) <= atol + rtol * np.abs(expected)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    return ~(same | (near & np.isfinite(got) & np.isfinite(expected)))


def other_bits(got, expected):
    """Returns an array of booleans, true where the bits of `got` and `expected` differ. Every NaN equals every NaN."""
    same = (got == expected) & (np.signbit(got) == np.signbit(expected)) if got.dtype.kind not in "iub" else got == expected
    return ~(same | ((got != got) & (expected != expected)))
