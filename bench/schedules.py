"""A program of others under many schedules, with its output compared, and one of them replayed."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import time

UNRAVEL = pathlib.Path(__file__).resolve().parent.parent / "bin" / "unravel"

# Of one run. The slowest takes half a second on an idle machine.
TIMEOUT_SECONDS = 60
# Of the command, beyond what its runs may take: it must end whatever the program does.
GRACE_SECONDS = 60


def unravel(command, arguments, runs=1):
    """The command's JSON; in `said` what it wrote for people."""
    line = [UNRAVEL, command, "--json", *arguments]
    try:
        done = subprocess.run(line, capture_output=True, text=True, errors="replace",
                              timeout=runs * TIMEOUT_SECONDS + GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return {"outcome": "error", "said": "unravel itself did not end"}
    lines = [text for text in done.stderr.splitlines() if text.startswith("unravel: ")]
    said = lines[-1] if lines else done.stderr.strip()[-300:]
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        answer = {}
    if "error" in answer:
        said = "; ".join(answer["error"][part] for part in ("what", "why"))
    return {"outcome": "error", "said": said, **answer}


def limits():
    return ["--timeout", f"{TIMEOUT_SECONDS}s"]


def make_oracle(program, environment=None):
    """A command that says whether what a run wrote to standard output is right."""
    if program.server:
        return "grep -q 'every answer was right'"
    expected = pathlib.Path.cwd() / "expected"
    with expected.open("wb") as output:
        subprocess.run(program.command, stdout=output, check=True, env=environment)
    return f"cmp -s - {expected}"


def try_schedules(program, oracle, schedules, row, options=()):
    begun = time.monotonic()
    many = unravel("run", ["--seed", "1", "--runs", str(schedules), *limits(), *options,
                           "--oracle", oracle, "--", *program.command], schedules)
    row["runs_per_second"] = round(schedules / (time.monotonic() - begun), 1)
    row["schedules"], row["passed"] = schedules, many.get("outcomes", {}).get("passed", 0)
    if row["passed"] != schedules:
        row["problems"].append(f"{row['passed']} of {schedules} schedules passed: "
                               f"{many.get('explanation') or many['said']}")


def replay_one(program, oracle, replays, row, options=()):
    row["replays"], row["reproduced"] = replays, 0
    one = unravel("run", ["--seed", "7", *limits(), *options, "--oracle", oracle, "--",
                          *program.command])
    if one["outcome"] != "passed":
        row["problems"].append(f"no run to replay: {one['said']}")
        return
    others = []
    for _ in range(replays):
        again = unravel("replay", [one["run"]])
        if again.get("reproduced") and again["outcome"] == "passed":
            row["reproduced"] += 1
        else:
            others.append(again.get("explanation") or again["said"])
    if others:
        row["problems"].append(f"{len(others)} of {replays} replays were not the same, "
                               f"the first: {others[0]}")


def print_indented(sentences):
    for sentence in sentences:
        print(textwrap.fill(sentence, width=96, initial_indent="    ", subsequent_indent="      "),
              flush=True)


def run_benchmark(description, make_files, examine_all):
    """Reads the command line, has all programs examined in a folder of their own, and gives the
    exit status: 1 if any has a problem."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="few schedules: does it run at all?")
    parser.add_argument("--json", metavar="FILE", help="the figures as JSON too")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    arguments = parser.parse_args()
    json_file = arguments.json and pathlib.Path(arguments.json).resolve()

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files()
        rows = examine_all(arguments.quick, arguments.only)
        os.chdir("/")
    if not rows:
        sys.exit(f"{parser.prog}: no program's name contains '{arguments.only}'")
    if json_file:
        json_file.write_text(json.dumps(rows, indent=2) + "\n")
    return 1 if any(row["problems"] for row in rows) else 0
