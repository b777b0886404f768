#!/usr/bin/env python3
"""Programs as Debian ships them: are they controlled, and what does it cost?

Each is run under many random schedules with its output compared to the native one, then one
schedule is replayed strictly many times. Servers are loaded by a client, which checks the answers,
and shut down; they are not replayed. The exit status is 1 if anything went otherwise.
"""
import ctypes
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

import real_programs
from schedules import (UNRAVEL, limits, make_oracle, print_indented, replay_one, run_benchmark,
                       try_schedules, unravel)


class Counts:
    def __init__(self, quick):
        self.schedules, self.replays, self.server_schedules = (5, 3, 2) if quick else (300, 100, 50)
        self.rounds, self.batch = (2, 5) if quick else (20, 50)


def processor_seconds(command):
    """Of the command and all that it started, also what has outlived it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True)
    reap_orphans()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None, b""
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, done.stdout


def reap_orphans():
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def measure(program, counts, row):
    """In rounds: natively, then one controlled run; at the end a batch of controlled runs."""
    cpu = str(max(os.sched_getaffinity(0)))
    natively = ["taskset", "-c", cpu, *program.command]
    controlled = ["taskset", "-c", cpu, UNRAVEL, "run", "--json", *limits()]
    native, alone, runs = [], [], []
    for seed in range(counts.rounds):
        native.append(processor_seconds(natively)[0])
        seconds, output = processor_seconds([*controlled, "--seed", str(seed), "--",
                                             *program.command])
        alone.append(seconds)
        runs.append(json.loads(output) if seconds else {})
    seconds, _ = processor_seconds([*controlled, "--seed", "1", "--runs", str(counts.batch), "--",
                                    *program.command])
    if None in native or None in alone or seconds is None:
        row["problems"].append("a run to be measured did not end well")
        return
    row["native_seconds"] = round(statistics.median(native), 4)
    row["slow_down"] = round(seconds / counts.batch / statistics.median(native), 2)
    row["slow_down_alone"] = round(statistics.median(alone) / statistics.median(native), 2)
    row["threads"] = [min(run["threads"] for run in runs), max(run["threads"] for run in runs)]
    row["steps"] = int(statistics.median(run["steps"] for run in runs))


def diagnose(program, row):
    """The doctor's word. That the runs of a server differ is no problem: its client is outside."""
    word = unravel("doctor", [*limits(), "--", *program.command], 5)
    row["controlled"] = word.get("controlled", False)
    row["doctor"] = [f"{concern['name']}: {concern['meaning']} ({concern['evidence']})"
                     for concern in word.get("uncontrolled", []) if concern["weight"] != "note"]
    difference = word.get("first_difference")
    if difference:
        row["doctor"].append(f"runs differ in the {difference['in']}{place(difference['stack'])}: "
                             f"{difference['source']}: {difference['meaning']}")
    if not row["controlled"] and not row["doctor"]:
        row["doctor"].append(word["said"])
    if not row["controlled"] and not program.server:
        row["problems"].append("the doctor: " + "; ".join(row["doctor"]))


def place(stack):
    if not stack:
        return ""
    return f" at {stack[0]['function'] or '?'} {stack[0]['module']}+{stack[0]['offset']:#x}"


def left_behind(folder):
    """Processes of the programs that are still there: they work in our folder."""
    left = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int(process.name) != os.getpid() and os.readlink(process / "cwd") == folder:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
                left.append(f"{process.name} ({command})")
        except OSError:
            continue  # it has ended, or is not ours to see
    return left


def examine(program, counts):
    row = {"program": program.name, "problems": []}
    if program.prepare:
        subprocess.run(program.prepare.split(), check=True)
    oracle = make_oracle(program)
    if program.server:
        try_schedules(program, oracle, counts.server_schedules, row)
    else:
        try_schedules(program, oracle, counts.schedules, row)
        replay_one(program, oracle, counts.replays, row)
    measure(program, counts, row)
    diagnose(program, row)
    row["problems"] += [f"left behind: {process}" for process in left_behind(os.getcwd())]
    return row


HEAD = (f"{'program':19}{'threads':>8}{'steps':>7}{'passed':>11}{'replayed':>11}{'runs/s':>8}"
        f"{'slow-down':>11}{'alone':>7}  controlled")


def print_row(row):
    fewest, most = row.get("threads", (0, 0))
    threads = "-" if not most else str(most) if fewest == most else f"{fewest}-{most}"
    replayed = f"{row['reproduced']} / {row['replays']}" if "replays" in row else "-"
    print(f"{row['program']:19}{threads:>8}{row.get('steps', '-'):>7}"
          f"{row['passed']:>5} / {row['schedules']:<3}{replayed:>11}{row['runs_per_second']:>8}"
          f"{row.get('slow_down', '-'):>11}{row.get('slow_down_alone', '-'):>7}  "
          f"{'yes' if row['controlled'] else 'no'}", flush=True)
    print_indented([f"FAILED: {problem}" for problem in row["problems"]] or row["doctor"])


def examine_all(quick, only):
    counts = Counts(quick)
    rows = []
    print(HEAD, flush=True)
    for program in real_programs.all_programs():
        if only not in program.name:
            continue
        if not program.is_installed():
            row = {"program": program.name,
                   "problems": [f"not installed: apt-get install {program.package}"]}
            print(f"{program.name:19} FAILED: {row['problems'][0]}", flush=True)
        else:
            row = examine(program, counts)
            print_row(row)
        rows.append(row)
    return rows


def main():
    # What outlives its parent becomes our child, so that its processor time is seen.
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return run_benchmark(__doc__, real_programs.make_files, examine_all)


if __name__ == "__main__":
    sys.exit(main())
