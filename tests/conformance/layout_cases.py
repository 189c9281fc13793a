"""Draws Reshape-1, Squeeze-1 and -15, Unsqueeze-1, Transpose-1 and Concat-1, with faults, and lists their
deviations."""

import itertools
import math

import numpy as np

from case import Deviation, Family, Input, draw_declared, draw_kind, spelled
from layer_case import LayerCase, constant, type_of
from oracle import ir

OPS = ("Reshape", "Squeeze", "Unsqueeze", "Transpose", "Concat")
TYPES = (*ir.FLOATS, *ir.INTEGERS, *["f32"] * 6)
WIDE = ("i32", "u32", "i64", "u64")
SMALL, TRIED = 8, 5000  # SMALL: the greatest dim to try; TRIED: the most combinations of dims to try
LIST_TYPES = (np.int64, np.int64, np.int64, np.int32, np.int32, np.int16, np.int8)


class LayoutCase(LayerCase):
    def joint(self):
        ranks = [len(parameter.shape) for parameter in self.parameters()]
        if self.op == "Reshape":
            return [list(range(ranks[0]))] + [[i] for i in range(ranks[0], sum(ranks))]
        if self.op == "Concat" and len(set(ranks)) == 1:
            return [list(range(axis, sum(ranks), ranks[0])) for axis in range(ranks[0])]
        return super().joint()

    def exactly(self):
        return True

    def guesses(self):
        if self.op != "Reshape":
            return super().guesses()
        copied = self.copied()
        bounds = [(max(1, low),) * 2 if i in copied else (low, high) for i, (low, high) in enumerate(self.x().bounds())]
        known = [low for i, (low, _) in enumerate(bounds) if i in copied]
        sizes = [abs(int(item)) for i, item in enumerate(self.second().ravel()) if i not in copied]
        return factored(bounds, math.prod(known + sizes))

    def copied(self):
        """Returns the positions at which a target of 0 copies a dim."""
        copies = self.data.get("special_zero", "").lower() in ("true", "1")
        return [i for i, item in enumerate(self.second().ravel()) if item == 0 and copies]

    def trials(self):
        return [[parameter.contents for parameter in self.parameters()]]

    def dynamic(self):
        return (self.second_at_run_time() and self.op != "Concat") or super().dynamic()

    def tight(self):
        """Returns False if a list is an input of the run, because its contents are not varied."""
        return not (self.second_at_run_time() and self.op != "Concat")

    def rank_of_refused(self):
        """Returns the output's rank, as far as the model alone determines it."""
        rank, n = len(self.x().shape), self.second().size if self.op != "Concat" and len(self.sources) > 1 else 0
        if self.op == "Squeeze":
            if self.second_at_run_time() and not any(least <= 1 <= most for least, most in self.x().bounds()):
                return rank
            return rank - len({axis % rank for axis in self.second().ravel().tolist()}) if n and rank else rank
        return {"Reshape": n, "Unsqueeze": rank + n}.get(self.op, rank)

    def rank_is_open(self):
        """Returns whether the output's rank is open. In the runtime it is open for a Squeeze without axes or with
        allow_axis_skip, if the input has open dims."""
        if self.op == "Unsqueeze":
            return self.second_at_run_time()
        if self.op != "Squeeze":
            return False
        listed = len(self.sources) > 1 and self.second().size > 0
        return self.second_at_run_time() or (self.dynamic() and (not listed or "true" in self.data.values()))

    def x(self):
        return self.sources[0]

    def wide(self):
        return any(not isinstance(source, Input) or source.kind == "wide" for source in self.sources)


