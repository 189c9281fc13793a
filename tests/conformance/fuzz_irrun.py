"""Runs irrun in this process, by its Python module, for fuzz.py: with other kernels, threads and passes, with open
sizes, and in parts."""

import warnings

import irrun
import numpy as np
from irrun._native import ffi, lib, text
from irrun._types import DTYPES, take_diagnostics

from oracle import exact, ir, near

PASSES = ("widen", "fold", "quantize", "pack", "fuse", "layout")
PLAIN = {"kernels": "plain", "threads": 1}
MOST_MEMORY, MOST_SECONDS = 1 << 30, 60
AS_WRITTEN = {**PLAIN, "skip_passes": PASSES}
CUTS = 6  # layers of a model at which it is cut
NOISY_RUNS = 4
PRODUCTS = ("MatMul", "Convolution", "GroupConvolution", "ConvolutionBackpropData", "GroupConvolutionBackpropData", "ScaledDotProductAttention")
REPEATED = 300  # executions after which oneDNN computes a small model

warnings.simplefilter("ignore", RuntimeWarning)


class Stage:
    """Tells the process that watches this one which program works at what."""

    def __init__(self, shared):
        self.shared = shared

    def __call__(self, name):
        self.shared.value = name.encode()[:199]


class Program:
    def __init__(self, stage):
        self.stage = stage

    def load(self, path, **how):
        """Reads a model. Raises irrun.Error if nothing can be read."""
        self.stage(f"irrun {path.name} {how}")
        return irrun.load(path, max_memory=MOST_MEMORY, max_time=MOST_SECONDS, **how)

    def run(self, path, inputs, **how):
        return outputs_of(self.load(path, **how), inputs)


def outputs_of(model, inputs):
    """Returns the arrays of the outputs, of a run that begins with the first values of variables."""
    model.reset_state()
    return list(model.run(list(inputs.values())).values())


def takes(model, inputs):
    """Returns whether the model can run with these inputs."""
    try:
        outputs_of(model, inputs)
        return True
    except irrun.Error as refused:
        if refused.status != irrun.Status.BAD_DATA:
            raise
        return False


def report_of(model, diagnostics=None):
    """Returns the part of irrun's JSON report that shapes.py and inferred.py read."""
    layers = [layer for layer in model.layers if not layer.inside] if model else []
    said = model.check() if model else diagnostics
    return {
        "diagnostics": [{"rule": d.rule, "message": d.message, "severity": d.severity} for d in said],
        "layers": [
            {"op": one.type, "version": one.version, "name": one.name, "inputs": reported(one.inputs), "outputs": reported(one.outputs)} for one in layers
        ],
    }


def reported(ports):
    def dims(shape):
        return None if shape is None else [{"min": dim[0], "max": dim[1]} if isinstance(dim, tuple) else dim for dim in shape]

    return [{"type": value.type, "shape": dims(value.shape)} for value in ports]


def other_bits(got, want):
    """Returns the text of the first difference in the bits of outputs, or ""."""
    return differing(got, want, exact.other_bits)


def differing(got, want, measure=near.differing):
    found = [near.difference(a, b, measure) for a, b in zip(got, want, strict=True)]
    return next((f"output {i}: {text}" for i, text in enumerate(found) if text), "")


class Visitor:
    """Sees the results of all layers in a run, in the way of irrun's Gathering."""

    def __init__(self, model, session):
        self.model, self.session = model, session
        self.arrays = {}  # by layer and port

    def visitor(self, raised):
        return ffi.callback("irrun_visit *", self.visit, error=lib.IRRUN_INTERNAL, onerror=lambda _, error, __: raised.append(error))

    def visit(self, _, layer, port, tensor, instead):
        info = lib.irrun_tensor_get_info(tensor)
        name = text(lib.irrun_type_name(info.type))
        if name in DTYPES and not self.model.layers[layer].inside:
            array = np.empty(tuple(info.dims[0 : info.rank]), DTYPES[name])
            ffi.memmove(ffi.cast("void *", array.ctypes.data), info.data, info.bytes)
            self.see(layer, port, array, instead)
        return int(lib.IRRUN_OK)

    def see(self, layer, port, array, instead):
        self.arrays[layer, port] = array


