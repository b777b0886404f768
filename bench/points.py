#!/usr/bin/env python3
"""Does `--points auto` find what `--points memory` finds, and how many runs do bugs in worker pools take?

Part `programs`: the failing test programs with hooks, hunted with both sets of points. Part `appear`: programs
whose bug is at an access that no run executes until other orders were tried. Part `workers`: pools of workers that
all run the same lines. Part `held`: more pools, set aside until the end; it runs only if it is named. The exit
status is 1 if memory found a bug that auto did not find, a failure was not verified, or a command did not work;
targets that are missed do not change it.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

from arguments import count_of
from hunt_trials import (FIND_ONLY, PORTFOLIO, Limits, hunt_many, passes_in_plain_order, problems_of, verdict)
import points_programs
import points_tables

PARTS = ("programs", "appear", "workers", "held")
USUAL_PARTS = PARTS[:3]
MOST_SEEDS_OF_POS = 20


class Counts:
    def __init__(self, arguments):
        seeds = min(arguments.seeds, 3) if arguments.quick else arguments.seeds
        runs, seconds = (500, 10) if arguments.quick else (2000, 30)
        self.single = Limits(seeds, seeds, runs, seconds)
        self.portfolio = self.single if arguments.quick else Limits(seeds, seeds, 10000, 120)
        pos_seeds = min(seeds, MOST_SEEDS_OF_POS)
        self.pos = Limits(pos_seeds, pos_seeds, runs, seconds)


def hunt_with_points(program, points, limits, parallel):
    trials = hunt_many(program, PORTFOLIO, limits, parallel, (*FIND_ONLY, "--points", points))
    return {**trials, "strategy": f"--points {points}"}


# --- Test programs: auto beside memory ---


def hunt_test_program(program, counts, parallel):
    results = [hunt_with_points(program, points, counts.single, parallel) for points in ("auto", "memory")]
    return {"program": program.name, "results": results, "problems": problems_of(results)}


def hunt_test_programs(arguments, counts):
    rows = []
    with tempfile.TemporaryDirectory(prefix="unravel-points-") as folder:
        programs = points_programs.test_programs(arguments.only, pathlib.Path(folder), arguments.parallel)
        if not programs:
            return []
        points_tables.print_test_programs_head()
        for program in programs:
            rows.append(hunt_test_program(program, counts, arguments.parallel))
            points_tables.print_test_program(rows[-1])
    points_tables.print_missed(rows, missed_by_auto(rows), found_less_often(rows))
    return rows


def missed_by_auto(rows):
    """Rows of the programs whose bug memory found and auto did not."""
    return [row for row in rows if row["results"][1]["found"] and not row["results"][0]["found"]]


def found_less_often(rows):
    return [row for row in rows if 0 < row["results"][0]["found"] < row["results"][1]["found"]]


# --- Programs of our own ---


def hunt_appear(program, counts, parallel):
    problem, _ = passes_in_plain_order(program)
    result = hunt_with_points(program, "auto", counts.portfolio, parallel)
    return {"program": program.name, "levels": points_programs.levels_of(program), "results": [result],
            "problems": ([problem] if problem else []) + problems_of([result])}


def hunt_workers(program, counts, parallel):
    problem, threads = passes_in_plain_order(program)
    portfolio = hunt_many(program, PORTFOLIO, counts.portfolio, parallel)
    pos = hunt_many(program, "pos", counts.pos, parallel)
    return {"program": program.name, "threads": threads, "target": program.target,
            "verdict": verdict(program, portfolio), "results": [portfolio, pos],
            "problems": ([problem] if problem else []) + problems_of([portfolio, pos])}


def hunt_part(part, arguments, counts):
    if part == "programs":
        return hunt_test_programs(arguments, counts)
    programs = points_programs.programs_of(part, arguments.only)
    if not programs:
        return []
    if part == "appear":
        points_tables.print_appear_head()
        hunt_one, print_one = hunt_appear, points_tables.print_appear
    else:
        points_tables.print_workers_head(part)
        hunt_one, print_one = hunt_workers, points_tables.print_workers
    rows = []
    for program in programs:
        rows.append(hunt_one(program, counts, arguments.parallel))
        print_one(rows[-1])
    return rows


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append",
                        help="only this part; may be repeated (default: all but held)")
    parser.add_argument("--seeds", metavar="N", type=count_of, default=20, help="so many each (default: 20)")
    parser.add_argument("--only", metavar="PATTERN", default="*",
                        help="programs with such a name, such as 'assert/*' or 'task_graph'")
    parser.add_argument("--parallel", metavar="N", type=count_of, default=len(os.sched_getaffinity(0)),
                        help="so many hunts at a time (default: one a CPU)")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    parser.add_argument("--quick", action="store_true", help="three seeds, 500 runs: does it run at all? minutes")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    counts = Counts(arguments)
    figures = {part: hunt_part(part, arguments, counts) for part in arguments.part or USUAL_PARTS}
    if not any(figures.values()):
        sys.exit(f"points: no program's name is like '{arguments.only}'")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(figures, indent=2) + "\n")
    problems = any(row["problems"] for rows in figures.values() for row in rows)
    return 1 if problems or missed_by_auto(figures.get("programs", [])) else 0


if __name__ == "__main__":
    sys.exit(main())
