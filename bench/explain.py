#!/usr/bin/env python3
"""Does what a hunt says of a failure lie where the bug is, and how long does a user wait for it?

Every program of tests/programs that fails is built as for the round trip and hunted with several seeds. Its head names
the functions with the bug: every preemption that is left must be in one of them, and so must the switch that decides,
where it fails or where it passes. The exit status is 1 if a command did not work, a program was not found to
fail, or what is left is not minimal; what is wanted does not change it.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import sys
import tempfile

from arguments import count_of
from failing_programs import FOLDERS, TESTS, build_program, failing_sources, flags_of, name_of, read_head
from simplify_trials import Trouble, new_store

# failing_programs has put the folder of this one on the path.
from explanation import names_a_place, places_elsewhere, problems_of_simplified

WANTED_SHARE, WANTED_SECONDS = 0.95, 2


def build(source, folder):
    """As the round trip builds them, which is as a user would to look for a bug."""
    return build_program(source, folder, ("gcc", "g++"), ["-O0", *flags_of(source)])


# --- One trial ---


def hunt(store, head, binary, seed):
    points = ["--points", head.points] if head.points else []
    answer = store.command("hunt", *points, "--seed", str(seed), "--runs", str(head.runs), "--", str(binary))
    if not answer["failures"]:
        raise Trouble(f"not found in {answer['runs']} runs")
    return answer["failures"][0], answer["wall_seconds"]


def explained(head, run, wall_seconds):
    """The figures of one explanation, checked."""
    if "simplified" not in run:
        raise Trouble("it was found, but not simplified")
    simplified, isolated = run["simplified"], run.get("isolated")
    problems = problems_of_simplified(run, simplified)
    if isolated and not isolated["minimal"]:
        problems.append("what decides is not minimal")
    if problems:
        raise Trouble("; ".join(problems))
    # Where no run passes, isolate says nothing of its time: all of the command's is more than that.
    seconds = simplified["seconds"] + isolated["seconds"] if isolated else wall_seconds
    return {"before": simplified["before"], "after": simplified["after"], "seconds": seconds,
            "isolated": bool(isolated), "flips": bool(isolated and isolated["flips"]),
            "names_a_place": names_a_place(simplified, isolated),
            "elsewhere": places_elsewhere(head.bug, simplified, isolated) if head.bug else []}


def try_seed(source, binary, seed):
    trial = {"program": name_of(source), "seed": seed, "problem": None}
    head = read_head(source)
    trial["has_bug_named"] = bool(head.bug)
    try:
        with new_store() as store:
            run, wall_seconds = hunt(store, head, binary, seed)
            trial |= explained(head, run, wall_seconds)
    except Trouble as trouble:
        trial["problem"] = str(trouble)
    return trial


# --- Many of them ---


def share(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


def figures_of(trials):
    done = [trial for trial in trials if "after" in trial]
    judged = [trial for trial in done if trial["has_bug_named"] and trial["names_a_place"]]

    def mean(side, part):
        return statistics.mean(trial[side][part] for trial in done) if done else 0
    return {"trials": len(trials), "explained": len(done), "judged": len(judged),
            "in_the_bug": sum(not trial["elsewhere"] for trial in judged),
            "isolated": sum(trial["isolated"] for trial in done), "flips": sum(trial["flips"] for trial in done),
            "median_seconds": statistics.median(trial["seconds"] for trial in done) if done else None,
            "most_seconds": max((trial["seconds"] for trial in done), default=None),
            **{f"{part}_{side}": mean(side, part) for part in ("switches", "preemptions")
               for side in ("before", "after")}}


HEAD = (f"{'programs':14}{'explained':>11}{'in the bug':>12}{'isolated':>10}{'flips':>7}"
        f"{'switches':>16}{'preemptions':>16}{'median s':>10}{'most s':>8}")


def print_row(name, figures):
    if not figures["explained"]:
        print(f"{name:14}{figures['explained']:>5} of {figures['trials']:<3}")
        return
    print(f"{name:14}{figures['explained']:>5} of {figures['trials']:<3}"
          f"{figures['in_the_bug']:>6} of {figures['judged']:<3}{figures['isolated']:>9}{figures['flips']:>7}"
          f"{figures['switches_before']:>8.1f} → {figures['switches_after']:<5.1f}"
          f"{figures['preemptions_before']:>8.1f} → {figures['preemptions_after']:<5.1f}"
          f"{figures['median_seconds']:>10.2f}{figures['most_seconds']:>8.2f}", flush=True)


def print_misses(trials):
    for trial in trials:
        for words in trial.get("elsewhere", []):
            print(f"  elsewhere: {trial['program']}, seed {trial['seed']}: {words}")
        if trial["problem"]:
            print(f"  FAILED: {trial['program']}, seed {trial['seed']}: {trial['problem']}")


def print_all(trials):
    print(HEAD)
    for folder in FOLDERS:
        some = [trial for trial in trials if trial["program"].startswith(f"{folder}/")]
        if some:
            print_row(folder, figures_of(some))
    all_of_it = figures_of(trials)
    print_row("all", all_of_it)
    print("\n  means of switches and preemptions, as found and simplified\n")
    print_misses(trials)
    if not all_of_it["explained"]:
        return all_of_it
    met = all_of_it["in_the_bug"] >= WANTED_SHARE * all_of_it["judged"]
    fast = all_of_it["median_seconds"] < WANTED_SECONDS
    nothing = all_of_it["explained"] - all_of_it["judged"]
    print(f"\nin the marked functions: {share(all_of_it['in_the_bug'], all_of_it['judged'])}; "
          f"{100 * WANTED_SHARE:.0f} % are wanted: {'met' if met else 'missed'}"
          f" ({nothing} more name no place, or their program no function)\n"
          f"one switch flips the outcome: {share(all_of_it['flips'], all_of_it['explained'])}\n"
          f"simplify and isolate: median {all_of_it['median_seconds']:.2f} s, most "
          f"{all_of_it['most_seconds']:.2f} s; a median under {WANTED_SECONDS} s is wanted: "
          f"{'met' if fast else 'missed'}")
    return all_of_it


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one seed")
    parser.add_argument("--seeds", metavar="N", type=count_of, default=3, help="so many each (default: 3)")
    parser.add_argument("--only", metavar="TEXT", default="", help="programs with this in their name")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    chosen = [source for source in failing_sources() if arguments.only in name_of(source)]
    if not chosen:
        sys.exit(f"explain: no program of {TESTS}/programs that fails has '{arguments.only}' in its name")
    seeds = 1 if arguments.quick else arguments.seeds
    trials = []
    with tempfile.TemporaryDirectory(prefix="unravel-explain-") as folder:
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            binaries = list(pool.map(lambda source: build(source, folder), chosen))
        for source, binary in zip(chosen, binaries):
            trials += [try_seed(source, binary, seed) for seed in range(1, seeds + 1)]
            print(f"{name_of(source)}: {sum('after' in trial for trial in trials[-seeds:])} of {seeds} explained",
                  file=sys.stderr, flush=True)
    figures = print_all(trials)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"all": figures, "trials": trials}, indent=2) + "\n")
    return 1 if any(trial["problem"] for trial in trials) else 0


if __name__ == "__main__":
    sys.exit(main())
