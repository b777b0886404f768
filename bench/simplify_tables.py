"""What bench/simplify prints."""
from hunt_tables import number, print_problems, say
from simplify_trials import OPERATIONS, PROBABILITY, SHARE_REMOVED

NAME = 22


def print_start(rows):
    say(f"Failing runs to start from: the first of a random walk (probability {PROBABILITY}), means")
    say()
    say(f"  {'program':{NAME}}{'points':>7}{'found':>10}{'steps':>9}{'threads':>9}{'switches':>10}{'forced':>8}"
        f"{'preemptions':>13}")
    for row in rows:
        figures = row["figures"]
        before = figures["before"]
        say(f"  {row['program']:{NAME}}{row['points']:>7}{figures['found']:>5} / {figures['of']:<2}"
            f"{number(before['steps']):>9}{number(before['threads']):>9}{number(before['switches']):>10}"
            f"{number(before['forced']):>8}{number(before['preemptions']):>13}")
        print_problems(row["problems"])


def print_simplified(rows):
    say()
    say("Simplified, means; per cent removed of switches, forced ones and preemptions")
    say()
    say(f"  {'program':{NAME}}{'steps':>9}{'threads':>9}{'switches':>10}{'forced':>8}{'preemptions':>13}"
        f"{'% switches':>12}{'% forced':>10}{'% preemptions':>15}")
    for row in rows:
        after, removed = row["figures"]["after"], row["figures"]["removed"]
        say(f"  {row['program']:{NAME}}{number(after['steps']):>9}{number(after['threads']):>9}"
            f"{number(after['switches']):>10}{number(after['forced']):>8}{number(after['preemptions']):>13}"
            f"{number(removed['switches']):>12}{number(removed['forced']):>10}{number(removed['preemptions']):>15}")


def print_cost(rows):
    say()
    say("What it took, medians, and the switches that each operation removed, means")
    say()
    say(f"  {'program':{NAME}}{'runs':>7}{'seconds':>9}{'runs/switch':>13}"
        + "".join(f"{name.replace('_', ' '):>18}" for name in OPERATIONS))
    for row in rows:
        figures = row["figures"]
        say(f"  {row['program']:{NAME}}{number(figures['median_runs']):>7}{number(figures['median_seconds']):>9}"
            f"{number(figures['runs_per_switch']):>13}"
            + "".join(f"{number(figures['operations'][name]):>18}" for name in OPERATIONS))


def histogram(counts):
    """Results by their distance: 0, 1, 2, more."""
    more = sum(count for distance, count in counts.items() if distance > 2)
    return [sum(count for distance, count in counts.items() if distance <= 0),
            counts.get(1, 0), counts.get(2, 0), more]


def print_distances(rows, overall):
    say()
    say("How many switches above the fewest that are possible")
    say()
    say(f"  {'program':{NAME}}{'fewest':>8}{'preemptions':>13}  {'known':14}{'0':>5}{'1':>5}{'2':>5}{'more':>6}")
    for row in rows:
        optimum = row["optimum"]
        if not optimum:
            say(f"  {row['program']:{NAME}}{'-':>8}{'-':>13}  not known")
            continue
        say(f"  {row['program']:{NAME}}{optimum['switches']:>8}{optimum['preemptions']:>13}  {optimum['how']:14}"
            + counts_line(histogram(row["figures"]["distances"])))
    say(f"  {'all':{NAME}}{'':>8}{'':>13}  {'':14}" + counts_line(histogram(overall["distances"])))


def counts_line(counts):
    return f"{counts[0]:>5}{counts[1]:>5}{counts[2]:>5}{counts[3]:>6}"


def print_targets(rows, overall):
    say()
    say(f"Targets: {SHARE_REMOVED:.0f} % of preemptions removed, or with few at the start at most one above the "
        "fewest; 95 % of")
    say("results within one switch of the fewest, all within two; at most 0.5 runs a switch at the start and 20, in "
        "the median")
    say()
    say(f"  {'program':{NAME}}{'preemptions':>13}{'optimum':>10}{'runs':>8}")
    for name, targets in [*((row["program"], row["targets"]) for row in rows), ("all", overall)]:
        say(f"  {name:{NAME}}{targets.get('preemptions') or '-':>13}{targets.get('optimum') or '-':>10}"
            f"{targets.get('runs') or '-':>8}")


def print_optimum(name, listed, found):
    """Of one search, as it ends."""
    runs = f"{found['runs']} runs, {found['states']} states"
    said = f"listed: {listed.switches} switches, {listed.preemptions} preemptions" if listed else "none is listed"
    if found["known"]:
        say(f"  {name:{NAME}}{found['switches']:>4} switches, {found['preemptions']} preemptions ({runs}); {said}")
    elif found["switches"] is not None:
        say(f"  {name:{NAME}}not known; at most {found['switches']} switches, at least {found['at_least']} "
            f"({runs}); {said}")
    else:
        say(f"  {name:{NAME}}not known; at least {found['at_least']} switches ({runs}); {said}")
