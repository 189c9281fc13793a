"""Edits models by irrun, reads the results in OpenVINO, and compares what they compute with what OpenVINO's own
PrePostProcessor makes of the same models. Arguments: IRRUN, a folder for files, models. Exit status 1 if any differs."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as ops
from openvino.preprocess import PrePostProcessor, ResizeAlgorithm

IRRUN, FOLDER, MODELS = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
core = ov.Core()
# Without these, OpenVINO computes floats in a shorter type where the processor has one.
PLAIN = {"INFERENCE_PRECISION_HINT": "f32"}
failures = []


def edit(model, *edits):
    """Returns the path of the edited model, or None if irrun refused."""
    out = FOLDER / "edited.xml"
    command = [IRRUN, str(model), "-o", str(out), "-q"]
    for text in edits:
        command += ["--edit", text]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        failures.append(f"{model} {edits}: {done.stderr}")
        return None
    return out


def values(model, inputs):
    request = core.compile_model(model, "CPU", PLAIN).create_infer_request()
    return [np.array(tensor) for tensor in request.infer(inputs).values()]


def in_irrun(path, inputs):
    np.savez(FOLDER / "in.npz", **{str(i): value for i, value in enumerate(inputs)})
    out = FOLDER / "out.npz"
    command = [IRRUN, str(path), "-q", "--output", str(out), "--kernels=plain"]
    for i, value in enumerate(inputs):
        np.save(FOLDER / f"{i}.npy", value)
        command += ["--input", f"{i}={FOLDER / f'{i}.npy'}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        failures.append(f"{path}: {done.stderr}")
        return []
    with np.load(out) as results:
        return [results[key] for key in results.files]


def same(what, got, expected, tolerance):
    if len(got) != len(expected):
        failures.append(f"{what}: {len(got)} results, not {len(expected)}")
        return
    for a, b in zip(got, expected, strict=True):
        bound = tolerance * max(1.0, float(np.abs(b.astype(np.float64)).max(initial=0)))
        if a.shape != b.shape or a.dtype != b.dtype or not np.allclose(a, b, rtol=0, atol=bound, equal_nan=True):
            near = np.abs(a.astype(np.float64) - b).max() if a.shape == b.shape else (a.shape, b.shape)
            failures.append(f"{what}: differs by {near}")
            return
    print("ok", what)


def preprocess(path, words, build):
    """Compares an edit of the first input with the steps that `build` adds to a PrePostProcessor."""
    model = core.read_model(path)
    out = edit(path, f"input 0: {words}")
    if out is None:
        return
    processor = PrePostProcessor(model)
    build(processor.input(0))
    expected = processor.build()
    edited = core.read_model(out)
    if [str(i.partial_shape) for i in edited.inputs] != [str(i.partial_shape) for i in expected.inputs]:
        failures.append(f"{path} {words}: {edited.inputs} and {expected.inputs}")
        return
    rng = np.random.default_rng(1)
    inputs = []
    for port in expected.inputs:
        dims = [d.get_length() if d.is_static else 9 if n in (1, 2) else 1 for n, d in enumerate(port.partial_shape)]
        kind = port.element_type.to_dtype()
        inputs.append(rng.integers(0, 256, dims, dtype=np.uint8) if kind == np.uint8 else rng.random(dims).astype(kind))
    wanted = values(expected, inputs)
    same(f"{Path(path).name} {words}", values(edited, inputs), wanted, 1e-6)
    if all(value.size for value in wanted):
        same(f"{Path(path).name} {words}, in irrun", in_irrun(out, inputs), wanted, 1e-4)


def layouts(model):
    """Returns the layout of the model's first input as a name, and with the channels last."""
    shape = model.inputs[0].partial_shape
    return {3: ("CHW", "HWC"), 4: ("NCHW", "NHWC")}.get(len(shape), (None, None))


