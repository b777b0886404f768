"""Hunts as a user starts them, each with a store of its own, and what many of them say together."""
import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

UNRAVEL = pathlib.Path(__file__).resolve().parent.parent / "bin" / "unravel"

PORTFOLIO = "portfolio"
# In the order of the portfolio, whose draws depend on it.
SINGLES = ("pairs", "predicted", "pos", "random", "pct", "reads-from", "starvation")

# After an interrupt the command has this long to end.
GRACE_SECONDS = 20

FIND_ONLY = ("--find-only",)


@dataclasses.dataclass(frozen=True)
class Limits:
    """Of the trials of one strategy: how many, how many of them if none of these finds the bug, and what
    ends one that does not."""
    seeds: int
    first_seeds: int
    runs: int
    seconds: float


def new_folder():
    """In memory where that can be: a disk is no part of what is measured."""
    folder = pathlib.Path(tempfile.mkdtemp(
        prefix="unravel-hunt-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    (folder / "work").mkdir()
    return folder


def run_command(arguments, seconds):
    """The command's JSON. Interrupted when the time is up; `timed_out` says so. What went wrong is a
    sentence in `problem`."""
    folder = new_folder()
    process = subprocess.Popen(
        [UNRAVEL, arguments[0], "--json", "--store", folder / "store", *arguments[1:]],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        errors="replace", cwd=folder / "work")
    timed_out = False
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        timed_out = True
        process.send_signal(signal.SIGINT)
        try:
            output, errors = process.communicate(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            return {"timed_out": True, "problem": "unravel did not end when it was interrupted"}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {**read_answer(process.returncode, output, errors, timed_out), "timed_out": timed_out}


def read_answer(status, output, errors, timed_out):
    try:
        answer = json.loads(output)
    except json.JSONDecodeError:
        answer = {}
    if status not in (0, 1) and not timed_out:
        error = answer.get("error", {})
        said = "; ".join(error[part] for part in ("what", "why") if error.get(part))
        return {**answer, "problem": f"exit status {status}: {said or errors.strip()[-300:]}"}
    if not answer and not timed_out:
        return {"problem": f"no JSON: {errors.strip()[-300:]}"}
    return answer


def hunt(program, strategy, seed, runs, seconds, jobs=1, options=FIND_ONLY):
    """One trial: whether the bug was found, at which run, how long it took."""
    # Without the option it is the portfolio, as most will hunt.
    chosen = [] if strategy == PORTFOLIO else ["--strategy", strategy]
    begun = time.monotonic()
    answer = run_command(["hunt", *chosen, "--seed", str(seed), "--runs", str(runs),
                          "--jobs", str(jobs), *options, "--", *program.command], seconds)
    took = time.monotonic() - begun
    failures = answer.get("failures", [])
    trial = {"seed": seed, "found": bool(failures), "outcome": answer.get("outcome"), "runs": answer.get("runs"),
             "seconds": answer.get("seconds", took), "timed_out": answer["timed_out"],
             "runs_per_second": answer.get("runs_per_second"), "problem": answer.get("problem")}
    if failures:
        trial["runs"] = failures[0]["found_at_run"]
        trial["failure"] = describe(failures[0])
        trial["steps"] = failures[0]["steps"]
        if not all(failure["verified"] for failure in failures):
            trial["problem"] = f"a failure was not verified: {trial['failure']}"
    elif answer.get("outcome") == "failed":
        trial["problem"] = "it says that it failed, but lists no failure"
    return trial


def describe(failure):
    what = failure.get("failure") or {}
    return f"{what.get('kind', '?')}: {what.get('detail', '?')}"


def passes_in_plain_order(program):
    """One run, one thread after the other; what is wrong with it as a sentence, and its threads."""
    answer = run_command(["run", "--rule", "stay", "--", *program.command], 60)
    if answer.get("outcome") == "passed":
        return None, answer["threads"]
    said = answer.get("problem") or answer.get("explanation") or answer.get("outcome", "no answer")
    return f"one thread after the other, it does not pass: {said}", answer.get("threads")


def in_parallel(count, jobs):
    """The results of functions without parameters, in their order. What they start at a time stays on a CPU
    of its own each, as long as there are enough: left alone, two hunts might choose the same one."""
    cpus = itertools.cycle(sorted(os.sched_getaffinity(0)))

    def stay_on_one_cpu():  # this thread, and the processes that it starts
        if count > 1:
            os.sched_setaffinity(0, {next(cpus)})

    executor = concurrent.futures.ThreadPoolExecutor(count, initializer=stay_on_one_cpu)
    try:
        return [future.result() for future in [executor.submit(job) for job in jobs]]
    finally:
        # What has not begun when this is interrupted never does.
        executor.shutdown(cancel_futures=True)


def hunt_many(program, strategy, limits, parallel, options=FIND_ONLY):
    """Trials with the seeds 1, 2, …; and their figures. When the first ones find nothing, there are no
    more: they would take most of the time and say the same."""
    def trials_with(seeds):
        return in_parallel(parallel, [
            lambda seed=seed: hunt(program, strategy, seed, limits.runs, limits.seconds, options=options)
            for seed in seeds])

    trials = trials_with(range(1, limits.first_seeds + 1))
    if any(trial["found"] for trial in trials):
        trials += trials_with(range(limits.first_seeds + 1, limits.seeds + 1))
    return {"strategy": strategy, **figures_of(trials), "trials": trials}


def figures_of(trials):
    """Means are over the trials that found the bug; `found` says how many those are."""
    found = [trial for trial in trials if trial["found"]]
    figures = {"found": len(found), "of": len(trials),
               "timed_out": sum(trial["timed_out"] for trial in trials)}
    if found:
        runs = [trial["runs"] for trial in found]
        figures |= {"mean_runs": statistics.mean(runs), "median_runs": statistics.median(runs),
                    "max_runs": max(runs), "mean_steps": statistics.mean(trial["steps"] for trial in found),
                    "mean_seconds": statistics.mean(trial["seconds"] for trial in found)}
    return figures


def problems_of(results):
    return [f"{result['strategy']}, seed {trial['seed']}: {trial['problem']}"
            for result in results for trial in result["trials"] if trial["problem"]]


def found_always(result):
    return result["found"] == result["of"]


def ratio_to_best(portfolio, singles):
    """The portfolio's mean time over the best single strategy's, of those that always found the bug;
    None where there is none of them, or the portfolio did not."""
    best = min((single for single in singles if found_always(single)),
               key=lambda single: single["mean_seconds"], default=None)
    if best is None or not found_always(portfolio):
        return None
    return {"best": best["strategy"], "ratio": portfolio["mean_seconds"] / best["mean_seconds"]}


def verdict(program, portfolio):
    """Whether the target is met: found by every trial, in few enough runs."""
    if program.target is None:
        return None
    met = found_always(portfolio) and portfolio["mean_runs"] <= program.target
    return "met" if met else "missed"
