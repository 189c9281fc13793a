"""Computes elementwise ops by the specification, in f64 or in integers that wrap. values_exact.py has other ops."""

import math

import numpy as np


def elementwise(rule):
    """Makes a function that applies a rule to arrays as wide numbers. Arrays are broadcast to the first one: from the
    pdpd axis, or aligned at the end. If a rule cannot compute the result, it returns None."""

    def computed_of(node, arrays):
        told, rank = node.get_attributes(), arrays[0].ndim
        axis = told.get("auto_broadcast.auto_broadcast_axis", -1) if told.get("auto_broadcast") == "pdpd" else -1
        wide = [array.astype(np.int64 if array.dtype.kind in "biu" else np.float64) for array in arrays]
        if axis >= 0:
            wide = [array.reshape(array.shape + (1,) * (rank - axis - array.ndim)) for array in wide]
        with np.errstate(all="ignore"):
            made = rule(told, *wide)
        return None if made is None else [made]

    return computed_of


def each(function):
    """Makes a function of arrays from a function of one f64. NaN and infinities are as in C."""

    def value(x):
        try:
            return function(x)
        except (ValueError, OverflowError):
            return math.nan

    return np.vectorize(value, otypes=[np.float64])


def inverse_error(y):
    """Solves erf(x) = y by Newton's method. For |y| near 1, uses 1 - |y|, which is exact."""
    if abs(y) >= 1 or math.isnan(y):
        return math.copysign(math.inf, y) if abs(y) == 1 else math.nan
    size = abs(y)
    x = size * math.sqrt(math.pi) / 2 if size < 0.7 else math.sqrt(max(-math.log((1 - size) * 2), 0.1))
    for _ in range(60):
        excess = (1 - size) - math.erfc(x) if size > 0.5 else math.erf(x) - size
        x -= excess * math.sqrt(math.pi) / 2 * math.exp(x * x)
    return math.copysign(x, y)


def sigmoid(x):
    return np.where(x < 0, np.exp(np.minimum(x, 0)) / (1 + np.exp(np.minimum(x, 0))), 1 / (1 + np.exp(-np.maximum(x, 0))))


def softplus(x):
    return np.logaddexp(0, x)


def gelu(told, x):
    if told.get("approximation_mode", "ERF").upper() == "TANH":
        return x * sigmoid(np.sqrt(8 / np.pi) * (x + 0.044715 * x**3))
    return x / 2 * each(math.erfc)(-x / math.sqrt(2))


def selu(_, x, alpha, factor):
    return factor.flat[0] * np.where(x > 0, x, alpha.flat[0] * np.expm1(np.minimum(x, 0)))


def rounded(told, x):
    return np.round(x) if told["mode"] == "half_to_even" else np.sign(x) * np.floor(np.abs(x) + 0.5)


def clamp(told, x):
    if x.dtype.kind == "i":
        return np.clip(x, max(math.ceil(told["min"]), -(2**62)), min(math.floor(told["max"]), 2**62))
    return np.minimum(np.maximum(x, told["min"]), told["max"])


def is_infinite(told, x):
    return (told["detect_negative"] & (x == -np.inf)) | (told["detect_positive"] & (x == np.inf))


def divide(told, a, b):
    if a.dtype.kind != "i":
        return a / b
    return np.floor_divide(a, b) if told["m_pythondiv"] else np.trunc(a / b)


def quantize(told, x, low, high, out_low, out_high):
    steps = told["levels"] - 1
    inside = np.round((x - low) / (high - low) * steps) / steps * (out_high - out_low) + out_low
    return np.where(x <= np.minimum(low, high), out_low, np.where(x > np.maximum(low, high), out_high, inside))


