"""Lists known differences between the values of irrun and the runtime, as rows of deviations.py. The case is the op
with attributes, types and shapes of inputs and outputs, and the elements of short Constants. For ops in
values_exact.py, the exact model judges instead."""

from deviations import UNSET

UNSET_COUNT = "where no boxes are asked for, or the only class is the background, the runtime leaves the count unset"
COUNT = rf"^output 2: \d+ of \d+ {UNSET} .*: 0, expected "
NOT_ASKED = "the runtime does not ask what lists say that only a run knows"
DEVIATIONS = [
    (
        "differs",
        "Assign-3, Assign-6, ReadValue-3, ReadValue-6",
        r"ReadValue variable_id=state.* -> (f64|b?f16|[iu]64|u32)\[",
        UNSET,
        "the runtime holds no such states: it reads halves of them, or behind them",
    ),
    (
        "differs",
        "Proposal-4",
        "^Proposal ",
        rf"^output 1: \d+ of \d+ {UNSET} \[\d+\]: 0\.0, expected ",
        "of rows behind the last proposal of a picture the runtime leaves the scores unset",
    ),
    (
        "differs",
        "ExperimentalDetectronROIFeatureExtractor-6",
        r"\[1,\d+,0,0\]",
        UNSET,
        "of an empty level the runtime leaves the outputs unset",
    ),
    ("differs", "NonMaxSuppression-5, NonMaxSuppression-9", r"^NonMaxSuppression .*(, f(16|32)\[[0-9,]+\] ->| i(32|64)\[1?\]=0)", COUNT, UNSET_COUNT),
    ("differs", "NMSRotated-13", "^NMSRotated ", COUNT, UNSET_COUNT),
    ("differs", "MatrixNms-8", r"background_class=0 .*\[\d+,1,\d+\] -> | -> f\d+\[0,6\], ", COUNT, UNSET_COUNT),
    ("differs", "MulticlassNms-8, MulticlassNms-9", r" -> f\d+\[0,6\], ", COUNT, "where no box is kept, the runtime leaves the count unset"),
    ("differs", "Unique-10", r"^Unique .*: [iu]8\[", rf"^output [13]: \d+ of \d+ {UNSET}", "of slices of bytes the runtime leaves the indices unset"),
    ("differs", "If-8", "^If : boolean", r"^output \d: \w+\[\], expected \w+\[1\]$", "of a branch that gives a scalar the runtime makes a 1D where the other gives one"),
    (
        "differs",
        "Pad-1, Pad-12",
        "^Pad ",
        r"^output 0: \w+\[(.*\D)?0(\D.*)?\], expected \w+\[0(, 0)*\]$",
        "of an empty output that the run sizes the runtime makes all sizes 0",
    ),
    (
        "irrun refuses",
        "TensorIterator-1 changing",
        "^TensorIterator ",
        r"^(IR322 iteration \d+ gives another shape than the first|IR309 output \d was inferred as .* and computed as )",
        "parts that grow are no parts of 'part_size'; the runtime writes behind the output",
    ),
    ("irrun refuses", "BatchToSpace-1", "^BatchToSpace ", r"^IR322 axis \d of .* becomes -?\d+, from which \d+ are cut", NOT_ASKED),
    ("irrun refuses", "Pad-1, Pad-12", "^Pad pad_mode=(reflect|symmetric)", r"^IR322 'pads_(begin|end)' holds -?\d+ for axis \d of ", NOT_ASKED),
]
