"""How near an array has to be to one of the runtime that computes in f32: in relation to the largest magnitude, for sums are computed in any order."""

import numpy as np

from oracle import ir

PLACES = {"f64": (52, -1022), "f32": (23, -126), "f16": (10, -14), "bf16": (7, -126)}  # {type: (bits of a fraction, least exponent)}
NEAR = {"f64": 1e-4, "f32": 1e-4, "f16": 4 * 2.0**-10, "bf16": 4 * 2.0**-7}  # the runtime computes f64 in f32


def differing(got, want):
    """Array of booleans: integers and booleans are exact, NaN is NaN, and an infinity the same infinity."""
    if want.dtype.kind in "iub":
        return got != want
    near = NEAR[ir.type_of(want)]
    got, want = got.astype(np.float64), want.astype(np.float64)
    largest = np.abs(want[np.isfinite(want)]).max(initial=0)
    with np.errstate(invalid="ignore"):
        return ~((got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got - want) <= near * largest))


def unit(want, element_type):
    """Of the last place of each number, f64: how far the next number of the type is."""
    bits, least = PLACES[element_type]
    with np.errstate(divide="ignore"):
        power = np.floor(np.log2(np.abs(np.where(np.isfinite(want), want, 1))))
    return 2.0 ** (np.maximum(power, least) - bits)


def same(got, want):
    return (got == want) | (np.isnan(got) & np.isnan(want))


def beyond_ulps(got, want, ulps, magnitude=0):
    """Whether each element is more than so many units of the last place of its type from the number that is wanted, in f64; the units are those of the magnitude
    where that is larger."""
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = want.astype(got.dtype).astype(np.float64)
        element_type, got = ir.type_of(got), got.astype(np.float64)
        return ~(same(got, rounded) | (np.abs(got - want) <= ulps * unit(np.maximum(np.abs(want), magnitude), element_type)))


def beyond_magnitude(got, want, magnitude, units=16, roundings=1, half=2.0**-24):
    """Whether each element is further from what is wanted than the order of sums, whose terms add up to the magnitude, and roundings to the type may bring it.
    `half` is half a unit in the last place of 1 of the numbers that are summed: the runtime's are f32. Integers and booleans are exact."""
    if got.dtype.kind in "iub":
        return got != want
    element_type = ir.type_of(got)
    rounding = 0 if element_type in ("f32", "f64") else roundings * unit(magnitude, element_type)
    got, want = got.astype(np.float64), want.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return ~(same(got, want) | (np.isfinite(want) & (np.abs(got - want) <= units * half * magnitude + rounding)))


def beyond_largest(got, want, **more):
    """The same, where the terms are not known, in relation to the largest element."""
    sizes = np.abs(want.astype(np.float64))
    return beyond_magnitude(got, want, sizes[np.isfinite(sizes)].max(initial=0), **more)


def unequal(got, want):
    """Whether each element is another one; the runtime has those of f64 as f32."""
    if want.dtype.kind in "iub":
        return got != want
    if ir.type_of(want) == "f64":
        with np.errstate(over="ignore"):
            got, want = got.astype(np.float32), want.astype(np.float32)
    return ~same(got.astype(np.float64), want.astype(np.float64))


def difference(got, want, differs=differing):
    """Text, empty where an array is as it has to be."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{list(got.shape)}, expected {want.dtype}{list(want.shape)}"
    wrong = differs(got, want)
    if not wrong.any():
        return ""
    at = np.unravel_index(np.argmax(wrong), got.shape)
    return f"{int(wrong.sum())} of {wrong.size} elements differ, first at {[int(i) for i in at]}: {got[at]}, expected {want[at]}"
