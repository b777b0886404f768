#!/usr/bin/env python3
"""How coarse does `unravel simplify` make failing runs, how near to the best, and in how many runs?

Seven programs with one bug each, after those of Jalbert and Sen, "A Trace Simplification Technique for Effective
Debugging of Concurrent Programs" (FSE 2010). For each of many seeds a random run that fails is simplified, and the
result replayed: it must fail with the same key. The exit status is 1 if it does not, or a command did not work, or a
result is better than the best; targets that are missed do not change it.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import sys

from arguments import count_of
import simplify_programs
import simplify_tables
import simplify_trials
from hunt_trials import in_parallel
from simplify_trials import Trouble

SEEDS, QUICK_SEEDS = 30, 3


def measure(program, seeds, parallel, explain):
    problem = simplify_trials.check_plain_order(program)
    trials = in_parallel(parallel, [
        lambda seed=seed: simplify_trials.try_seed(program, seed, explain) for seed in range(1, seeds + 1)])
    figures = simplify_trials.figures_of(program, trials)
    problems = ([problem] if problem else []) + simplify_trials.problems_of(program, trials, figures)
    if not figures["found"]:
        problems.append("no failing run was found")
    return {"program": program.name, "points": program.points,
            "optimum": program.optimum and dataclasses.asdict(program.optimum), "figures": figures,
            "targets": simplify_trials.targets_of(program, figures), "trials": trials, "problems": problems}


def simplify_all(programs, seeds, parallel, explain):
    rows = []
    for program in programs:
        rows.append(measure(program, seeds, parallel, explain))
        print(f"{program.name}: {rows[-1]['figures']['found']} of {seeds} found, "
              f"{rows[-1]['figures']['simplified']} simplified", file=sys.stderr, flush=True)
    simplify_tables.print_start(rows)
    done = [row for row in rows if row["figures"]["simplified"]]
    overall = simplify_trials.overall(done)
    if done:
        simplify_tables.print_simplified(done)
        simplify_tables.print_cost(done)
        simplify_tables.print_distances(done, overall)
        simplify_tables.print_targets(done, overall)
    return {"programs": rows, "overall": overall}


def search_all(programs, most_runs, jobs):
    """Searches for the optima again, and says where they are not those that are listed."""
    print(f"The fewest switches, by search of up to {most_runs} runs")
    print()
    rows = []
    for program in programs:
        row = {"program": program.name, "problems": []}
        try:
            row["found"] = simplify_trials.search_optimum(program, most_runs, jobs)
            simplify_tables.print_optimum(program.name, program.optimum, row["found"])
            row["problems"] += contradictions(program.optimum, row["found"])
        except Trouble as trouble:
            row["problems"].append(str(trouble))
        simplify_tables.print_problems(row["problems"])
        rows.append(row)
    return {"optima": rows}


def contradictions(listed, found):
    if not listed or found["switches"] is None:
        return []
    said, seen = (listed.switches, listed.preemptions), (found["switches"], found["preemptions"])
    if seen < said or (found["known"] and seen != said):
        return [f"{said[0]} switches and {said[1]} preemptions are listed, {seen[0]} and {seen[1]} were found"]
    if not found["known"] and found["at_least"] > said[0]:
        return [f"{said[0]} switches are listed, but at least {found['at_least']} are needed"]
    return []


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few seeds: does it run at all? minutes")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    parser.add_argument("--only", metavar="GLOB", default="*", help="programs with such a name, such as 'sort*'")
    parser.add_argument("--parallel", metavar="N", type=count_of, default=len(os.sched_getaffinity(0)),
                        help="so many trials at a time (default: one a CPU)")
    parser.add_argument("--start-only", action="store_true",
                        help="only find the failing runs to start from, and replay them")
    parser.add_argument("--optimum", action="store_true",
                        help="search for the fewest switches of each program instead, by running")
    parser.add_argument("--most-runs", metavar="N", type=count_of, default=200_000,
                        help="so many runs of such a search, then it gives up (default: 200000)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    differences = simplify_programs.differences()
    if differences:
        sys.exit("\n".join(f"simplify: {sentence}" for sentence in differences))
    programs = simplify_programs.matching([*simplify_programs.PROGRAMS, *simplify_programs.SMALL], arguments.only)
    if not programs:
        sys.exit(f"simplify: no program's name is like '{arguments.only}'; their names are in simplify_programs.py")
    json_file = arguments.json and pathlib.Path(arguments.json).resolve()

    if arguments.optimum:
        figures = search_all(programs, arguments.most_runs, arguments.parallel)
    else:
        figures = simplify_all(programs, QUICK_SEEDS if arguments.quick else SEEDS, arguments.parallel,
                               None if arguments.start_only else simplify_trials.simplify)
    if json_file:
        json_file.write_text(json.dumps(figures, indent=2) + "\n")
    rows = figures.get("programs") or figures["optima"]
    return 1 if any(row["problems"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
