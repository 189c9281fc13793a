#!/usr/bin/env python3
"""Makes the faulty models of this folder. Each model's last comment lists the diagnostics that irrun has to print, one
a line. If a comment would be another fault, NAME.expected lists them.

A fault is marked at its place in the text. {IR304|64,64} is the error IR304 at `64,64`; {w:IR205|...} is a warning,
{n:...} a note. {!IR108} is a diagnostic without a place, {e:6} another exit status than 3. The marks are removed from
the model, and their places become the expected ones. So no expected place comes from irrun itself.
The cases are in the folder cases. Models that do not fit its pieces are files in the folder by_hand, which this script
does not change. `texts` has the exact reports, which run.sh --update writes; whoever changes a message reads their
differences.
MAKE.py FOLDER makes the models in another folder. made.sh compares them with the files here."""
import os
import re
import sys

from cases import bins, texts

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = re.compile(r'\{(!?)([wn]:)?(e:\d+|IR\d+)(?:\|([^{}]*))?\}')


def place(text):
    line = text.count('\n') + 1
    return line, len(text) - text.rfind('\n')


def render(marked):
    out, at, expected, status = '', 0, [], None
    for m in MARK.finditer(marked):
        out += marked[at:m.start()]
        at = m.end()
        bare, kind, rule, inner = m.groups()
        if rule.startswith('e:'):
            status = int(rule[2:])
            continue
        severity = {'w:': 'warning', 'n:': 'note', None: 'error'}[kind]
        expected.append((severity, '-' if bare else '%d:%d' % place(out), rule))
        out += inner or ''
    out += marked[at:]
    if status is None:
        status = 3 if any(e[0] == 'error' for e in expected) else 0
    return out, expected, status


def write(path, content):
    with open(path, 'wb') as file:
        file.write(content.encode() if isinstance(content, str) else content)


def suffix(text):
    return '.xml' if text.lstrip().startswith('<') else '.json'


def main(folder):
    for name, marked in texts.items():
        text, expected, status = render(marked)
        path = os.path.join(folder, name)
        lines = '\n'.join([*sorted(' '.join(e) for e in expected), 'exit %d' % status])
        takes_comment = text.endswith(('/net>\n', '/>\n', '-->\n'))  # XML comments can follow the root element
        write(path + suffix(text), text + '<!-- expected\n%s\n-->\n' % lines if takes_comment else text)
        if not takes_comment:
            write(path + '.expected', lines + '\n')
        if name in bins:
            write(path + '.bin', bins[name])


main(sys.argv[1] if len(sys.argv) > 1 else HERE)