class Noise(Visitor):
    """Changes the last digits of all results of layers."""

    def __init__(self, model, session, rng):
        super().__init__(model, session)
        self.rng, self.kept = rng, []

    def see(self, layer, port, array, instead):
        name = next((name for name in ir.FLOATS if ir.dtype_of(name) == array.dtype), None)
        if name is None or self.model.layers[layer].type == "Parameter":
            return
        numbers = array.astype(np.float64)
        with np.errstate(all="ignore"):
            changed = np.ascontiguousarray((numbers + self.rng.uniform(-4, 4, array.shape) * near.unit(numbers, name)).astype(array.dtype)).reshape(array.shape)
        tensor = self.session._run._borrow(changed)  # pylint: disable=protected-access # the module has no such call
        self.kept.append((tensor, changed))
        instead[0] = tensor

    def free(self):
        for tensor, _ in self.kept:
            lib.irrun_tensor_free(tensor)


def visited(model, inputs, make, *more):
    """Runs a model that a visitor sees. Returns the outputs and the visitor."""
    session = model.session()
    visitor = make(model, session, *more)
    job = model.job(list(inputs.values()), None, {}, False)
    results, _ = session._compute(job, visitor)  # pylint: disable=protected-access # the module has no such call
    return list(results.values()), visitor


def is_unstable(model, inputs, got, want):
    """Returns whether other last digits of inner results change the outputs that differ."""
    for seed in range(NOISY_RUNS):
        noisy, noise = visited(model, inputs, Noise, np.random.default_rng(seed))
        noise.free()
        wrong = [bool(near.difference(a, b)) for a, b in zip(got, want)]
        moved = [bool(near.difference(a, b)) for a, b in zip(noisy, want)]
        if all(moves for is_wrong, moves in zip(wrong, moved) if is_wrong):
            return True
    return False


# ---- the same model in other ways ----


class Variants:
    """Compares runs of a model. `found` are texts of differences, `counts` the number of comparisons by kind."""

    def __init__(self, program, path, inputs, more, counts, **allowed):
        self.program, self.path, self.inputs, self.more, self.counts = program, path, inputs, more, counts
        self.allowed, self.found = allowed, []
        self.plain = self.load(**PLAIN)
        self.first = outputs_of(self.plain, inputs)
        if more is not None and not takes(self.load(**PLAIN), more):
            self.more = None

    def load(self, **how):
        return self.program.load(self.path, **how, **self.allowed)

    def need(self, what, text):
        self.counts[what] += 1
        if text:
            self.found.append((what, text))

    def need_bits(self, what, got, want):
        self.need(what, other_bits(got, want))

    def need_near(self, what, got):
        text = differing(got, self.first)
        if text and is_unstable(self.load(**AS_WRITTEN), self.inputs, got, self.first):
            self.counts[f"unstable: {what}"] += 1
            text = ""
        self.need(what, text)

    def again(self, model, name, first):
        self.need_bits(f"{name}, second execution", outputs_of(model, self.inputs), first)
        if self.more is not None:
            other = outputs_of(model, self.more)
            if name == "plain":
                self.need_bits("plain, other inputs", other, outputs_of(self.load(**PLAIN), self.more))
            self.need_bits(f"{name}, first inputs after other inputs", outputs_of(model, self.inputs), first)

    def compare(self, has_products):
        self.again(self.plain, "plain", self.first)
        self.need_bits("plain, 4 threads", self.run(kernels="plain", threads=4), self.first)
        fast = self.load(threads=1)
        result = outputs_of(fast, self.inputs)
        self.need_near("fast", result)
        self.again(fast, "fast", result)
        self.need_near("fast, 4 threads", self.run(threads=4))
        for name in PASSES:
            self.need_near(f"fast without {name}", self.run(threads=1, skip_passes=[name]))
        if has_products:
            self.repeat(fast)
        return self.found

    def run(self, **how):
        return outputs_of(self.load(**how), self.inputs)

    def repeat(self, model):
        """Executes a small model so often that oneDNN computes it."""
        for _ in range(REPEATED):
            result = outputs_of(model, self.inputs)
        self.need_near("fast, executed often", result)


