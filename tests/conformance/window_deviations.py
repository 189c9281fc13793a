"""Lists known differences between irrun and the runtime on AvgPool and MaxPool, each with its reason. No other
difference is allowed."""

import math
import re

from case import F64, Deviation, one_edit
from oracle import ir, pools, windows
from window_faults import REQUIRED, known_names, lists_of

WIDE_TYPES = ("i32", "u32", "i64", "u64")


def required_names(case):
    names = [name for name in REQUIRED if not (name.startswith("pads") and pools.sets_pads(case.data))]
    return [*names, "exclude-pad"] if case.op == "AvgPool" else names


def missing_attribute(case):
    return any(not case.data.get(name, "").strip() for name in required_names(case))


def unreadable_list(case):
    """Returns whether an item has other characters than digits. The runtime reads the leading digits, and nothing after
    a trailing comma."""
    lists = [case.data[name] for name in lists_of(case) if case.data[name]]
    return any(not re.fullmatch(r"\s*-?\d+\s*(,\s*-?\d+\s*)*", text) for text in lists)


def unreadable_axis(case):
    return bool(case.data.get("axis")) and not re.fullmatch(r"-?\d+", case.data["axis"])


def unreadable_bool(case):
    return case.data.get("exclude-pad", "true").lower() not in ("true", "false", "1", "0")


def negative_item(case):
    """Returns whether an item is negative, or a kernel of 0 with dilations makes the window negative. The runtime
    checks the latter only for known dims."""
    below = any(item < 0 for name in lists_of(case) for item in case.items(name) or ())
    return below or bool(case.x.declared and case.has_dilations() and 0 in (case.items("kernel") or ()))


def misspelt_attribute(case):
    """Returns whether an unknown attribute is one edit away from a known one."""
    known = known_names(case)
    return any(one_edit(name, right) for name in set(case.data) - known for right in known)


def empty_window(case):
    if not case.shape():
        return False
    found = windows.pool_windows(case.x.shape, case.pool())
    return any(len(window) == 0 for axis in found for window in axis)


def average(case):
    return case.op == "AvgPool"


def reads_indices(case):
    return 1 in case.results


def integers(case):
    return case.x.element_type in ir.INTEGERS


def third_of_integers(case):
    """Returns whether integers are averaged with a divisor that can be no power of two."""
    pool = case.pool()
    return average(case) and integers(case) and bool(pool) and max(pool.kernel) > 2


def wide_integers(case):
    return case.x.element_type in WIDE_TYPES and case.x.kind == "wide"


def averages_one_channel_of_wide_integers(case):
    wide = integers(case) and case.x.element_type not in ("i8", "u8")
    return bool(case.pool()) and average(case) and wide and case.x.shape[1] == 1


def one_channel_integers(case):
    """Returns whether integers of one channel are averaged and a window has dilations or no input. With open dims and
    `ceil`, some size can have such a window."""
    if not averages_one_channel_of_wide_integers(case):
        return False
    pool = case.pool()
    return max(pool.steps) > 1 or empty_window(case) or bool(case.x.declared and pool.rounding_type == "ceil")


def few_averages_of_integers(case):
    """Returns whether integers of one channel are averaged to fewer than four outputs."""
    if not averages_one_channel_of_wide_integers(case) or not case.shape():
        return False
    return math.prod(case.shape()[2:]) < 4


def finds_nothing(case):
    """Returns whether some window of a maximum can have no element above the lowest finite number."""
    return not average(case) and (empty_window(case) or case.x.kind == "special")


def same_pads_at_run_time(case):
    pool = case.pool()
    return bool(case.x.declared and pool) and pool.auto_pad.startswith("same")


def does_not_fit(case):
    """Returns whether the kernel exceeds the padded input, whose size is open until the run."""
    return bool(case.pool() and case.x.declared) and not case.shape()


def large_stride(case):
    return any(stride >= 1 << 31 for stride in case.items("strides") or ())


