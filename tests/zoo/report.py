"""Prints results of zoo.py: a line for each model and a table of the families."""
import statistics

from peers import row

# Stages in their order. A model that fails at a stage of OTHERS says nothing of irrun.
OTHERS = ('convert', 'OpenVINO')
STAGES = ('check', 'shapes', 'run', 'compare', 'time')


def is_fault(result):
    return 'fault' in result and result['fault'][0] not in OTHERS


def passed(result, stage):
    """Returns whether the model passed this stage."""
    failed = result.get('fault', [None])[0]
    return failed is None or (failed not in OTHERS and STAGES.index(failed) > STAGES.index(stage))


def line(result):
    head = f'{result["family"]}/{result["name"]}:'
    if 'fault' in result:
        stage, text = result['fault']
        return f'{head} {stage if is_fault(result) else f"not tested, {stage}"} FAILS: {text}'.replace('\n', '\n  ')
    text = f'{head} ok{", layer by layer" if "grown" in result else ""}, {result["layers"]} layers, {result["warnings"]} warnings, ' \
           f'{len(result["looser"])} looser shapes, {result["distance"]:.0e} apart'
    if 'cold' not in result:
        return text
    times = [f'{threads} thread{"s" * (threads != "1")} {mine:.2f} ms, {mine / theirs:.2f} x OpenVINO' for threads, (theirs, mine) in result['ms'].items()]
    (their_cold, their_peak), (my_cold, my_peak) = result['cold']
    return f'{text}; {"; ".join(times)}; cold {my_cold / their_cold:.2f} x, memory {my_peak:.0f} MiB, {my_peak / their_peak:.2f} x'


def mean(ratios):
    return f'{statistics.geometric_mean(ratios):.2f}' if ratios else '-'


def print_families(results, threads):
    """Prints a table with a row for each family: models that passed each stage, and times and memory relative to
    OpenVINO's."""
    print()
    heads = ['family', 'models', 'converted', 'checked', 'shapes', 'run', 'layers equal', 'equal']
    heads += [*(f'{n} thread{"s" * (n > 1)}: mean, worst' for n in threads), 'cold', 'memory']
    row(heads)
    row(['---', *['---:'] * (len(heads) - 1)])
    for family in [*dict.fromkeys(result['family'] for result in results), 'all']:
        ours = [result for result in results if family in (result['family'], 'all')]
        timed = [result for result in ours if 'ms' in result and 'cold' in result]
        cells = [family, len(ours), sum(result.get('fault', [''])[0] not in OTHERS for result in ours)]
        cells += [sum(passed(result, stage) for result in ours) for stage in STAGES[:-1]]
        cells.append(sum(passed(result, 'compare') and 'grown' not in result for result in ours))
        for n in map(str, threads):
            ratios = {result['name']: result['ms'][n][1] / result['ms'][n][0] for result in timed}
            worst = max(ratios, key=ratios.get, default=None)
            cells.append(f'{mean(ratios.values())}, {ratios[worst]:.2f} ({worst})' if worst else '-')
        cells += [mean([mine[i] / theirs[i] for theirs, mine in (result['cold'] for result in timed)]) for i in (0, 1)]
        row(list(map(str, cells)))
