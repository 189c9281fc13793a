"""Tolerances of irrun's results for each op.
Against exact models they are in units of the last place (ulp), against the runtime's sums a share of the magnitude."""

import numpy as np

from exact_elementwise import elementwise
from oracle import ir, near

# {type of a node, or (type of a node, element type): units}. The default is USUAL for f32 and f64. For f16 and bf16,
# which are computed in f32, it is one.
ULPS: dict = {
    **dict.fromkeys(["Abs", "Add", "Ceiling", "Clamp", "Divide", "Floor", "Maximum", "Minimum", "Multiply"], 0),
    **dict.fromkeys(["Negative", "Relu", "Round", "Sign", "Sqrt", "Subtract"], 0),
    ("Gelu", "f32"): 7,  # as docs/numbers.md says
    ("Gelu", "f64"): 16,  # the argument of the error function is rounded
    ("Swish", "f32"): 10,  # beta * x is rounded before the exponential
}
USUAL = 2
# {type of a node: function that returns the largest terms of its sums}. Terms can cancel, so the units are those of the
# largest term.
TERMS = {
    "FakeQuantize": elementwise(lambda _, x, low, high, out_low, out_high: np.abs(out_low) + np.abs(out_high) + 0 * x),
    "FloorMod": elementwise(lambda _, a, b: np.abs(a) + 0 * b),
    "HardSigmoid": elementwise(lambda _, x, alpha, beta: np.abs(alpha * x) + np.abs(beta)),
}
# Ops that sum products of inputs. The same op on the magnitudes of all inputs gives the sum of the terms' magnitudes.
SUMS = [
    *["Convolution-1", "ConvolutionBackpropData-1", "GroupConvolution-1", "GroupConvolutionBackpropData-1", "MatMul-1", "Einsum-7"],
    *["CumSum-3", "ReduceSum-1", "ReduceL1-4", "Col2Im-15", "ScatterElementsUpdate-12", "ScatterNDUpdate-15", "EmbeddingSegmentsSum-3"],
    *["EmbeddingBagOffsets-15", "EmbeddingBagOffsetsSum-3", "EmbeddingBagPacked-15", "EmbeddingBagPackedSum-3"],
]
# Ops whose terms are unknown: {op: tolerance of beyond_largest}.
LARGEST = {
    **dict.fromkeys(
        [
            *["BatchNormInference-1", "BatchNormInference-5", "GRN-1", "LogSoftmax-5", "MVN-2", "MVN-6", "PReLU-1", "ReduceL2-4", "ReduceProd-1", "SoftMax-1", "SoftMax-8"],
            *["CTCLoss-4", "FakeConvert-13", "GridSample-9", "Interpolate-1", "Inverse-14", "IRDFT-9", "ISTFT-16", "RDFT-9", "STFT-15"],
            *["I420toBGR-8", "I420toRGB-8", "NV12toBGR-8", "NV12toRGB-8", "RegionYolo-1", "PriorBox-1", "PriorBox-8", "PriorBoxClustered-1"],
            *["DetectionOutput-1", "DetectionOutput-8", "NonMaxSuppression-5", "NonMaxSuppression-9", "NMSRotated-13", "MatrixNms-8"],
            *["MulticlassNms-8", "MulticlassNms-9", "Proposal-1", "Proposal-4", "GenerateProposals-9", "DeformablePSROIPooling-1", "PSROIPooling-1"],
            *["ROIAlign-3", "ROIAlign-9", "ROIAlignRotated-15", "ROIPooling-2", "ExperimentalDetectronDetectionOutput-6"],
            *["ExperimentalDetectronGenerateProposalsSingleImage-6", "ExperimentalDetectronPriorGridGenerator-6"],
            *["If-8", "Loop-5", "TensorIterator-1", "Loop-5 changing", "TensorIterator-1 changing"],
        ],
        {},
    ),
    **dict.fromkeys(
        [
            *["DeformableConvolution-1", "DeformableConvolution-8", "DFT-7", "IDFT-7", "GroupNormalization-12", "Interpolate-4", "Interpolate-11"],
            *["GRUCell-3", "GRUSequence-5", "LSTMCell-1", "LSTMCell-4", "LSTMSequence-5", "RNNCell-1", "RNNSequence-5"],
        ],
        {"units": 32},
    ),
    "ScaledDotProductAttention-13": {"roundings": 4},  # the runtime rounds intermediate results
    "NormalizeL2-1": {"roundings": 2},
    "ExperimentalDetectronROIFeatureExtractor-6": {"units": 128},  # positions in an image are rounded too
    "LRN-1": {"units": 256},  # the runtime approximates the power
}


def beyond_exact(op, node, given, got, want):
    """Returns for each element whether it is too far from the exact model's. `given` are the arrays of the inputs."""
    name, element_type = node.get_type_name(), ir.type_of(got)
    if op in LARGEST:
        return near.beyond_largest(got, want, **{"half": 2.0**-53 if element_type == "f64" else 2.0**-24, **LARGEST[op]})
    magnitude = TERMS[name](node, given)[0] if name in TERMS else 0
    usual = USUAL if element_type in ("f32", "f64") else 1
    return near.beyond_ulps(got, want, ULPS.get((name, element_type), ULPS.get(name, usual)), magnitude)


def measures_of(op, model, inputs, reference, wanted):
    """Returns a function for each output that compares its elements with the runtime's. `model` is the XML and the
    constants."""
    if op in ["Multinomial-13", "RandomUniform-8"]:  # random numbers: only type and shape are compared
        return [lambda got, _: np.zeros(got.shape, bool)] * len(wanted)
    if op not in SUMS:
        return [near.unequal if op not in LARGEST else lambda got, want: near.beyond_largest(got, want, **LARGEST[op])] * len(wanted)
    sizes = [np.abs(array) if array.dtype.kind not in "biu" else array for array in inputs.values()]
    magnitudes = reference.run(*model, sizes).arrays
    return [lambda got, want, i=i: near.beyond_magnitude(got, want, magnitudes[i].astype(np.float64)) for i in range(len(wanted))]
