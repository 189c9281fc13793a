"""Runs models in OpenVINO's CPU plugin, in a child process. If the process dies, the next model starts another."""

import dataclasses
import math
import multiprocessing

import numpy as np

from oracle import ir

# Groups of size 0: the runtime does not quantize activations before it multiplies them by compressed weights.
CONFIG = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1, "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}
STAGES = ("read", "compile", "run")
SECONDS = 60  # time limit of one model


@dataclasses.dataclass
class Outcome:
    """Holds the result of a run. `failed` is the one of STAGES that failed, or None. `reason` is the runtime's message,
    or says how the child ended."""

    failed: str
    reason: str
    types: list
    shapes: list  # of the outputs, before the run: (least, most) of each dim; None: unknown rank
    arrays: list
    crashed: bool = False


def fill(tensor, array):
    """Copies raw bytes, because OpenVINO's numpy view of bf16 has another type."""
    tensor.data.reshape(-1).view(np.uint8)[...] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def bounds(shape):
    if shape.rank.is_dynamic:
        return None
    return tuple((d.get_min_length(), math.inf if d.get_max_length() < 0 else d.get_max_length()) for d in shape)


def run_model(core, xml, weights, inputs):
    """Reads, compiles and runs a model. Tensors of types that numpy does not have become arrays of bytes."""
    import openvino

    outcome = Outcome("read", "", [], [], [])
    try:
        model = core.read_model(xml.encode(), weights)
        for port in model.outputs:
            outcome.types.append(port.get_element_type().get_type_name())
            outcome.shapes.append(bounds(port.get_partial_shape()))
        outcome.failed = "compile"
        request = core.compile_model(model, "CPU", CONFIG).create_infer_request()
        outcome.failed = "run"
        for port, array in zip(model.inputs, inputs):
            kind = port.get_element_type()
            shape = array.shape if kind.get_type_name() in ir.TYPES else port.get_shape()
            tensor = openvino.Tensor(kind, list(shape))
            if array.size:
                fill(tensor, array)
            request.set_tensor(port, tensor)
        request.infer()
        for i in range(len(model.outputs)):
            tensor = request.get_output_tensor(i)
            kind, data = tensor.element_type.get_type_name(), np.frombuffer(tensor.data.tobytes(), np.uint8)
            outcome.arrays.append(data.view(ir.dtype_of(kind)).reshape(tensor.data.shape) if kind in ir.TYPES else data)
        outcome.failed = None
    except Exception as error:  # any exception of the binding means that the runtime refuses
        outcome.reason = str(error).strip()
    return outcome


def serve(pipe):
    """Serves in the child: answers each (xml, weights, inputs) with an Outcome until the pipe closes."""
    import openvino

    core = openvino.Core()
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            return
        pipe.send(run_model(core, *request))


class Runtime:
    """Runs models in a child process."""

    def __init__(self):
        self.process = self.pipe = None
        self.restarts = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def stop(self):
        if self.process:
            self.pipe.close()
            self.process.join(5)
            if self.process.is_alive():
                self.process.kill()
                self.process.join()
        self.process = None

    def run(self, xml, weights=b"", inputs=()):
        """Runs a model. If the runtime dies, the model runs once more in a fresh process, because an earlier model may
        have harmed the first process."""
        outcome = self.run_once(xml, weights, inputs)
        return self.run_once(xml, weights, inputs) if outcome.crashed else outcome

    def run_once(self, xml, weights, inputs):
        if not self.process:
            self.start()
        self.pipe.send((xml, bytes(weights), list(inputs)))
        if self.pipe.poll(SECONDS):
            try:
                return self.pipe.recv()
            except EOFError:
                self.process.join()
                reason = f"the runtime died with status {self.process.exitcode}"
        else:
            self.process.kill()
            reason = f"the runtime did not answer in {SECONDS} s"
        self.stop()
        self.restarts += 1
        return Outcome("run", reason, [], [], [], crashed=True)
