"""The bad models: a module for each theme, which adds its cases when it is imported."""
from cases import attributes, constants, elementwise, file, graph, layouts, ngraph, pools, reductions, sequences, several, shapes  # noqa: F401
from cases.case import bins, texts  # noqa: F401
