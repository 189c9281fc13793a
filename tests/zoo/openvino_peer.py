"""Runs a model in OpenVINO, in f32 unless a precision is given, in a process of its own.
usage: openvino_peer.py MODEL.xml INPUTS.npz
Reads orders from stdin, one a line, and answers each with a line of JSON:
    ["outputs", FILE.npz, {property: value}]  runs with these properties and saves the outputs, in order
    ["time", THREADS, SECONDS, PRECISION]     answers with the best time of a run in ns"""
import json
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / 'bench'))

from networks_peer import request_of
from peer_timers import best_ns


def main(model, inputs):
    requests = {}
    for line in sys.stdin:
        order, *words = json.loads(line)
        if order == 'outputs':
            request = request_of(model, inputs, INFERENCE_NUM_THREADS=1, **words[1])
            request.infer()
            np.savez(words[0], *[tensor.data for tensor in request.output_tensors])
            print('null', flush=True)
        else:
            threads, seconds, precision = words
            if threads not in requests:
                requests[threads] = request_of(model, inputs, INFERENCE_NUM_THREADS=threads, INFERENCE_PRECISION_HINT=precision)
            print(best_ns(requests[threads].infer, seconds), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
