"""Known differences between irrun and the runtime on faults."""

import re

# {rule: reason}: irrun refuses, the runtime accepts.
STRICTER = {
    "IR004": "irrun has a limit",
    "IR110": "the page has as many inputs and outputs; the runtime counts those of few ops",
    "IR204": "the reader leaves an attribute that the page requires as the op's class has it",
    "IR206": "the reader takes the number that a text begins with, or 0",
    "IR207": "the page has a range or words; the reader takes any, and what is neither true nor 1 as false",
    "IR208": "the reader takes the first of several numbers, and the runtime ignores lists that are too long",
    "IR211": "the reader ignores an attribute that it does not know; a near miss stands for the one that is meant",
    "IR303": "the page has another rank, which the runtime does not look at",
    "IR304": "the kernel is larger than the padded input; the runtime looks at it where all sizes are known",
    "IR306": "the page has other types, or one for both; the runtime takes what it does not compute with",
    "IR308": "the runtime does not ask whether 64 bits hold the bytes of a tensor",
    "IR315": "the axes are not among those of the input, or there twice; the runtime looks at few of them",
    "IR316": "the shapes do not stretch to each other; the runtime looks where all sizes are known",
    "IR322": "the page lets no such sizes or numbers go together; the runtime looks at few of them",
    "IR330": "a variable is read and assigned with one shape and type, which the runtime does not compare",
}

# [(what, ops, message, reason)], as patterns: all other differences.
OTHERS = [
    ("laxer", "CumSum|GRUCell|LSTMCell|PriorBoxClustered", "m_inputs.size|input_shapes.size", "the page lets this input be left out"),
    ("laxer", "NonMaxSuppression", "is_float_type_admissible", "the page has all floats"),
    ("laxer", "Interpolate", "input_et ==|et == element::i32|Axes element type", "the page has all numbers"),
    ("laxer", "Assign|ReadValue", "Can't find variable", "the runtime keeps variables of versions 3 and 6 apart"),
    ("looser|tighter", "", "(?!9223372036854775807)[0-9]{18}", "numbers close to the end of 64 bits"),
    ("laxer", "GenerateProposals-9", "nms_eta", "the page has a range, the runtime 1 alone"),
    ("laxer", "ROIPooling", "out_roi.size|vector of parameters|Cannot parse", "output_roi and output_size are none of the page's attributes"),
    ("laxer", "", "broadcast_merge_into", "`pdpd`: the page drops the last sizes of 1 of input 1"),
    ("laxer", "LRN", "Reduction axis", "the runtime takes axes that it does not know as 1"),
    ("laxer", "DeformableConvolution|BatchToSpace", "offsets_channels|divisor", "a product that 64 bits do not hold tells nothing"),
    ("laxer|looser|shape", "^(Divide|FloorMod|Mod)-", "", "irrun knows no quotient or rest of a negative divisor, and believes what is declared"),
    ("looser", "^Reduce", "", "irrun computes no reduction over no axes before a run"),
    ("shape", "^ReduceProd-", "", "a product that 64 bits do not hold"),
    ("laxer", "", "crashed or hung", "the runtime gives no answer"),
    ("shape", "^Range-", "", "the runtime counts steps in 32 bits"),
    ("laxer", "^Pad-", "REFLECT", "irrun looks at the pads of a mode where both are known"),
    ("laxer", "^(PSROIPooling|DetectionOutput)-", "Expected 'average'|code_type ==", "the reader takes this word in its own letters alone"),
    ("laxer", "^Split-", "dim_interval_at_axis", "a size of 0 is a multiple too"),
    ("laxer", "^DetectionOutput-", "num_loc_classes", "irrun divides the boxes where the priors tell their number"),
    ("laxer", "^LSTMCell-1", "_M_range_check", "no functions are the page's default ones; the reader fails on an empty list"),
    ("looser", "^SparseFillEmptyRows-", "", "of rows out of order irrun counts no entries"),
    ("looser", "^StringTensorUnpack-", "", "irrun does not reckon that no strings have no symbols"),
    ("shape", "^(Strided)?Slice-", "", "the runtime takes numbers past those of i64 as negative"),
    ("laxer", "^(SliceScatter|Gather)-", "[Ss]tep|[Bb]atch.?dims", "of data of an unknown rank irrun looks at no lists and common axes"),
    ("looser", "^Loop-", "", "of a Loop that never runs irrun says no shapes"),
    ("shape", "^TensorIterator-", "", "along an axis of size 0 the runtime counts two iterations"),
    ("laxer", "", "unsupported opset: extension", "what an op of an extension declares is believed"),
]


def reason_of(what, rule, op, text):
    """Why irrun and the runtime differ; None if no reason is known."""
    if what == "stricter":
        return STRICTER.get(rule)
    for kinds, ops, message, reason in OTHERS:
        if what in kinds.split("|") and re.search(ops, op) and re.search(message, text):
            return reason
    return None
