"""Computes ops that move or choose elements, by the specification. values_exact.py has other ops."""

import ml_dtypes
import numpy as np


def tile(_, arrays):
    return [np.tile(arrays[0], arrays[1])]


def gather(node, arrays):
    """Computes Gather-7 and -8, one batch after the other. Negative indices count from the end. One out of range selects
    zeros."""
    told, (data, at) = node.get_attributes(), arrays[:2]
    axis, batch = int(arrays[2].flat[0]), told.get("batch_dims", 0)
    axis, batch = axis % data.ndim, batch if batch >= 0 else batch + at.ndim
    made = np.zeros(data.shape[:axis] + at.shape[batch:] + data.shape[axis + 1 :], data.dtype)
    size = data.shape[axis]
    at = np.where((-size <= at) & (at < size), np.where(at < 0, at + size, at), size)
    data = np.pad(data, [(0, int(i == axis)) for i in range(data.ndim)])
    for group in np.ndindex(*data.shape[:batch]):
        made[group] = np.take(data[group], at[group], axis - batch)
    return [made]


def space_to_batch(_, arrays):
    x, block, begin, end = arrays
    x = np.pad(x, list(zip(begin.tolist(), end.tolist())))
    shape = [n for size, parts in zip(x.shape[1:], block[1:].tolist()) for n in (size // parts, parts)]
    x = x.reshape(x.shape[0], *shape)
    spatial = range(1, x.ndim, 2)
    x = x.transpose([*(axis + 1 for axis in spatial), 0, *spatial])
    return [x.reshape(-1, *x.shape[len(spatial) + 1 :])]


def strided_slice(node, arrays):
    """Computes a StridedSlice that has only an ellipsis. For others, returns None."""
    return [arrays[0]] if node.get_attributes()["ellipsis_mask"] == [1] else None


def range_of(_, arrays):
    start, stop, step = (array.flat[0] for array in arrays)
    if start.dtype.kind in "iu":
        return [np.array(range(int(start), int(stop), int(step)))]
    return [start.astype(np.float64) + step * np.arange(max(np.ceil((stop - start) / step), 0))]


def segment_max(node, arrays):
    """Computes SegmentMax. An empty segment is 0, or the lowest number of the type."""
    data, ids = arrays[:2]
    count = int(arrays[2].flat[0]) if len(arrays) > 2 else ids.max(initial=-1) + 1
    limits = np.iinfo(data.dtype) if data.dtype.kind in "iu" else ml_dtypes.finfo(data.dtype)
    made = np.full((count, *data.shape[1:]), limits.min if node.get_attributes()["fill_mode"].lower() == "lowest" else 0, data.dtype)
    for k in range(count):
        if (ids == k).any():
            made[k] = data[ids == k].max(0)
    return [made]


# {op: (function, reason for which the runtime differs)}
MOVED = {
    "Gather": (gather, "of one batch the runtime gives 0 for an element that numpy takes from the data"),
    "Range": (range_of, "of a step that leads away from stop the page has no element"),
    "SegmentMax": (segment_max, "the runtime has the lowest number of the type that it computes in"),
    "SpaceToBatch": (space_to_batch, "of blocks of several axes the runtime mixes up elements"),
    "StridedSlice": (strided_slice, "of an ellipsis alone the runtime leaves the output unset"),
    "Tile": (tile, "of an empty list the runtime leaves the output unset"),
}
