"""Measures one other runtime (a peer) on one workload. Each peer runs in a process of its own, because idle threads of
one peer would slow down another.
usage: peer_timers.py openvino|onnxruntime WORKLOAD MODEL.xml THREADS SECONDS
Prints {"min_ns": ...}, or nothing if the peer lacks the op."""
import ctypes
import gc
import glob
import json
import os
import sys
import time

import numpy as np

import workloads

MIN_RUNS = 5
WARM_UP_PART = 10


def best_ns(run, seconds):
    """Returns the best time of a call of `run`, in ns."""
    clock = time.perf_counter_ns
    gc.disable()
    run()
    end = clock() + seconds * 1e9 / WARM_UP_PART
    while clock() < end:
        run()
    best, count, end = None, 0, clock() + seconds * 1e9
    while count < MIN_RUNS or clock() < end:
        start = clock()
        run()
        taken = clock() - start
        best = taken if best is None else min(best, taken)
        count += 1
    return best


class OpenVINO:
    """Calls OpenVINO's C API by ctypes, because a call through its Python API takes as long as a small pool."""

    def __init__(self):
        import openvino
        libraries = glob.glob(os.path.join(os.path.dirname(openvino.__file__), 'libs', 'libopenvino_c.so*'))
        self.library = ctypes.CDLL(sorted(libraries)[0])
        self.library.ov_get_last_err_msg.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise RuntimeError(f'{name}: {self.library.ov_get_last_err_msg().decode()}')

    def make(self, name, *arguments):
        """Calls a function whose last argument is a pointer to its result. Returns the result."""
        made = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(made))
        return made

    def compile(self, path, threads):
        core = self.make('ov_core_create')
        model = self.make('ov_core_read_model', core, path.encode(), None)
        compiled = ctypes.c_void_p()
        properties = {'INFERENCE_NUM_THREADS': str(threads), 'INFERENCE_PRECISION_HINT': 'f32',
                      'PERFORMANCE_HINT': 'LATENCY'}
        texts = [ctypes.c_char_p(text.encode()) for item in properties.items() for text in item]
        self.call('ov_core_compile_model', core, model, b'CPU', ctypes.c_size_t(len(texts)), ctypes.byref(compiled),
                  *texts)
        return compiled

    def time(self, workload, path, threads, seconds):
        """Returns the best time, or None if OpenVINO refuses the model."""
        try:
            compiled = self.compile(path, threads)
        except RuntimeError:
            return None
        request = self.make('ov_compiled_model_create_infer_request', compiled)
        tensor = self.make('ov_infer_request_get_input_tensor_by_index', request, ctypes.c_size_t(0))
        data = self.make('ov_tensor_data', tensor)
        values = random_input(workload)
        ctypes.memmove(data, values.ctypes.data, values.nbytes)
        infer = self.library.ov_infer_request_infer
        infer.argtypes = [ctypes.c_void_p]
        self.call('ov_infer_request_infer', request)
        return best_ns(lambda: infer(request), seconds)


def random_input(workload):
    """Draws an input. numpy lacks bf16, so bf16 numbers are their bits as u16."""
    values = np.random.default_rng(1).random(workload.shape, dtype=np.float32)
    if workload.type == 'bf16':
        return (values.view(np.uint32) >> 16).astype(np.uint16)
    of_integers = {'i8': np.int8, 'u8': np.uint8}
    if workload.type in of_integers:
        return (values * 127).astype(of_integers[workload.type])
    return values.astype({'f32': np.float32, 'f16': np.float16}[workload.type])


def onnx_node(workload):
    from onnx import helper
    if workload.sizes is None:
        attributes = {'kernel_shape': workload.kernel, 'strides': workload.strides, 'pads': workload.pads * 2}
        if workload.op == 'AvgPool':
            return helper.make_node('AveragePool', ['x'], ['y'], count_include_pad=0, **attributes)
        outputs = ['y', 'indices'] if workload.has_indices else ['y']
        return helper.make_node('MaxPool', ['x'], outputs, **attributes)
    if all(size == 1 for size in workload.sizes):
        return helper.make_node('GlobalAveragePool', ['x'], ['y'])
    return None


def onnx_model(workload):
    from onnx import TensorProto, helper
    node = onnx_node(workload)
    if node is None:
        return None
    kind = {'f32': TensorProto.FLOAT, 'f16': TensorProto.FLOAT16, 'bf16': TensorProto.BFLOAT16, 'i8': TensorProto.INT8,
            'u8': TensorProto.UINT8}[workload.type]
    outputs = [helper.make_tensor_value_info(name, TensorProto.INT64 if name == 'indices' else kind, workload.output)
               for name in node.output]
    graph = helper.make_graph([node], 'pool', [helper.make_tensor_value_info('x', kind, workload.shape)], outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=9)


def time_onnxruntime(workload, _, threads, seconds):
    """Returns the best time, or None if onnxruntime lacks the op, or the op for this type."""
    import onnxruntime
    model = onnx_model(workload)
    if model is None:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=['CPUExecutionProvider'])
    except Exception:  # pylint: disable=broad-exception-caught; it has no class of its own for what it lacks
        return None
    x = random_input(workload)
    outputs = {'y': np.empty(workload.output, x.dtype)}
    if workload.has_indices:
        outputs['indices'] = np.empty(workload.output, np.int64)
    binding = session.io_binding()
    binding.bind_cpu_input('x', x)
    for name, values in outputs.items():
        binding.bind_output(name, 'cpu', 0, values.dtype, workload.output, values.ctypes.data)
    return best_ns(lambda: session.run_with_iobinding(binding), seconds)


def main():
    peer, row, path, threads, seconds = sys.argv[1:]
    time_one = {'openvino': lambda *arguments: OpenVINO().time(*arguments), 'onnxruntime': time_onnxruntime}[peer]
    workload = workloads.Workload(row)
    taken = time_one(workload, path, int(threads), float(seconds))
    if taken is not None:
        print(json.dumps({'min_ns': taken}))


if __name__ == '__main__':
    main()
