#!/usr/bin/env python3
"""Prints op_table.inc: MAKE_OP_TABLE.py CLONE, a clone of https://github.com/NervanaSystems/ngraph with its history.

op_table.inc has every pair of op and op_version that a table (*tbl.hpp) of any commit of nGraph had, because irrun
reads files of every age."""

import collections
import re
import subprocess
import sys

ENTRY = re.compile(r"^\+NGRAPH_OP\((\w+)\s*(?:,\s*([\w:]+)\s*)?(?:,\s*(\d+)\s*)?\)", re.M)


def version_of(namespace, number):
    """Recent tables have the version in the namespace, older tables in a third column. The oldest have none."""
    named = re.search(r"v(\d)", namespace)
    return int(named[1] if named else number or 0)


def main():
    log = ["git", "-C", sys.argv[1], "log", "-p", "--no-color", "--format=", "--", "src/ngraph/*tbl.hpp"]
    history = subprocess.run(log, check=True, capture_output=True).stdout.decode(errors="replace")
    versions = collections.defaultdict(int)
    for name, namespace, number in ENTRY.findall(history):
        versions[name] |= 1 << version_of(namespace, number)
    print("/* Written by MAKE_OP_TABLE.py: the ops that nGraph ever had, sorted by strcmp. IR_NGRAPH_OP(type, versions):")
    print(" * bit v is op_version v. */")
    for name in sorted(versions):
        print(f'IR_NGRAPH_OP("{name}", {versions[name]})')


if __name__ == "__main__":
    main()