DEVIATIONS = [
    # only irrun refuses
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
    Deviation("axis-text", "IR206", "1.4: the same of an axis", unreadable_axis),
    Deviation("bool-text", "IR207", "1.4: the runtime keeps the default for any other word", unreadable_bool),
    Deviation("negative-items", "IR207", "2.1: a negative number or window wraps in the runtime", negative_item),
    Deviation(
        "boolean",
        "IR306",
        "2.7: the mean of booleans is refused, the runtime rounds it",
        lambda case: average(case) and case.x.element_type == "boolean",
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
        lambda case: bool(case.x.declared) and 0 in case.x.shape[:2],
    ),
    Deviation(
        "declared-dims",
        "IR301",
        "decision 8, D26: the runtime does not look at the dims that a port declares",
        lambda case: case.ports_wrong,
    ),
    Deviation(
        "index-type",
        "IR207",
        "D16: the pages have indices of i32 and i64, the runtime takes any type and returns uninitialised memory",
        lambda case: case.data.get("index_element_type", "i64").lower() not in pools.INDEX_TYPES,
    ),
    # only the runtime refuses
    Deviation(
        "stride-beyond-i32",
        "runtime",
        "1.12: the runtime keeps 32 bits of a stride and divides by zero when they are 0",
        large_stride,
    ),
    Deviation(
        "one-channel-integers",
        "runtime",
        "1.12: averages of integers of 16 bits and more with one channel and a window without input or dilations do not compile",
        one_channel_integers,
    ),
    Deviation(
        "few-averages-of-integers",
        "runtime",
        "without AVX-512 such averages with one channel do not compile either where a plane has fewer than four outputs",
        few_averages_of_integers,
    ),
    Deviation(
        "bf16-indices",
        "runtime",
        "1.12: MaxPool on bf16 does not compile when its indices are used",
        lambda case: case.x.element_type == "bf16" and reads_indices(case),
    ),
    # the shapes or values differ
    Deviation(
        "one-channel-integers-at-run-time",
        "shape",
        "1.12: where a model of either has dims that only the run knows, the run ends well and its output was never computed",
        lambda case: bool(case.x.declared) and (one_channel_integers(case) or few_averages_of_integers(case)),
    ),
    Deviation(
        "stride-beyond-i32-values", "values", "1.12: the runtime keeps 32 bits of a stride when it computes", large_stride
    ),
    Deviation(
        "empty-windows",
        "values",
        "decision 4, D11: a window without input is 0, the runtime gives NaN or -0",
        lambda case: average(case) and empty_window(case),
    ),
    Deviation(
        "nothing-found",
        "values",
        "2.5, D9: such a maximum is the lowest finite number of the type; the runtime gives -inf for f16 and at times for "
        "bf16, 0 for i16, that of i32 for wider integers",
        lambda case: finds_nothing(case) and case.x.element_type in ("f16", "bf16", "i16", "u32", "i64", "u64"),
    ),
    Deviation(
        "unsigned-zeros",
        "values",
        "2.5, 2.7: 0 is not above the lowest unsigned number, so that its index is that of nothing found; the runtime "
        "computes u16 and wider in i32",
        lambda case: reads_indices(case) and case.x.element_type in ("u16", "u32", "u64"),
    ),
    Deviation(
        "empty-axis-crash",
        "runtime",
        "1.12: or dies of a division by zero, for indices of an axis other than 0",
        lambda case: 0 in case.x.shape[2:] and case.op == "MaxPool",
    ),
    Deviation(
        "empty-axis",
        "values",
        "1.12: where pads hide a spatial dim of 0 the runtime returns uninitialised memory",
        lambda case: 0 in case.x.shape[2:],
    ),
    Deviation(
        "same-pads-at-run-time",
        "values",
        "D21: for indices of a dynamic model the runtime takes same_* pads as 0",
        lambda case: reads_indices(case) and same_pads_at_run_time(case),
    ),
    F64,
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
