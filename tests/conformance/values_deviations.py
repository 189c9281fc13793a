"""Where values of irrun and the runtime differ for a reason."""

import re

# [(what, op, case, reason)]: patterns of what differs, of the op, and of the case's text: attributes, then types and shapes of the inputs and outputs.
DEVIATIONS = []


def reason_of(what, op, text):
    """Why irrun and the runtime differ; None: no reason is known."""
    for kinds, ops, case, reason in DEVIATIONS:
        if re.search(kinds, what) and re.search(ops, op) and re.search(case, text):
            return reason
    return None
