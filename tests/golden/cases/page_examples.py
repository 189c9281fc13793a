"""Makes the cases from the examples on the specification's pages of the ops."""

from cases.case import Case, draw, random, spelled_out
from oracle import pages


def of_avg_pool_1():
    rng = random("pages")
    x = draw(rng, "f32", [1, 3, 32, 32])
    allowed = {"P1": "IR301", "P2": "IR301", "P6": "IR007"}
    for name, model in pages.page_examples().items():
        options = [f"--allow={allowed[name]}"] if name in allowed else []
        model = pages.adaptive_page_example(input_blocks=1) if name == "P6" else model
        yield Case(name, model, [x], options, shown=f"models/spec/{name}.xml")


def of_other_pages():
    """Yields the models of the other pages, with i8, because the pages leave the type open. The pages declare 32x32
    instead of the right 16x16."""
    models = [pages.avg_pool_page(version, "i8") for version in (14, 16)]
    models += [pages.max_pool_page(version, "i8") for version in (1, 8, 14)]
    for model in models:
        x = draw(random(model.name), "i8", [1, 3, 32, 32])
        reference = spelled_out(model) if has_indices(model) else None
        yield Case(model.name, model, [x], ["--allow=IR301"], reference=reference)


def of_adaptive_max_pool():
    model = pages.adaptive_max_pool_page()
    reference = spelled_out(pages.adaptive_max_pool_page(input_blocks=1), index_element_type="i32")
    x = draw(random(model.name), "f16", [1, 3, 32, 32])
    yield Case(model.name, model, [x], ["--allow=IR007"], reference=reference)


def has_indices(model):
    return any(layer.type == "MaxPool" and len(layer.outputs) > 1 for layer in model.layers)


def all_cases():
    for group in (of_avg_pool_1, of_other_pages, of_adaptive_max_pool):
        yield from group()
