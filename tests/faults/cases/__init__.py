"""The bad models: a module for each theme, which adds its cases when it is imported."""
from cases import attributes, constants, convolutions, elementwise, file, graph, images, layouts, movement, ngraph, normalizations  # noqa: F401
from cases import pools, reductions, several, shapes  # noqa: F401
from cases.case import bins, texts  # noqa: F401
