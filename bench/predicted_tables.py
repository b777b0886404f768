"""What bench/predicted prints."""
from hunt_tables import number, print_problems, say

NAME = 32
SHORT_NAME = 16
KINDS = ("race", "atomicity", "asv")


def share(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.0f} %)" if whole else "")


def print_failing_head():
    say("Test programs that pass one thread after the other, and fail under another schedule")
    say()
    say(f"  {'program':{NAME}}{'events':>8}{'traces':>8}{'confirmed':>11}{'found in run':>14}{'seconds':>9}")


def print_failing(row):
    if row["passes"]:
        say(f"  {row['program']:{NAME}}{row['events'] or '-':>8}{row['traces'] or '-':>8}{row['confirmed']:>11}"
            f"{row['found_in_run'] or 'not found':>14}{number(row['seconds']):>9}")
    print_problems(row["problems"])


def print_failing_sum(sum_, runs):
    say()
    say(f"  found in {runs} runs: {share(sum_['found'], sum_['programs'])}; 90 % are wanted")
    say(f"  in run (median): {number(sum_['median_run'])}; at most 3 is wanted")
    say(f"  left out, since they fail one thread after the other: {sum_['left_out']}")
    for name in sum_["missed"]:
        say(f"    not found: {name}")


def print_correct(rows):
    say()
    say(f"Correct programs: {len(rows)}; that failed: {sum(bool(row['failures']) for row in rows)}")
    for row in rows:
        if row["failures"]:
            say(f"    FAILED: {row['program']}")
        print_problems(row["problems"])


def print_papers_head():
    say()
    say("Programs after table 1 of the paper. Of a kind: predicted / confirmed. seen: the analysed run has it")
    say()
    kinds = "".join(f"{kind:>11}" for kind in KINDS)
    say(f"  {'program':{SHORT_NAME}}{'lines':>6}{'threads':>8}{'events':>7}{'traces':>7}{kinds}{'seen':>6}"
        f"{'refuted':>8}{'runs':>6}{'analysis':>9}{'seconds':>8}  {'shown again':14}{'failures':>9}{'pairs':>6}")


def print_paper(row):
    kinds = "".join(f"{row['predicted'][kind]:>6} /{row['confirmed'][kind]:>3}" for kind in KINDS)
    again = f"{row['shown_again']} of {row['stored']}"
    say(f"  {row['program']:{SHORT_NAME}}{row['lines']:>6}{row['threads'] or '-':>8}{row['events']:>7}{row['traces']:>7}"
        f"{kinds}{row['seen']:>6}{row['refuted']:>8}{row['runs']:>6}{number(row['analysis_seconds']):>9}"
        f"{number(row['seconds']):>8}  {again:14}{row['failures']:>9}{row['pairs_failures']:>6}")
    print_problems(row["problems"])


def print_papers_sum(rows):
    stored = sum(row["stored"] for row in rows)
    again = sum(row["shown_again"] for row in rows)
    say()
    ratio = f"{again / stored:.2f}" if stored else "-"
    say(f"  confirmed anomalies that a strict replay shows again: {again} of {stored}, {ratio}; 1.00 is wanted")
    say(f"  programs with a failure: {sum(row['failures'] > 0 for row in rows)} of {len(rows)} by predict, "
        f"{sum(row['pairs_failures'] > 0 for row in rows)} by hunt --strategy pairs in as many runs")


def print_large(row):
    say()
    say(f"{row['program']}: {row['events']} events, {row['kept_events']} kept, from {row['bytes']} bytes")
    say(f"  making the trace {number(row['trace_seconds'])} s, analysis {number(row['analysis_seconds'])} s; "
        "at most as long is wanted")
    counts = ("predicted", "seen", "confirmed", "refuted", "no_witness")
    say("  " + "; ".join(f"{name.replace('_', ' ')} {sum(row[name].values())}" for name in counts) +
        f"; {row['failures']} failures ({row['runs']} runs, {number(row['seconds'])} s)")
    print_problems(row["problems"])
