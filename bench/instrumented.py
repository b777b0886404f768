#!/usr/bin/env python3
"""Programs built with hooks at memory accesses: do they still do what they should?

Programs of Debian 12 are built from its sources, with unravel-cc and as GCC builds for
ThreadSanitizer, and run under many random schedules: with points at all memory accesses, and with
those of the set auto, which are learnt first. Their output is compared to the native one, and one
schedule is replayed strictly. The exit status is 1 if anything went otherwise.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import types

import instrumented_programs
from debian_sources import CannotBuild
from schedules import (limits, make_oracle, print_indented, replay_one, run_benchmark,
                       try_schedules, unravel)

SETS = ("memory", "auto")


def options_for(points):
    # Every access may be a step.
    return ["--points", points, "--max-steps", "1000000000"]


class Counts:
    def __init__(self, quick):
        self.schedules, self.replays, self.seeds = (5, 2, 2) if quick else (200, 20, 10)


def native_environment():
    """ThreadSanitizer's own library is loaded here: what it finds must not end the program."""
    return dict(os.environ, TSAN_OPTIONS="exitcode=0 report_bugs=0")


def describe_runs(program, seeds, row):
    options = options_for(row["points"])
    runs = [unravel("run", ["--seed", str(seed), *limits(), *options, "--", *program.command])
            for seed in range(seeds)]
    if any(run["outcome"] != "passed" for run in runs):
        row["problems"].append("a run with another seed did not pass")
        return
    row["threads"] = [min(run["threads"] for run in runs), max(run["threads"] for run in runs)]
    for name in ("steps", "switches", "preemptions"):
        row[name] = int(statistics.median(run[name] for run in runs))


def examine(program, how, points, counts, expected):
    row = {"program": program.name, "build": how, "points": points, "problems": []}
    try:
        folder = instrumented_programs.build(program.package, how)
    except CannotBuild as error:
        row["problems"].append(str(error))
        return row
    command = program.command_in(folder)
    if program.prepare:
        subprocess.run([command[0], *program.prepare.split()], check=True,
                       env=native_environment())
    built = types.SimpleNamespace(command=command, server=False)
    oracle = make_oracle(built, native_environment())
    output = pathlib.Path("expected").read_bytes()
    if expected.setdefault(program.name, output) != output:
        row["problems"].append("natively its builds do not write the same")
    options = options_for(points)
    try_schedules(built, oracle, counts.schedules, row, options)
    replay_one(built, oracle, counts.replays, row, options)
    describe_runs(built, counts.seeds, row)
    return row


HEAD = (f"{'program':11}{'built by':12}{'points':8}{'threads':>8}{'steps':>10}{'switches':>10}"
        f"{'preemptions':>13}{'passed':>11}{'replayed':>10}{'runs/s':>8}")


def print_row(row):
    fewest, most = row.get("threads", (0, 0))
    threads = str(most) if fewest == most else f"{fewest}-{most}"
    if "passed" in row:
        print(f"{row['program']:11}{row['build']:12}{row['points']:8}{threads:>8}{row.get('steps', '-'):>10}"
              f"{row.get('switches', '-'):>10}{row.get('preemptions', '-'):>13}"
              f"{row['passed']:>5} / {row['schedules']:<3}"
              f"{row['reproduced']:>5} / {row['replays']:<2}{row['runs_per_second']:>8}",
              flush=True)
    else:
        print(f"{row['program']:11}{row['build']:12}{row['points']:8}", flush=True)
    print_indented([f"FAILED: {problem}" for problem in row["problems"]])


def examine_all(quick, only):
    counts = Counts(quick)
    rows, expected = [], {}
    print(HEAD, flush=True)
    for program in instrumented_programs.PROGRAMS:
        if only not in program.name:
            continue
        for how in instrumented_programs.BUILDS:
            for points in SETS:
                rows.append(examine(program, how, points, counts, expected))
                print_row(rows[-1])
    return rows


def main():
    return run_benchmark(__doc__, instrumented_programs.make_files, examine_all)


if __name__ == "__main__":
    sys.exit(main())
