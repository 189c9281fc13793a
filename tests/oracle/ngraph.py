"""Computes nGraph's AvgPool and MaxPool on any number of spatial axes, by the rules of nGraph's type checks and
reference kernels."""

import dataclasses
import math

import numpy as np

from oracle import exact, ir
from oracle.windows import Pool as IrPool
from oracle.windows import Refused, ceil_div, inside, resolved_pads, without_elements

PAD_TYPES = ("EXPLICIT", "SAME_LOWER", "SAME_UPPER", "VALID")


@dataclasses.dataclass
class Pool:
    """Holds the attributes of a pool. Lists have one item for each spatial axis."""

    op: str
    kernel: list
    strides: list
    below: list
    above: list
    include: bool = None  # None for MaxPool
    pad_type: str = "EXPLICIT"
    ceil_mode: bool = False

    @property
    def average(self):
        return self.op == "AvgPool"


def pads_of(pool, spatial):
    """Returns (below, above) of each axis. SAME_* replaces the given pads; VALID keeps them."""
    if not pool.pad_type.startswith("SAME"):
        return list(zip(pool.below, pool.above))
    return resolved_pads(IrPool(pool.kernel, pool.strides, None, None, auto_pad=pool.pad_type.lower()), spatial)


def check(shape, pool):
    """Raises Refused if nGraph refuses the pool. A dim of `shape` can be None, which means unknown.
    If any dim is unknown, SAME_* keeps the given pads."""
    lists = (pool.kernel, pool.strides, pool.below, pool.above)
    if len(shape) < 3 or any(len(items) != len(shape) - 2 for items in lists):
        raise Refused("rank or length")
    if min(pool.kernel + pool.strides) < 1 or min(pool.below + pool.above) < 0 or 0 in shape[:2]:
        raise Refused("value out of range")
    pads = zip(pool.below, pool.above) if None in shape else pads_of(pool, shape[2:])
    for n, window, (below, above) in zip(shape[2:], pool.kernel, pads):
        if n is not None and (below + n + above <= 0 or window > below + n + above):
            raise Refused("window exceeds the padded input")
        if pool.average and not pool.include and window <= max(below, above):
            raise Refused("a pad is not smaller than its window")


def pool_shape(shape, pool):
    check(shape, pool)
    rounded = ceil_div if pool.ceil_mode else int.__floordiv__
    rows = zip(shape[2:], pool.kernel, pool.strides, pads_of(pool, shape[2:]))
    return (*shape[:2], *(rounded(below + n + above - w, s) + 1 for n, w, s, (below, above) in rows))


def window_ranges(shape, pool):
    """Returns, for each spatial axis, (ranges of input positions of its windows, whether the last window ends past the
    padding)."""
    axes = []
    for n, out, w, s, (below, above) in zip(
        shape[2:], pool_shape(shape, pool)[2:], pool.kernel, pool.strides, pads_of(pool, shape[2:])
    ):
        starts = [o * s - below for o in range(out)]
        axes.append(([inside(range(start, start + w), n) for start in starts], starts[-1] + w > n + above))
    return axes


def has_value(shape, pool):
    """Returns False if a window ends past the padding and holds some of the input: nGraph does not define the
    result."""
    axes = window_ranges(shape, pool)
    return 0 in shape[2:] or not any(past and len(windows[-1]) > 0 for windows, past in axes)


def empty(shape, pool):
    """Returns an array of the output's shape, true where a window holds only padding."""
    ranges = [windows for windows, _ in window_ranges(shape, pool)]
    return np.broadcast_to(without_elements(ranges), pool_shape(shape, pool))


def values(x, pool, past_padding=False):
    """Computes the pool. If `past_padding`, positions past the padding count as padding.
    The average of no elements is NaN. If the type has no NaN, such a pool is refused."""
    if not past_padding and not has_value(x.shape, pool):
        raise Refused("window past the padding")
    ranges = [windows for windows, _ in window_ranges(x.shape, pool)]
    if not pool.average:
        return exact.maxima(x, ranges, False)[0]
    result = exact.averages(x, ranges, math.prod(pool.kernel) if pool.include else None)
    nothing = empty(x.shape, pool)
    if not pool.include and nothing.any():
        if ir.type_of(x) not in ir.FLOATS:
            raise Refused("nothing to average")
        result[nothing] = math.nan
    return result
