"""Why irrun did not run a model, from what it writes to stderr."""

import re


def errors_of(message):
    """[(text, rule)]."""
    return re.findall(r"error: (.*) \[(IR\d+) [\w-]+\]$", message, re.M)


def missing_of(errors):
    """Sorted names of ops and types that irrun does not run; None where something else is wrong."""
    if {rule for _, rule in errors} != {"IR210"}:
        return None
    return sorted({name_of(text) for text, _ in errors})


def name_of(text):
    """What a message of IR210 names."""
    found = re.search(r"irrun checks (\S+) and does not run it|of (type \S+)", text)
    return (found[1] or found[2]) if found else text