AT_THE_END = "of pdpd the runtime broadcasts at times as numpy does"
APPROXIMATE = "the runtime approximates the function, of f64 in f32"
WRAPS = "what an integer does not hold wraps as in numpy, -1 is 255 for u8; the runtime makes the nearest of it, or computes in f32"
OF_TWO = {
    "Add": np.add,
    "BitwiseAnd": np.bitwise_and,
    "BitwiseLeftShift": np.left_shift,
    "BitwiseOr": np.bitwise_or,
    "BitwiseRightShift": np.right_shift,
    "BitwiseXor": np.bitwise_xor,
    "Equal": np.equal,
    "Greater": np.greater,
    "GreaterEqual": np.greater_equal,
    "Less": np.less,
    "LessEqual": np.less_equal,
    "LogicalAnd": np.logical_and,
    "LogicalOr": np.logical_or,
    "LogicalXor": np.logical_xor,
    "Maximum": np.maximum,
    "Minimum": np.minimum,
    "Multiply": np.multiply,
    "NotEqual": np.not_equal,
    "Subtract": np.subtract,
    "Xor": np.logical_xor,
}
OF_ONE = {
    "Abs": np.abs,
    "Acos": np.arccos,
    "Acosh": np.arccosh,
    "Asin": np.arcsin,
    "Asinh": np.arcsinh,
    "Atan": np.arctan,
    "Atanh": np.arctanh,
    "Ceiling": np.ceil,
    "Cos": np.cos,
    "Cosh": np.cosh,
    "Erf": each(math.erf),
    "ErfInv": each(inverse_error),
    "Exp": np.exp,
    "Floor": np.floor,
    "HSigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "HSwish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "IsFinite": np.isfinite,
    "IsNaN": np.isnan,
    "Log": np.log,
    "Mish": lambda x: x * np.tanh(softplus(x)),
    "Negative": np.negative,
    "Relu": lambda x: np.maximum(x, 0),
    "Sigmoid": sigmoid,
    "Sign": np.sign,
    "Sin": np.sin,
    "Sinh": np.sinh,
    "SoftPlus": softplus,
    "SoftSign": lambda x: x / (1 + np.abs(x)),
    "Sqrt": np.sqrt,
    "Tan": np.tan,
    "Tanh": np.tanh,
}
# {op: (function, reason for which the runtime differs)}
ELEMENTWISE = {
    **{op: (elementwise(lambda _, x, rule=rule: rule(x)), WRAPS if op == "Cos" else APPROXIMATE) for op, rule in OF_ONE.items()},
    **{op: (elementwise(lambda _, a, b, rule=rule: rule(a, b)), WRAPS if op == "Subtract" else AT_THE_END) for op, rule in OF_TWO.items()},
    "Clamp": (elementwise(clamp), "the greatest integer up to max is below a half; the runtime gives the one above"),
    "Divide": (elementwise(divide), "the page has floors of quotients; the runtime divides toward zero"),
    "Elu": (elementwise(lambda told, x: np.where(x < 0, told["alpha"] * np.expm1(np.minimum(x, 0)), x)), APPROXIMATE),
    "FloorMod": (elementwise(lambda _, a, b: np.mod(a, b)), AT_THE_END),
    "Mod": (elementwise(lambda _, a, b: np.fmod(a, b)), AT_THE_END),
    "Power": (elementwise(lambda _, a, b: np.power(a, b) if a.dtype.kind == "f" else None), AT_THE_END),
    "FakeQuantize": (elementwise(quantize), AT_THE_END),
    "Gelu": (elementwise(gelu), APPROXIMATE),
    "HardSigmoid": (elementwise(lambda _, x, alpha, beta: np.clip(alpha * x + beta, 0, 1)), "of alpha 0 and beta 0 the runtime makes 0.2 and 0.5"),
    "IsInf": (elementwise(is_infinite), "the runtime makes f32 of f64, and of what f32 does not hold an infinity"),
    "Round": (elementwise(rounded), APPROXIMATE),
    "Selu": (elementwise(selu), APPROXIMATE),
    "SquaredDifference": (
        elementwise(lambda _, a, b: (a - b) ** 2),
        "the runtime's squares of narrow integers are none: (1 - 3)^2 gives -2 for i8, 0 for u8",
    ),
    "Swish": (elementwise(lambda _, x, beta=1.0: x * sigmoid(beta * x)), APPROXIMATE),
}
