"""Defines the golden case, and helpers with which the modules of this folder make cases."""

import dataclasses
import zlib
from collections.abc import Callable

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
    family: str = None  # name of the module and of the folder
    shown: str = None  # path in the sources of the model that irrun gets, if it is not `model`
    reference: ir.Model = None  # the same model with attributes that the runtime needs; types of indices can differ
    exact_because: str = None  # reason why the runtime does not run the case
    known: list = None  # values of each output that are known by hand; None if they are not
    exit: int = 0
    spoil: Callable = None  # function that changes the expected values, for cases that must differ
    form: str = "npy"  # format of the tensor files


def random(name):
    """Returns a random generator that depends only on the case's name."""
    return np.random.default_rng(zlib.crc32(name.encode()))


def draw(rng, element_type, shape, wide=False):
    """Draws floats around 0, and integers over the whole range of 8 and 16 bits or, if `wide`, of any type."""
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
    """Adds Results of a layer with indices: `label` for the values, label_at for the indices."""
    for port in read:
        model.result((label, f"{label}_at")[port], outputs[port])


def one(name, element_type, shape, build, x=None, **more):
    """Makes a case with one Parameter x. `x` has its values, or None for random ones. `build(model, x)` adds the
    layers."""
    model = ir.Model(name)
    build(model, model.parameter("x", element_type, shape))
    x = draw(random(name), element_type, shape) if x is None else filled(element_type, shape, x)
    return Case(name, model, [x], **more)


def typed(name, types, shape, build, wide=False, **more):
    """Makes a case with a Parameter of each type. `build(model, x)` adds the layers of each."""
    model, rng = ir.Model(name), random(name)
    for element_type in types:
        build(model, model.parameter(element_type, element_type, shape))
    return Case(name, model, [draw(rng, element_type, shape, wide) for element_type in types], **more)


def spelled_out(model, inputs=None, **data):
    """Returns the model with explicit dilations of 1, with attributes `data` for layers with indices, and with the
    shapes of `inputs`."""
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
