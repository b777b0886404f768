#!/usr/bin/env python3
"""Does unravel survive what can go wrong around it, and leave everything else as it was?

The driver and the processes that work for it are killed at random moments of hunts, replays and the like; stores are
damaged; channels are overwritten; command lines are nonsense. Each time nothing may crash, hang, call itself unravel's own fault,
leave a process behind, or touch a file outside of the store. The exit status is 1 if anything did.
"""
import argparse
import collections
import json
import multiprocessing
import multiprocessing.util
import os
import pathlib
import subprocess
import sys
import tempfile

from arguments import count_of
from fault_ground import Ground, become_subreaper, end_strays
from fault_trials import Trials

HERE = pathlib.Path(__file__).resolve().parent
UNRAVEL = HERE.parent / "bin" / "unravel"
HOSTILE = HERE / "hostile"  # overwrites channels and reads them as the driver does

ALL_CHANNELS = 10_000
KINDS = ("kills", "stores", "arguments")
trials = None  # of a worker process


def number_of(text):
    return 0 if text == "0" else count_of(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a hundredth of everything: does it run at all? a minute")
    for name, default, what in (("kills", 1000, "kills of the driver and its helpers"), ("stores", 1000, "damaged stores"),
                                ("channels", ALL_CHANNELS, "overwritten channels; fewer are a twentieth"), ("arguments", 500, "bad command lines")):
        parser.add_argument(f"--{name}", metavar="N", type=number_of, default=default,
                            help=f"{what} (default: {default})")
    parser.add_argument("--seed", metavar="N", type=number_of, default=1, help="of the first trial of each kind (default: 1)")
    parser.add_argument("--parallel", metavar="N", type=count_of, default=len(os.sched_getaffinity(0)),
                        help="trials at once (default: one for each CPU)")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    return parser.parse_args()


def begin_worker():
    global trials
    become_subreaper()
    ground = Ground(UNRAVEL)
    multiprocessing.util.Finalize(None, ground.close, exitpriority=1)
    trials = Trials(ground)


def make_trial(task):
    return trials.make(*task)


def attack_channels(count):
    """By a program that has the driver's own reader in it, and always makes as many: all, or with --quick a few."""
    if count == 0:
        return {"made": 0, "problems": []}
    if not HOSTILE.exists():
        return {"made": 0, "problems": [f"not made: there is no {HOSTILE}"]}
    with tempfile.NamedTemporaryFile(prefix="unravel-faults-", suffix=".json") as figures:
        quick = ["--quick"] if count < ALL_CHANNELS else []
        done = subprocess.run([HOSTILE, *quick, "--json", figures.name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        problems = [f"strays: {stray}" for stray in end_strays()]
        if done.returncode != 0:
            problems.append(f"exit status {done.returncode}: {done.stdout.decode(errors='replace')[-500:]}")
            return {"made": 0, "problems": problems}
        return {"made": channels_in(json.loads(pathlib.Path(figures.name).read_text())), "problems": problems}


def channels_in(figures):
    """How many were attacked, wherever the figures say so."""
    if isinstance(figures, dict):
        return sum(value if name == "channels" and isinstance(value, int) else channels_in(value)
                   for name, value in figures.items())
    return sum(map(channels_in, figures)) if isinstance(figures, list) else 0


def figures_of(done):
    kinds = collections.defaultdict(lambda: {"trials": 0, "hit": 0, "crash": 0, "own fault": 0, "hang": 0, "stray": 0,
                                             "touched": 0, "lost": 0, "other": 0, "megabytes": 0.0})
    for trial in done:
        figures = kinds[trial["kind"]]
        figures["trials"] += 1
        figures["hit"] += trial["hit"]
        figures["megabytes"] = max(figures["megabytes"], trial["megabytes"])
        for problem in trial["problems"]:
            words = [word for word in ("crash", "own fault", "hang", "stray", "touched", "lost") if f"{word}:" in problem]
            figures[words[0] if words else "other"] += 1
    return dict(kinds)


def print_table(kinds, channels):
    columns = ("trials", "hit", "crash", "own fault", "hang", "stray", "touched", "lost", "other", "megabytes")
    print(f"{'':22}" + "".join(f"{column:>11}" for column in columns))
    for kind in sorted(kinds):
        print(f"{kind:22}" + "".join(f"{kinds[kind][column]:>11.0f}" for column in columns))
    print(f"{'overwritten channels':22}{channels['made']:>11}"
          f"   {'; '.join(channels['problems']) or 'no crash, no hang'}")


def main():
    arguments = parse_arguments()
    counts = {kind: getattr(arguments, kind) for kind in (*KINDS, "channels")}
    if arguments.quick:
        counts = {kind: -(-count // 100) for kind, count in counts.items()}
    tasks = [(kind, arguments.seed + i) for kind in KINDS for i in range(counts[kind])]
    done = []
    with multiprocessing.Pool(arguments.parallel, begin_worker) as pool:
        for trial in pool.imap_unordered(make_trial, tasks):
            done.append(trial)
            if trial["problems"]:
                print(f"{trial['kind']}, seed {trial['seed']}: {trial['command']}\n  " + "\n  ".join(trial["problems"]),
                      file=sys.stderr, flush=True)
            elif len(done) % 100 == 0:
                print(f"{len(done)} of {len(tasks)}", file=sys.stderr, flush=True)
        pool.close()
        pool.join()
    become_subreaper()
    channels = attack_channels(counts["channels"])
    figures = figures_of(done)
    print_table(figures, channels)
    bad = [trial for trial in done if trial["problems"]]
    if arguments.json:
        pathlib.Path(arguments.json).write_text(
            json.dumps({"kinds": figures, "channels": channels, "problems": bad}, indent=2) + "\n")
    return 1 if bad or channels["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
