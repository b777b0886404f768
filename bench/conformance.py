#!/usr/bin/env python3
"""Do correct programs of others stay correct under control?

The tests of glibc (nptl, sysdeps/pthread, rt), libstdc++ (30_threads, 29_atomics), glib, libuv and Python (threading,
queue, concurrent.futures). The lists in conformance_lists/ were fixed before the first run. A test that passes natively
3 times of 3 runs under the rule stay and under the rule random with 5 seeds. The exit status is 1 if any run was called a
failure, if unravel had a fault of its own, or did not end.

Sources, programs and results are kept in $XDG_CACHE_HOME/unravel/conformance. What the same build of unravel has
examined is not examined again, so that an interrupted benchmark goes on where it was.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import sys
import threading

import conformance_tables
from arguments import count_of
from conformance_glibc import Glibc
from conformance_libstdcxx import Libstdcxx
from conformance_packages import Glib, Libuv, Python
from conformance_suite import LISTS
from conformance_trials import NOT_BUILT, NOT_NATIVE, PASSED, SINGLE, Examiner, Plan
from debian_sources import CannotBuild

HERE = pathlib.Path(__file__).resolve().parent
SUITES = {suite.name: suite for suite in (Glibc, Libstdcxx, Glib, Libuv, Python)}
SKIPPED = 77
QUICK_TESTS = 10
SETTLED = (PASSED, SINGLE, NOT_BUILT, NOT_NATIVE)


class Results:
    """A line for every test as it ends, and whether it passes natively."""

    def __init__(self, folder, suite, tool, native_runs, again):
        folder.mkdir(parents=True, exist_ok=True)
        self.file, self.tool, self.writing = folder / f"{suite}.jsonl", tool, threading.Lock()
        self.native_file = folder / f"{suite}.native-{native_runs}-times.json"
        self.known = json.loads(self.native_file.read_text()) if self.native_file.exists() else {}
        self.native, self.rows, self.latest = {} if again else dict(self.known), {}, {}
        for line in self.file.read_text().splitlines() if self.file.exists() else []:
            row = json.loads(line)
            self.latest[row["test"]] = row["verdict"]
            if row["tool"] == tool and not again:
                self.rows[row["test"]] = row

    def add(self, row):
        with self.writing:
            self.rows[row["test"]] = row
            with self.file.open("a") as file:
                file.write(json.dumps({"tool": self.tool, **row}) + "\n")
            self.native_file.write_text(json.dumps({**self.known, **self.native}))


def build_of(unravel, plan):
    """Names what decides a result: the tool, what it injects, and how much was asked for."""
    digest = hashlib.sha256()
    for file in (unravel, *sorted((unravel.parent.parent / "lib/unravel").rglob("libunravel-rt.so"))):
        digest.update(file.read_bytes())
    return f"{digest.hexdigest()[:12]}-{plan.native_runs}-{plan.seeds}"


def choose(suite, arguments):
    tests = [test for test in suite.tests() if arguments.only in test]
    if arguments.sample:
        lines = (LISTS / "sample.list").read_text().splitlines()
        chosen = {line.partition(" ")[2] for line in lines if line.partition(" ")[0] == suite.name}
        tests = [test for test in tests if test in chosen]
    if arguments.lines != "all":
        numbers = {test: number for number, test in enumerate(suite.tests(), 1)}
        tests = [test for test in tests if numbers[test] % 2 == (arguments.lines == "odd")]
    return tests[::max(1, len(tests) // QUICK_TESTS)] if arguments.quick else tests


def examine_suite(suite, arguments, plan, tool, folder):
    results = Results(folder, suite.name, tool, plan.native_runs, arguments.again)
    tests = choose(suite, arguments)
    if arguments.unpassed:
        tests = [test for test in tests if results.latest.get(test) not in SETTLED]
    examiner = Examiner(suite, plan, results.native)
    left = [test for test in tests if test not in results.rows]
    done = len(tests) - len(left)

    def examine(test):
        nonlocal done
        row = examiner.examine(test)
        done += 1
        suite.log(f"{done}/{len(tests)} {test}: {row['verdict']}{': ' if row['why'] else ''}{row['why']}")
        # What did not end natively may do so on a quieter day.
        if row["verdict"] != NOT_NATIVE or not row["why"]:
            results.add(row)
        return row

    with concurrent.futures.ThreadPoolExecutor(min(arguments.jobs, suite.most_jobs)) as pool:
        rows = {row["test"]: row for row in pool.map(examine, left)}
    rows.update({test: results.rows[test] for test in tests if test in results.rows})
    return [rows[test] for test in tests]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", action="append", choices=SUITES, help="only this one; can be repeated")
    parser.add_argument("--only", default="", help="tests whose name contains this")
    parser.add_argument("--lines", choices=("odd", "even", "all"), default="all",
                        help="tests of these lines of the list")
    parser.add_argument("--sample", action="store_true", help="the few tests of conformance_lists/sample.list")
    parser.add_argument("--quick", action="store_true", help="about ten tests of each: does it run at all?")
    parser.add_argument("--again", action="store_true", help="examine what this build has examined already, too")
    parser.add_argument("--unpassed", action="store_true",
                        help="only what did not pass when it was last examined, by whatever build")
    parser.add_argument("--jobs", type=count_of, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--native", type=count_of, default=3, help="native runs of each test")
    parser.add_argument("--seeds", type=count_of, default=5, help="seeds of the random rule")
    parser.add_argument("--unravel", type=pathlib.Path, default=HERE.parent / "bin/unravel", help="the command")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="the figures as JSON too")
    fetching = parser.add_mutually_exclusive_group()
    fetching.add_argument("--prepare", action="store_true", help="fetch and build what all tests need, and run nothing")
    fetching.add_argument("--prepared", action="store_true", help="skip a suite for which --prepare was not run")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "unravel/conformance"
    unravel = arguments.unravel.resolve()
    if not arguments.prepare and not os.access(unravel, os.X_OK):
        sys.exit(f"conformance: there is no {unravel}; build it, or name it with --unravel")
    plan = Plan(unravel, cache / "kept", arguments.native, arguments.seeds)
    figures, missing = {}, 0
    for name in arguments.suite or SUITES:
        suite = SUITES[name](cache)
        if arguments.prepared and not suite.is_prepared():
            print(f"{name}: skipped: it is not built yet; do so with: {sys.argv[0]} --prepare --suite {name}")
            missing += 1
            continue
        try:
            suite.prepare()
        except CannotBuild as error:
            print(f"{name}: skipped: {error}", flush=True)
            missing += 1
            continue
        if arguments.prepare:
            continue
        rows = examine_suite(suite, arguments, plan, build_of(unravel, plan), cache / "results")
        conformance_tables.print_suite(name, rows, suite.tests(), unravel)
        figures[name] = {**conformance_tables.count(rows), "tests": rows}
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    if missing and not figures:
        return SKIPPED
    bad = sum(suite[key] for suite in figures.values() for key in ("failed", "faults", "hangs"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
