"""Lists the op types of the exact model."""

from oracle import conversions, elementwise, layouts, pools, reductions

OPS = {**pools.OPS, **reductions.OPS, **elementwise.OPS, **conversions.OPS, **layouts.OPS}
