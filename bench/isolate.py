#!/usr/bin/env python3
"""How many tests does `unravel isolate` take to find the one switch of a long run that makes it fail?

The case study of Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002, at its size:
a ray tracer (examples/05-ray-tracer.cpp) with a race in Scene::load is run until it fails, under a schedule of
thousands of switches. The failing run is isolated as it is, first against a passing run far from it, then
against the nearest that is found. The exit status is 1 if a command did not work, the failing run does not
replay, or what is left is not minimal or, far away, not in Scene::load; figures that are wanted do not change it.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from arguments import count_of

HERE = pathlib.Path(__file__).resolve().parent
UNRAVEL = HERE.parent / "bin" / "unravel"
PROGRAM = HERE / "programs" / "ray_tracer"

# Where the count of loaded scenes is read and written, and no lock is held.
RACE = "Scene::load"

# Of the paper: deltas and tests of its case study. Of ours: what is wanted of it on two cores.
PAPER = {"deltas": 3_842_577_240, "tests": 50, "neighbour_tests": 66, "seconds": 28 * 60}
WANTED_DELTAS, WANTED_TESTS, WANTED_SECONDS = 3_800_000_000, 45, 300

# For every command: the longest run is far below, and a run has more steps than others may have.
LIMITS = {"UNRAVEL_TIMEOUT": "2m", "UNRAVEL_MAX_STEPS": "1000000000"}
COMMAND_SECONDS = 3600


@dataclasses.dataclass(frozen=True)
class Size:
    """Of the failing run: a picture, how often its threads are switched, and what must come of that."""
    picture: tuple
    probability: float
    points: int
    switches: int
    width: int  # of the passing runs that are far away, in points


# A probability has 65,536 parts; a part more or less is far from the same number of switches.
FULL = Size(("320", "240", "4"), 6 / 65536, 50_000_000, 3_000, 16_000_000)
QUICK = Size(("48", "36", "4"), 6 / 65536, 1_000_000, 50, 300_000)


class Problem(Exception):
    pass


def unravel(folder, command, *arguments, statuses):
    """The command's JSON, from a folder whose store it uses."""
    line = [UNRAVEL, command, "--json", *arguments]
    try:
        done = subprocess.run(line, cwd=folder, env={**os.environ, **LIMITS}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace",
                              timeout=COMMAND_SECONDS)
    except subprocess.TimeoutExpired:
        raise Problem(f"unravel {command} did not end within {COMMAND_SECONDS} seconds")
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = {}
    if done.returncode not in statuses or not answer:
        error = answer.get("error") or {}
        said = "; ".join(error[part] for part in ("what", "why") if error.get(part))
        said = said or answer.get("explanation") or done.stderr.strip()[-300:]
        raise Problem(f"unravel {command}: exit status {done.returncode}: {said}")
    return answer


def by_rule(folder, size, command, arguments):
    """The first of many seeds that fails: the same one every time."""
    run = unravel(folder, "run", "--points", "calls", "--rule", "random", "--probability",
                  f"{size.probability:.8f}", "--seed", str(arguments.seed),
                  "--runs", str(arguments.attempts), "--", *command, statuses=(0, 1))
    return run, run.get("runs", 1)


def by_clock(folder, _, command, arguments):
    """As the program runs by itself, with a thread's time as short as it is asked for."""
    for attempt in range(1, arguments.attempts + 1):
        run = unravel(folder, "record", "--points", "calls", "--tick", arguments.tick, "--", *command,
                      statuses=(0, 1))
        if run["outcome"] == "failed":
            break
    return run, attempt


def make_failing_run(folder, size, arguments):
    command = [PROGRAM, *(arguments.picture or size.picture)]
    run, attempts = (by_clock if arguments.tick else by_rule)(folder, size, command, arguments)
    if run["outcome"] != "failed":
        raise Problem(f"none of {attempts} runs failed")
    for name, least in (("steps", size.points), ("switches", size.switches)):
        if run[name] < least:
            raise Problem(f"the failing run has {run[name]} {name}, {least} are needed")
    again = unravel(folder, "replay", run["run"], statuses=(1,))
    if not again.get("reproduced"):
        raise Problem(f"the failing run {run['run']} does not replay")
    return {"run": run["run"], "picture": command[1:], "attempts": attempts, "threads": run["threads"],
            "points": run["steps"], "switches": run["switches"], "preemptions": run["preemptions"],
            "failure": run["failure"]["key"], "seconds": again["seconds"]}


def function_of(site):
    return (site.get("function") or "?").replace("(anonymous namespace)::", "")


def in_race(site):
    return site is not None and function_of(site).split("(")[0] == RACE


