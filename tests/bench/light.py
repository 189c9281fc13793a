"""Draws weights for nine networks that the package onnx contains without weights."""
import os
import sys

import numpy as np

sys.modules['openvino_telemetry'] = None  # keeps the converter from reporting its use
import onnx  # noqa: E402
import openvino  # noqa: E402
from onnx import numpy_helper  # noqa: E402

NAMES = ['bvlc_alexnet', 'densenet121', 'inception_v1', 'inception_v2', 'resnet50', 'shufflenet', 'squeezenet', 'vgg19', 'zfnet512']
SEED = 1
NEAR_ONE = (0.8, 1.2)
OFFSET = 0.05
BRANCH = 0.5  # scale of a residual branch: sums over 16 blocks stay in range


def write_ir(name, path):
    """Writes the network as an IR with f32 weights."""
    folder = os.path.join(os.path.dirname(onnx.__file__), 'backend', 'test', 'data', 'light')
    model = onnx.load(os.path.join(folder, f'light_{name}.onnx'))
    draw_weights(model.graph, np.random.default_rng(SEED))
    drawn = path.with_suffix('.onnx')
    onnx.save(model, drawn)
    openvino.save_model(openvino.convert_model(drawn), path, compress_to_fp16=False)
    drawn.unlink()


def draw_weights(graph, rng):
    """Draws numbers for each float constant. They depend on what the constant is used for."""
    constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    shapes = {name: value.shape for name, value in constants.items() if value.dtype == np.float32}
    shapes |= {node.output[0]: tuple(constants[node.input[0]]) for node in graph.node if node.op_type == 'ConstantOfShape'}
    users, makers = {}, {}
    for node in graph.node:
        makers[node.output[0]] = node.op_type
        for place, name in enumerate(node.input):
            users.setdefault(name, []).append((node, place))
    for name, shape in shapes.items():
        if name in users:
            node, place = user_of(name, users)
            constants[name] = draw(rng, shape, node, place, users, makers).astype(np.float32)
    replace(graph.initializer, [numpy_helper.from_array(value, name) for name, value in constants.items()])
    replace(graph.node, [node for node in graph.node if node.op_type != 'ConstantOfShape'])


def replace(field, values):
    del field[:]
    field.extend(values)


def user_of(name, users):
    """Returns the node that computes with a constant, and the number of the node's input. Skips nodes that only change
    the shape."""
    node, place = users[name][0]
    return user_of(node.output[0], users) if node.op_type == 'Unsqueeze' else (node, place)


def draw(rng, shape, node, place, users, makers):
    """Draws numbers for a constant. Weights follow He et al.: a layer with the ReLU before it keeps the variance.
    Scales and variances are near 1, offsets are small."""
    if node.op_type in ('Conv', 'Gemm') and place == 1:
        gain = 1 if makers.get(node.input[0]) == 'BatchNormalization' else 2
        return rng.standard_normal(shape) * np.sqrt(gain / np.prod(shape[1:]))
    if node.op_type == 'Mul' or (node.op_type == 'BatchNormalization' and place in (1, 4)):
        is_added = place == 1 and any(user.op_type == 'Sum' for user, _ in users[node.output[0]])
        return rng.uniform(*NEAR_ONE, shape) * (BRANCH if is_added else 1)
    return rng.standard_normal(shape) * OFFSET
