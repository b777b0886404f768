#!/usr/bin/env python3
"""Does a strategy earn its place in the portfolio?

The programs of bench/hunt are hunted with the same seeds by the portfolio and by all its strategies but one. For
every program: mean runs to the bug with and without it, and their ratio with an interval of 95 % (bootstrap over
the trials). A program counts as worse if the whole interval lies above 1.1. Of the programs that take more than
ten runs without the strategy, the geometric mean of the ratios is printed. The exit status is 1 if a command did
not work or a failure was not verified; a program that is worse does not change it.
"""
import argparse
import json
import math
import os
import pathlib
import random
import statistics
import sys

from arguments import count_of
import hunt_programs
from hunt_tables import number, print_problems, say
from hunt_trials import PORTFOLIO, SINGLES, Limits, hunt_many, problems_of

RESAMPLES = 2000
MANY_RUNS = 10
WORSE = 1.1


def runs_of(result):
    """A trial that did not find the bug took at least as many runs as it made."""
    return [trial["runs"] or 0 for trial in result["trials"]]


def interval_of(ones, others):
    """Of the ratio of the means, by drawing trials again and again; the seed is fixed, so that it repeats."""
    draw = random.Random(1)
    ratios = sorted(statistics.fmean(draw.choices(ones, k=len(ones)))
                    / statistics.fmean(draw.choices(others, k=len(others)))
                    for _ in range(RESAMPLES))
    return ratios[RESAMPLES * 25 // 1000], ratios[RESAMPLES * 975 // 1000]


def compare(program, rest, limits, parallel):
    results = [hunt_many(program, strategy, limits, parallel) for strategy in (PORTFOLIO, rest)]
    ones, others = map(runs_of, results)
    low, high = interval_of(ones, others)
    return {"program": program.name, "with": statistics.fmean(ones), "without": statistics.fmean(others),
            "found": [result["found"] for result in results], "of": [result["of"] for result in results],
            "ratio": statistics.fmean(ones) / statistics.fmean(others), "low": low, "high": high,
            "worse": low > WORSE, "problems": problems_of(results)}


def print_row(row):
    found = " ".join(f"{found}/{of}" for found, of in zip(row["found"], row["of"]) if found != of)
    say(f"  {row['program']:21}{number(row['with']):>10}{number(row['without']):>10}{row['ratio']:>9.2f}"
        f"   [{row['low']:.2f}, {row['high']:.2f}]{'  worse' if row['worse'] else ''}{'  ' if found else ''}{found}")
    print_problems(row["problems"])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few trials: does it run at all? a minute")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    parser.add_argument("--only", metavar="GLOB", default="*", help="programs with such a name")
    parser.add_argument("--strategy", default="predicted", choices=SINGLES, help="the one to leave out")
    parser.add_argument("--seeds", metavar="N", type=count_of, default=100)
    parser.add_argument("--parallel", metavar="N", type=count_of, default=len(os.sched_getaffinity(0)),
                        help="so many hunts at a time (default: one a CPU)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    programs = hunt_programs.matching(hunt_programs.BUGGY, arguments.only)
    if not programs:
        sys.exit(f"hunt_compare: no program's name is like '{arguments.only}'; their names are in hunt_programs.py")
    json_file = arguments.json and pathlib.Path(arguments.json).resolve()
    seeds = 3 if arguments.quick else arguments.seeds
    limits = Limits(seeds, seeds, 2000 if arguments.quick else 10000, 120)
    rest = ",".join(name for name in SINGLES if name != arguments.strategy)
    say(f"  {'program':21}{'with':>10}{'without':>10}{'ratio':>9}   95 %")
    rows = []
    for program in programs[:2] if arguments.quick else programs:
        rows.append(compare(program, rest, limits, arguments.parallel))
        print_row(rows[-1])
    slow = [row["ratio"] for row in rows if row["without"] > MANY_RUNS]
    mean = math.exp(statistics.fmean(map(math.log, slow))) if slow else None
    say(f"  {len(slow)} programs take more than {MANY_RUNS} runs without {arguments.strategy}: "
        f"{number(mean)} times as many with it (geometric mean); {sum(row['worse'] for row in rows)} of {len(rows)} are worse")
    if json_file:
        json_file.write_text(json.dumps({"programs": rows, "geometric_mean": mean}, indent=2) + "\n")
    return 1 if any(row["problems"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
