"""Draws and judges nGraph models of one or two pools on one input, in every spelling, with up to 6 spatial axes.
irrun must agree with an exact model of nGraph's rules. The IR that --convert writes must give the same bits in irrun,
apart from averages of no elements. It must also load in the runtime and give equal values there. Allowed deviations are
those of window_cases."""

import dataclasses

import numpy as np

import ngraph_json
import window_cases
from case import Case, Family, Input, draw_kind
from oracle import exact, ir, near, ngraph
from oracle.windows import Refused

TYPES = ["f32"] * 8 + [*ir.FLOATS[1:], *ir.INTEGERS, "boolean"]
MAX_IR_RANK = 5


@dataclasses.dataclass
class NgraphCase(Case):
    number: int
    x: Input
    pools: list
    text: bytes  # the file's text
    constant: bool  # whether x is a Constant instead of a Parameter
    past_padding: bool  # whether --allow is used for windows past the padding

    def options(self):
        return ["--allow=IR320"] if self.past_padding else []

    def parameters(self):
        return [] if self.constant else [self.x]

    def run_input(self, seed):
        return self.x.contents if self.constant else self.inputs(seed)[0]

    def save(self, folder, seed):
        (folder / "model.json").write_bytes(self.text)
        np.save(folder / "x.npy", self.run_input(seed))

    def dims(self):
        """Returns the dims of x in the file, None for open dims."""
        return [int(dim) if dim.isdigit() else None for dim in self.x.declared] if self.x.declared else self.x.shape

    def expected(self, x):
        """Returns the output arrays, or None if nGraph's rules refuse the model."""
        try:
            for pool in self.pools:
                ngraph.check(self.dims(), pool)
            return [ngraph.values(x, pool, self.past_padding) for pool in self.pools]
        except Refused:
            return None

    def converts(self):
        """Returns whether an IR can express the model."""
        averages_booleans = self.x.element_type == "boolean" and any(pool.average for pool in self.pools)
        return len(self.x.shape) <= MAX_IR_RANK and not averages_booleans and not any(map(self.counts_inside, self.pools))

    def counts_inside(self, pool):
        """Returns whether a window can end past an input without pads. An IR divides by the number of elements inside,
        nGraph by the kernel size. With open sizes, some size can cause such a window."""
        if not pool.include:
            return False
        sizes = list(zip(self.dims()[2:], pool.strides))
        if None in self.dims() and pool.pad_type.startswith("SAME"):
            past = [False]
        elif any(map(any, ngraph.pads_of(pool, self.x.shape[2:]))):
            return False
        else:
            axes = ngraph.window_ranges(self.x.shape, pool)
            past = [n is not None and past and len(windows[-1]) > 0 for (n, _), (windows, past) in zip(sizes, axes)]
        open_end = self.past_padding and pool.ceil_mode and any(n is None and s > 1 for n, s in sizes)
        return open_end or (any(past) and 0 not in self.x.shape[2:])

    def as_windows(self):
        """Yields the pools as cases of an IR, as far as IRs have their features."""
        for pool in self.pools:
            explicit = not pool.pad_type.startswith("SAME")
            pads = [pool.below, pool.above] if explicit else [[0] * len(pool.kernel)] * 2
            lists = dict(zip(("kernel", "strides", "pads_begin", "pads_end"), (pool.kernel, pool.strides, *pads)))
            data = {name: ir.join(items) for name, items in lists.items()}
            data["rounding_type"] = "ceil" if pool.ceil_mode else "floor"
            data["auto_pad"] = "explicit" if explicit else pool.pad_type.lower()
            if pool.average:
                data["exclude-pad"] = str(not pool.include).lower()
            yield window_cases.WindowCase(self.number, pool.op, 1, "opset1", self.x, data)


# ---- drawing ----


