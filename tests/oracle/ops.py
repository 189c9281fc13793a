"""The op types that the exact model has."""

from oracle import conversions, elementwise, layouts, pools, reductions

OPS = {**pools.OPS, **reductions.OPS, **elementwise.OPS, **conversions.OPS, **layouts.OPS}
