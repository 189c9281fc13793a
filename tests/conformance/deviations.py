"""Where irrun and the reference runtime are known to differ, each with its reason. Nothing else is excused.

`what` differs: the id of a rule by which irrun alone refuses the model; "runtime": the runtime alone refuses it; "shape" or
"values": both take it. Where irrun takes it, the exact model of tests/oracle has to agree with irrun. Predicates look at the
layer's parameters, never at results."""

import dataclasses
import re

import numpy as np

from draw import LISTS
from oracle import exact, ir

REQUIRED = (*LISTS, "exclude-pad")
KNOWN = {"AvgPool": (*REQUIRED, "rounding_type", "auto_pad"), "AdaptiveAvgPool": ("output_type",)}


@dataclasses.dataclass(frozen=True)
class Deviation:
    id: str
    what: str
    reason: str
    applies: callable


def missing_attribute(case):
    return case.op == "AvgPool" and any(not case.data.get(name, "").strip() for name in REQUIRED)


def unreadable_list(case):
    """Some item is not digits alone: the runtime reads the leading ones, and nothing behind a trailing comma."""
    lists = [case.data[name] for name in LISTS if case.data.get(name)]
    return any(not re.fullmatch(r"\s*-?\d+\s*(,\s*-?\d+\s*)*", text) for text in lists)


def unreadable_bool(case):
    return case.data.get("exclude-pad", "true").lower() not in ("true", "false", "1", "0")


def negative_item(case):
    return any(item < 0 for name in LISTS for item in case.items(name) or ())


def misspelt_attribute(case):
    """An unknown attribute one edit away from a known one."""
    unknown = set(case.data) - set(KNOWN[case.op])
    return any(one_edit(name, known) for name in unknown for known in KNOWN[case.op])


def one_edit(a, b):
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), len(a))
    return a[at:] == b[at + 1 :] or (len(a) == len(b) and a[at + 1 :] == b[at + 1 :])


def unusable_sizes(case):
    sizes = case.sizes
    return sizes is not None and sizes.dtype.kind in "iu" and bool((sizes.astype(object) < 1).any())


def windows(case):
    """(windows of each axis, pool), or None when the attributes allow none."""
    pool = case.pool()
    try:
        return (exact.pool_windows(case.shape, pool), pool) if pool else None
    except exact.Refused:
        return None


def empty_window(case):
    found = windows(case)
    return bool(found) and any(len(window) == 0 for axis in found[0] for window in axis)


def third_of_integers(case):
    """Integers and a divisor that may be no power of two."""
    pool = case.pool()
    return case.element_type in ir.INTEGERS and bool(pool) and max(pool.kernel) > 2


def wide_integers(case):
    return case.element_type in ("i32", "u32", "i64", "u64") and case.wide


def one_channel_integers(case):
    """With dims that only the run knows, `ceil` is enough: some size may have such a window."""
    pool = case.pool()
    possible = pool and case.declared and pool.rounding_type == "ceil"
    return case.element_type in ir.INTEGERS[2:] and case.shape[1] == 1 and bool(possible or empty_window(case))


def does_not_fit(case):
    """A kernel that exceeds the padded input, behind a Parameter whose size only the run knows."""
    pool = case.pool()
    if not pool or not case.declared:
        return False
    try:
        exact.pool_shape(case.shape, pool)
    except exact.Refused:
        return True
    return False


def large_stride(case):
    return any(stride >= 1 << 31 for stride in case.items("strides") or ())


DEVIATIONS = [
    # irrun refuses
    Deviation(
        "misspelt-attributes",
        "IR211",
        "decision 7: an unknown attribute one edit from a known one is an error, the runtime takes the default",
        misspelt_attribute,
    ),
    Deviation(
        "required-attributes",
        "IR204",
        "decision 1, D7: the page requires pads and exclude-pad, the runtime takes 0 and true",
        missing_attribute,
    ),
    Deviation("list-text", "IR206", "1.4: the runtime reads leading digits and ignores what follows", unreadable_list),
    Deviation("bool-text", "IR207", "1.4: the runtime keeps the default for any other word", unreadable_bool),
    Deviation("negative-items", "IR207", "2.1: a negative number wraps in the runtime", negative_item),
    Deviation(
        "boolean",
        "IR306",
        "2.7: the mean of booleans is refused, the runtime rounds it",
        lambda case: case.element_type == "boolean",
    ),
    Deviation(
        "adaptive-integers",
        "IR306",
        "decision 10, 2.8: the page of AdaptiveAvgPool allows floating-point types only, the runtime any",
        lambda case: case.op == "AdaptiveAvgPool" and case.element_type in ir.INTEGERS,
    ),
    Deviation(
        "adaptive-sizes", "IR313", "2.6: an output size below 1 gives an empty output in the runtime", unusable_sizes
    ),
    Deviation(
        "adaptive-size-type",
        "IR313",
        "2.6: the output size has to be of an integer type, the runtime takes any",
        lambda case: case.sizes is not None and case.sizes.dtype.kind == "f",
    ),
    Deviation(
        "adaptive-size-rank",
        "IR313",
        "2.6: the page has a list for the output size; of tables, the runtime takes those of one element",
        lambda case: case.sizes is not None and case.sizes.ndim > 1 and case.sizes.size == 1,
    ),
    Deviation(
        "adaptive-empty-input",
        "IR307",
        "1.12, 2.6: bins of an empty axis hold nothing; the runtime returns uninitialised memory",
        lambda case: case.op == "AdaptiveAvgPool" and 0 in case.shape,
    ),
    Deviation(
        "too-small-at-run-time",
        "IR304",
        "1.12, D22, D24: fed an input smaller than the kernel, a dynamic model of the runtime returns what it last computed",
        does_not_fit,
    ),
    Deviation(
        "no-batch-at-run-time",
        "IR307",
        "1.12: nor does such a model refuse an input without batch or channels",
        lambda case: case.op == "AvgPool" and bool(case.declared) and 0 in case.shape[:2],
    ),
    Deviation(
        "output-type",
        "IR207",
        "decision 2: output_type is checked, the runtime does not know it",
        lambda case: case.data.get("output_type", "i64") not in ("i32", "i64"),
    ),
    # the runtime refuses
    Deviation(
        "stride-beyond-i32",
        "runtime",
        "1.12: the runtime keeps 32 bits of a stride and divides by zero when they are 0",
        large_stride,
    ),
    Deviation(
        "one-channel-integers",
        "runtime",
        "1.12: integers of 16 bits and more with one channel and a last window without input do not compile",
        one_channel_integers,
    ),
    # shapes or values differ
    Deviation(
        "one-channel-integers-at-run-time",
        "shape",
        "1.12: where such a model has dims that only the run knows, the run ends well and its output was never computed",
        lambda case: bool(case.declared) and one_channel_integers(case),
    ),
    Deviation(
        "stride-beyond-i32-values", "values", "1.12: the runtime keeps 32 bits of a stride when it computes", large_stride
    ),
    Deviation(
        "empty-windows", "values", "decision 4, D11: a window without input is 0, the runtime gives NaN or -0", empty_window
    ),
    Deviation(
        "f64",
        "values",
        "2.7, D15: irrun computes f64 in f64, the runtime in f32",
        lambda case: case.element_type == "f64",
    ),
    Deviation(
        "wide-integers", "values", "2.7, D14, D15: integers are exact, the runtime's pass i32 and f32", wide_integers
    ),
    Deviation(
        "integer-ties",
        "values",
        "2.7: averages halfway between two integers go to the even one; the runtime multiplies by 1/30 in f32: 94.5 gives 95",
        third_of_integers,
    ),
]
