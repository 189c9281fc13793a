"""Where values of irrun and the runtime differ for a reason."""

import re

# [(what, op, case, reason)]: patterns of what differs, of the op, and of the case's text: attributes, then types and shapes of the inputs and outputs, numbers of
# short Constants, and what differs.
DEVIATIONS = [
    ("differs", "SquaredDifference", "[iu]8\\[", "the runtime's squares of narrow integers are none: (1 - 3)^2 gives -2 for i8, 0 for u8"),
    ("differs", "Divide", "m_pythondiv=True: [iu][0-9]+\\[", "the page has floors of quotients; the runtime divides toward zero"),
    ("differs", "SpaceToBatch", "\\[4\\]=1,[23],", "of blocks of channels the runtime mixes up elements; numpy gives what irrun gives"),
    ("differs", "Tile", "i64\\[0\\]", "of an empty list the runtime leaves the output unset"),
    ("differs", "StridedSlice", "ellipsis_mask=\\[1\\]", "of an ellipsis alone the runtime leaves the output unset"),
    ("irrun refuses", "BatchToSpace|Pad", "IR322", "the runtime does not ask what lists say that only a run knows"),
    ("differs", "CTCLoss", "f64\\[", "the runtime makes f32 of f64, and of what f32 does not hold its largest number"),
    ("differs", "IsInf", "f64", "the runtime makes f32 of f64, and finite numbers of infinities"),
]


def reason_of(what, op, text):
    """Why irrun and the runtime differ; None: no reason is known."""
    for kinds, ops, case, reason in DEVIATIONS:
        if re.search(kinds, what) and re.search(ops, op) and re.search(case, text):
            return reason
    return None