def isolate(folder, failing, width):
    begun = time.monotonic()
    answer = unravel(folder, "isolate", failing["run"], "--width", str(width), statuses=(0,))
    answer |= {"width": width, "real_seconds": round(time.monotonic() - begun, 2), "problems": []}
    sites = [difference[side] for difference in answer["differences"]
             for side in ("passing_site", "failing_site")]
    if not answer["minimal"]:
        answer["problems"].append("what is left is not minimal")
    # Near the failing run another switch may decide as well: who is created first, for one.
    if width > 1 and not any(in_race(site) for site in sites):
        answer["problems"].append(f"no difference that is left is in {RACE}")
    return answer


# --- What it prints -------------------------------------------------------------------------------


def named(site):
    if not site:
        return "?"
    if not site.get("file"):
        return f"{function_of(site)}  {site['module']}+{site['offset']:#x}"
    return f"{function_of(site)}  {os.path.basename(site['file'])}:{site['line']}"


def print_failing(failing):
    print(f"The failing run: a picture of {failing['picture'][0]} x {failing['picture'][1]}, "
          f"{failing['threads']} threads with main\n"
          f"  points             {failing['points']:>14,}\n"
          f"  switches           {failing['switches']:>14,}\n"
          f"  preemptions        {failing['preemptions']:>14,}\n"
          f"  failed at attempt  {failing['attempts']:>14}\n"
          f"  strict replay      {failing['seconds']:>14.2f} s\n"
          f"  {failing['failure']}\n", flush=True)


ROWS = (("deltas", "deltas", f"at least {WANTED_DELTAS:,} are wanted"),
        ("tests", "tests", f"at most {WANTED_TESTS} are wanted"),
        ("neighbour tests", "neighbour_tests", ""),
        ("unresolved", "unresolved", ""),
        ("seconds", "seconds", f"less than {WANTED_SECONDS} are wanted, with all of it"))


def print_isolated(title, answer, with_wanted):
    print(f"{title}, from a width of {answer['width']:,} points:")
    for words, name, wanted in ROWS:
        value = f"{answer[name]:,.1f}" if name == "seconds" else f"{answer[name]:,}"
        paper = f"the paper's: {PAPER[name]:,}" if name in PAPER and with_wanted else ""
        comment = "; ".join(part for part in (wanted if with_wanted else "", paper) if part)
        print(f"  {words:18} {value:>14}" + (f"   ({comment})" if comment else ""))
    print(f"  {'minimal':18} {'yes' if answer['minimal'] else 'no':>14}")
    for difference in answer["differences"]:
        print(f"  switch #{difference['switch']}: T{difference['from']} to T{difference['to']}\n"
              f"    passes at {difference['passing_at']:16} {named(difference['passing_site'])}\n"
              f"    fails at  {difference['failing_at']:16} {named(difference['failing_site'])}")
    for problem in answer["problems"]:
        print(f"  FAILED: {problem}")
    print(flush=True)


def study(folder, size, arguments, figures):
    failing = make_failing_run(folder, size, arguments)
    figures["failing"] = failing
    print_failing(failing)
    for title, width in (("Against a passing run far away", arguments.width or size.width),
                         ("Against the nearest passing run", 1)):
        answer = isolate(folder, failing, width)
        figures["isolations"].append(answer)
        print_isolated(title, answer, with_wanted=width != 1 and size is FULL)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tiny picture: does it run at all?")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    parser.add_argument("--seed", type=count_of, default=1, help="of the failing run (default: 1)")
    parser.add_argument("--attempts", metavar="N", type=count_of, default=100,
                        help="so many runs may be made until one fails (default: 100)")
    parser.add_argument("--width", metavar="POINTS", type=count_of,
                        help="of the passing runs far away (default: 16000000)")
    parser.add_argument("--tick", metavar="TIME",
                        help="make the failing run by `unravel record` with this tick, not by a rule")
    parser.add_argument("--picture", nargs=3, metavar=("WIDTH", "HEIGHT", "THREADS"),
                        help="another picture; with --tick 1ms one of 560 x 420 has 3000 switches")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    figures = {"isolations": [], "problem": None}
    # In memory where that can be: a disk is no part of what is measured.
    folder = tempfile.mkdtemp(prefix="unravel-isolate-",
                              dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    try:
        study(folder, QUICK if arguments.quick else FULL, arguments, figures)
    except Problem as problem:
        figures["problem"] = str(problem)
        print(f"FAILED: {problem}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(figures, indent=2) + "\n")
    return 1 if figures["problem"] or any(one["problems"] for one in figures["isolations"]) else 0


if __name__ == "__main__":
    sys.exit(main())