def factored(bounds, volume):
    """Yields sizes within bounds whose product is `volume`. All sizes but one are small."""
    for rest, (low, high) in enumerate(bounds):
        others = [range(least, min(most, SMALL) + 1) if i != rest else [1] for i, (least, most) in enumerate(bounds)]
        for sizes in itertools.islice(itertools.product(*others), TRIED):
            known = math.prod(sizes)
            if known and volume % known == 0 and low <= volume // known <= high:
                yield [*sizes[:rest], volume // known, *sizes[rest + 1 :]]
                break


# ---- valid cases ----


def draw_shape(rng, least=0):
    return [rng.choice((1, 1, 2, 3, 4, 6)) for _ in range(rng.choice((least, 1, 2, 3, 3, 4, 5)))]


def as_list(rng, items):
    return np.array(items, rng.choice(LIST_TYPES))


def from_end(rng, axes, rank):
    return [axis - rank if rng.random() < 0.3 else axis for axis in axes]


def draw_target(rng, shape, special_zero):
    """Draws dims with the same product: dims can be merged, split or inserted, or replaced by 0 or -1."""
    dims = list(shape)
    for _ in range(rng.randint(0, 3)):
        at = rng.randint(0, len(dims))
        what = rng.random()
        if what < 0.4 and len(dims) > at + 1:
            dims[at : at + 2] = [dims[at] * dims[at + 1]]
        elif what < 0.7 and at < len(dims) and dims[at] > 1:
            factor = rng.choice([n for n in range(1, dims[at] + 1) if dims[at] % n == 0])
            dims[at : at + 1] = [factor, dims[at] // factor]
        else:
            dims.insert(at, 1)
    rest = rng.randrange(len(dims)) if dims and rng.random() < 0.6 else None
    copies = [i for i in range(min(len(dims), len(shape))) if special_zero and dims[i] == shape[i] and rng.random() < 0.5]
    return [-1 if i == rest else 0 if i in copies else n for i, n in enumerate(dims)]


def draw_reshape(rng, x, data):
    special_zero = rng.random() < 0.6
    data["special_zero"] = spelled(rng, "true" if special_zero else "false") if rng.random() < 0.8 else str(int(special_zero))
    return [x, as_list(rng, draw_target(rng, x.shape, special_zero))]


def draw_squeeze(rng, x, _data):
    if rng.random() < 0.25:
        return [x]
    axes = [i for i, n in enumerate(x.shape) if (n == 1 and rng.random() < 0.7) or rng.random() < 0.05]
    axes = as_list(rng, from_end(rng, axes, len(x.shape)))
    return [x, axes.reshape(()) if axes.size == 1 and rng.random() < 0.3 else axes]


def draw_unsqueeze(rng, x, _data):
    n = rng.randint(1, 3)
    axes = rng.sample(range(len(x.shape) + n), n)
    axes = as_list(rng, from_end(rng, axes, len(x.shape) + n))
    return [x, axes.reshape(()) if n == 1 and rng.random() < 0.3 else axes]


def draw_transpose(rng, x, _data):
    order = rng.sample(range(len(x.shape)), len(x.shape))
    return [x, as_list(rng, [] if rng.random() < 0.15 else order)]


def draw_concat(rng, x, data):
    x.shape = x.shape or [2]
    axis = rng.randrange(len(x.shape))
    data["axis"] = str(axis if rng.random() < 0.6 else axis - len(x.shape))
    sources = [x]
    for i in range(rng.choice((0, 1, 1, 1, 2, 3))):
        shape = [*x.shape[:axis], rng.choice((1, 2, 3, 5)), *x.shape[axis + 1 :]]
        sources.append(Input(f"x{i}", x.element_type, shape, kind=x.kind))
    return sources


DRAWS = dict(zip(OPS, (draw_reshape, draw_squeeze, draw_unsqueeze, draw_transpose, draw_concat)))


def at_run_time(case):
    """Replaces the second input, a Const, by a Parameter."""
    contents = case.sources[1]
    case.sources[1] = Input("list", ir.type_of(contents), list(contents.shape), contents=contents)


def draw(rng, number):
    op, data = rng.choice(OPS), {}
    element_type = rng.choice(TYPES)
    x = Input("x", element_type, draw_shape(rng), kind=draw_kind(rng, element_type))
    case = LayoutCase(number, op, f"opset{rng.randint(1, 16)}", DRAWS[op](rng, x, data), data)
    if op == "Squeeze" and rng.random() < 0.2:
        case.opset, data["allow_axis_skip"] = rng.choice(("opset15", "opset16")), rng.choice(("true", "false"))
    if rng.random() < 0.2:
        rng.choice(FAULTS[op])(rng, case)
    if rng.random() < 0.25:
        for source in case.parameters():
            source.declared = draw_declared(rng, source.shape)
    if op == "Concat" and len(case.sources) > 1 and rng.random() < 0.3:
        i = rng.randrange(len(case.sources))
        case.sources[i] = constant(rng, case.sources[i])
    elif op != "Concat" and len(case.sources) > 1 and rng.random() < 0.1:
        at_run_time(case)
    return case


# ---- faults ----


def opset_without(rng, case):
    case.opset = rng.choice(("opset17", "opset0", "opset99"))


def type_boolean(_rng, case):
    """Makes data inputs boolean. Layout ops allow boolean data."""
    for source in case.parameters():
        source.element_type, source.kind = "boolean", "usual"


def dim_zero(rng, case):
    """Sets a dim to 0, which is a fault only in a Reshape."""
    if case.x().shape:
        case.x().shape[rng.randrange(len(case.x().shape))] = 0


def change_list(change):
    """Makes a fault that changes the second input, a list."""

    def fault(rng, case):
        if len(case.sources) > 1:
            old = case.sources[1]
            case.sources[1] = np.array(change(rng, case, old.ravel().tolist()), old.dtype)

    return fault


def list_of_rank_2(_rng, case):
    if len(case.sources) > 1:
        case.sources[1] = case.sources[1].reshape(1, -1)


def list_of_rank_0(_rng, case):
    if len(case.sources) > 1 and case.sources[1].size == 1:
        case.sources[1] = case.sources[1].reshape(())


def list_of_float(_rng, case):
    if len(case.sources) > 1:
        case.sources[1] = case.sources[1].astype(np.float32)


def list_unsigned(rng, case):
    """Makes the list unsigned, which is a fault if an item is negative."""
    if len(case.sources) > 1:
        case.sources[1] = case.sources[1].astype(rng.choice((np.uint8, np.uint16, np.uint32, np.uint64)))


@change_list
def outside(rng, case, items):
    rank = len(case.x().shape)
    return [*items[:-1], rng.choice((rank, rank + 4, -rank - 1, -rank - 3))]


@change_list
def twice(rng, case, items):
    return [*items, items[0] if items else 0]


@change_list
def one_less(_rng, _case, items):
    return items[1:]


@change_list
def item_changed(rng, _case, items):
    at = rng.randrange(len(items)) if items else 0
    return [*items[:at], rng.choice((-1, -1, 0, -2, 5, 7)), *items[at + 1 :]]


def word_unreadable(rng, case):
    case.data["special_zero"] = rng.choice(("", "yes", "2"))


def special_zero_missing(_rng, case):
    del case.data["special_zero"]


def skip_unknown(_rng, case):
    """Adds an attribute that version 1 lacks."""
    case.opset, case.data["allow_axis_skip"] = "opset8", "true"


def axis_missing(_rng, case):
    del case.data["axis"]


def axis_outside(rng, case):
    rank = len(case.x().shape)
    case.data["axis"] = rng.choice((str(rank), str(-rank - 1), "x", "", "0.5"))


def sizes_differ(rng, case):
    source = rng.choice(case.sources)
    source.shape[rng.randrange(len(source.shape))] += 1


def ranks_differ(rng, case):
    source = rng.choice(case.sources)
    source.shape.insert(0, 1)


def types_differ(rng, case):
    source = rng.choice(case.sources)
    source.element_type = rng.choice([kind for kind in (*ir.FLOATS, *ir.INTEGERS) if kind != source.element_type])
    source.kind = "usual"


LIST_FAULTS = [opset_without, type_boolean, dim_zero, list_of_rank_2, list_of_float, list_unsigned]
FAULTS = {
    "Reshape": LIST_FAULTS + [item_changed] * 4 + [one_less, list_of_rank_0, word_unreadable, special_zero_missing],
    "Squeeze": LIST_FAULTS + [outside, outside, twice, skip_unknown],
    "Unsqueeze": LIST_FAULTS + [outside, outside, twice, twice],
    "Transpose": LIST_FAULTS + [outside, twice, twice, one_less, item_changed, list_of_rank_0],
    "Concat": [opset_without, type_boolean, dim_zero, axis_missing, ranks_differ, types_differ]
    + [axis_outside, axis_outside, sizes_differ, sizes_differ],
}

# ---- deviations ----



def refused_at_run_time(case):
    return case.dynamic() and case.shape_of_run(case.model()) is None


DEVIATIONS = [
    Deviation(
        "layout-attributes",
        "IR204",
        "decision 1: the pages require special_zero and axis, the runtime takes false and 0",
        lambda case: case.op in ("Reshape", "Concat") and not case.data,
    ),
    Deviation(
        "layout-words",
        "IR207",
        "1.4: the runtime keeps the default for any other word",
        lambda case: case.data.get("special_zero", "true").lower() not in ("true", "false", "1", "0"),
    ),
    Deviation(
        "layout-text",
        "IR206",
        "1.4: the runtime reads leading digits and ignores what follows",
        lambda case: case.op == "Concat" and not case.data.get("axis", "0").removeprefix("-").isdigit(),
    ),
    Deviation(
        "axes-of-float",
        "IR306",
        "the pages have integers as axes, the runtime takes any type",
        lambda case: case.op in ("Squeeze", "Unsqueeze") and case.second() is not None and case.second().dtype.kind == "f",
    ),
    Deviation(
        "axes-at-run-time", "IR315", "a dynamic model of the runtime does not look at what it is given", refused_at_run_time
    ),
    Deviation("target-at-run-time", "IR317", "nor whether a Reshape has as many elements", refused_at_run_time),
    Deviation(
        "elements-from-nothing",
        "IR317",
        "the runtime gives an empty input the size of a target without 0 and -1, of uninitialised memory",
        lambda case: case.op == "Reshape" and 0 in case.x().shape,
    ),
    Deviation(
        "copies-uncounted",
        "IR317",
        "the runtime does not count the elements of a target that copies dims: it reads behind the input",
        lambda case: case.op == "Reshape" and bool(case.copied()),
    ),
    Deviation(
        "unsigned-targets",
        "IR317",
        "of unsigned items the highest is -1 in the runtime",
        lambda case: case.op == "Reshape" and case.second().dtype == np.uint64,
    ),
    Deviation("sizes-at-run-time", "IR318", "nor whether the inputs of a Concat fit each other", refused_at_run_time),
    Deviation(
        "squeezed-at-run-time",
        "IR319",
        "nor whether an axis is 1 that the check took for 1: it returns uninitialised memory",
        refused_at_run_time,
    ),
    Deviation(
        "lonely-transpose",
        "runtime",
        "the runtime drops a Transpose of one axis, or none, and then finds nobody behind the Parameter",
        lambda case: case.op == "Transpose" and len(case.x().shape) < 2,
    ),
    Deviation(
        "empty-transpose",
        "shape",
        "of some shapes with a dim of 0 the runtime makes others: [1,0,4] becomes [1,4,1]",
        lambda case: case.op == "Transpose" and 0 in case.x().shape,
    ),
    Deviation(
        "order-at-run-time",
        "shape",
        "an empty order that only a run knows makes sizes of 0 in the runtime",
        lambda case: case.op == "Transpose" and case.second_at_run_time() and case.second().size == 0,
    ),
    Deviation(
        "layout-f64",
        "values",
        "2.7, D15: in the runtime an f64 passes f32",
        lambda case: type_of(case.x()) == "f64",
    ),
    Deviation(
        "layout-wide",
        "values",
        "2.7, D15: and wide integers pass i32",
        lambda case: type_of(case.x()) in WIDE and case.wide(),
    ),
    Deviation(
        "open-rank",
        "runtime",
        "the runtime compiles no model with an output whose rank only a run knows",
        LayoutCase.rank_is_open,
    ),
    Deviation(
        "unsqueeze-twice",
        "IR315",
        "an axis that is listed twice: the runtime takes some for one and some for two",
        lambda case: case.op == "Unsqueeze" and case.second().size > 1,
    ),
]

FAMILY = Family("layouts", 20, draw, DEVIATIONS)
