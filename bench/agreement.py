#!/usr/bin/env python3
"""Are the races that unravel finds right? Compared with GCC's ThreadSanitizer and with the definition.

All programs of tests/programs are built for ThreadSanitizer. Natively its own library tells which
pairs of source lines raced, in several runs; `unravel races` must name all of them. What it names beyond
that is confirmed by a slow detector that follows the definition of a race, on the same traces. The
exit status is 1 if a pair is missing, or not confirmed.
"""
import json
import os
import pathlib
import subprocess
import sys

import thread_sanitizer
from schedules import print_indented, run_benchmark, unravel
from source_folder import SOURCE_FOLDER

PROGRAMS = pathlib.Path(SOURCE_FOLDER) / "tests" / "programs"
REFERENCE = pathlib.Path(__file__).resolve().parent.parent / "bench-parts" / "race_reference"

# Of a native run. The slowest takes two seconds on a busy machine; some hang, which is their bug.
NATIVE_SECONDS = 5
SEED = 1

# What ThreadSanitizer calls a race there is none: a mutex, or create and join, order every access.
FALSE_ALARMS = {
    "assert/robust_not_repaired": "it does not order whoever gets a robust mutex after its dead owner",
    "passed/cancel_runs_destructors": "it does not see locks that a cancelled thread takes",
    "passed/key_sets_other_keys": "it does not see locks behind its own last destructor of a thread",
    "passed/mutex_memory_reused": "it takes a mutex that is overwritten for the old one",
}


class Counts:
    """Programs that are about memory accesses are looked at longer."""

    def __init__(self, quick, has_hooks):
        self.native, self.controlled = (30, 50) if has_hooks and not quick else (3, 10)


def flags_of(source):
    for line in source.read_text().splitlines():
        if line.startswith("// flags: "):
            return line.removeprefix("// flags: ").split()
    return []


def has_hooks(source):
    return "-fsanitize=thread" in flags_of(source)


def name_of(source):
    return f"{source.parent.name}/{source.stem}"


def sources(only):
    """Those whose name contains `only`; first those that have hooks in other tests, too."""
    found = [path for path in PROGRAMS.glob("*/*") if path.suffix in (".c", ".cpp")]
    return sorted((path for path in found if only in name_of(path)),
                  key=lambda path: (not has_hooks(path), name_of(path)))


def build(source):
    compiler = ["gcc", "-std=gnu11"] if source.suffix == ".c" else ["g++", "-std=c++20"]
    binary = pathlib.Path.cwd() / f"{source.parent.name}-{source.stem}"
    subprocess.run([*compiler, "-g", "-O0", "-pthread", "-fsanitize=thread", *flags_of(source), source,
                    "-o", binary], check=True)
    return binary


def line_of(site):
    return f"{os.path.basename(site['file'])}:{site['line']}" if site["file"] else site["module"]


def raw(stack):
    """The code address itself, as the reference calls it."""
    return f"{stack[0]['module']}+{stack[0]['offset']}" if stack else "?"


def our_races(binary, runs, row):
    """By pair of lines: pairs of code addresses, one of each race."""
    answer = unravel("races", ["--runs", str(runs), "--seed", str(SEED), "--", str(binary)], runs)
    if "races" not in answer:
        row["problems"].append(f"races: {answer['said']}")
        return {}
    found = {}
    for race in answer["races"]:
        pair = tuple(sorted(line_of(site) for site in race["sites"]))
        addresses = tuple(sorted(raw(stack) for stack in race["stacks"]))
        found.setdefault(pair, set()).add(addresses)
    return found


def by_definition(binary, runs, row):
    """The pairs of code addresses that the slow detector finds, too."""
    done = subprocess.run([REFERENCE, str(binary), str(runs), str(SEED)], capture_output=True,
                          text=True)
    if done.returncode != 0:
        row["problems"].append(f"reference: {done.stderr.strip()}")
        return set()
    answer = json.loads(done.stdout)
    row["compared"], row["too_long"] = answer["compared"], answer["too_long"]
    if answer["different"]:
        row["problems"].append(f"{len(answer['different'])} pairs were named by one detector only, "
                               f"the first: {answer['different'][0]}")
    return {tuple(pair) for pair in answer["confirmed"]}


def examine(source, counts):
    row = {"program": name_of(source), "problems": []}
    binary = build(source)
    theirs, lost, killed = thread_sanitizer.races_of(binary, counts.native, str(source),
                                                     NATIVE_SECONDS)
    false_alarms = len(theirs) if row["program"] in FALSE_ALARMS else 0
    if false_alarms:
        theirs = set()
    ours = our_races(binary, counts.controlled, row)
    confirmed = by_definition(binary, counts.controlled, row)
    missing = sorted(theirs - set(ours))
    extra = sorted(set(ours) - theirs)
    unconfirmed = [pair for pair in extra if not ours[pair] <= confirmed]
    row |= {"by_thread_sanitizer": len(theirs), "ours": len(ours), "missing": missing,
            "extra": extra, "confirmed": len(extra) - len(unconfirmed), "lost_stacks": lost,
            "killed": killed, "false_alarms": false_alarms}
    if missing:
        row["problems"].append(f"missing: {missing}")
    if unconfirmed:
        row["problems"].append(f"not confirmed: {unconfirmed}")
    return row


HEAD = (f"{'program':42}{'TSan':>6}{'unravel':>9}{'missing':>9}{'extra':>7}{'confirmed':>11}"
        f"{'killed':>8}")


def print_counts(name, tsan, ours, missing, extra, confirmed, killed):
    print(f"{name:42}{tsan:>6}{ours:>9}{missing:>9}{extra:>7}{confirmed:>11}{killed:>8}", flush=True)


def print_row(row):
    print_counts(row["program"], row["by_thread_sanitizer"], row["ours"], len(row["missing"]),
                 len(row["extra"]), row["confirmed"], row["killed"])
    print_indented([f"FAILED: {problem}" for problem in row["problems"]])


def print_total(rows):
    def total(name):
        return sum(row[name] if isinstance(row[name], int) else len(row[name]) for row in rows)
    print_counts(f"{len(rows)} programs", *(total(name) for name in (
        "by_thread_sanitizer", "ours", "missing", "extra", "confirmed", "killed")))
    print(f"{sum(row.get('compared', 0) for row in rows)} traces compared with the definition, "
          f"{sum(row.get('too_long', 0) for row in rows)} too long for it; "
          f"{total('lost_stacks')} reports of ThreadSanitizer without both stacks; "
          f"{total('false_alarms')} pairs that are its false alarms", flush=True)


def examine_all(quick, only):
    rows = []
    print(HEAD, flush=True)
    for source in sources(only):
        rows.append(examine(source, Counts(quick, has_hooks(source))))
        if any(rows[-1][name] for name in ("by_thread_sanitizer", "ours", "problems")):
            print_row(rows[-1])
    if rows:
        print_total(rows)
    return rows


def main():
    return run_benchmark(__doc__, lambda: None, examine_all)


if __name__ == "__main__":
    sys.exit(main())
