#!/usr/bin/env python3
"""Hunts in one program of tests/programs, replays a run of it twice and compares.

What it expects is in the program's head (head.py). A program that passes must pass in every run
of its budget and write what it writes without us; one that fails must fail within its budget, in
the way that it says. Then one run is replayed twice and its schedule is run once more, and each
time outcome, failure, schedule and table of steps must be the same. What a hunt made of its failure,
a simpler run and the two runs between which one switch decides, is replayed too. Of a program that
hangs where a compiler made it so, only that is checked: nothing can be replayed to its end.

The seed is always the same; set UNRAVEL_ROUNDTRIP_SEED to try another. After a failure the
store is left where it is, so that the printed commands work as they stand.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

from explanation import COST, places_elsewhere, problems_of_simplified
from head import UNRESOLVED, BadHead, read_head

DEFAULT_SEED = 1
DEFAULT_RULE = "random"

# Only against hanging for ever: a command takes a fraction of a second.
HANG_SECONDS = 120

# What a replay promises to repeat. `seconds` is not among it, nor is the name of the run.
# A failure is no matter of thread order if so many schedules fail and none passes.
SCHEDULES_OF_ORDER = 20

REPEATED = ("outcome", "failure", "threads", "steps", "switches", "preemptions", "points",
            "schedule")


class Mismatch(Exception):
    pass


class Commands:
    """Runs commands in the working folder and remembers them for the message."""

    def __init__(self, unravel, work):
        self.unravel = unravel
        self.work = work
        self.done = []
        # Options may also come from the environment.
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("UNRAVEL_")}

    def start(self, *arguments):
        self.done.append(shlex.join(arguments))
        process = subprocess.Popen(
            arguments, cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(timeout=HANG_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Mismatch(f"it did not end within {HANG_SECONDS} s")
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")

    def tool(self, status, *arguments):
        """Runs unravel, which must end with this exit status."""
        got, out, err = self.start(self.unravel, *arguments)
        if got != status:
            raise Mismatch(f"exit status {got} instead of {status}\n{indented(out + err)}")
        return out, err

    def json(self, status, command, *arguments):
        out, err = self.tool(status, command, "--json", *arguments)
        try:
            return json.loads(out), err
        except json.JSONDecodeError as error:
            raise Mismatch(f"standard output is not JSON: {error}\n{indented(out)}")


def indented(text):
    return "".join(f"    {line}\n" for line in text.splitlines())


def check(condition, words):
    if not condition:
        raise Mismatch(words)


def check_same(what, before, now):
    check(before == now, f"{what} differs\n  before:\n{indented(str(before))}"
                         f"  now:\n{indented(str(now))}")


def check_repeated(before, now):
    # What could not be had the second time is often why something differs.
    check_same("warnings", before.get("warnings"), now.get("warnings"))
    for name in REPEATED:
        check_same(name, before.get(name), now.get(name))


def table_of(commands, run):
    """All its steps, without the lines on top, which name the run and its duration."""
    out, _ = commands.tool(0, "show", run, "--rows", "all")
    return out.split("\n\n", 1)[1]


def check_trace(commands, run, program, status):
    """The schedule alone brings back the same steps in the same places."""
    schedule = run["schedule"] or run["schedule_file"]
    again, _ = commands.json(status, "run", "--schedule", schedule, "--", program)
    check_repeated(run, again)
    table = table_of(commands, run["run"])
    check_same("table of steps", table, table_of(commands, again["run"]))
    return table


def check_passing(commands, head, program, seed):
    native = commands.start(program)
    check(native[0] == 0, f"without unravel its exit status is {native[0]}\n{indented(native[2])}")

    many, err = commands.json(0, "run", *head.options(), "--seed", seed,
                              "--runs", str(head.runs), "--", program)
    check(many["outcome"] == "passed", f"outcome {many['outcome']}")
    check(many["runs"] == head.runs, f"{many['runs']} runs instead of {head.runs}")
    check(f"{head.runs} runs, no failure\n" in err, f"not every run passed\n{indented(err)}")

    run, _ = commands.json(0, "run", *head.options(), "--seed", seed, "--", program)
    check(run["outcome"] == "passed", f"outcome {run['outcome']}")
    again, _ = commands.json(0, "replay", run["run"])
    check_repeated(run, again)

    out, err = commands.tool(0, "replay", run["run"])
    check_same("standard output", native[1], out)
    check("reproduced" in err, f"not reproduced\n{indented(err)}")
    check_trace(commands, run, program, 0)


def find(commands, head, program, seed):
    """Its failure, hunted and explained as a user would; or by a rule, if its head names one."""
    if head.rule != DEFAULT_RULE:
        run, err = commands.json(1, "run", *head.options(), "--seed", seed,
                                 "--runs", str(head.runs), "--", program)
        return {**run, "found_at_run": run["runs"], **explain(commands, run)}, err
    points = ("--points", head.points) if head.points else ()
    hunt, err = commands.json(1, "hunt", "--jobs", "1", *points, "--seed", seed,
                              "--runs", str(head.runs), "--", program)
    run = hunt["failures"][0]
    check(run["verified"], f"not reproduced\n{indented(err)}")
    return run, err


def explain(commands, run):
    """As a hunt does it, by commands."""
    simplified, _ = commands.json(0, "simplify", "--jobs", "1", run["run"])
    arguments = ("isolate", "--json", "--jobs", "1", simplified["run"])
    status, out, err = commands.start(commands.unravel, *arguments)
    if status == 2 and "no run near" in err:
        return {"simplified": simplified}
    check(status == 0, f"exit status {status} instead of 0\n{indented(out + err)}")
    return {"simplified": simplified, "isolated": json.loads(out)}


def check_failing(commands, head, program, seed):
    run, err = find(commands, head, program, seed)
    check(run["outcome"] == "failed", f"outcome {run['outcome']}")
    kind = run["failure"]["kind"]
    check(kind == head.expect, f"it failed by {kind} instead of {head.expect}\n{indented(err)}")

    for _ in range(2):
        again, err = commands.json(1, "replay", run["run"])
        check_repeated(run, again)
        check(again["reproduced"], f"not reproduced\n{indented(err)}")
    table = check_trace(commands, run, program, 1)
    tell_unnamed_bug(head, json.dumps(run["failure"]) + table)
    found = f"found in run {run['found_at_run']} of {head.runs}, {run['preemptions']} preemptions"
    if run.get("depends_on_order", True):
        check_explanation(commands, run)
        tell_places_elsewhere(head, run)
        print(f"{found}, {run['simplified']['after']['preemptions']} when simplified")
    else:
        check(run["schedules_tried"] >= SCHEDULES_OF_ORDER,
              f"called no matter of order after {run['schedules_tried']} schedules")
        check("simplified" not in run, "explained by an order that does not matter")
        print(f"{found}, under every schedule")


def check_explanation(commands, run):
    simplified, isolated = run["simplified"], run.get("isolated")
    problems = problems_of_simplified(run, simplified)
    check(not problems, "\n".join(problems))
    key = run["failure"]["key"]
    if simplified["run"] != run["run"]:
        again = check_fails_by(commands, simplified["run"], key)
        for part in COST:
            check_same(part, simplified["after"][part], again[part])
    if not isolated:
        return
    check(isolated["minimal"], "what decides is not minimal")
    if isolated["failing"] != simplified["run"]:
        check_fails_by(commands, isolated["failing"], key)
    again, err = commands.json(0, "replay", isolated["passing"])
    check(again["outcome"] == "passed", f"the passing run: outcome {again['outcome']}")
    check(again["reproduced"], f"not reproduced\n{indented(err)}")


def check_fails_by(commands, run, key):
    again, err = commands.json(1, "replay", run)
    check(again["reproduced"], f"not reproduced\n{indented(err)}")
    check_same("key of the failure", key, again["failure"]["key"])
    return again


def tell_unnamed_bug(head, report):
    """A report that names none of the bug's functions is worth a look, but no failure."""
    if head.bug and not any(re.search(rf"\b{re.escape(name)}\b", report) for name in head.bug):
        print(f"unnamed: the report names none of {', '.join(head.bug)}")