def variants(program, path, inputs, more, counts, **allowed):
    """Returns [(what, text)] of differences between runs of a model. Raises irrun.Error if irrun refuses the run."""
    runs = Variants(program, path, inputs, more, counts, **allowed)
    return runs.compare(any(layer.type in PRODUCTS for layer in runs.plain.layers))


# ---- parts of a model ----


def cut(model, name, path):
    """Writes a part of a model. Returns the inputs and the outputs of the part, as [(layer, port)]."""
    part = ffi.new("irrun_cut *", {"size": ffi.sizeof("irrun_cut")})
    status = lib.irrun_model_find_cut(model._model, name.encode(), part)  # pylint: disable=protected-access
    if status == lib.IRRUN_OK:
        written = ffi.new("irrun_conversion *", {"size": ffi.sizeof("irrun_conversion")})
        status = lib.irrun_cut_write(model._model, part, str(path).encode(), written)  # pylint: disable=protected-access
    if status != lib.IRRUN_OK:
        raise irrun.Error(status, take_diagnostics(model._context))  # pylint: disable=protected-access
    ends = [[(ends[i].layer, ends[i].port) for i in range(n)] for ends, n in ((part.inputs, part.n_inputs), (part.outputs, part.n_outputs))]
    return ends[0], ends[1]


def layers_to_cut(model):
    return [i for i, layer in enumerate(model.layers) if not layer.inside and layer.varies and layer.live and layer.type not in ("Parameter", "Result", "Assign")]


class Parts:
    """Holds the results of all layers, as the file has them, and cuts the model at its layers."""

    def __init__(self, program, path, inputs, folder, counts):
        self.program, self.folder, self.counts = program, folder, counts
        self.model = program.load(path, **AS_WRITTEN)
        self.inputs = inputs
        self.outputs = outputs_of(self.model, inputs)
        self.again, self.seen = visited(self.model, inputs, Visitor)

    def single(self, layer):
        """Writes a layer as a model. Returns its path, its inputs by name and its outputs, or None if one is unseen."""
        path = self.folder / "cut.xml"
        self.program.stage(f"irrun --cut={self.model.layers[layer].name}")
        given, made = cut(self.model, self.model.layers[layer].name, path)
        if not {*given, *made} <= self.seen.arrays.keys():
            return None
        return path, {f"x{i}": self.seen.arrays[place] for i, place in enumerate(given)}, [self.seen.arrays[place] for place in made]

    def compare(self, rng):
        """Returns [(what, text)] of differences between a part and the whole."""
        found = [("a run that is looked into", other_bits(self.again, self.outputs))]
        self.counts["a run that is looked into"] += 1
        chosen = layers_to_cut(self.model)
        for layer in rng.sample(chosen, min(CUTS, len(chosen))):
            found += [(f"--cut={name}", text) for name, text in self.compare_layer(layer)]
        return [(what, text) for what, text in found if text]

    def compare_layer(self, layer):
        name = self.model.layers[layer].name
        if part := self.single(layer):
            path, inputs, want = part
            self.counts["--cut=LAYER"] += 1
            yield name, other_bits(self.program.run(path, inputs, **AS_WRITTEN), want)
        path = self.folder / "cut.xml"
        given, made = cut(self.model, f"..{name}", path)
        wanted = [self.seen.arrays.get(place) for place in made]
        if all(place in self.seen.arrays for place in [*given, *made]):
            self.counts["--cut=..LAYER"] += 1
            got = self.program.run(path, {place: self.seen.arrays[place] for place in given}, **AS_WRITTEN)
            yield f"..{name}", other_bits(got, wanted)
