#!/usr/bin/env python3
"""Do runs of other people's tests replay, at once and a minute later?

The installed tests of glib (Debian's libglib2.0-tests) that pass natively, and start a second thread
under control: each is recorded once by the random rule, then replayed strictly, all of them at once
and all of them again after a minute. A clock, a file's time or an address that is not the same shows
as a replay that differs; one that only differs later has seen a real clock. The exit status is 1 if
any replay differed. Tests that need what this machine does not have fail natively and are left out,
and so are those that talk to a D-Bus daemon: what another process says is not recorded.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

from schedules import print_indented, run_benchmark, unravel

TESTS = pathlib.Path("/usr/share/installed-tests/glib")
SEED = "1"
NATIVE_SECONDS = 60
WAIT_SECONDS = 60
REPLAYS = 20
# Processor time of one run, as by default. Four tests of locks with a hundred threads need more.
RUN_SECONDS = 20


def watch_daemon():
    """Has every start of a D-Bus daemon leave a file."""
    real = shutil.which("dbus-daemon") or "false"
    folder = pathlib.Path("bin").resolve()
    folder.mkdir()
    daemon = folder / "dbus-daemon"
    daemon.write_text(f'#!/bin/sh\ntouch {folder}/started\nexec {real} "$@"\n')
    daemon.chmod(0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    os.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)


def started_daemon():
    """Whether one was started since this was last asked."""
    mark = pathlib.Path("bin/started")
    was_started = mark.exists()
    mark.unlink(missing_ok=True)
    return was_started


def commands(only):
    """By name: the command of each test that is a program. Some are scripts that start one."""
    found = {}
    for file in sorted(TESTS.glob("*.test")):
        line = next(line for line in file.read_text().splitlines() if line.startswith("Exec="))
        command = shlex.split(line.removeprefix("Exec="))
        if only in file.stem and not command[0].endswith(".py"):
            found[file.stem] = command
    return found


def examine_natively(command):
    """Whether it passes, and whether it starts a D-Bus daemon."""
    try:
        passes = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                timeout=NATIVE_SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        passes = False
    return passes, started_daemon()


def record(name, command):
    row = {"program": name, "problems": []}
    run = unravel("run", ["--rule", "random", "--seed", SEED, "--timeout", f"{RUN_SECONDS}s", "--", *command])
    row["outcome"], row["run"] = run["outcome"], run.get("run")
    row["threads"], row["steps"] = run.get("threads", 0), run.get("steps", 0)
    row["why"] = "" if run["outcome"] == "passed" else run.get("explanation") or run["said"]
    return row


def replay(row, replays, when):
    differences = []
    for _ in range(replays):
        again = unravel("replay", [row["run"]])
        if not again.get("reproduced"):
            differences.append(again.get("explanation") or again["said"])
    row[when] = replays - len(differences)
    if differences:
        row["problems"].append(f"{len(differences)} of {replays} replays {when} differed, the first: "
                               f"{differences[0]}")


def print_row(row, replays):
    print(f"{row['program']:40}{row['threads']:8}{row['steps']:10}{row['at once']:9} of {replays}"
          f"{row['later']:8} of {replays}", flush=True)
    print_indented([f"FAILED: {problem}" for problem in row["problems"]])


def examine_all(quick, only):
    wait, replays = (20, 2) if quick else (WAIT_SECONDS, REPLAYS)
    found = commands(only)
    native = {name: examine_natively(command) for name, command in found.items()}
    passing = [name for name, (passes, _) in native.items() if passes]
    talking = [name for name in passing if native[name][1]]
    print(f"{len(found)} tests, {len(passing)} pass natively; {len(talking)} of them start a D-Bus "
          "daemon and are left out", flush=True)
    rows = [record(name, found[name]) for name in passing if name not in talking]
    single = [row for row in rows if row["threads"] == 1]
    others = [row for row in rows if row["outcome"] != "passed" and row not in single]
    rows = [row for row in rows if row not in single and row not in others]
    for row in others:
        print_indented([f"not replayed: {row['program']}: {row['outcome']}: {row['why']}"])
    for row in rows:
        replay(row, replays, "at once")
    time.sleep(wait)
    print(f"{'test':40}{'threads':>8}{'steps':>10}{'at once':>15}{'later':>14}", flush=True)
    for row in rows:
        replay(row, replays, "later")
        print_row(row, replays)
    print(f"{len(rows)} tests, {sum(row['at once'] for row in rows)} of {len(rows) * replays} replays "
          f"the same at once, {sum(row['later'] for row in rows)} of {len(rows) * replays} after "
          f"{wait} s or more; {len(single)} tests start no second thread, {len(others)} did not pass",
          flush=True)
    return rows


def main():
    return run_benchmark(__doc__, watch_daemon, examine_all)


if __name__ == "__main__":
    sys.exit(main())
