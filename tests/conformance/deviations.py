"""Lists of what is known to differ. A row names one case; a list with a row that would excuse others is refused when it is read, and one with a row that
excuses nothing when its tool has drawn all that it draws by default."""

import collections
import dataclasses
import re

EVERY = "every op"  # what the runtime's reader does, whatever the op is
UNSET = "elements differ, first at"  # any numbers: the runtime leaves memory as it was
LESS = ", expected \\('"  # any shape: irrun knows less of it
ANY = (UNSET, LESS)
MOST = 0.5  # of an op's cases a row of any numbers or shapes excuses so many at most, where there are
ENOUGH = 20  # cases
# What differs on any op. A pattern that fits one of these names nothing.
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
    """`what` differs, a word of the tool; `ops`: their names, as "Slice-8, Split-1"; `case` and `found`: patterns of the case's text and of what is found."""

    what: str
    ops: str
    case: str
    found: str
    reason: str

    def applies(self, what, op, case, found):
        return what == self.what and (self.ops == EVERY or op in self.ops.split(", ")) and bool(re.search(self.case, case) and re.search(self.found, found))


def faults_of(row, known):
    """Why a row is refused: texts."""
    names = [] if row.ops == EVERY else row.ops.split(", ")
    yield from (f"no op is called {name}" for name in names if name not in known)
    for pattern in (row.case, row.found):
        fitting = [text for text in COMMON if re.search(pattern, text)]
        if fitting and pattern not in ANY:
            yield f"the pattern {pattern!r} names nothing: it fits {fitting[0]!r}"
    if not names and row.ops != EVERY:
        yield "it names no op"


class Deviations:
    """A list, and what its rows have excused. One of unset memory may excuse nothing at times, for that may hold what is right."""

    def __init__(self, rows, known):
        """`known`: all names of ops. Ends the program on a row that is too wide."""
        self.rows, self.used = [Deviation(*row) for row in rows], collections.Counter()
        faults = [f"{row}\n  {fault}" for row in self.rows for fault in faults_of(row, known)]
        if faults:
            raise SystemExit("\n".join(faults))

    def reason_of(self, what, op, case, found):
        """Why irrun and the runtime differ; None: no reason is known."""
        for row in self.rows:
            if row.applies(what, op, case, found):
                self.used[row, op] += 1
                return row.reason
        return None

    def tell_faults(self, drawn, complete):
        """Prints what is wrong with the rows after a run that has drawn so many cases of each op, and returns how many are; of a run that is not
        `complete` a row may have excused nothing."""
        common = [(row, op, count) for (row, op), count in self.used.items() if row.found in ANY and drawn[op] >= ENOUGH]
        wide = [(row, op, count) for row, op, count in common if count > MOST * drawn[op]]
        unused = [row for row in self.rows if UNSET not in row.found and not any(used == row for used, _ in self.used)] if complete else []
        for row, op, count in wide:
            print(f"{row}\n  it excuses {count} of {drawn[op]} cases of {op}: too many")
        for row in unused:
            print(f"{row}\n  it excuses nothing")
        return len(wide) + len(unused)


def is_default(parser, options):
    """Whether all is drawn that is drawn where nothing else is asked for."""
    return not options.op and options.seed == parser.get_default("seed") and options.count >= parser.get_default("count")
