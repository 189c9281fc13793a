"""The op types that the exact model has."""

from oracle import pools, reductions

OPS = {**pools.OPS, **reductions.OPS}
