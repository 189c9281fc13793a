"""Known differences between the values of irrun and the runtime, with reasons."""

import re

UNSET_COUNT = "where no boxes are asked for, or the only class is the background, the runtime leaves the count unset"

# [(what, op, case, reason)]: patterns for the kind of difference, the op, and the case's text: attributes, types and shapes of
# inputs and outputs, numbers of short Constants, and the difference.
DEVIATIONS = [
    ("differs", "SpaceToBatch", "\\[4\\]=1,([23]|1,[23],[23])", "of blocks of several axes the runtime mixes up elements; numpy gives what irrun gives"),
    ("differs", "Gather-7", "batch_dims=1: u32\\[1,", "of one batch the runtime gives 0 for an element that numpy takes from the data"),
    ("differs", "ScaledDotProductAttention", "f64\\[.*: nan, expected", "a row whose keys are all masked is NaN, by the page's softmax; of f64 the runtime gives numbers"),
    ("differs", "Tile", "i64\\[0\\]", "of an empty list the runtime leaves the output unset"),
    ("differs", "StridedSlice", "ellipsis_mask=\\[1\\]", "of an ellipsis alone the runtime leaves the output unset"),
    ("differs", "Clamp", "max=-[0-9]+\\.5: i", "the greatest integer up to max is below a half; the runtime gives the one above"),
    ("differs", "Cos|Subtract", "u8\\[.*: 25[345], expected 0$", "what no u8 holds wraps as in numpy, -1 is 255; the runtime makes 0 of it, and wraps wider types"),
    ("differs", "Range", "\\[0\\], expected", "of a step that leads away from stop the page has no element"),
    ("differs", "ReadValue|Assign", "(f64|[iu]64|u32)\\[", "the runtime holds no such states: it reads halves of them, or behind them"),
    ("differs", "Proposal-4", "output 1: [0-9]+ of .*: 0.0, expected", "of rows behind the last proposal of a picture the runtime leaves the scores unset"),
    ("differs", "ROIFeatureExtractor", "\\[1,[0-9]+,0,0\\]", "of an empty level the runtime leaves the outputs unset"),
    ("differs", "NonMaxSuppression-[59]", "(, f(16|32)\\[[0-9,]+\\] ->| i(32|64)\\[1?\\]=0).*output 2: .*: 0, expected", UNSET_COUNT),
    ("differs", "NMSRotated", "output 2: .*: 0, expected", UNSET_COUNT),
    ("differs", "MatrixNms", "background_class=0 .*\\[[0-9]+,1,[0-9]+\\] -> .*output 2: .*: 0, expected", UNSET_COUNT),
    (
        "differs",
        "PriorBox-",
        "fixed_size=\\[([^]]*[^0-9.])?[0-9]*[13579](\\.[0-9]+)?[],].*\\[2\\]=[0-9,]+, [iu][0-9]+\\[2\\]=",
        "folding constants the runtime halves the whole part of a fixed size as an integer, in a run as a float",
    ),
    ("differs", "SegmentMax", "fill_mode=lowest: (f16|f64|bf16|u[0-9]+|i64)", "the runtime has the lowest number of the type that it computes in"),
    ("differs", "Unique", "[iu]8\\[.*output [13]", "of slices of bytes the runtime leaves the indices unset"),
    ("irrun refuses", "Loop|TensorIterator", "IR309|gives another shape", "parts that grow are no parts of 'part_size'; the runtime writes behind the output"),
    ("differs", "If", "\\[\\], expected .*\\[1\\]", "of a branch that gives a scalar the runtime makes a 1D where the other gives one"),
    ("differs", "Pad", "output 0: .*[^0-9]0[^0-9].*, expected [a-z0-9]+\\[0[0, ]*\\]$", "of an empty output that the run sizes the runtime makes all sizes 0"),
    ("irrun refuses", "BatchToSpace|Pad|StridedSlice", "IR322", "the runtime does not ask what lists say that only a run knows"),
    ("differs", "CTCLoss", "f64\\[", "the runtime makes f32 of f64, and of what f32 does not hold its largest number"),
    ("differs", "ReduceSum", "u8\\[.*, expected 255$", "a sum that no u8 holds wraps as in numpy; the runtime makes 255 of some"),
    ("differs", "(LSTM|GRU|RNN)(Cell|Sequence)", "bf16\\[", "the runtime rounds to bf16 within a step; irrun does when the step is done"),
    ("differs", "ErfInv", "f64\\[.*inf, expected -?3.4028", "the runtime makes f32 of f64, and its largest number of an infinity"),
    ("differs", "ErfInv", "expected -?[2-9]\\.", "the runtime's polynomial is up to 0.6 % off where |y| is above 2"),
    ("differs", "IsInf|IsFinite", "f64", "the runtime makes f32 of f64, and finite numbers of infinities"),
]


def reason_of(what, op, text):
    """Why irrun and the runtime differ; None if no reason is known."""
    for kinds, ops, case, reason in DEVIATIONS:
        if re.search(kinds, what) and re.search(ops, op) and re.search(case, text):
            return reason
    return None
