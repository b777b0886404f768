#!/usr/bin/env python3
"""How many runs and how much time does `unravel hunt` take to find a bug?

Small programs of known families with one bug each are hunted with many seeds: by the portfolio, which is the
default, and by every single strategy. Then SafeStack for a time, correct programs, in which nothing may be
found, and runs per second. The exit status is 1 if a correct program failed, a failure was not verified, or a
command did not work; targets that are missed do not change it.
"""
import argparse
import json
import os
import pathlib
import sys

from arguments import count_of
import hunt_programs
import hunt_speed
import hunt_tables
from hunt_trials import (PORTFOLIO, SINGLES, Limits, hunt, hunt_many, in_parallel, passes_in_plain_order,
                         problems_of, ratio_to_best, verdict)


class Counts:
    def __init__(self, quick):
        self.portfolio = Limits(5, 5, 2000, 20) if quick else Limits(100, 10, 10000, 120)
        self.single = Limits(3, 1, 500, 10) if quick else Limits(20, 5, 2000, 30)
        self.correct_runs, self.correct_seconds = (500, 120) if quick else (20000, 1800)
        self.safe_stack_seconds = 20 if quick else 600


def hunt_by_all(program, counts, parallel):
    problem, threads = passes_in_plain_order(program)
    portfolio = hunt_many(program, PORTFOLIO, counts.portfolio, parallel)
    singles = [hunt_many(program, name, counts.single, parallel) for name in SINGLES]
    results = [portfolio, *singles]
    return {"program": program.name, "threads": threads, "target": program.target,
            "verdict": verdict(program, portfolio), "ratio": ratio_to_best(portfolio, singles),
            "strategies": results, "problems": ([problem] if problem else []) + problems_of(results)}


def hunt_programs_with_bugs(programs, counts, parallel):
    if not programs:
        return []
    hunt_tables.print_programs_head()
    rows = []
    for program in programs:
        rows.append(hunt_by_all(program, counts, parallel))
        hunt_tables.print_program(rows[-1])
    hunt_tables.print_summary(rows)
    return rows


def hunt_correct(program, counts):
    problem, threads = passes_in_plain_order(program)
    trial = hunt(program, PORTFOLIO, 1, counts.correct_runs, counts.correct_seconds)
    problems = [said for said in (problem, trial["problem"]) if said]
    if trial["timed_out"]:
        problems.append(f"it did not end within {counts.correct_seconds} seconds")
    elif trial["found"]:
        problems.append(f"it is correct, but at run {trial['runs']}: {trial['failure']}")
    elif not trial["problem"] and trial["outcome"] != "passed":
        problems.append(f"the outcome is {trial['outcome']}, not passed")
    return {"program": program.name, "threads": threads, "trial": trial, "problems": problems}


def hunt_all_correct(programs, counts, parallel):
    if not programs:
        return []
    rows = in_parallel(parallel, [lambda program=program: hunt_correct(program, counts)
                                  for program in programs])
    hunt_tables.print_correct(rows, counts.correct_runs)
    return rows


def hunt_safe_stack(seconds):
    """For a time, not for a number of runs, with all CPUs."""
    problem, _ = passes_in_plain_order(hunt_programs.SAFE_STACK)
    jobs = len(os.sched_getaffinity(0))
    trial = hunt(hunt_programs.SAFE_STACK, PORTFOLIO, 1, 10**9, seconds, jobs)
    row = {"program": hunt_programs.SAFE_STACK.name, "jobs": jobs, "trial": trial,
           "problems": [said for said in (problem, trial["problem"]) if said]}
    hunt_tables.print_safe_stack(row)
    return row


def measure_speed(programs, counts):
    if not programs:
        return {"programs": [], "summary": []}
    rows = [hunt_speed.measure(program, counts) for program in programs]
    summary = hunt_speed.summary_of(rows)
    hunt_tables.print_speed(rows, summary)
    return {"programs": rows, "summary": summary}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few trials: does it run at all? minutes")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    parser.add_argument("--only", metavar="GLOB", default="*",
                        help="programs with such a name, such as 'reorder_*'")
    parser.add_argument("--parallel", metavar="N", type=count_of,
                        default=len(os.sched_getaffinity(0)),
                        help="so many hunts at a time, but where speed is measured (default: one a CPU)")
    parser.add_argument("--safestack", metavar="SECONDS", type=count_of,
                        help="hunt SafeStack for so long (default: 600, with --quick 20)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    differences = hunt_programs.differences()
    if differences:
        sys.exit("\n".join(f"hunt: {sentence}" for sentence in differences))

    def chosen(programs):
        return hunt_programs.matching(programs, arguments.only)

    counts = Counts(arguments.quick)
    with_safe_stack = bool(chosen([hunt_programs.SAFE_STACK]))
    if not with_safe_stack and not chosen([*hunt_programs.BUGGY, *hunt_programs.CORRECT,
                                           *hunt_programs.MANY_THREADS]):
        sys.exit(f"hunt: no program's name is like '{arguments.only}'; their names are in "
                 "hunt_programs.py")
    json_file = arguments.json and pathlib.Path(arguments.json).resolve()

    figures = {"programs": hunt_programs_with_bugs(chosen(hunt_programs.BUGGY), counts,
                                                   arguments.parallel)}
    figures["correct"] = hunt_all_correct(chosen(hunt_programs.CORRECT), counts, arguments.parallel)
    if with_safe_stack:
        figures["safe_stack"] = hunt_safe_stack(arguments.safestack or counts.safe_stack_seconds)
    figures["speed"] = measure_speed(chosen([*hunt_programs.CORRECT, *hunt_programs.MANY_THREADS]),
                                     hunt_speed.Counts(arguments.quick))
    if json_file:
        json_file.write_text(json.dumps(figures, indent=2) + "\n")
    rows = [*figures["programs"], *figures["correct"], *figures["speed"]["programs"],
            *([figures["safe_stack"]] if with_safe_stack else [])]
    return 1 if any(row["problems"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
