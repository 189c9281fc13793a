"""Makes faults of AvgPool and MaxPool. Each fault changes a valid case."""

from oracle import ir
from oracle.windows import extent

REQUIRED = ("kernel", "strides", "pads_begin", "pads_end")
HUGE = (1000, 2**31, 2**32, 2**33 + 1)


def lists_of(case):
    return [name for name in (*REQUIRED, "dilations") if name in case.data]


def rank_outside(rng, case):
    case.x.shape = case.x.shape[:2] if rng.random() < 0.5 else case.x.shape + [2] * (6 - len(case.x.shape))
    case.x.declared = None


def dim_zero(rng, case):
    axis = rng.randrange(len(case.x.shape))
    case.x.shape[axis] = 0
    if case.x.declared:
        case.x.declared[axis] = rng.choice(("0", "?", "0..4"))


def opset_without(rng, case):
    case.opset = rng.choice(("opset17", "opset99", "opset"))


def attribute_unknown(rng, case):
    names = {"pads", "kernel_size", "foo", "dilations", "exclude-pad", "axis", "index_element_type"} - known_names(case)
    case.data[rng.choice(sorted(names))] = "1"


def known_names(case):
    names = {*REQUIRED, "rounding_type", "auto_pad"}
    if case.op == "AvgPool":
        names.add("exclude-pad")
    if case.n_outputs() == 2:
        names |= {"axis", "index_element_type"}
    return names | {"dilations"} if case.has_dilations() else names


def type_boolean(_rng, case):
    case.x.element_type, case.x.kind = "boolean", "usual"


def item_out_of_range(rng, case):
    name = rng.choice(lists_of(case))
    items = case.items(name)
    items[rng.randrange(len(items))] = -1 if name.startswith("pads") else rng.choice((0, -1))
    case.data[name] = ir.join(items)


def kernel_too_large(rng, case):
    items = case.items("kernel")
    axis = rng.randrange(len(items))
    pads = case.items("pads_begin")[axis] + case.items("pads_end")[axis]
    room = case.x.shape[2 + axis] + (pads if case.data.get("auto_pad", "explicit").lower() == "explicit" else 0)
    items[axis] = room + rng.randint(1, 3)
    case.data["kernel"] = ir.join(items)


def pad_too_large(rng, case):
    name = rng.choice(("pads_begin", "pads_end"))
    items = case.items(name)
    axis = rng.randrange(len(items))
    dilation = (case.items("dilations") or [1] * len(items))[axis]
    items[axis] = extent(case.items("kernel")[axis], dilation) + rng.randint(0, 2)
    case.data[name] = ir.join(items)


def wrong_length(rng, case):
    name = rng.choice(lists_of(case))
    items = case.items(name)
    case.data[name] = ir.join(items + [1] if rng.random() < 0.5 or len(items) == 1 else items[:-1])


def attribute_missing(rng, case):
    del case.data[rng.choice([*REQUIRED, *{"exclude-pad"} & set(case.data)])]


def attribute_misspelt(rng, case):
    name = rng.choice(sorted(case.data))
    wrong = {"kernel": "kernels", "strides": "stride", "exclude-pad": "exclude_pad", "axis": "axes"}
    case.data[wrong.get(name, name.replace("_", "-") if "_" in name else name[:-1])] = case.data.pop(name)


def list_unreadable(rng, case):
    name = rng.choice(lists_of(case))
    text = ir.join(case.items(name))
    ends = (text + "x", text + ".5", text + ",", "," + text, "+" + text, "", "abc", text.replace(",", ";") + ";")
    case.data[name] = rng.choice(ends)


def word_unreadable(rng, case):
    words = {
        "rounding_type": ("round", "", " floor", "torch"),
        "auto_pad": ("notset", "same", "", "valid "),
        "exclude-pad": ("yes", "2", "", "no"),
    }
    name = rng.choice([name for name in words if name != "exclude-pad" or case.op == "AvgPool"])
    case.data[name] = rng.choice(words[name])


def stride_huge(rng, case):
    items = case.items("strides")
    items[rng.randrange(len(items))] = rng.choice(HUGE if case.x.declared else (*HUGE, 2**62))
    case.data["strides"] = ir.join(items)


def port_declares_otherwise(_rng, case):
    case.ports_wrong = True


def torch_in_other_version(_rng, case):
    case.data["rounding_type"] = "ceil_torch"


def axis_outside(rng, case):
    rank = len(case.x.shape)
    case.data["axis"] = str(rng.choice((rank, rank + 1, -rank - 1, 100, "", "x", "1.5")))


def index_type_unknown(rng, case):
    case.data["index_element_type"] = rng.choice(("u8", "f32", "i16", "u64", "boolean", "I128", "", "long"))


def faults_of(case):
    """Returns the faults that are possible in the case. A fault is repeated by its weight."""
    faults = [rank_outside, dim_zero, opset_without, attribute_unknown, attribute_misspelt, list_unreadable, word_unreadable]
    faults += [stride_huge, attribute_missing, port_declares_otherwise] + [item_out_of_range, kernel_too_large, wrong_length] * 2
    if case.op == "AvgPool":
        faults += [pad_too_large] * 2 + [type_boolean]
    if case.version < 14:
        faults += [torch_in_other_version] * 2
    if case.n_outputs() == 2:
        faults += [axis_outside, index_type_unknown] * 2
    return faults
