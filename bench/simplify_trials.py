"""Runs that fail, as long as a random walk makes them, and what `unravel simplify` makes of them."""
import contextlib
import json
import shutil
import statistics
import subprocess
import time

from hunt_trials import UNRAVEL, new_folder, read_answer

OPTIMUM = UNRAVEL.parent.parent / "bench-parts" / "simplify_optimum"

# A random walk that switches at every second point: about as restless as the runs that the paper starts from.
PROBABILITY = "0.5"
MOST_RUNS = 5000

# No command of a trial takes as long, unless it hangs.
MOST_SECONDS = 600

OPERATIONS = ("remove_last", "consolidate_up", "consolidate_down")
COST = ("steps", "threads", "switches", "preemptions", "forced")


class Trouble(Exception):
    """Something is wrong; says what as a sentence."""


class Store:
    """Commands that share a store, in a folder of their own in memory."""

    def __init__(self, folder):
        self.folder = folder

    def command(self, name, *arguments):
        """The command's JSON, and how long it took."""
        begun = time.monotonic()
        try:
            done = subprocess.run(
                [UNRAVEL, name, "--json", "--store", self.folder / "store", *arguments],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                errors="replace", cwd=self.folder / "work", timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            raise Trouble(f"unravel {name} did not end within {MOST_SECONDS} seconds") from None
        answer = read_answer(done.returncode, done.stdout, done.stderr, timed_out=False)
        if answer.get("problem"):
            raise Trouble(f"unravel {name}: {answer['problem']}")
        return {**answer, "exit_status": done.returncode, "wall_seconds": time.monotonic() - begun}


@contextlib.contextmanager
def new_store():
    folder = new_folder()
    try:
        yield Store(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_plain_order(program):
    """What is wrong with the program when its threads run one after the other; None if it passes."""
    try:
        with new_store() as store:
            answer = store.command("run", "--rule", "stay", "--points", program.points, "--", *program.command)
    except Trouble as trouble:
        return str(trouble)
    if answer.get("outcome") == "passed":
        return None
    return f"one thread after the other, it does not pass: {answer.get('outcome')}"


def find_failing_run(store, program, seed):
    """A random run that fails, which is kept in the store; None if there is none among so many."""
    answer = store.command("run", "--rule", "random", "--probability", PROBABILITY, "--seed", str(seed),
                           "--runs", str(MOST_RUNS), "--points", program.points, "--", *program.command)
    if answer["outcome"] == "passed":
        return None
    if answer["outcome"] != "failed" or not answer.get("verified"):
        raise Trouble(f"a run to start from is {answer['outcome']}, and not verified")
    return shown(store, answer["run"])


def shown(store, run):
    """What the store has of a run."""
    answer = store.command("show", run)
    return {"run": run, "key": answer["failure"]["key"], "schedule_file": answer["schedule_file"],
            "steps": answer["steps"], "threads": answer["threads"], "switches": answer["switches"],
            "preemptions": answer["preemptions"], "forced": answer["switches"] - answer["preemptions"]}


def check_replay(store, run, key):
    """Replayed strictly, it must fail with this key."""
    answer = store.command("replay", run)
    replayed = (answer.get("failure") or {}).get("key")
    if answer.get("outcome") != "failed" or replayed != key:
        raise Trouble(f"replayed, run {run} is {answer.get('outcome')} with the key '{replayed}', not '{key}'")


def check_simplified(start, answer, result):
    """What the command says must be so."""
    for side, run in (("before", start), ("after", result)):
        said = {part: answer[side][part] for part in COST}
        kept = {part: run[part] for part in COST}
        if said != kept:
            raise Trouble(f"simplify says of the run {side}: {said}, but the store has {kept}")
    if result["key"] != start["key"]:
        raise Trouble(f"it came from '{start['key']}', but fails with '{result['key']}'")
    if (result["switches"], result["preemptions"]) > (start["switches"], start["preemptions"]):
        raise Trouble(f"from {start['switches']} switches it came to {result['switches']}")


def simplify(store, start):
    """The figures of one simplification, checked."""
    answer = store.command("simplify", start["run"])
    if answer["exit_status"] != 0:
        raise Trouble(f"unravel simplify ended with the exit status {answer['exit_status']}")
    result = shown(store, answer["run"])
    check_simplified(start, answer, result)
    check_replay(store, answer["run"], start["key"])
    return {"before": answer["before"], "after": answer["after"], "runs": answer["runs"],
            "rounds": answer["rounds"], "seconds": answer["seconds"], "wall_seconds": answer["wall_seconds"],
            "operations": answer["operations"], "preempted_at": answer["preempted_at"]}


def try_seed(program, seed, explain=simplify):
    """One trial: a failing run is found, replayed, and given to `explain` with its store. Without one, that is
    all: `start` has what was found, and `before` is what the store says of it."""
    trial = {"seed": seed, "found": False, "problem": None}
    try:
        with new_store() as store:
            start = find_failing_run(store, program, seed)
            if start is None:
                return trial
            trial |= {"found": True, "key": start["key"], "before": {part: start[part] for part in COST}}
            check_replay(store, start["run"], start["key"])
            if explain:
                trial |= explain(store, start)
    except Trouble as trouble:
        trial["problem"] = str(trouble)
    return trial


def search_optimum(program, most_runs, jobs):
    """The fewest switches that the failure needs, by search; the search's own JSON. The points are those of two
    failing runs."""
    with new_store() as store:
        starts = [start for start in (find_failing_run(store, program, seed) for seed in (1, 2)) if start]
        if not starts:
            raise Trouble("no failing run was found")
        schedules = [part for start in starts for part in ("--schedule", start["schedule_file"])]
        options = ["--needs", program.needs] if program.needs else []
        options += ["--alike"] if program.alike else []
        done = subprocess.run(
            [OPTIMUM, *schedules, "--key", starts[0]["key"], *options, "--runs", str(most_runs),
             "--jobs", str(jobs), "--", *program.command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", cwd=store.folder / "work")
    if done.returncode != 0:
        raise Trouble(f"simplify_optimum ended with the exit status {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout)


# --- Figures of many trials ---

def mean(values):
    values = list(values)
    return statistics.mean(values) if values else None


def median(values):
    values = list(values)
    return statistics.median(values) if values else None


def removed(trial, part):
    """Per cent; None where there was nothing to remove."""
    before = trial["before"][part]
    return 100 * (before - trial["after"][part]) / before if before else None


def run_limit(trial):
    """How many runs the simplification of such a run may take."""
    return 0.5 * trial["before"]["switches"] + 20


def figures_of(program, trials):
    found = [trial for trial in trials if trial["found"]]
    done = [trial for trial in found if "after" in trial]
    figures = {"found": len(found), "of": len(trials), "simplified": len(done),
               "before": {part: mean(trial["before"][part] for trial in found) for part in COST}}
    if not done:
        return figures
    figures["after"] = {part: mean(trial["after"][part] for trial in done) for part in COST}
    figures["removed"] = {
        part: mean(share for share in (removed(trial, part) for trial in done) if share is not None)
        for part in ("switches", "preemptions", "forced")}
    figures["median_runs"] = median(trial["runs"] for trial in done)
    figures["median_seconds"] = median(trial["seconds"] for trial in done)
    figures["runs_per_switch"] = median(trial["runs"] / trial["before"]["switches"] for trial in done)
    figures["runs_of_limit"] = median(trial["runs"] / run_limit(trial) for trial in done)
    figures["operations"] = {name: mean(trial["operations"][name] for trial in done) for name in OPERATIONS}
    if program.optimum:
        figures["distances"] = distances(program.optimum, done)
    return figures


def distances(optimum, trials):
    """How many results are how far above the optimum; a negative distance: the optimum is none."""
    counts = {}
    for trial in trials:
        distance = trial["after"]["switches"] - optimum.switches
        counts[distance] = counts.get(distance, 0) + 1
    return counts


# --- Targets ---

MANY_PREEMPTIONS = 25
SHARE_REMOVED = 92.0
SHARE_WITHIN_ONE = 0.95


def verdict(met):
    return None if met is None else "met" if met else "missed"


def targets_of(program, figures):
    """What is wanted of one program; None where it does not apply."""
    if not figures["simplified"]:
        return {}
    if figures["before"]["preemptions"] >= MANY_PREEMPTIONS:
        preemptions = figures["removed"]["preemptions"] >= SHARE_REMOVED
    elif program.optimum:
        preemptions = figures["after"]["preemptions"] <= program.optimum.preemptions + 1
    else:
        preemptions = None
    return {"preemptions": verdict(preemptions),
            "optimum": verdict(near_optimum(figures["distances"]) if program.optimum else None),
            "runs": verdict(figures["runs_of_limit"] <= 1)}


def near_optimum(counts):
    """95 of 100 within one switch, all within two."""
    total = sum(counts.values())
    within_one = sum(count for distance, count in counts.items() if distance <= 1)
    return within_one >= SHARE_WITHIN_ONE * total and max(counts) <= 2


def overall(rows):
    """Of all programs together."""
    counts = {}
    for row in rows:
        for distance, count in row["figures"].get("distances", {}).items():
            counts[distance] = counts.get(distance, 0) + count
    shares = [trial["runs"] / run_limit(trial) for row in rows for trial in row["trials"] if "runs" in trial]
    return {"distances": counts, "optimum": verdict(near_optimum(counts) if counts else None),
            "runs_of_limit": median(shares), "runs": verdict(median(shares) <= 1 if shares else None)}


def problems_of(program, trials, figures):
    problems = [f"seed {trial['seed']}: {trial['problem']}" for trial in trials if trial["problem"]]
    better = [distance for distance in figures.get("distances", {}) if distance < 0]
    if better:
        problems.append(f"{program.optimum.switches} switches are said to be the fewest ({program.optimum.how}), "
                        f"but there is a run with {program.optimum.switches + min(better)}")
    return problems
