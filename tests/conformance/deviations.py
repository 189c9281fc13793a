"""Reads lists of known differences between irrun and the runtime. A row describes one kind of case. When a list is
read, a row that would excuse other cases is refused. After a default run, a row that excused nothing is reported."""

import collections
import dataclasses
import re

EVERY = "every op"  # for differences in the runtime's reader, which affect any op
UNSET = "elements differ, first at"  # matches any numbers, because the runtime leaves memory uninitialized
LESS = ", expected \\('"  # matches any shape, because irrun's inferred shape is less exact
ANY = (UNSET, LESS)
MOST = 0.5  # a row for any numbers or shapes can excuse at most this share of an op's cases
ENOUGH = 20  # the share is checked for an op with at least so many cases
# Texts of cases and findings that occur with any op. A pattern that matches one of these texts is too wide.
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
    """Describes a known difference. `what` is the kind of difference, as the tool reports it. `ops` are names such as
    "Slice-8, Split-1". `case` and `found` are patterns for the case's text and for the finding."""

    what: str
    ops: str
    case: str
    found: str
    reason: str

    def applies(self, what, op, case, found):
        return what == self.what and (self.ops == EVERY or op in self.ops.split(", ")) and bool(re.search(self.case, case) and re.search(self.found, found))


def faults_of(row, known):
    """Yields the reasons for which a row is refused."""
    names = [] if row.ops == EVERY else row.ops.split(", ")
    yield from (f"no op is called {name}" for name in names if name not in known)
    for pattern in (row.case, row.found):
        fitting = [text for text in COMMON if re.search(pattern, text)]
        if fitting and pattern not in ANY:
            yield f"the pattern {pattern!r} names nothing: it fits {fitting[0]!r}"
    if not names and row.ops != EVERY:
        yield "it names no op"


class Deviations:
    """Holds a list, and counts how many differences each row has excused. A row for uninitialized memory can excuse
    nothing, because the memory can be right by chance."""

    def __init__(self, rows, known):
        """Reads the rows. `known` has the names of all ops. If a row is too wide, ends the program."""
        self.rows, self.used = [Deviation(*row) for row in rows], collections.Counter()
        faults = [f"{row}\n  {fault}" for row in self.rows for fault in faults_of(row, known)]
        if faults:
            raise SystemExit("\n".join(faults))

    def reason_of(self, what, op, case, found):
        """Returns why irrun and the runtime differ, or None if no reason is known."""
        for row in self.rows:
            if row.applies(what, op, case, found):
                self.used[row, op] += 1
                return row.reason
        return None

    def tell_faults(self, drawn, complete):
        """Prints the faults of rows after a run, and returns their number. `drawn` has the number of cases of each op.
        If the run is not `complete`, rows that excused nothing are not reported."""
        common = [(row, op, count) for (row, op), count in self.used.items() if row.found in ANY and drawn[op] >= ENOUGH]
        wide = [(row, op, count) for row, op, count in common if count > MOST * drawn[op]]
        unused = [row for row in self.rows if UNSET not in row.found and not any(used == row for used, _ in self.used)] if complete else []
        for row, op, count in wide:
            print(f"{row}\n  it excuses {count} of {drawn[op]} cases of {op}: too many")
        for row in unused:
            print(f"{row}\n  it excuses nothing")
        return len(wide) + len(unused)


def is_default(parser, options):
    """Returns whether the options request all cases of a default run."""
    return not options.op and options.seed == parser.get_default("seed") and options.count >= parser.get_default("count")
