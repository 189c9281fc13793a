"""Changes the sources in COUNT random places, one at a time, and counts how many changes a test notices.

The changes ("mutants") are embedded in a copy of the sources, which is compiled once; IRRUN_MUTANT chooses one of them
at run time. A first pass of all tests, without a mutant, says which tests reach which mutant. Then each mutant runs the
tests that reach it until one fails: first those that noticed another mutant of the file, then the fastest."""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import draw

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_MUTANTS = 1 << 16  # of mutants.h
# Tests that read the sources, and one that compiles them again.
LEFT_OUT = re.compile(r"lint\.|example$")
# Most bytes of memory and of a file. The second limits are for tests that fail with the first ones: one reserves 16 GiB,
# one writes a file of 4 GiB with holes.
LIMITS = ((4 << 30, 1 << 30), (18 << 30, 6 << 30))


def make_copy(copy, mutants):
    """Makes the copy of the sources. Unchanged files keep their times, so that they are not compiled again."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    of_file = collections.defaultdict(list)
    for number, mutant in enumerate(mutants, 1):
        of_file[mutant.file].append((number, mutant))
    for name in filter(lambda name: (ROOT / name).is_file(), names):
        data = (ROOT / name).read_bytes()
        if name in of_file:
            text = f'#include "{ROOT}/tests/mutants/mutants.h"\n#line 1 "{name}"\n'
            data = (text + draw.embed(data, of_file[name])).encode()
        to = copy / name
        if not to.is_file() or to.read_bytes() != data:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(data)
        shutil.copymode(ROOT / name, to)


def build(copy, to, jobs):
    """Builds the copy. Returns the lines (file, line) that cannot be compiled."""
    # Not Release, which optimizes at link time. A variable whose assignment is dropped has a fixed content.
    flags = "-O2 -DNDEBUG -w -ftrivial-auto-var-init=pattern"
    subprocess.run(["cmake", "-S", copy, "-B", to, "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                    f"-DCMAKE_C_FLAGS_RELWITHDEBINFO={flags}", "-DBUILD_TESTING=ON"], check=True,
                   stdout=subprocess.DEVNULL)
    result = subprocess.run(["cmake", "--build", to, "-j", str(jobs), "--", "-k"], text=True, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}, check=False)
    if result.returncode == 0:
        return set()
    wrong = {(name, int(line)) for name, line in
             re.findall(r"^(\S+?):(\d+):\d+: (?:error|note: in (?:expansion|definition) of macro)", result.stderr, re.M)}
    return wrong or sys.exit(result.stderr)


def check_equivalent(found):
    """Each line of equivalent.txt has to name a place of the sources."""
    places = {mutant.key().rsplit(" -> ", 1)[0] for mutant in found}
    for key in read_equivalent():
        if key.rsplit(" -> ", 1)[0] not in places:
            sys.exit(f"equivalent.txt: the sources have no such place: {key}")


def draw_and_build(args, work):
    """The mutants, each of which can be compiled."""
    found = draw.find(ROOT)
    check_equivalent(found)
    mutants, spare = draw.draw(found, args.count, args.seed)
    print(f"{len(found)} places, {len(mutants)} drawn", flush=True)
    while True:
        make_copy(work / "src", mutants)
        wrong = build(work / "src", work / "build", args.jobs)
        if not wrong:
            return mutants
        bad = [i for i, mutant in enumerate(mutants) for line in range(mutant.line, mutant.last_line + 1)
               if (mutant.file, line) in wrong]
        if not bad:
            sys.exit(f"cannot compile {sorted(wrong)[:10]}, where no mutant is")
        for i in dict.fromkeys(bad):
            mutants[i] = spare.pop(0)
        print(f"{len(set(bad))} cannot be compiled, and are replaced", flush=True)


class Test:
    def __init__(self, row):
        properties = {item["name"]: item["value"] for item in row.get("properties", [])}
        self.name = row["name"]
        self.command = row["command"]
        self.folder = properties["WORKING_DIRECTORY"]
        self.env = dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
        self.limits = LIMITS[0]
        self.seconds = 170.0
        self.reached = set()  # mutants
        self.killed_in = set()  # files

    def passes(self, work, **env):
        """Runs the test. Stops it at its first failure, and after ten times its time."""
        temporary = pathlib.Path(tempfile.mkdtemp(dir=work / "tmp"))
        env = {**os.environ, **self.env, "TMPDIR": str(temporary), "BATS_TMPDIR": str(temporary), **env}
        end = time.monotonic() + 10 * self.seconds + 5
        limits = "prlimit --core=0 --as={} --fsize={}".format(*self.limits).split()
        child = subprocess.Popen([*limits, *self.command], cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            tail = b""
            while (left := end - time.monotonic()) > 0:
                if not select.select([child.stdout], [], [], left)[0]:
                    return False
                if not (data := os.read(child.stdout.fileno(), 1 << 16)):
                    return child.wait(max(left, 1)) == 0
                tail = tail[-20:] + data
                if re.search(rb"^not ok |^\[  FAILED  \]", tail, re.M):
                    return False
            return False
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
            child.stdout.close()
            shutil.rmtree(temporary, ignore_errors=True)


def passes_within(test, limits, **rest):
    test.limits = limits
    start = time.monotonic()
    passes = test.passes(**rest)
    test.seconds = time.monotonic() - start
    return passes


def trace_one(test, work):
    """Whether the test passes without a mutant. Sets its mutants."""
    with tempfile.NamedTemporaryFile(dir=work / "tmp") as file:
        file.write(bytes(MOST_MUTANTS))
        file.flush()
        passes = any(passes_within(test, limits, work=work, IRRUN_MUTANT="0", IRRUN_MUTANTS_REACHED=file.name)
                     for limits in LIMITS)
        file.seek(0)
        test.reached = {i for i, byte in enumerate(file.read()) if byte}
    return passes


def trace(work, jobs):
    """The tests that pass without a mutant, with the mutants that each of them reaches; the fastest first."""
    rows = json.loads(subprocess.run(["ctest", "--test-dir", work / "build", "--show-only=json-v1"], check=True,
                                     stdout=subprocess.PIPE).stdout)["tests"]
    tests, red = [], []
    found = [Test(row) for row in rows if not LEFT_OUT.match(row["name"])]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for test, passes in zip(found, pool.map(lambda test: trace_one(test, work), found)):
            (tests if passes else red).append(test)
    print(f"{len(tests)} tests pass without a mutant; not counted, because they fail or are skipped: "
          f"{' '.join(test.name for test in red) or 'none'}", flush=True)
    return sorted(tests, key=lambda test: test.seconds)


def killer(number, mutant, tests, work):
    """The test that notices a mutant. It has to fail twice. Tests that noticed others of the file come first."""
    for test in sorted(tests, key=lambda test: mutant.file not in test.killed_in):  # stable: then the fastest
        if number in test.reached and not any(test.passes(work, IRRUN_MUTANT=str(number)) for _ in range(2)):
            test.killed_in.add(mutant.file)
            return test.name
    return None


def read_equivalent():
    """Mutants that compute the same, with reasons: a line "key | reason"."""
    lines = (pathlib.Path(__file__).parent / "equivalent.txt").read_text().splitlines()
    return dict(line.rsplit(" | ", 1) for line in lines if line and not line.startswith("#"))


def run(args, work, mutants, tests):
    """The outcome of each mutant. One that was killed in a file that is the same is not run again."""
    kept = work / "results.json"
    old = json.loads(kept.read_text()) if kept.exists() else {}
    equivalent = read_equivalent()
    digests = {file: hashlib.sha256((ROOT / file).read_bytes()).hexdigest() for file in {m.file for m in mutants}}
    outcomes = {}

    def outcome_of(number, mutant):
        known = old.get(mutant.key())
        if mutant.key() in equivalent:
            return "equivalent"
        if known and known["file"] == digests[mutant.file] and known["outcome"].startswith("killed"):
            return known["outcome"]
        if not any(number in test.reached for test in tests):
            return "not reached"
        name = killer(number, mutant, tests, work)
        return f"killed by {name}" if name else "survived"

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, outcome in enumerate(pool.map(outcome_of, range(1, len(mutants) + 1), mutants), 1):
            mutant = mutants[number - 1]
            old[mutant.key()] = {"outcome": outcome, "file": digests[mutant.file]}
            kept.write_text(json.dumps(old, indent=1))
            outcomes[mutant.key()] = outcome
            if not outcome.startswith("killed"):
                print(f"{number}: {outcome}: {mutant.file}:{mutant.line}: {mutant.key().split(' ', 1)[1]}", flush=True)
    return outcomes


def folder_of(key):
    return str(pathlib.PurePath(key.split(" ", 1)[0]).parent)


def report(outcomes):
    kinds = ("killed", "survived", "not reached", "equivalent")
    kind_of = {key: outcome.split(" by ")[0] for key, outcome in outcomes.items()}
    print(f"\n{'folder':24}" + "".join(f"{kind:>12}" for kind in kinds))
    for folder in sorted({folder_of(key) for key in kind_of}):
        count = collections.Counter(kind for key, kind in kind_of.items() if folder_of(key) == folder)
        print(f"{folder:24}" + "".join(f"{count[kind]:12}" for kind in kinds))
    count = collections.Counter(kind_of.values())
    alive = count["survived"] + count["not reached"]
    counted = count["killed"] + alive
    print(f"\n{len(kind_of)} mutants: {count['killed']} killed, {alive} survived ({count['not reached']} not reached), "
          f"{count['equivalent']} equivalent; {100 * count['killed'] / counted:.1f} % of those not equivalent, "
          f"{100 * count['killed'] / len(kind_of):.1f} % of all")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path, help="folder of copy and results")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of the build, and mutants at once")
    args = parser.parse_args()
    os.nice(10)
    args.work.mkdir(parents=True, exist_ok=True)
    work = args.work.resolve()
    shutil.rmtree(work / "tmp", ignore_errors=True)
    (work / "tmp").mkdir()
    mutants = draw_and_build(args, work)
    report(run(args, work, mutants, trace(work, args.jobs)))


main()
