"""ONNX's node tests that irrun does not pass, each with its reason. Nothing else is excused, and one that passes is an error."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Deviation:
    """`what`: "not convertible" or the rules that irrun raises; `runtime`: what the reference runtime does with the same IR,
    "equal", "differs" or "refuses" (None: there is no IR); `within`: whether irrun passes with the tolerances that ONNX has for
    the test, which are wider than irrun's."""

    tests: tuple
    what: str
    reason: str
    runtime: str = None
    within: bool = False


DEVIATIONS = [
    Deviation(
        ("test_averagepool_2d_ceil_last_window_starts_on_pad",),
        "IR601",
        "ONNX expects 4 digits of means whose inputs have 4 digits: 0.2841, which is 0.28404444",
        "differs",
        within=True,
    ),
    Deviation(
        ("test_maxpool_2d_ceil_output_size_reduce_by_one",),
        "IR602",
        "the converter makes `ceil` of ceil_mode, which ONNX has as `ceil_torch`: a last row and column of windows without input",
        "differs",
    ),
    Deviation(
        ("test_maxunpool_export_without_output_shape", "test_maxunpool_export_with_output_shape"),
        "not convertible",
        "No conversion rule found for operations: MaxUnpool-22",
    ),
    Deviation(
        ("test_reduce_max_empty_set",),
        "IR601",
        "the maximum of nothing is the type's lowest finite number in OpenVINO, -inf in ONNX",
        "differs",
    ),
]
