"""Runs per second of hunts that find nothing, beside uncontrolled children with as many threads."""
import os
import pathlib
import statistics
import subprocess

from hunt_trials import PORTFOLIO, hunt, passes_in_plain_order

FORKED = pathlib.Path(__file__).resolve().parent / "programs" / "forked"

# Programs of so many threads, main included, are what the targets are about.
FEW_THREADS = 5
# Runs per second wanted of them: in the median, without and with threads that spin.
TARGETS = {False: 1000, True: 200}

TRIAL_SECONDS = 300


class Counts:
    def __init__(self, quick):
        self.rounds, self.runs, self.runs_of_many = (1, 300, 100) if quick else (3, 2000, 400)
        self.children = 200 if quick else 1000


def uncontrolled_per_second(created, children):
    """Children per second of a process that forks them one after the other; each creates threads that
    end at once, and joins them. On one CPU, as controlled runs are."""
    cpu = max(os.sched_getaffinity(0))
    done = subprocess.run([FORKED, "uncontrolled", "join", str(created), "0", str(children)],
                          capture_output=True, text=True, check=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    return 1e9 / int(done.stdout)


def measure(program, counts):
    """In rounds: a hunt with one job, then uncontrolled children."""
    problem, threads = passes_in_plain_order(program)
    row = {"program": program.name, "threads": threads, "spins": program.spins,
           "problems": [problem] if problem else []}
    if problem:
        return row
    few = threads <= FEW_THREADS
    controlled, uncontrolled = [], []
    for seed in range(1, counts.rounds + 1):
        trial = hunt(program, PORTFOLIO, seed, counts.runs if few else counts.runs_of_many,
                     TRIAL_SECONDS)
        if trial["problem"] or trial["found"] or trial["timed_out"]:
            row["problems"].append(trial["problem"] or trial.get("failure")
                                   or f"it did not end within {TRIAL_SECONDS} seconds")
            return row
        controlled.append(trial["runs_per_second"])
        uncontrolled.append(uncontrolled_per_second(threads - 1,
                                                    counts.children if few else counts.children // 5))
    row["runs_per_second"] = statistics.median(controlled)
    row["uncontrolled_per_second"] = statistics.median(uncontrolled)
    row["ratio"] = row["runs_per_second"] / row["uncontrolled_per_second"]
    return row


def summary_of(rows):
    """The medians that the targets are about, and whether they are met."""
    summary = []
    for spins, target in TARGETS.items():
        of_kind = [row["runs_per_second"] for row in rows
                   if row["spins"] == spins and row["threads"] <= FEW_THREADS
                   and "runs_per_second" in row]
        if of_kind:
            median = statistics.median(of_kind)
            summary.append({"spins": spins, "programs": len(of_kind), "median": median,
                            "target": target, "verdict": "met" if median >= target else "missed"})
    return summary
