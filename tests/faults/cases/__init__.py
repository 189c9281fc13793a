"""Makes the faulty models. Each theme has a module, which adds its cases when it is imported."""
from cases import attributes, bodies, boxes, constants, convolutions, elementwise, file, graph, images, layouts, movement, ngraph  # noqa: F401
from cases import normalizations, old, pools, reductions, sequences, several, shapes, types  # noqa: F401
from cases.case import bins, texts  # noqa: F401
