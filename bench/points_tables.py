"""What bench/points prints."""
from hunt_tables import number, print_problems, say

NAME = 32


def found(result):
    return f"{result['found']:>6} / {result['of']:<3}"


def found_and_mean(result):
    return f"{found(result)}{number(result.get('mean_runs')):>11}"


HEAD_OF_RESULT = f"{'found':>12}{'mean runs':>11}"


def print_test_programs_head():
    say("Test programs with hooks, hunted with --points auto and with --points memory")
    say()
    say(f"  {'':{NAME}}{'auto':>14}{'':9}{'memory':>14}")
    say(f"  {'program':{NAME}}{HEAD_OF_RESULT}{HEAD_OF_RESULT}")


def print_test_program(row):
    say(f"  {row['program']:{NAME}}" + "".join(found_and_mean(result) for result in row["results"]))
    print_problems(row["problems"])


def print_missed(rows, never, less_often):
    say()
    say(f"  programs: {len(rows)}; bugs that memory found and auto did not: {len(never)}")
    for row in never:
        say(f"    not found by auto: {row['program']}")
    for row in less_often:
        auto, memory = row["results"]
        say(f"    found less often by auto: {row['program']}, {auto['found']} against {memory['found']} "
            f"of {memory['of']}")


def print_appear_head():
    say()
    say("Programs whose bug is at an access that other orders make appear")
    say()
    say(f"  {'program':{NAME}}{'levels':>8}{HEAD_OF_RESULT}{'max runs':>10}{'mean steps':>12}")


def print_appear(row):
    result = row["results"][0]
    say(f"  {row['program']:{NAME}}{row['levels']:>8}{found_and_mean(result)}{number(result.get('max_runs')):>10}"
        f"{number(result.get('mean_steps')):>12}")
    print_problems(row["problems"])


def print_workers_head(part):
    say()
    say("Pools of workers, by the portfolio and by pos alone" + (", held back until now" * (part == "held")))
    say()
    say(f"  {'':{NAME}}{'':8}{'portfolio':>16}{'':25}{'pos':>12}")
    say(f"  {'program':{NAME}}{'threads':>8}{HEAD_OF_RESULT}{'max runs':>10}{'target':>11} {HEAD_OF_RESULT}")


def print_workers(row):
    portfolio, pos = row["results"]
    target = f"{row['target']} {row['verdict']}"
    say(f"  {row['program']:{NAME}}{row['threads'] or '-':>8}{found_and_mean(portfolio)}"
        f"{number(portfolio.get('max_runs')):>10}{target:>11} {found_and_mean(pos)}")
    print_problems(row["problems"])
