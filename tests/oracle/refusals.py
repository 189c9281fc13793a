"""Finds out from irrun's stderr why irrun did not run a model."""

import re


def errors_of(message):
    """Returns [(text, rule)] of the errors."""
    return re.findall(r"error: (.*) \[(IR\d+) [\w-]+\]$", message, re.M)


def missing_of(errors):
    """Returns the sorted names of ops and types that irrun does not run, or None if there are other errors."""
    if {rule for _, rule in errors} != {"IR210"}:
        return None
    return sorted({name_of(text) for text, _ in errors})


def name_of(text):
    """Returns the name of the op or type in a message of IR210."""
    found = re.search(r"irrun checks (\S+) and does not run it|of (type \S+)", text)
    return (found[1] or found[2]) if found else text
