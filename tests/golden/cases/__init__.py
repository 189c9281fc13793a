"""Makes the golden cases: models, their inputs, and options of the run. Each family has a module."""

import dataclasses

from cases import adaptive, avg_pool, avg_pool_versions, chains, conversions, dynamic, elementwise, graphs, layouts, max_pool
from cases import page_examples, reductions, tensor_files

POOLS = (avg_pool, avg_pool_versions, max_pool, adaptive, reductions, dynamic, page_examples, graphs, tensor_files)
FAMILIES = (*POOLS, elementwise, conversions, layouts, chains)


def all_cases():
    cases = [dataclasses.replace(case, family=family.__name__.split(".")[-1]) for family in FAMILIES for case in family.all_cases()]
    names = [case.name for case in cases]
    if len(set(names)) != len(names):
        raise SystemExit(f"two cases of one name: {sorted(name for name in names if names.count(name) > 1)}")
    return cases
