#!/usr/bin/env python3
"""What does recording the inputs of a run cost?

In rounds, one after the other: the program natively on one CPU, under control without a record, with
the record that is always made (sockets, pipes, children, signals), and with --catch-all, which also
has files. All in processor time of the command and all that it starts. pigz and sort are Debian's;
the echo pair sends messages to a process of another program and gets each back. Printed are medians
of the ratios of one round, and how large the record is for each byte that came in.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile

UNRAVEL = pathlib.Path(__file__).resolve().parent.parent / "bin" / "unravel"

MODES = {"without": ["--no-inputs"], "recorded": [], "catch-all": ["--catch-all"]}
# What recording may cost, as a ratio to the same control without.
MOST = {"pigz": 1.15, "sort": 1.15, "echo": 1.5}

ECHO = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int to_child[2], from_child[2], rounds;
static void* talk(void* unused) {
  char message[64] = "a message";
  for (int i = 0; i < rounds; i++) {
    if (write(to_child[1], message, sizeof message) != sizeof message) exit(3);
    for (size_t got = 0; got < sizeof message;) {
      const ssize_t more = read(from_child[0], message + got, sizeof message - got);
      if (more <= 0) exit(4);
      got += (size_t)more;
    }
  }
  return unused;
}
int main(int count, char** arguments) {
  rounds = count > 1 ? atoi(arguments[1]) : 1;
  if (pipe(to_child) != 0 || pipe(from_child) != 0) return 2;
  if (fork() == 0) {
    dup2(to_child[0], 0);
    dup2(from_child[1], 1);
    close(to_child[1]);
    close(from_child[0]);
    execlp("cat", "cat", "-u", (char*)0);
    _exit(1);
  }
  close(to_child[0]);
  close(from_child[1]);
  pthread_t thread;
  pthread_create(&thread, 0, talk, 0);
  pthread_join(thread, 0);
  close(to_child[1]);
  int status;
  wait(&status);
  return 0;
}
"""


def programs(folder, quick):
    text = folder / "text"
    numbers = random.Random(1)
    lines = 200_000 if quick else 400_000  # sort starts threads from 131,072 lines on
    text.write_text("".join(f"{numbers.random():.12f} {i}\n" for i in range(lines)))
    (folder / "echo.c").write_text(ECHO)
    subprocess.run(["cc", "-O1", "echo.c", "-o", "echo", "-pthread"], cwd=folder, check=True)
    size = text.stat().st_size
    messages = 1_000 if quick else 100_000
    return {"pigz": (["pigz", "-k", "-c", "-p", "4", str(text)], size),
            "sort": (["sort", "--parallel=4", "-S", "64M", str(text)], size),
            "echo": ([str(folder / "echo"), str(messages)], 64 * messages)}


def processor_seconds(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, done


def measure(name, command, bytes_in, rounds, folder):
    cpu = ["taskset", "-c", str(max(os.sched_getaffinity(0)))]
    ratios = {mode: [] for mode in (*MODES, "native")}
    row = {"program": name, "problems": []}
    for _ in range(rounds):
        native, _ = processor_seconds([*cpu, *command], folder)
        seconds = {}
        for mode, options in MODES.items():
            line = [*cpu, UNRAVEL, "run", "--json", "--rule", "stay", "--seed", "1", "--timeout",
                    "600s", "--max-steps", "1000000000", *options, "--", *command]
            seconds[mode], done = processor_seconds(line, folder)
            run = json.loads(done.stdout or "{}")
            if run.get("outcome") != "passed":
                row["problems"].append(f"{mode}: {run.get('outcome')}: {run.get('explanation')}")
            record = folder / ".unravel" / "runs" / f"{run.get('run')}.inputs"
            if mode != "without" and record.exists():
                row[f"{mode} bytes"] = record.stat().st_size
        ratios["native"].append(seconds["without"] / native)
        for mode in MODES:
            ratios[mode].append(seconds[mode] / seconds["without"])
    for mode in ratios:
        row[mode] = round(statistics.median(ratios[mode]), 3)
        row[f"{mode} from to"] = [round(min(ratios[mode]), 3), round(max(ratios[mode]), 3)]
    row["bytes in"] = bytes_in
    return row


def show(row):
    def spread(mode):
        low, high = row[f"{mode} from to"]
        return f"{row[mode]:.2f} ({low:.2f} to {high:.2f})"

    print(f"{row['program']:6} control over native {spread('native')}, recorded over control "
          f"{spread('recorded')}, catch-all over control {spread('catch-all')}; at most "
          f"{MOST[row['program']]} wanted")
    for mode in ("recorded", "catch-all"):
        if f"{mode} bytes" in row:
            print(f"       {mode}: {row[f'{mode} bytes']} bytes in the store, "
                  f"{row[f'{mode} bytes'] / row['bytes in']:.3f} for each byte that came in")
    for problem in row["problems"]:
        print(f"       FAILED: {problem}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="little data: does it run at all?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="unravel-record-") as name:
        folder = pathlib.Path(name)
        for program, (command, bytes_in) in programs(folder, arguments.quick).items():
            if arguments.only not in program:
                continue
            rows.append(measure(program, command, bytes_in, 1 if arguments.quick else
                                arguments.rounds, folder))
            show(rows[-1])
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1))
    return 1 if any(row["problems"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
