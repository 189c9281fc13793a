"""Compares arrays of irrun with arrays of the runtime, which computes in f32.
Distances are relative to the largest magnitude of the array, because each program adds up sums in its own order."""

import numpy as np

from oracle import ir

PLACES = {"f64": (52, -1022), "f32": (23, -126), "f16": (10, -14), "bf16": (7, -126)}  # (fraction bits, least exponent)
NEAR = {"f64": 1e-4, "f32": 1e-4, "f16": 4 * 2.0**-10, "bf16": 4 * 2.0**-7}  # the runtime computes f64 in f32


def differing(got, want):
    """Returns an array of booleans, true where elements are not near. Integers and booleans must be equal, NaN equals
    NaN, and an infinity equals itself."""
    if want.dtype.kind in "iub":
        return got != want
    near = NEAR[ir.type_of(want)]
    got, want = got.astype(np.float64), want.astype(np.float64)
    largest = np.abs(want[np.isfinite(want)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        return ~((got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= near * largest))


def unit(want, element_type):
    """Returns, for each number, one unit in the last place of the type, as f64."""
    bits, least = PLACES[element_type]
    with np.errstate(divide="ignore"):
        power = np.floor(np.log2(np.abs(np.where(np.isfinite(want), want, 1))))
    return 2.0 ** (np.maximum(power, least) - bits)


def same(got, want):
    return (got == want) | (np.isnan(got) & np.isnan(want))


def beyond_ulps(got, want, ulps, magnitude=0):
    """Returns whether each element of `got` is more than `ulps` units in the last place from `want`, which is f64.
    The unit belongs to the larger of |want| and `magnitude`."""
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = want.astype(got.dtype).astype(np.float64)
        element_type, got = ir.type_of(got), got.astype(np.float64)
        return ~(same(got, rounded) | (np.abs(got - want) <= ulps * unit(np.maximum(np.abs(want), magnitude), element_type)))


def beyond_magnitude(got, want, magnitude, units=16, roundings=1, half=2.0**-24):
    """Returns whether each element is too far from `want` to be explained by the order of a sum and by `roundings` to
    the type.
    `magnitude` is the sum of the terms' absolute values. `half` is half a unit in the last place of 1 in the type of
    the sum; f32 for the runtime.
    Integers and booleans must be equal."""
    if got.dtype.kind in "iub":
        return got != want
    element_type = ir.type_of(got)
    rounding = 0 if element_type in ("f32", "f64") else roundings * unit(magnitude, element_type)
    got, want = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return ~(same(got, want) | (np.isfinite(want) & (np.abs(got - want) <= units * half * magnitude + rounding)))


def beyond_largest(got, want, **more):
    """Works as beyond_magnitude, with the largest element of `want` as the magnitude, because the terms of the sums are
    unknown."""
    sizes = np.abs(want.astype(np.float64))
    return beyond_magnitude(got, want, sizes[np.isfinite(sizes)].max(initial=0), **more)


def unequal(got, want):
    """Returns whether each element of `got` and `want` differs. Elements of f64 are compared as f32, because the
    runtime computes in f32."""
    if want.dtype.kind in "iub":
        return got != want
    if ir.type_of(want) == "f64":
        with np.errstate(over="ignore"):
            got, want = got.astype(np.float32), want.astype(np.float32)
    return ~same(got.astype(np.float64), want.astype(np.float64))


def difference(got, want, differs=differing):
    """Returns a text on how two arrays differ, or ""."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{list(got.shape)}, expected {want.dtype}{list(want.shape)}"
    wrong = differs(got, want)
    if not wrong.any():
        return ""
    at = np.unravel_index(np.argmax(wrong), got.shape)
    return f"{int(wrong.sum())} of {wrong.size} elements differ, first at {[int(i) for i in at]}: {got[at]}, expected {want[at]}"
