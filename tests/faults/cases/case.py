"""Holds the cases by name, which the modules of this folder add: the model's text with its marks, and its .bin."""
from cases.parts import X, Y0, data, model, pool, untyped

texts = {}
bins = {}


def case(name, text, bin=None):
    assert name not in texts, name
    texts[name] = text
    if bin is not None:
        bins[name] = bin


def pool_case(name, x=X, **changes):
    """Adds a case of the pool with other attributes. Ports declare nothing."""
    case(name, model(x=x, p=pool(data(**changes), **untyped()), y=Y0))
