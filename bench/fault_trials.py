"""One fault each: a kill, a damaged store, a bad command line."""
import math
import os
import random
import signal
import time

from fault_arguments import ArgumentMaker
from fault_damage import damage
from fault_ground import children_of, command_line, descendants_of, end_strays, kill_descendant, name_of

# A process to kill may not have been started yet.
SECONDS_TO_APPEAR = 2
SHORTEST_DELAY, LONGEST_DELAY = 0.001, 1.5

VICTIMS = ("driver", "driver", "driver", "keeper", "server", "run")


def commands_to_kill(ground, chance):
    program = str(ground.program)
    run = chance.choice(ground.runs)
    passes = [program, "leave", "pass"]
    return chance.choice((
        ["hunt", "--for", "1s", "--explore", "--", program],
        ["hunt", "--for", "1s", "--", *passes],
        ["hunt", "--for", "1s", "--jobs", "2", "--", program, "leave"],
        ["hunt", "--for", "1s", "--no-fork", "--", *passes],
        ["hunt", "--for", "1s", "--no-sandbox", "--", program, "stay", "pass"],
        ["run", "--runs", "1000", "--", *passes],
        ["run", "--", program, "leave"],
        ["record", "--", program],
        ["replay", run],
        ["replay", "--trace", run],
        ["simplify", run],
        ["isolate", run],
        ["check", "all"],
        ["show", run],
        ["races", "--runs", "5", "--", *passes]))


def is_program(ground, pid):
    return command_line(pid).startswith(str(ground.program))


def find_victim(ground, driver, kind, chance):
    if kind == "driver":
        return driver
    found = []
    for pid in descendants_of(driver):
        if kind == "keeper":
            is_it = name_of(pid) == "unravel-keeper"
        else:
            parent_is_program = any(pid in children_of(other) and is_program(ground, other)
                                    for other in descendants_of(driver))
            is_it = is_program(ground, pid) and parent_is_program == (kind == "run")
        if is_it:
            found.append(pid)
    return chance.choice(found) if found else None


def try_kill(ground, seed):
    """Kills the driver, or somebody who works for it, at a random moment; then the store must be whole."""
    chance = random.Random(seed)
    arguments = commands_to_kill(ground, chance)
    kind = chance.choice(VICTIMS)
    delay = math.exp(chance.uniform(math.log(SHORTEST_DELAY), math.log(LONGEST_DELAY)))
    ground.restore()
    process, output = ground.start(*arguments)
    time.sleep(delay)
    give_up = time.monotonic() + SECONDS_TO_APPEAR
    killed = False
    # Not reaped before finish(): until then the driver's number is its own.
    while not killed and time.monotonic() < give_up:
        victim = find_victim(ground, process.pid, kind, chance)
        if victim:
            killed = kill_descendant(victim, process.pid)
        elif os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
    ended = ground.finish(process, output)
    if kind == "driver" and ended.status == -signal.SIGKILL:
        ended.problems = []
    problems = ended.problems + ground.aftermath()
    listed = ground.command("list", "--json")
    problems += [f"then list: {problem}" for problem in listed.problems]
    if listed.status != 0:
        problems.append(f"then list: exit status {listed.status}: {listed.err.decode(errors='replace')[:200]}")
    lost = set(ground.runs) - {run["run"] for run in listed.json().get("runs", [])}
    problems += [f"lost: run {run}" for run in sorted(lost)]
    if chance.random() < 0.25:
        replayed = ground.command("replay", ground.runs[0])
        problems += [f"then replay: {problem}" for problem in replayed.problems]
        if b"reproduced" not in replayed.err:
            problems.append(f"then replay: {replayed.err.decode(errors='replace')[-300:]}")
        problems += ground.aftermath()
    return {"kind": f"kill of the {kind}", "hit": killed, "command": " ".join(arguments), "problems": problems,
            "megabytes": ended.megabytes, "error": ended.err.decode(errors="replace")[-500:]}


def try_store(ground, seed):
    """Commands on a damaged store."""
    chance = random.Random(seed)
    ground.restore()
    done = damage(ground.store, ground.folder / "elsewhere", seed)
    program = str(ground.program)
    problems, lines, most, errors = [], [], 0, []
    for _ in range(2):
        run = chance.choice((*ground.runs, *ground.runs, "abc123"))
        arguments = chance.choice((
            ["list"], ["list", "--json"], ["show", run], ["show"], ["show", "--json", run], ["replay", run], ["replay"],
            ["simplify", run], ["isolate", run], ["check", "all"], ["diff", *ground.runs[:2]], ["query", run, "--at", "T1:1"],
            ["races", run], ["run", "--runs", "3", "--", program], ["hunt", "--runs", "20", "--", program],
            ["hunt", "--resume", "--for", "1s", "--", program], ["replay", "--trace", run], ["record", "--", program]))
        ended = ground.command(*arguments)
        lines.append(" ".join(arguments))
        errors.append(ended.err.decode(errors="replace")[-300:])
        problems += ended.problems + ground.aftermath()
        most = max(most, ended.megabytes)
    for folder, folders, _ in os.walk(ground.store):
        for name in folders:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755)  # so that it can be removed
    return {"kind": "damaged store", "hit": bool(done), "command": f"{', '.join(done)}: {'; '.join(lines)}",
            "problems": problems, "megabytes": most, "error": "\n".join(errors)}


def has_raw_controls(text):
    """Control characters that a terminal would obey."""
    return any(byte < 32 and byte not in b"\n\t" for byte in text) or b"\xe2\x80\xae" in text


def try_arguments(ground, maker, seed):
    line, names_a_place = maker.make(seed)
    ground.restore(all_of_it=names_a_place)
    ended = ground.command(*line)
    problems = ended.problems + ground.aftermath(but=ground.work if names_a_place else None)
    if ended.status == 2 and has_raw_controls(ended.err):
        problems.append("raw: control characters of an argument reach the terminal")
    if names_a_place:
        ground.restore(all_of_it=True)
    return {"kind": "bad arguments", "hit": True, "command": repr(line), "problems": problems,
            "megabytes": ended.megabytes, "error": ended.err.decode(errors="replace")[-300:]}


class Trials:
    """All kinds, on one ground. A kind and a seed say all about a trial, but when it is on its way."""

    def __init__(self, ground):
        self.ground = ground
        self.maker = ArgumentMaker(ground.unravel, ground.program, ground.runs)

    def make(self, kind, seed):
        end_strays(0)
        if kind == "kills":
            trial = try_kill(self.ground, seed)
        elif kind == "stores":
            trial = try_store(self.ground, seed)
        else:
            trial = try_arguments(self.ground, self.maker, seed)
        return trial | {"seed": seed}
