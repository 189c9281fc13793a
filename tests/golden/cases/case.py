"""What a golden case is, and what the modules of this folder make them with."""

import dataclasses
import zlib

import numpy as np

from oracle import ir, pools

UNSIGNED = ("u8", "u16", "u32", "u64")
TO_THE_BIT = ("--atol=0", "--rtol=0")  # options of a case whose op has one right result
SIGNED = ("i8", "i16", "i32", "i64")


@dataclasses.dataclass
class Case:
    name: str
    model: ir.Model
    inputs: list  # in the order of the model's Parameters
    options: list = dataclasses.field(default_factory=list)
    family: str = None  # the module's name, and the folder's
    shown: str = None  # path in the sources of the model that irrun is given, if another
    reference: ir.Model = None  # the same with what the runtime needs to be told; types of indices may differ
    exact_because: str = None  # why the runtime is not asked
    known: list = None  # values of each output that are known by hand, None for one that is not
    exit: int = 0
    spoil: callable = None  # changes the expected values, for cases that have to differ
    form: str = "npy"  # of the tensor files


def random(name):
    """The same numbers for a case whatever other cases there are."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def draw(rng, element_type, shape, wide=False):
    """Floats around 0; integers over the whole range of 8 and 16 bits or, if `wide`, of any type."""
    dtype = ir.dtype_of(element_type)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind not in "iu":
        return rng.standard_normal(shape).astype(dtype)
    limits = np.iinfo(dtype)
    low, high = (limits.min, limits.max) if wide or dtype.itemsize < 4 else (max(limits.min, -1000), 1000)
    return rng.integers(low, high, shape, dtype, endpoint=True)


def filled(element_type, shape, values):
    return np.array(values, ir.dtype_of(element_type)).reshape(shape)


def results(model, label, outputs, read=(0, 1)):
    """Results of a layer with indices: `label` has the values, label_at where they are."""
    for port in read:
        model.result((label, f"{label}_at")[port], outputs[port])


def one(name, element_type, shape, build, x=None, **more):
    """A Parameter x, drawn or of these values, and what `build(model, x)` makes of it."""
    model = ir.Model(name)
    build(model, model.parameter("x", element_type, shape))
    x = draw(random(name), element_type, shape) if x is None else filled(element_type, shape, x)
    return Case(name, model, [x], **more)


def typed(name, types, shape, build, wide=False, **more):
    """One Parameter for each type, and what `build(model, x)` makes of each."""
    model, rng = ir.Model(name), random(name)
    for element_type in types:
        build(model, model.parameter(element_type, element_type, shape))
    return Case(name, model, [draw(rng, element_type, shape, wide) for element_type in types], **more)


def spelled_out(model, inputs=None, **data):
    """The model with dilations of 1 written out, these attributes where a layer has indices, and the shapes of `inputs`."""
    clone, made = ir.Model(model.name), {}
    shapes = iter([array.shape for array in inputs or ()])
    for layer in model.layers:
        attributes = {**layer.data, **(data if len(layer.outputs) > 1 else {})}
        outputs = [ir.Output(output.type, output.shape) for output in layer.outputs]
        if layer.type in ("AvgPool", "MaxPool"):
            attributes.setdefault("dilations", ir.join([1] * len(attributes["kernel"].split(","))))
        if layer.type == "Parameter" and inputs:
            attributes["shape"] = ir.join(next(shapes))
        sources = [made[source.layer.id, source.port] for source in layer.inputs]
        clone.layer(layer.type, layer.name, layer.opset, attributes, sources, outputs)
        made.update({(layer.id, old.port): new for old, new in zip(layer.outputs, outputs)})
    clone.blob = model.blob
    return clone


def one_avg_pool(name, element_type, shape, pool, x=None, **more):
    wide = more.pop("wide", False)
    model = pools.one_pool(None, element_type, shape, pool, more.pop("version", 11))
    x = draw(random(name), element_type, shape, wide) if x is None else filled(element_type, shape, x)
    return Case(name, model, [x], **more)
