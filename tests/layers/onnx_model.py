"""Writes an ONNX model of a few layers, and the IR that OpenVINO makes of it: onnx_model.py OUT.onnx OUT.xml."""
import sys

import numpy as np
import onnx
import openvino as ov
from onnx import TensorProto, helper, numpy_helper

nodes = [
    helper.make_node("MaxPool", ["image"], ["pooled"], kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Abs", ["pooled"], ["positive"]),
    helper.make_node("AveragePool", ["positive"], ["averaged"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    helper.make_node("Add", ["averaged", "positive"], ["sum"]),
    # OpenVINO folds the BatchNormalization into the weights, so the IR has no output "conv".
    helper.make_node("Conv", ["sum", "weights"], ["conv"], pads=[1, 1, 1, 1]),
    helper.make_node("BatchNormalization", ["conv", "scale", "bias", "mean", "variance"], ["normal"], name="norm"),
    # The Relu's output has the name of the node before it, "norm".
    helper.make_node("Relu", ["normal"], ["norm"], name="relu"),
    helper.make_node("GlobalAveragePool", ["norm"], ["features"]),
]
rng = np.random.default_rng(1)
weights = {name: rng.uniform(0.5, 1.5, shape).astype(np.float32)
           for name, shape in {"weights": [4, 3, 3, 3], "scale": [4], "bias": [4], "mean": [4], "variance": [4]}.items()}
graph = helper.make_graph(nodes, "layers", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 16, 16])],
                          [helper.make_tensor_value_info("features", TensorProto.FLOAT, [1, 4, 1, 1])],
                          [numpy_helper.from_array(array, name) for name, array in weights.items()])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), sys.argv[1])
ov.save_model(ov.convert_model(sys.argv[1]), sys.argv[2], compress_to_fp16=False)
