"""Draws the times of peers.py by the size of the pool's window, as an SVG.
usage: picture.py TIMES.json PICTURE.svg"""
import json
import math
import sys

WIDTH, HEIGHT, PANEL, LEFT, TOP, BOTTOM = 860, 400, 330, 60, 50, 330
COLOURS = {'irrun': '#c0392b', 'OpenVINO': '#2c6fbb', 'onnxruntime': '#3a8f4d', 'oneDNN': '#8e6bb0', 'floor': '#888888'}
DECADES = (2, 6)  # powers of ten between which times in us lie


def across(index, count):
    return LEFT + PANEL * index / (count - 1)


def up(value):
    """Returns the y coordinate of a time in ns, on a logarithmic axis with half a decade of room below and above."""
    return BOTTOM - (BOTTOM - TOP) * (math.log10(value / 1e3) - DECADES[0] + 0.5) / (DECADES[1] - DECADES[0] + 1)


def text(x, y, words, anchor='middle', colour='#222222'):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def grid(windows):
    for index, window in enumerate(windows):
        yield text(across(index, len(windows)), BOTTOM + 18, window)
    for decade in range(DECADES[0], DECADES[1] + 1):
        y = up(10 ** decade * 1e3)
        yield f'<line x1="{LEFT}" x2="{LEFT + PANEL}" y1="{y:.0f}" y2="{y:.0f}" stroke="#dddddd"/>'
        yield text(LEFT - 6, y + 4, ('0.1 ms', '1 ms', '10 ms', '100 ms', '1 s')[decade - DECADES[0]], 'end')


def lines(rows):
    for name, colour in COLOURS.items():
        points = [(across(index, len(rows)), up(row['ns'][name])) for index, row in enumerate(rows) if name in row['ns']]
        if not points:
            continue
        dashes = ' stroke-dasharray="5 4"' if name == 'floor' else ''
        path = ' '.join(f'{x:.1f},{y:.1f}' for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>'


def panel(rows, op, shift):
    windows = [row['name'].split('_')[1] for row in rows]
    yield f'<g transform="translate({shift},0)">'
    yield text(LEFT + PANEL / 2, TOP - 18, f'{op}, f32 [1, 8, 256, 256], stride 1, one thread')
    yield from grid(windows)
    yield text(LEFT + PANEL / 2, BOTTOM + 36, 'side of the window')
    yield from lines(rows)
    yield '</g>'


def legend(rows):
    x = LEFT
    for name, colour in COLOURS.items():
        if name in rows[0]['ns']:
            yield f'<line x1="{x}" x2="{x + 24}" y1="{HEIGHT - 12}" y2="{HEIGHT - 12}" stroke="{colour}" stroke-width="3"/>'
            label = 'read and write the bytes' if name == 'floor' else name
            yield text(x + 30, HEIGHT - 8, label, 'start')
            x += 60 + 8 * len(label)


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        rows = [row for row in json.load(file) if row['threads'] == 1]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for number, op in enumerate(('AvgPool', 'MaxPool')):
        parts += panel([row for row in rows if row['name'].startswith(op)], op, number * (PANEL + 90))
    parts += legend(rows)
    with open(sys.argv[2], 'w', encoding='utf-8') as file:
        file.write('\n'.join([*parts, '</svg>']) + '\n')


if __name__ == '__main__':
    main()