def draw_pool(rng, spatial):
    """Draws a pool. Usually the pool fits the input; sometimes a list is too long."""
    op = rng.choice(("AvgPool", "MaxPool"))
    kernel = [rng.randint(1, max(1, min(n + rng.choice((0, 0, 1)), 4))) for n in spatial]
    include = rng.random() < 0.5 if op == "AvgPool" else None
    high = [w - 1 if include is False or rng.random() < 0.8 else w + 2 for w in kernel]
    padded = rng.random() < 0.6
    below, above = ([rng.randint(0, most) if padded else 0 for most in high] for _ in range(2))
    pool = ngraph.Pool(op, kernel, [rng.randint(1, 4) for _ in spatial], below, above, include)
    pool.pad_type = rng.choice(("EXPLICIT", "EXPLICIT", *ngraph.PAD_TYPES))
    pool.ceil_mode = rng.random() < 0.3
    if rng.random() < 0.03:
        rng.choice((pool.kernel, pool.strides, pool.below, pool.above)).append(1)
    return pool


def draw_input(rng):
    n_spatial = rng.choice((1, 2, 2, 2, 3, 3, 4, 5, 6))
    longest = {1: 20, 2: 9, 3: 5}.get(n_spatial, 3)
    element_type = rng.choice(TYPES)
    least = rng.choice((0, 1, 1, 1, 1, 1, 1, 1))
    shape = [rng.randint(least, 3), rng.randint(1, 3), *(rng.randint(least, longest) for _ in range(n_spatial))]
    return Input("x", element_type, shape, kind=draw_kind(rng, element_type))


def add_pool(rng, nodes, name, pool):
    """Appends the nodes of a pool on x. Returns the name of its output."""
    version = rng.choice((0, 0, 1))
    spells_pads = any(pool.below + pool.above) or len(pool.below) != len(pool.kernel) or rng.random() < 0.5
    if not spells_pads:
        pool.below, pool.above = [0] * len(pool.kernel), [0] * len(pool.kernel)
        if pool.op == "MaxPool" and version == 0:
            pool.pad_type = "EXPLICIT"  # without pads in the file, pad_type has no effect
    nodes.append(ngraph_json.pool_node(rng, name, "x", pool, version, spells_pads))
    while rng.random() < 0.15:
        element = {"inputs": [name], "n": 0} if rng.random() < 0.5 else {"inputs": [{"node": name, "index": 0}], "n": 0}
        name += "e"
        nodes.append(ngraph_json.node(rng, name, "GetOutputElement", **element))
    return name


def draw_file(rng, case):
    """Returns the file: the JSON text, or an archive with the constant."""
    x, pools, constant, dims = case.x, case.pools, case.constant, case.dims()
    array = x.array(np.random.default_rng(rng.getrandbits(32))) if constant else None
    fields = ngraph_json.typed(rng, x.element_type, list(dims))
    archived = rng.random() < 0.2
    if constant:
        x.contents = array
        value = {} if archived and rng.random() < 0.5 else {"value": ngraph_json.constant_texts(rng, array)}
        nodes = [ngraph_json.node(rng, "x", "Constant", **fields, **value)]
    else:
        nodes = [ngraph_json.node(rng, "x", "Parameter", **fields, cacheable=False)]
    ends = [add_pool(rng, nodes, f"p{i}", pool) for i, pool in enumerate(pools)]
    results = [f"y{i}" for i in range(len(ends))]
    nodes += [ngraph_json.node(rng, name, "Result", inputs=[end]) for name, end in zip(results, ends)]
    text = ngraph_json.text_of_model(rng, nodes, [] if constant else ["x"], results)
    stored = [("x", array)] if constant and "value" not in nodes[0] else []
    return ngraph_json.archive(rng, text, stored) if archived else text


def draw(rng, number):
    x = draw_input(rng)
    pools = [draw_pool(rng, x.shape[2:]) for _ in range(rng.choice((1, 1, 2)))]
    constant = rng.random() < 0.2
    if not constant and rng.random() < 0.2:
        x.declared = [rng.choice((str(n), "?")) for n in x.shape]
    case = NgraphCase(number, x, pools, b"", constant, rng.random() < 0.3)
    case.text = draw_file(rng, case)
    return case


# ---- judging ----