def try_images(path):
    model = core.read_model(path)
    plain, last = layouts(model)
    if plain is None or model.inputs[0].element_type != ov.Type.f32:
        return
    n = model.inputs[0].partial_shape[1].get_length()
    if n not in (1, 3):
        return
    mean, scale = [123.7, 116.3, 103.5][:n], [58.4, 57.1, 57.4][:n]
    def text(numbers):
        return ",".join(str(x) for x in numbers)

    def all_steps(port):
        port.tensor().set_element_type(ov.Type.u8).set_layout(ov.Layout(last))
        port.model().set_layout(ov.Layout(plain))
        port.preprocess().convert_element_type(ov.Type.f32).reverse_channels().mean(mean).scale(scale)

    def numbers_only(port):
        port.model().set_layout(ov.Layout(plain))
        port.preprocess().mean(mean).scale(58.4)

    def resized(port):
        port.tensor().set_element_type(ov.Type.u8).set_layout(ov.Layout(last)).set_spatial_dynamic_shape()
        port.model().set_layout(ov.Layout(plain))
        port.preprocess().convert_element_type(ov.Type.f32).resize(ResizeAlgorithm.RESIZE_LINEAR).mean(mean)

    preprocess(path, f"u8 {last.lower()} reverse mean={text(mean)} scale={text(scale)}", all_steps)
    preprocess(path, f"mean={text(mean)} scale=58.4", numbers_only)
    height, width = (model.inputs[0].partial_shape[plain.index(axis)] for axis in "HW")
    if height.is_static and width.is_static:
        preprocess(path, f"resize=?,? u8 {last.lower()} mean={text(mean)}", resized)


def try_names(path):
    """Renames, opens the batch, adds an output and notes rt_info down; OpenVINO has to see the same."""
    model = core.read_model(path)
    ends = []
    for port in (model.inputs[0], model.outputs[0]):
        node = port.get_node()
        ends.append(sorted(port.names)[0] if port.names else node.get_friendly_name())
    out = edit(path, f"input {ends[0]}: rename=renamed_in", f"output {ends[1]}: rename=renamed_out",
               'model: rt_info/model_info/labels="cat dog"')
    if out is None:
        return
    edited = core.read_model(out)
    for port, name in ((edited.inputs[0], "renamed_in"), (edited.outputs[0], "renamed_out")):
        if name not in port.names | {port.get_node().get_friendly_name()}:
            failures.append(f"{path}: {port} is not {name}")
    if edited.get_rt_info(["model_info", "labels"]).astype(str) != "cat dog":
        failures.append(f"{path}: no labels")
    inputs = [np.ones([d.get_length() if d.is_static else 2 for d in p.partial_shape], p.element_type.to_dtype())
              for p in model.inputs]
    same(f"{Path(path).name} renamed", values(edited, inputs), values(model, inputs), 0)


def try_batch(path):
    model = core.read_model(path)
    out = FOLDER / "edited.xml"
    done = subprocess.run([IRRUN, path, "-o", str(out), "-q", "--edit", "input 0: batch=?"], check=False, capture_output=True)
    if done.returncode != 0:
        return  # the model reshapes to a fixed batch
    shape = model.inputs[0].partial_shape
    shape[0] = ov.Dimension()
    model.reshape({model.inputs[0]: shape})
    edited = core.read_model(out)
    got, wanted = ([str(o.partial_shape) for o in m.outputs] for m in (edited, model))
    if got != wanted:
        failures.append(f"{path} batch=?: {got}, OpenVINO infers {wanted}")
    else:
        print("ok", Path(path).name, "batch=?")


