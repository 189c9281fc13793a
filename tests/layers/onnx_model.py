"""An ONNX model of a few layers, and the IR that OpenVINO makes of it: onnx_model.py OUT.onnx OUT.xml."""
import sys

import onnx
import openvino as ov
from onnx import TensorProto, helper

nodes = [
    helper.make_node("MaxPool", ["image"], ["pooled"], kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Abs", ["pooled"], ["positive"]),
    helper.make_node("AveragePool", ["positive"], ["averaged"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    helper.make_node("Add", ["averaged", "positive"], ["sum"]),
    helper.make_node("GlobalAveragePool", ["sum"], ["features"]),
]
graph = helper.make_graph(nodes, "layers", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, 16, 16])],
                          [helper.make_tensor_value_info("features", TensorProto.FLOAT, [1, 3, 1, 1])])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), sys.argv[1])
ov.save_model(ov.convert_model(sys.argv[1]), sys.argv[2], compress_to_fp16=False)
