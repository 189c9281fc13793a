"""Statistics of tensors: of constants, and of the results of layers during a run."""

import math
from dataclasses import dataclass
from typing import Any

from irrun._native import Handles, ffi, lib, new, sized, text
from irrun._types import Layer


@dataclass(frozen=True)
class Stats:
    """Statistics of an output of a layer, over all iterations if the layer is in a body."""

    layer: int  #: number of the layer in model.layers
    port: int  #: number of the output in layer.outputs
    type: str  #: "f32"
    shape: tuple[int, ...]  #: in the last iteration
    tensors: int  #: number of iterations; 1 outside of bodies
    finite: int  #: number of elements that are neither NaN nor infinite
    nans: int
    infinities: int
    negative_infinities: int  #: `infinities` counts them too
    zeros: int
    subnormals: int  #: of the element type
    f16_overflows: int  #: finite elements, also integers, that become infinite in f16
    f16_vanishes: int  #: elements but 0 that become 0 in f16
    min: float  #: of the finite elements, as the next five; NaN if there are none
    max: float
    mean: float
    std: float  #: of a population
    low: float  #: 0.1 % of the elements are below; near to an eighth of its size
    high: float  #: 0.1 % of the elements are above
    unique: int | None  #: number of different integers or booleans; None: another type, or more than 4096
    histogram: tuple[tuple[float, float, int], ...]  #: (least, most, count) of each bin that is not empty, ascending


class Gathering:
    """The tensors of some outputs, added one after another."""

    def __init__(self, context: Any, layers: list[Layer], within: Handles) -> None:
        """`within` has the handle of the context."""
        self._context = context
        self._layers = layers
        self._within = within
        self._handles = within.nested()
        self._shapes: dict[tuple[int, int], tuple[int, ...]] = {}
        self._stats: dict[tuple[int, int], Any] = {}

    def free(self) -> None:
        self._within.release(self._handles)

    def add(self, layer: int, port: int, tensor: Any) -> int:
        """Returns a status of the library."""
        if (layer, port) not in self._stats:
            out = new("irrun_stats **")
            status = lib.irrun_stats_create(self._context, out)
            if status != lib.IRRUN_OK:
                return int(status)
            self._stats[layer, port] = self._handles.keep(out[0], lib.irrun_stats_free)
        info = lib.irrun_tensor_get_info(tensor)
        self._shapes[layer, port] = tuple(info.dims[0 : info.rank])
        return int(lib.irrun_stats_add(self._stats[layer, port], tensor))

    def visitor(self, raised: list[BaseException]) -> Any:
        """A callback for irrun_run_visit. What a signal's handler raises meanwhile ends the run."""

        def visit(_: object, layer: int, port: int, tensor: Any, __: object) -> int:
            return self.add(layer, port, tensor) if self._layers[layer].varies else int(lib.IRRUN_OK)

        kind = ffi.typeof(lib.irrun_run_visit).args[1]
        return ffi.callback(kind, visit, error=lib.IRRUN_INTERNAL, onerror=lambda _, error, __: raised.append(error))

    def named(self, model: Any) -> dict[str, Stats]:
        """By name, in the order in which outputs were first added."""
        found: dict[str, Stats] = {}
        for (number, port), stats in self._stats.items():
            layer = self._layers[number]
            if layer.inside:
                name = " > ".join((*layer.inside, layer.name)) + (f".{port}" if len(layer.outputs) > 1 else "")
            else:
                key = lib.irrun_model_get_tensor_key(model, number, port)
                if key == ffi.NULL:
                    raise MemoryError
                name = text(key) or ""
            if name in found:  # both bodies of an If can have a layer of that name
                name += f" #{number}"
            found[name] = _read(stats, number, port, self._shapes[number, port])
        return found


def _read(stats: Any, layer: int, port: int, shape: tuple[int, ...]) -> Stats:
    info = sized("irrun_stats_info")
    lib.irrun_stats_get(stats, info)
    if info.finite == 0:
        info.min = info.max = info.mean = info.deviation = info.low = info.high = math.nan
    bins: list[tuple[float, float, int]] = []
    least, most, count = new("double *"), new("double *"), new("int64_t *")
    while lib.irrun_stats_get_bin(stats, len(bins), least, most, count):
        bins.append((least[0], most[0], count[0]))
    return Stats(
        layer, port, text(lib.irrun_type_name(info.type)) or "", shape, info.tensors, info.finite, info.nans, info.infinities,
        info.negative_infinities, info.zeros, info.subnormals, info.f16_overflows, info.f16_vanishes,
        info.min, info.max, info.mean, info.deviation, info.low, info.high, None if info.unique < 0 else info.unique, tuple(bins),
    )  # fmt: skip
