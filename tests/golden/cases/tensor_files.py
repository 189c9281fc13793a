"""Makes the cases of forms of tensor files, and of expected values that are wrong on purpose."""

import math

import numpy as np

from cases.case import one_avg_pool as one
from oracle.windows import Pool


def file_forms():
    pool = Pool([2, 3], [1, 2], [0, 1], [1, 0], True)
    for form in ("npz", "fortran", "big_endian", "raw"):
        yield one(f"file_{form}", "f32", [1, 2, 4, 5], pool, form=form)
    yield one("file_fortran_i16", "i16", [1, 2, 4, 5], pool, form="fortran")
    yield one("file_big_endian_f16", "f16", [1, 2, 4, 5], pool, form="big_endian")


def differences():
    """Yields cases with a wrong expected tensor: irrun has to find the difference and exit with status 1."""

    def nudge(by):
        def spoil(expected):
            expected = expected.copy()
            expected.flat[-1] += by
            return expected

        return spoil

    pool = Pool([2, 2], [2, 2], [0, 0], [0, 0], True)
    yield one("differs_by_one_i8", "i8", [1, 2, 6, 6], pool, np.arange(72), exit=1, spoil=nudge(1))
    yield one("differs_in_last_f32", "f32", [1, 2, 6, 6], pool, exit=1, spoil=nudge(1e-3))
    yield one("differs_in_nan", "f32", [1, 2, 6, 6], pool, exit=1, spoil=nudge(math.nan))
    yield one("differs_in_shape", "f32", [1, 2, 6, 6], pool, exit=1, spoil=lambda expected: expected[:, :1])
    yield one("differs_in_type", "f32", [1, 2, 6, 6], pool, exit=1, spoil=lambda expected: expected.astype(np.float64))


def all_cases():
    yield from file_forms()
    yield from differences()
