"""What bench/hunt prints."""
from hunt_trials import PORTFOLIO, SINGLES, found_always

NAME = 21


def say(line=""):
    print(line, flush=True)


def number(value):
    """Three digits of it."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def print_programs_head():
    say("Runs to the bug, by strategy")
    say()
    say(f"  {'program':{NAME}}{'threads':>8}  {'strategy':12}{'found':>11}{'mean runs':>11}"
        f"{'median':>9}{'seconds':>10}")


def print_program(row):
    first = f"{row['program']:{NAME}}{row['threads'] or '-':>8}"
    for result in row["strategies"]:
        late = f"  {result['timed_out']} ran out of time" if result["timed_out"] else ""
        say(f"  {first:{NAME + 8}}  {result['strategy']:12}"
            f"{result['found']:>5} / {result['of']:<3}{number(result.get('mean_runs')):>11}"
            f"{number(result.get('median_runs')):>9}{number(result.get('mean_seconds')):>10}{late}")
        first = ""
    print_problems(row["problems"])


def print_problems(problems):
    # A program that fails by one cause does so in all its trials.
    for problem in problems[:3]:
        say(f"    FAILED: {problem}")
    if len(problems) > 3:
        say(f"    FAILED: and {len(problems) - 3} more")


def cell(result):
    """Mean runs, and how many trials found it, where not all did."""
    if not result["found"]:
        return "-"
    mean = number(result["mean_runs"])
    return mean if found_always(result) else f"{mean} {result['found']}/{result['of']}"


def print_summary(rows):
    """One line a program."""
    say()
    say("Mean runs to the bug, and how many trials found it, where not all did. Times as long: the portfolio's")
    say("mean time over that of the best single strategy among those that always found it.")
    say()
    say(f"  {'program':{NAME}}" + "".join(f"{name:>12}" for name in (PORTFOLIO, *SINGLES))
        + "  times as long           target")
    for row in rows:
        cells = "".join(f"{cell(result):>12}" for result in row["strategies"])
        ratio = row["ratio"]
        best = f"{number(ratio['ratio'])} of {ratio['best']}" if ratio else "-"
        target = f"{row['target']} {row['verdict']}" if row["verdict"] else ""
        say(f"  {row['program']:{NAME}}{cells}  {best:22}  {target}".rstrip())
    always = sum(found_always(row["strategies"][0]) for row in rows)
    with_target = [row for row in rows if row["verdict"]]
    met = sum(row["verdict"] == "met" for row in with_target)
    say(f"  {always} of {len(rows)} programs were found by every trial of the portfolio; "
        f"{met} of {len(with_target)} targets met")


def print_correct(rows, runs):
    say()
    say(f"Correct programs, {runs} runs of the portfolio each: nothing may be found")
    say()
    say(f"  {'program':{NAME}}{'threads':>8}{'runs':>9}{'seconds':>10}  outcome")
    for row in rows:
        trial = row["trial"]
        say(f"  {row['program']:{NAME}}{row['threads'] or '-':>8}{trial['runs'] or '-':>9}"
            f"{number(trial['seconds']):>10}  {trial['outcome'] or '-'}")
        print_problems(row["problems"])


def print_safe_stack(row):
    say()
    trial, jobs = row["trial"], f"{row['jobs']} jobs" if row["jobs"] > 1 else "1 job"
    if trial["found"]:
        say(f"SafeStack, {jobs}: found at run {trial['runs']}, after {number(trial['seconds'])} "
            f"seconds: {trial['failure']}")
    else:
        runs = f"{trial['runs']} runs" if trial["runs"] else "as many runs as fit"
        say(f"SafeStack, {jobs}: not found in {number(trial['seconds'])} seconds, {runs}")
    print_problems(row["problems"])


def print_speed(rows, summary):
    say()
    say("Runs per second with one job, beside uncontrolled children with as many threads")
    say()
    say(f"  {'program':{NAME}}{'threads':>8}  {'':7}{'runs/s':>8}{'uncontrolled':>14}{'ratio':>8}")
    for row in rows:
        say(f"  {row['program']:{NAME}}{row['threads'] or '-':>8}  {'spins' if row['spins'] else '':7}"
            f"{number(row.get('runs_per_second')):>8}{number(row.get('uncontrolled_per_second')):>14}"
            f"{number(row.get('ratio')):>8}")
        print_problems(row["problems"])
    for entry in summary:
        kind = "with threads that spin" if entry["spins"] else "without threads that spin"
        say(f"  median of {entry['programs']} programs of up to 5 threads {kind}: "
            f"{number(entry['median'])}  (at least {entry['target']} is wanted: {entry['verdict']})")
