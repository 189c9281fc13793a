"""Converts exact numbers to elements of a type: to the nearest floating-point number, or to an integer modulo
2^bits."""

import fractions
import math

import ml_dtypes
import numpy as np


def exact_of(element):
    """Returns a finite element as an integer or fraction."""
    return fractions.Fraction(float(element)) if isinstance(element, float) else int(element)


def nearest(value, dtype):
    """Returns the floating-point number of the type that is nearest to `value`, as a Python float. Ties go to the even
    number."""
    limits = ml_dtypes.finfo(dtype)
    value = fractions.Fraction(value)
    if value == 0:
        return 0.0
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if fractions.Fraction(2) ** exponent > size:
        exponent -= 1
    step = fractions.Fraction(2) ** (max(exponent, int(limits.minexp)) - int(limits.nmant))
    rounded = round(size / step) * step
    if rounded > fractions.Fraction(float(limits.max)):
        return math.copysign(math.inf, value)
    return math.copysign(float(rounded), value)


def wrapped(value, dtype):
    """Returns the integer modulo 2^bits, in the range of the type."""
    limits = np.iinfo(dtype)
    return (value - int(limits.min)) % (1 << limits.bits) + int(limits.min)
