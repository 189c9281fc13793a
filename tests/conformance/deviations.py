"""Lists of known differences. A row names one case. A list is refused when it is read if a row would excuse other cases, and
after a default run of its tool if a row excused nothing."""

import collections
import dataclasses
import re

EVERY = "every op"  # for differences of the runtime's reader, which affect any op
UNSET = "elements differ, first at"  # matches any numbers, because the runtime leaves memory unset
LESS = ", expected \\('"  # matches any shape, because irrun infers less
ANY = (UNSET, LESS)
MOST = 0.5  # largest part of an op's cases that a row for any numbers or shapes may excuse
ENOUGH = 20  # if there are at least so many cases
# Differences on any op. A pattern that matches one of these texts is too wide.
COMMON = [
    "",
    "Add auto_broadcast=numpy: f32[2,3], f32[2,3] -> f32[2,3]",
    "Add auto_broadcast=numpy: f32[?,3], f32[?,3] -> f32[?,3]",
    "output 0: 5 of 6 elements differ, first at [0, 0]: 1.0, expected 2.0",
    "output 0: float32[2, 3], expected float32[3, 2]",
    "output 0 is ('f32', [(2, 2), (3, 3)]), expected ('f32', [(3, 3), (2, 2)])",
    "output 0 is ('f32', [(0, 9223372036854775807), (3, 3)]), expected ('f32', [(1, 5), (3, 3)])",
    "output 0 is ('f32', [(1, 5), (3, 3)]), expected ('f32', [(0, 9223372036854775807), (3, 3)])",
    "output 0 is ('f32', None), expected ('f32', [(2, 2), (3, 3)])",
    "output 0 is ('f32', [(2, 2), (3, 3)]), expected ('f32', None)",
    "Check 'false' failed at src/core/src/op/add.cpp:1: While validating node 'opset1::Add Add_1 () -> ()' with friendly_name 'Add_1':",
]


@dataclasses.dataclass(frozen=True)
class Deviation:
    """A known difference. `what`: its kind, a word of the tool; `ops`: names such as "Slice-8, Split-1"; `case` and `found`:
    patterns of the case's text and of the finding."""

    what: str
    ops: str
    case: str
    found: str
    reason: str

    def applies(self, what, op, case, found):
        return what == self.what and (self.ops == EVERY or op in self.ops.split(", ")) and bool(re.search(self.case, case) and re.search(self.found, found))


def faults_of(row, known):
    """Texts that say why a row is refused."""
    names = [] if row.ops == EVERY else row.ops.split(", ")
    yield from (f"no op is called {name}" for name in names if name not in known)
    for pattern in (row.case, row.found):
        fitting = [text for text in COMMON if re.search(pattern, text)]
        if fitting and pattern not in ANY:
            yield f"the pattern {pattern!r} names nothing: it fits {fitting[0]!r}"
    if not names and row.ops != EVERY:
        yield "it names no op"


class Deviations:
    """A list, and what its rows have excused. A row for unset memory may excuse nothing, because that memory may be right by
    chance."""

    def __init__(self, rows, known):
        """`known`: all names of ops. Ends the program on a row that is too wide."""
        self.rows, self.used = [Deviation(*row) for row in rows], collections.Counter()
        faults = [f"{row}\n  {fault}" for row in self.rows for fault in faults_of(row, known)]
        if faults:
            raise SystemExit("\n".join(faults))

    def reason_of(self, what, op, case, found):
        """Why irrun and the runtime differ; None if no reason is known."""
        for row in self.rows:
            if row.applies(what, op, case, found):
                self.used[row, op] += 1
                return row.reason
        return None

    def tell_faults(self, drawn, complete):
        """Prints the faults of the rows after a run, and returns their number; `drawn` has the number of cases of each op. In a
        run that is not `complete` a row may have excused nothing."""
        common = [(row, op, count) for (row, op), count in self.used.items() if row.found in ANY and drawn[op] >= ENOUGH]
        wide = [(row, op, count) for row, op, count in common if count > MOST * drawn[op]]
        unused = [row for row in self.rows if UNSET not in row.found and not any(used == row for used, _ in self.used)] if complete else []
        for row, op, count in wide:
            print(f"{row}\n  it excuses {count} of {drawn[op]} cases of {op}: too many")
        for row in unused:
            print(f"{row}\n  it excuses nothing")
        return len(wide) + len(unused)


def is_default(parser, options):
    """Whether the options request all cases of a default run."""
    return not options.op and options.seed == parser.get_default("seed") and options.count >= parser.get_default("count")
