#!/usr/bin/env python3
"""coverage.py BUILD: reports which lines and branches of src the tests in BUILD have reached.

Prints a line for each folder and the total, and writes pages with the sources into BUILD/html. Ends with status 1 if
fewer than 95 % of the lines, or of the branches outside failed allocations fewer than 85 %, were reached.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

# A condition belongs to a failed allocation if its line or the next one, which is the guarded statement, names one of
# these: the report or the status of a failed allocation, or a function that allocates.
ALLOCATION = re.compile(r"out_of_memory|NO_MEMORY|_alloc|ir_reserve\b|cli_allocate")
LEAST_LINES, LEAST_BRANCHES = 95, 85


def gcovr(*arguments):
    subprocess.run(["gcovr", "--root", ".", *map(str, arguments)], check=True)


class Count:
    """How many of the lines, of all branches, and of those outside failed allocations were reached."""

    def __init__(self):
        self.pairs = [[0, 0] for _ in range(3)]

    def add(self, i, counts):
        self.pairs[i][0] += sum(n > 0 for n in counts)
        self.pairs[i][1] += len(counts)

    def percent(self, i):
        reached, total = self.pairs[i]
        return 100 * reached / total if total else 100

    def row(self, name):
        return f"{name:<24}" + "".join(f"{p[0]:>8} of {p[1]:>5} {self.percent(i):5.1f} %" for i, p in enumerate(self.pairs))


def count_file(file, counts):
    """Adds a file to every count, and leaves the branches of failed allocations out of it."""
    texts = pathlib.Path(file["file"]).read_text().split("\n") + [""]
    for line in file["lines"]:
        if line.get("gcovr/noncode"):
            continue
        number = line["line_number"]
        branches = [b["count"] for b in line["branches"]]
        outside = not ALLOCATION.search(texts[number - 1] + texts[number])
        for count in counts:
            count.add(0, [line["count"]])
            count.add(1, branches)
            count.add(2, branches if outside else [])
        if not outside:
            line["branches"] = []


def main():
    build = pathlib.Path(sys.argv[1])
    raw, outside, html = build / "coverage.json", build / "coverage_outside.json", build / "html"
    gcovr("--filter", "src/", "--json", raw, build)
    report = json.loads(raw.read_text())
    folders, total = collections.defaultdict(Count), Count()
    for file in report["files"]:
        count_file(file, [folders[str(pathlib.Path(file["file"]).parent)], total])
    outside.write_text(json.dumps(report))
    html.mkdir(exist_ok=True)
    gcovr("--add-tracefile", outside, "--html-title", "irrun", "--html-details", html / "index.html")
    print(f"{'folder':<24}{'lines':>24}{'branches':>24}{'outside allocations':>24}")
    for name in sorted(folders):
        print(folders[name].row(name))
    print(total.row("total"))
    print(f"{html}/index.html")
    return int(total.percent(0) < LEAST_LINES or total.percent(2) < LEAST_BRANCHES)


if __name__ == "__main__":
    sys.exit(main())