def try_outputs(path):
    """Adds an output in the middle and drops the first one; OpenVINO computes the same tensor there."""
    model = core.read_model(path)
    middle = [op for op in model.get_ordered_ops() if op.get_type_name() in ("Add", "Relu", "ReLU", "MatMul")]
    if not middle:
        return
    node = middle[len(middle) // 2]
    out = edit(path, f"layer {node.get_friendly_name()}: output=middle", "output 0: drop")
    if out is None:
        return
    edited = core.read_model(out)
    model.add_outputs(node.output(0))
    inputs = [np.ones([d.get_length() if d.is_static else 2 for d in p.partial_shape], p.element_type.to_dtype())
              for p in model.inputs]
    same(f"{Path(path).name} one output instead of another", values(edited, inputs), values(model, inputs)[1:], 1e-6)
    if "middle" not in edited.outputs[-1].names:
        failures.append(f"{path}: {edited.outputs[-1]} is not 'middle'")


def try_weights(path):
    """Weights in another type and back; the layers and numbers of f16 are those of OpenVINO's save_model."""
    model = core.read_model(path)
    inputs = [np.ones([d.get_length() if d.is_static else 2 for d in p.partial_shape], p.element_type.to_dtype())
              for p in model.inputs]
    wanted = values(model, inputs)
    out = edit(path, "model: weights=f16")
    half = FOLDER / "half.xml"
    ov.save_model(model, half, compress_to_fp16=True)
    if out is not None:
        same(f"{Path(path).name} weights=f16", values(core.read_model(out), inputs), values(core.read_model(half), inputs), 1e-3)
    for mode, tolerance in (("int8_sym", 0.3), ("int8_asym", 0.3)):
        out = edit(path, f"model: weights={mode}")
        if out is not None:
            same(f"{Path(path).name} weights={mode}", values(core.read_model(out), inputs), wanted, tolerance)
    out = edit(path, "model: compact")
    if out is not None:
        same(f"{Path(path).name} compact", values(core.read_model(out), inputs), wanted, 0)


def make_loop():
    """A TensorIterator whose body multiplies by a matrix."""
    x = ops.parameter([1, 5, 8], np.float32, name="x")
    part, state = ops.parameter([1, 1, 8], np.float32, name="part"), ops.parameter([1, 8], np.float32, name="state")
    matrix = ops.constant(np.random.default_rng(2).random((8, 8)).astype(np.float32), name="matrix")
    row = ops.squeeze(part, ops.constant(np.int64(1)))
    new = ops.clamp(ops.add(ops.matmul(row, matrix, False, True, name="product"), state), -9.0, 9.0, name="clamp")
    whole = ops.unsqueeze(new, ops.constant(np.int64(1)))
    body = ov.Model([ops.result(new), ops.result(whole)], [part, state], "body")
    loop = ops.tensor_iterator()
    loop.set_friendly_name("loop")
    loop.set_body(body)
    loop.set_sliced_input(part, x.output(0), 0, 1, 1, -1, 1)
    loop.set_merged_input(state, ops.constant(np.zeros((1, 8), np.float32)).output(0), new.output(0))
    result = ops.result(loop.get_concatenated_slices(whole.output(0), 0, 1, 1, -1, 1))
    path = FOLDER / "loop.xml"
    ov.save_model(ov.Model([result], [x], "loop"), path, compress_to_fp16=False)
    return path


def try_bodies():
    """Edits the body of a loop: its weights, a layer, and the shapes that follow from an input."""
    path = make_loop()
    inputs = [np.random.default_rng(3).random((1, 5, 8)).astype(np.float32)]
    wanted = values(core.read_model(path), inputs)
    for words, tolerance in (("model: weights=f16", 1e-3), ("model: weights=int8_sym", 0.02),
                             ("model: weights=int8_asym", 0.02), ("x: shape=?,?,8", 0),
                             ("layer loop > product: rename=renamed", 0)):
        out = edit(path, words)
        if out is not None:
            same(f"loop {words}", values(core.read_model(out), inputs), wanted, tolerance)
            same(f"loop {words}, in irrun", in_irrun(out, inputs), wanted, max(tolerance, 1e-6))
    out = edit(path, "layer loop > clamp: max=0.5")
    if out is not None and values(core.read_model(out), inputs)[0].max() != 0.5:
        failures.append("loop: the clamp in the body did not change")


def try_scales():
    """The scales of Interpolate stay in f32, as in save_model: in f16, 5/3 would give another size."""
    x = ops.parameter([1, 3, 6, 6], np.float32, name="x")
    scales = ops.constant(np.array([5 / 3, 5 / 3], np.float32), name="scales")
    resized = ops.interpolate(x, scales, "linear", "scales", axes=np.array([2, 3]))
    path = FOLDER / "scales.xml"
    ov.save_model(ov.Model([resized], [x], "scales"), path, compress_to_fp16=False)
    out = edit(path, "model: weights=f16")
    if out is None:
        return
    kinds = {str(op.get_element_type()) for op in core.read_model(out).get_ops() if op.get_friendly_name() == "scales"}
    if kinds != {"<Type: 'float32'>"}:
        failures.append(f"weights=f16: the scales of Interpolate are {kinds}")


def try_version_10():
    """irrun's hint for an IR of version 10 makes one that can be edited."""
    x = ops.parameter([2], np.float32, name="x")
    old, saved = FOLDER / "ten.xml", FOLDER / "eleven.xml"
    ov.save_model(ov.Model([ops.relu(x)], [x], "ten"), old)
    old.write_text(old.read_text().replace('version="11"', 'version="10"', 1))
    model = core.read_model(old)
    model.set_rt_info(11, "version")
    ov.save_model(model, saved)
    if edit(saved, "x: rename=z") is None:
        failures.append("an IR of version 10, saved as the hint says, is not edited")


try_scales()
try_bodies()
try_version_10()
for path in MODELS:
    try_images(path)
    try_outputs(path)
    try_weights(path)
    try_names(path)
    try_batch(path)
for failure in failures:
    print("DIFFERS", failure)
print(f"{len(failures)} differences")
sys.exit(1 if failures else 0)
