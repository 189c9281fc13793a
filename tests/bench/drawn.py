"""Draws random pools, as rows of a table of workloads. irrun is tuned with the fixed tables, so these pools are new to
it."""
import math
import random

TAPS = [2, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 25]
STRIDES = [1, 1, 1, 2, 2, 2, 3, 4]
SIZES = {1: [100, 1000, 1843, 16000],
         2: [7, 8, 10, 13, 14, 17, 20, 28, 35, 42, 56, 65, 100, 112, 147, 224],
         3: [7, 8, 14, 16, 28]}
MOST_TAPS = {1: 25, 2: 25, 3: 4}
ELEMENTS = [60_000, 200_000, 600_000, 2_000_000]


def draw(rng):
    """Draws a pool of 1 to 3 axes, mostly 2. Two thirds of the pools have the same kernel on each axis. Sometimes
    windows do not overlap."""
    n_axes = rng.choice([2] * 6 + [1, 3])
    kernel = [min(rng.choice(TAPS), MOST_TAPS[n_axes]) for _ in range(n_axes)]
    if rng.random() < 0.65:
        kernel = kernel[:1] * n_axes
    strides = kernel if rng.random() < 0.15 else [rng.choice(STRIDES)] * n_axes
    pads = [rng.choice([0, taps // 2]) for taps in kernel]
    sizes = [max(taps, rng.choice(SIZES[n_axes])) for taps in kernel]
    planes = max(1, rng.choice(ELEMENTS) // math.prod(sizes))
    op = rng.choice(['AvgPool', 'MaxPool'])
    lists = ([1, planes, *sizes], kernel, strides, pads)
    name = '_'.join([op, *(what + 'x'.join(map(str, one)) for what, one in zip(['', 'k', 's', 'p'], lists))])
    return name, op, [','.join(map(str, one)) for one in lists]


def rows(count, seed, types=('f32',), has_indices=False):
    """Yields `count` rows. A seed gives the same pools for every list of types. If has_indices, maxima have indices."""
    rng, rng_of_types = random.Random(seed), random.Random(seed)
    for number in range(count):
        name, op, lists = draw(rng)
        element_type = rng_of_types.choice(types)
        if op == 'MaxPool' and has_indices:
            op = 'MaxPool-8'
        yield ' '.join([f'{number}_{element_type}_{name}', op, element_type, *lists, '-'])
