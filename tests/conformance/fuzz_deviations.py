"""Lists known differences between irrun and the runtime that fuzz.py finds, and the default runs of values.py, shapes.py and
faults.py do not; as rows of deviations.py."""

from deviations import LESS, UNSET

DEVIATIONS = [
    (
        "differs",
        "Col2Im-15",
        r"^Col2Im .*: \w+\[[\d,]*,0\], ",
        UNSET,
        "of no blocks the runtime leaves the image unset",
    ),
    ("differs", "Convert-1", r"^Convert destination_type=bf16: f64\[", UNSET, "from f64 to bf16 the runtime cuts digits off"),
    (
        "differs",
        "Einsum-7",
        r"^Einsum equation=.*\.\.\.",
        r"^output 0: \w+\[[\d, ]+\], expected \w+\[(.*, )?1(, .*)?\]$",
        "the runtime does not stretch all axes of '...'",
    ),
    (
        "differs",
        "GridSample-9",
        r"^GridSample .*mode=bicubic.*: [iu]\d+\[",
        r" elements differ, first at \[[\d, ]+\]: -?\d+, expected -?\d+$",
        "the runtime's weights are f32 and add up to a little less than 1, and it cuts off the fraction of the sum",
    ),
    (
        "differs",
        "IRDFT-9",
        r"^IRDFT .*: b?f16\[",
        UNSET,
        "of f16 and bf16 the runtime reads memory that it did not set",
    ),
    (
        "differs",
        "Interpolate-4, Interpolate-11",
        "^Interpolate mode=linear .*antialias=True",
        r"^output 0: \d+ of \d+ elements differ, first at \[[\d, ]+\]: 0\.0, by the page ",
        "a weight is 0, or what rounding leaves of 0; divided by their sum, it is 0 or 1",
    ),
    (
        "differs",
        "NonZero-3",
        r"^NonZero .*: \w+\[\] -> ",
        r"^output 0: int\d+\[0, 0\], expected int\d+\[1, 0\]$",
        "of a scalar 0 the CPU plugin makes [1, 0], and OpenVINO of a constant one [0, 0]",
    ),
    (
        "stricter",
        "DepthToSpace-1",
        "^input_size ",
        r"^IR322: axis 1 of .*: \d{17,} is no multiple of ",
        "the runtime's check of multiples accepts any size from 2^55 on",
    ),
    (
        "differs",
        "ReduceL2-4",
        r"^ReduceL2 .*: [iu]8\[",
        r"expected (11|15)$",
        "of 8-bit integers the runtime's sum of squares stays at 127 or 255",
    ),
    (
        "differs",
        "ScaledDotProductAttention-13",
        r"^ScaledDotProductAttention .*: f64\[.*, boolean\[",
        r" elements differ, first at \[[\d, ]+\]: nan, expected -?\d",
        "of f64 the runtime ignores a boolean mask, and so gives a row that is masked as a whole numbers",
    ),
    (
        "irrun refuses",
        "Loop-5 changing",
        "^Loop ",
        r"^IR322 iteration \d+ gives another shape than the first",
        "parts that grow are no parts of 'part_size'",
    ),
    (
        "looser",
        "NonMaxSuppression-1, NonMaxSuppression-3, NonMaxSuppression-4, NonMaxSuppression-5, NonMaxSuppression-9",
        "^constant_changed input 2 '-",
        LESS,
        "of a negative number of boxes the runtime keeps none, and the page says nothing",
    ),
    (
        "looser",
        "Reshape-1",
        r"^Reshape special_zero=False: \w+\[(\.\.\.|.*\?.*|.*\.\..*)\], i64\[1\]=-1 ",
        r"is \('\w+', \[\(0, \d+\)\]\), expected \('\w+', \[\(1, ",
        "the runtime lets no tensor of an unknown rank be empty",
    ),
    (
        "looser",
        "ConvolutionBackpropData-1, GroupConvolutionBackpropData-1",
        r"^(Group)?ConvolutionBackpropData .*, i64\[(\?|\d*\.\.\d*)\] -> ",
        LESS,
        "of an output_shape of unknown length the runtime makes no spatial axes",
    ),
    (
        "looser",
        "StridedSlice-1",
        r"^StridedSlice .*: \w+\[[^]]*(\?|\.\.)[^]]*\], i(32|64)\[\d\]=.*-\d",
        LESS,
        "a slice back from before the begin of a small dim begins at the first element",
    ),
    (
        "looser",
        "Unique-10",
        r"^Unique .*: \w+\[.*\.\.",
        LESS,
        "the runtime lets no axis of open size be empty",
    ),
]