def tell_places_elsewhere(head, run):
    """So is an explanation that is not about those functions."""
    if head.bug:
        for words in places_elsewhere(head.bug, run["simplified"], run.get("isolated")):
            print(f"elsewhere: {words}, not in {', '.join(head.bug)}")


def check_unresolved(commands, head, program, seed):
    run, err = commands.json(2, "run", *head.options(), "--seed", seed, "--timeout", "1s",
                             "--runs", str(head.runs), "--", program)
    check(run["outcomes"].get("unresolved"), f"it never hung\n{indented(err)}")


def roundtrip(commands, head, program, seed):
    try:
        if head.expect == UNRESOLVED:
            check_unresolved(commands, head, program, seed)
        elif head.expect == "passed":
            check_passing(commands, head, program, seed)
        else:
            check_failing(commands, head, program, seed)
    except Mismatch as mismatch:
        *before, last = commands.done
        print(f"FAILED: {mismatch}\n\nin {commands.work} this shows it:")
        for command in before:
            print(f"  {command} >/dev/null 2>&1")
        print(f"  {last}")
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("unravel", "program", "source", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--built-by", help="a compiler and its level: gcc-O1")
    options = parser.parse_args()
    try:
        head = read_head(options.source)
    except BadHead as error:
        print(f"{options.source}: bad head: {error}")
        return 1
    if options.built_by:
        compiler, level = options.built_by.split("-")
        head = head.built_by(compiler, f"-{level}")

    work = pathlib.Path(options.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    seed = os.environ.get("UNRAVEL_ROUNDTRIP_SEED") or str(DEFAULT_SEED)
    commands = Commands(options.unravel, work)
    if not roundtrip(commands, head, options.program, seed):
        return 1
    shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
