"""Runs a network in OpenVINO, in f32, in a process of its own.
usage: networks_peer.py MODEL.xml INPUTS.npz            runs once; the caller measures the process
       networks_peer.py MODEL.xml INPUTS.npz THREADS S  runs for S seconds; prints {"min_ns": ...}"""
import json
import sys

import numpy as np
import openvino


def request_of(model_path, inputs_path, **more):
    core = openvino.Core()
    model = core.read_model(model_path)
    compiled = core.compile_model(model, 'CPU', {'INFERENCE_PRECISION_HINT': 'f32', 'PERFORMANCE_HINT': 'LATENCY', **more})
    request, inputs = compiled.create_infer_request(), np.load(inputs_path)
    for port in model.inputs:
        request.set_tensor(port, openvino.Tensor(inputs[port.get_node().get_friendly_name()]))
    return request


def main(model_path, inputs_path, threads=None, seconds=None):
    if threads is None:
        request_of(model_path, inputs_path).infer()
        return
    from peer_timers import best_ns
    request = request_of(model_path, inputs_path, INFERENCE_NUM_THREADS=int(threads))
    print(json.dumps({'min_ns': best_ns(request.infer, float(seconds))}))


if __name__ == '__main__':
    main(*sys.argv[1:])
