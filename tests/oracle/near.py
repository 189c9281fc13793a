"""How near an array has to be to one of the runtime that computes in f32: in relation to the largest magnitude, for sums are computed in any order."""

import numpy as np

from oracle import ir

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


def difference(got, want, differs=differing):
    """Text, empty where an array is as it has to be."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{list(got.shape)}, expected {want.dtype}{list(want.shape)}"
    wrong = differs(got, want)
    if not wrong.any():
        return ""
    at = np.unravel_index(np.argmax(wrong), got.shape)
    return f"{int(wrong.sum())} of {wrong.size} elements differ, first at {[int(i) for i in at]}: {got[at]}, expected {want[at]}"
