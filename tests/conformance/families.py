"""Lists the families of random cases. A new family is a module with a Family, and an item in this list."""

import adaptive_cases
import chain_cases
import convert_cases
import elementwise_cases
import graph_cases
import layout_cases
import mended_cases
import ngraph_cases
import reduction_cases
import window_cases

FAMILIES = [
    window_cases.FAMILY,
    adaptive_cases.FAMILY,
    reduction_cases.FAMILY,
    graph_cases.FAMILY,
    elementwise_cases.FAMILY,
    convert_cases.FAMILY,
    layout_cases.FAMILY,
    chain_cases.FAMILY,
    ngraph_cases.FAMILY,
    mended_cases.FAMILY,
]