def same_values(got, expected, pool, what):
    """Expects equal bits of maxima, and averages within the error of a sum."""
    differing = near.beyond_largest if pool.average else exact.other_bits
    same = got.shape == expected.shape and got.dtype == expected.dtype
    if not same or differing(got, expected).any():
        raise AssertionError(f"{what}: {got.dtype}{got.shape} {got.ravel()[:8]}, expected {expected.shape} {expected.ravel()[:8]}")


def holds(shape, run):
    return shape is None or (len(shape) == len(run) and all(least <= n <= most for n, (least, most) in zip(run, shape)))


def check_own(case, program, x, expected):
    """Runs irrun on the JSON model. Returns its Answer."""
    names = [f"y{i}" for i in range(len(case.pools))]
    mine = program.ask("model.json", [p.name for p in case.parameters()], names, case.options())
    if mine.refused != (expected is None):
        raise AssertionError(f"{'irrun' if mine.refused else 'the exact model'} alone refuses: {mine.message}")
    for i, pool in enumerate(case.pools if expected else ()):
        same_values(mine.arrays[i], expected[i], pool, f"output {i}")
        given_pads = None in case.dims() and pool.pad_type.startswith("SAME")  # the check uses the file's pads
        if not given_pads and not holds(mine.shapes[i], expected[i].shape):
            raise AssertionError(f"output {i}: {mine.shapes[i]} does not hold {expected[i].shape}")
    return mine


def convert(case, program):
    """Converts the model, and checks that this succeeds if an IR can express it. Returns whether it succeeded."""
    for name in ("out.xml", "out.bin"):
        (program.folder / name).unlink(missing_ok=True)
    done = program.run("--convert", "out.xml", "model.json", *case.options())
    written = (program.folder / "out.xml").exists()
    if written != case.converts() or (done.returncode, written) not in ((0, True), (4, False)):
        raise AssertionError(f"--convert: status {done.returncode}, {done.stderr.decode()}")
    if not written and b"[IR213 " not in done.stderr:
        raise AssertionError(f"--convert does not say what an IR cannot: {done.stderr.decode()}")
    return written


def expected_of_ir(case, mine, x):
    """Returns the values of the JSON model, with 0 for an average of no elements, as in an IR."""
    arrays = [array.copy() for array in mine.arrays]
    for array, pool in zip(arrays, case.pools):
        if pool.average and not pool.include:
            array[ngraph.empty(x.shape, pool)] = 0
    return arrays


def check_converted(case, program, mine, x):
    theirs = program.ask("out.xml", [p.name for p in case.parameters()], [f"y{i}" for i in range(len(case.pools))])
    if theirs.refused:
        raise AssertionError(f"irrun refuses what it wrote: {theirs.message}")
    for i, array in enumerate(expected_of_ir(case, mine, x)):
        if array.dtype != theirs.arrays[i].dtype or array.shape != theirs.arrays[i].shape:
            raise AssertionError(f"output {i} became {theirs.arrays[i].dtype}{theirs.arrays[i].shape}")
        if exact.other_bits(theirs.arrays[i], array).any():
            raise AssertionError(f"output {i} of the IR differs from the JSON's")
    return theirs


def judge(family, case, program, reference, args, tally, difference):
    x = case.run_input(args.seed)
    case.save(program.folder, args.seed)
    expected = case.expected(x)
    mine = check_own(case, program, x, expected)
    if mine.refused:
        return "both refuse", ""
    if not convert(case, program):
        tally["not in an IR"] += 1
        return "agree", ""
    tally["converted"] += 1
    converted = check_converted(case, program, mine, x)
    xml, blob = (program.folder / "out.xml").read_text("utf-8"), (program.folder / "out.bin").read_bytes()
    what, text = difference(converted, reference.run(xml, blob, [] if case.constant else [x]), case.dynamic())
    if what is None:
        return "agree", ""
    known = [d.id for d in family.deviations for one in case.as_windows() if d.what == what and d.applies(one)]
    return ((family.name, known[0]) if known else "unexplained"), text


FAMILY = Family("ngraph", 20, draw, window_cases.FAMILY.deviations, judge)
