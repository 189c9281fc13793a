"""Checks the intervals that irrun infers for open dims, by trying sizes in the exact model.
Sound: the interval contains the shape of every legal size. Tight: some legal size reaches each end of the interval.
Each dim of an input is varied while the others keep a legal size. That finds the ends if each output dim depends on one
input dim. For other ops, a case names the dims to vary together. Finally, all sizes are drawn at random."""

import collections
import itertools
import math
import random

from oracle.evaluation import output_shapes
from oracle.ops import OPS
from oracle.windows import Refused

NEAR = 48  # number of sizes tried at each end of an interval
FAR = (1 << 31, 5040 << 40, 1 << 62)  # sizes tried for an interval without an upper end; one has many divisors
TOGETHER = 5000  # limit of combinations of sizes if several dims are varied together
ENDLESS = 1 << 20  # an output size from which the output counts as unbounded
DRAWN = 20


class Trials:
    """Computes the shapes of a model's outputs for various sizes of its inputs."""

    def __init__(self, case, model):
        self.model, self.contents = model, case.trials()
        self.ranks = [len(parameter.shape) for parameter in case.parameters()]
        self.bounds = [bound for parameter in case.parameters() for bound in parameter.bounds()]
        self.own = [size for parameter in case.parameters() for size in parameter.shape]
        self.joint, self.guesses = case.joint(), case.guesses()

    def shapes(self, sizes, contents):
        """Returns the output shapes for the sizes of all dims, or None if the sizes are not legal."""
        sizes, inputs = list(sizes), []
        for rank in self.ranks:
            inputs.append(tuple(sizes[:rank]))
            sizes = sizes[rank:]
        try:
            return output_shapes(self.model, inputs, contents, OPS)
        except Refused:
            return None

    def legal(self, contents):
        """Returns some legal sizes, or None."""
        least = [low for low, _ in self.bounds]
        roomy = [min(high, low + NEAR) for low, high in self.bounds]
        ones = [1 if low <= 1 <= high else low for low, high in self.bounds]
        choices = (self.own, roomy, least, ones, self.alike(), *self.guesses)
        return next((sizes for sizes in choices if self.shapes(sizes, contents)), None)

    def alike(self):
        """Returns sizes that are equal in each group of dims, as far as the bounds allow."""
        sizes = [low for low, _ in self.bounds]
        for group in self.joint:
            most = max((sizes[i] for i in group), default=0)
            for i in group:
                sizes[i] = min(most, self.bounds[i][1])
        return sizes

    def results(self, rng):
        """Yields the shapes of all outputs, for each tried choice of legal sizes."""
        for contents in self.contents:
            base = self.legal(contents)
            if base is None:
                continue
            for sizes in self.sizes(base, rng):
                found = self.shapes(sizes, contents)
                if found:
                    yield found

    def sizes(self, base, rng):
        yield base
        for group in self.joint:
            for chosen in self.choices(group):
                sizes = list(base)
                for i, size in zip(group, chosen):
                    sizes[i] = size
                yield sizes
        for _ in range(DRAWN):
            yield [rng.choice(candidates(*bound)) for bound in self.bounds]

    def choices(self, group):
        """Returns choices of sizes for the dims of a group. For one dim these are all candidates, for several dims as
        many near the ends as TOGETHER allows."""
        bounds = [self.bounds[i] for i in group]
        if len(group) == 1:
            return [[size] for size in candidates(*bounds[0])]
        ends = {0, 1, *(end for bound in bounds for end in bound if end != math.inf)}
        for steps in (NEAR, 12, 8, 5, 3):
            near = sorted({*FAR, *(end + step for end in ends for step in range(-1, steps))})
            sizes = [[size for size in near if low <= size <= high] for low, high in bounds]
            if math.prod(map(len, sizes)) <= TOGETHER:
                break
        return itertools.product(*sizes)


def candidates(low, high):
    if high == math.inf:
        return [*range(low, low + NEAR), *(size for size in FAR if size > low)]
    if high - low <= 2 * NEAR:
        return list(range(low, high + 1))
    return [*range(low, low + NEAR), *range(high - NEAR, high + 1)]


def hull(shapes):
    """Returns (least, most) of each dim, or None if the ranks differ."""
    if len({len(shape) for shape in shapes}) > 1:
        return None
    return [(min(dims), math.inf if max(dims) >= ENDLESS and min(dims) != max(dims) else max(dims)) for dims in zip(*shapes)]


def agrees(inferred, possible):
    return possible == (None if inferred is None else list(inferred))


def contains(inferred, possible):
    if inferred is None or possible is None:
        return inferred is None
    rows = zip(inferred, possible)
    return len(inferred) == len(possible) and all(low <= least and most <= high for (low, high), (least, most) in rows)


def check_intervals(case, model, inferred, of_runtime):
    """Raises AssertionError if an interval of irrun is not sound or not tight. Returns counts of how the runtime's
    intervals compare."""
    found = list(Trials(case, model).results(random.Random(case.number)))
    if not found and not case.tight():
        return collections.Counter()
    if not found:
        raise AssertionError("irrun accepts dims of which no size is legal")
    tally = collections.Counter()
    for i, shapes in enumerate(zip(*found)):
        possible = hull(shapes)
        fits = agrees if case.tight() else contains
        if not fits(inferred[i], possible):
            raise AssertionError(f"output {i} is inferred as {inferred[i]}, the sizes tried give {possible}")
        tally["intervals"] += len(possible or "")
        if i < len(of_runtime) and possible is not None:
            tally.update(judge_runtime(possible, of_runtime[i]))
    return tally


def judge_runtime(possible, dims):
    dims = dims or [(0, math.inf)] * len(possible)
    for (low, high), (least, most) in zip(possible, dims):
        if not least <= low <= high <= most:
            yield "intervals unsound"
        elif (least, most) != (low, high):
            yield "intervals looser"
