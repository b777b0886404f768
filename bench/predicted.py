#!/usr/bin/env python3
"""What does `unravel predict` find from a run that passes, and is what it confirms true?

Part `failing`: test programs that pass one thread after the other and fail under another schedule; how many
reach their failure, and in which run. Part `correct`: correct programs, of which none may fail. Part `paper`: the
twelve programs after table 1 of Huang and Zhang (ISSTA 2011); each stored run of a confirmed anomaly is replayed
strictly and must show it again. Beside it, hunts by pairs with as many runs. Part `large`: a trace of pbzip2 of 450,000
events or more; its source is fetched from Debian. The exit status is 1 if a correct program failed, an anomaly was not
shown again, or a command did not work; targets that are missed do not change it.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from arguments import count_of
from debian_sources import CannotBuild
from hunt_trials import UNRAVEL, in_parallel, new_folder, passes_in_plain_order, read_answer
import predicted_programs
import predicted_tables

PARTS = ("failing", "correct", "paper", "large")
# Of one command, in seconds.
MOST_SECONDS = 600
# How long predictions from the large trace are tried.
LARGE_TIME = "180s"
LARGE_EVENTS = 450_000


class Counts:
    def __init__(self, arguments):
        self.runs = min(arguments.runs, 10) if arguments.quick else arguments.runs
        self.papers_runs = 20 if arguments.quick else 300
        self.programs = 3 if arguments.quick else None


class Folder:
    """A store in memory and a working directory, for the commands of one program."""

    def __enter__(self):
        self.path = new_folder()
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, command, *arguments):
        """The command's JSON; in `said` what it wrote for people, in `problem` what went wrong."""
        line = [UNRAVEL, command, "--json", "--store", self.path / "store", *arguments]
        try:
            done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                  cwd=self.path / "work", timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return {"problem": f"unravel {command} did not end within {MOST_SECONDS} s", "said": ""}
        return {"problem": None, **read_answer(done.returncode, done.stdout, done.stderr, False), "said": done.stderr}


def predict(folder, runs, *arguments):
    return folder.run("predict", "--find-only", "--jobs", "1", "--seed", "1", "--runs", str(runs), *arguments)


def problems_of(*answers):
    return [answer["problem"] for answer in answers if answer["problem"]]


# --- Test programs ---


def run_of_failure(answer):
    """The number of the run that failed first; None: none did."""
    found = re.search(r"found in run (\d+)", answer["said"])
    return int(found[1]) if found and answer.get("failures") else None


def predict_failing(program, counts):
    problem, _ = passes_in_plain_order(program)
    row = {"program": program.name, "passes": problem is None, "problems": []}
    if not row["passes"]:
        return row
    with Folder() as folder:
        answer = predict(folder, counts.runs, "--", *program.command)
    confirmed = answer.get("confirmed", {})
    return {**row, "events": answer.get("events"), "traces": answer.get("traces"), "runs": answer.get("runs"),
            "confirmed": sum(confirmed.values()), "found_in_run": run_of_failure(answer),
            "seconds": answer.get("seconds"), "problems": problems_of(answer)}


def sum_of_failing(rows):
    tried = [row for row in rows if row["passes"]]
    found = [row["found_in_run"] for row in tried if row["found_in_run"]]
    return {"programs": len(tried), "found": len(found), "left_out": len(rows) - len(tried),
            "median_run": statistics.median(found) if found else None,
            "missed": [row["program"] for row in tried if not row["found_in_run"]]}


def measure_failing(arguments, counts):
    with tempfile.TemporaryDirectory(prefix="unravel-predicted-") as folder:
        programs = predicted_programs.failing_programs(arguments.only, pathlib.Path(folder), arguments.parallel,
                                                       counts.programs)
        if not programs:
            return None
        rows = in_parallel(arguments.parallel,
                           [lambda program=program: predict_failing(program, counts) for program in programs])
    predicted_tables.print_failing_head()
    for row in rows:
        predicted_tables.print_failing(row)
    total = sum_of_failing(rows)
    predicted_tables.print_failing_sum(total, counts.runs)
    return {**total, "rows": rows}


def predict_correct(program, counts):
    with Folder() as folder:
        answer = predict(folder, counts.runs, "--", *program.command)
    return {"program": program.name, "failures": answer.get("failures", 0), "runs": answer.get("runs"),
            "problems": problems_of(answer)}


def measure_correct(arguments, counts):
    with tempfile.TemporaryDirectory(prefix="unravel-predicted-") as folder:
        programs = predicted_programs.correct_programs(arguments.only, pathlib.Path(folder), arguments.parallel,
                                                       counts.programs)
        if not programs:
            return None
        rows = in_parallel(arguments.parallel,
                           [lambda program=program: predict_correct(program, counts) for program in programs])
    predicted_tables.print_correct(rows)
    return {"rows": rows}


# --- Programs after the paper's ---


def is_shown_again(folder, anomaly):
    """Whether a strict replay of the stored run shows it: the analysis of that run finds it there, or the run ends
    in the deadlock."""
    if anomaly["kind"] == "deadlock":
        again = folder.run("replay", anomaly["run"])
        return bool(again.get("reproduced")) and (again.get("failure") or {}).get("kind") == "deadlock"
    again = folder.run("predict", "--no-confirm", "--jobs", "1", anomaly["run"])
    return any(other["key"] == anomaly["key"] and other["status"] == "seen" for other in again.get("anomalies", []))


def predict_papers(program, counts):
    problem, threads = passes_in_plain_order(program)
    with Folder() as folder:
        answer = predict(folder, counts.papers_runs, "--", *program.command)
        stored = [anomaly for anomaly in answer.get("anomalies", [])
                  if anomaly["status"] == "confirmed" and anomaly["run"]]
        lost = [anomaly["key"] for anomaly in stored if not is_shown_again(folder, anomaly)]
    with Folder() as folder:
        pairs = folder.run("hunt", "--strategy", "pairs", "--explore", "--find-only", "--jobs", "1", "--seed", "1",
                           "--runs", str(answer.get("runs", counts.papers_runs)), "--", *program.command)
    kinds = {"predicted": {}, "confirmed": {}, "seen": {}, "refuted": {}}
    counted = {name: {**dict.fromkeys(predicted_tables.KINDS, 0), **answer.get(name, {})} for name in kinds}
    return {"program": program.name, "lines": predicted_programs.lines_of(program), "threads": threads,
            **{name: answer.get(name, 0) for name in ("events", "kept_events", "traces", "runs", "failures", "seconds",
                                                       "analysis_seconds")},
            "predicted": counted["predicted"], "confirmed": counted["confirmed"],
            "seen": sum(counted["seen"][kind] for kind in predicted_tables.KINDS),
            "refuted": sum(counted["refuted"][kind] for kind in predicted_tables.KINDS),
            "stored": len(stored), "shown_again": len(stored) - len(lost), "lost": lost,
            "pairs_failures": len(pairs.get("failures", [])),
            "problems": ([problem] if problem else []) + problems_of(answer, pairs) +
            [f"a strict replay does not show it again: {key}" for key in lost]}


def measure_papers(arguments, counts):
    programs = predicted_programs.papers_programs(arguments.only, counts.programs)
    if not programs:
        return None
    predicted_tables.print_papers_head()
    rows = []
    for program in programs:
        rows.append(predict_papers(program, counts))
        predicted_tables.print_paper(rows[-1])
    predicted_tables.print_papers_sum(rows)
    return {"rows": rows}


# --- A large trace ---


def trace_large():
    """The program with a large enough trace, what was predicted from that, and the size of its input."""
    size = 1_000_000
    while True:
        program = predicted_programs.pbzip2(size)
        with Folder() as folder:
            answer = folder.run("predict", "--no-confirm", "--jobs", "1", "--timeout", "300s", "--max-steps",
                                "1000000000", "--", *program.command)
        if answer["problem"] or answer["events"] >= LARGE_EVENTS:
            return program, answer, size
        size *= 2


def measure_large(arguments, counts):
    del arguments
    before = pathlib.Path.cwd()
    with tempfile.TemporaryDirectory(prefix="unravel-predicted-") as place:
        os.chdir(place)
        try:
            program, traced, size = trace_large()
            with Folder() as folder:
                answer = predict(folder, counts.runs, "--for", LARGE_TIME, "--timeout", "300s", "--max-steps",
                                 "1000000000", "--", *program.command)
        except CannotBuild as error:
            sys.exit(f"predicted: {error}")
        finally:
            os.chdir(before)
    if problems_of(traced, answer):
        sys.exit(f"predicted: {program.name}: {problems_of(traced, answer)[0]}")
    row = {"program": program.name, "bytes": size, "events": traced["events"], "kept_events": traced["kept_events"],
           "trace_seconds": traced["seconds"] - traced["analysis_seconds"],
           "analysis_seconds": traced["analysis_seconds"], "problems": [],
           **{name: answer[name] for name in ("predicted", "seen", "confirmed", "refuted", "no_witness", "failures",
                                              "runs", "traces", "seconds")}}
    predicted_tables.print_large(row)
    return {"rows": [row]}


MEASURES = {"failing": measure_failing, "correct": measure_correct, "paper": measure_papers, "large": measure_large}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be repeated (default: all)")
    parser.add_argument("--runs", metavar="N", type=count_of, default=40,
                        help="runs of predict for a test program and for pbzip2 (default: 40)")
    parser.add_argument("--only", metavar="PATTERN", default="*",
                        help="programs with such a name, such as 'assert/*' or 'account'")
    parser.add_argument("--parallel", metavar="N", type=count_of, default=len(os.sched_getaffinity(0)),
                        help="so many test programs at a time (default: one a CPU)")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    parser.add_argument("--quick", action="store_true",
                        help="three programs of each part but the large one, few runs: does it run at all? seconds")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    counts = Counts(arguments)
    parts = arguments.part or (PARTS[:3] if arguments.quick else PARTS)
    begun = time.monotonic()
    figures = {part: MEASURES[part](arguments, counts) for part in parts}
    if not any(figures.values()):
        sys.exit(f"predicted: no program's name is like '{arguments.only}'")
    figures["seconds"] = time.monotonic() - begun
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(figures, indent=2) + "\n")
    rows = [row for part in parts for row in (figures[part] or {"rows": []})["rows"]]
    failed = [row for row in (figures.get("correct") or {"rows": []})["rows"] if row["failures"]]
    return 1 if failed or any(row["problems"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
