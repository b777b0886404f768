#!/usr/bin/env python3
"""Programs as Debian ships them: are they controlled, and what does it cost?

Each is run under many random schedules with its output compared to the native one, then one
schedule is replayed strictly many times. Speed is against the same program on one CPU.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

UNRAVEL = pathlib.Path(__file__).resolve().parent.parent / "bin" / "unravel"

PYTHON_PROGRAM = """
import queue, threading
jobs, squares, lock = queue.Queue(), [], threading.Lock()
def work():
    while (job := jobs.get()) is not None:
        with lock: squares.append(job * job)
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
for job in range(30): jobs.put(job)
for _ in threads: jobs.put(None)
for thread in threads: thread.join()
print(sum(squares))
"""

# name, Debian package, command that writes its result to standard output, command that makes its
# input from `data` first.
FILTERS = [
    ("pbzip2", "pbzip2", "pbzip2 -c -p4 -b1 data", ""),
    ("pbzip2 -d", "pbzip2", "pbzip2 -d -c -p4 data.bz2", "pbzip2 -k -f -b1 data"),
    ("pigz", "pigz", "pigz -n -c -p4 -b 128 data", ""),
    ("pigz -d", "pigz", "pigz -d -c -p4 data.gz", "pigz -n -k -f data"),
    ("lbzip2", "lbzip2", "lbzip2 -c -n4 data", ""),
    ("lbzip2 -d", "lbzip2", "lbzip2 -d -c -n4 data.bz2", "lbzip2 -k -f data"),
    ("xz -T4", "xz-utils", "xz -c -1 -T4 --block-size=65536 data", ""),
    ("xz -d -T4", "xz-utils", "xz -d -c -T4 data.xz", "xz -k -f -1 -T4 --block-size=65536 data"),
    ("zstd -T4", "zstd", "zstd -q -c -T4 data", ""),
    ("zstd -d", "zstd", "zstd -q -d -c data.zst", "zstd -q -k -f data"),
    ("sort --parallel=4", "coreutils", "sort --parallel=4 -S 8M lines", ""),
    ("python3 threads", "python3", "/usr/bin/python3 threads.py", ""),
]


def unravel(*arguments):
    done = subprocess.run([UNRAVEL, *arguments], capture_output=True, text=True)
    try:
        return done.returncode, json.loads(done.stdout)
    except json.JSONDecodeError:
        return done.returncode, {"outcome": "error", "explanation": done.stderr.strip()}


def make_inputs():
    chance = random.Random(1)
    words = [bytes(chance.choices(b"abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(500)]
    pathlib.Path("data").write_bytes(b" ".join(chance.choices(words, k=100_000)))
    pathlib.Path("lines").write_bytes(b"\n".join(chance.choices(words, k=200_000)) + b"\n")
    pathlib.Path("threads.py").write_text(PYTHON_PROGRAM)


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["taskset", "-c", "0", *command], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_filter(name, command, prepare, schedules, replays):
    if prepare:
        subprocess.run(prepare.split(), check=True)
    command = command.split()
    expected = subprocess.run(command, capture_output=True, check=True).stdout
    pathlib.Path("expected").write_bytes(expected)

    begun = time.monotonic()
    _, hunt = unravel("run", "--json", "--seed", "1", "--runs", str(schedules), "--timeout", "60s",
                      "--oracle", f"cmp -s - {os.getcwd()}/expected", "--", *command)
    seconds = time.monotonic() - begun
    _, single = unravel("run", "--json", "--seed", "7", "--timeout", "60s", "--", *command)
    same = 0
    for _ in range(replays if single.get("run") else 0):
        _, again = unravel("replay", "--json", single["run"])
        same += bool(again.get("reproduced"))
    native = min(processor_seconds(command) for _ in range(3))
    return {
        "program": name,
        "outcome": hunt["outcome"],
        "why": hunt.get("explanation") or (hunt.get("failure") or {}).get("detail") or "",
        "threads": single.get("threads"),
        "steps": single.get("steps"),
        "schedules": schedules,
        "runs_per_second": round(schedules / seconds, 1),
        "replays": replays,
        "reproduced": same,
        "slow_down": round(single["seconds"] / native, 2) if single.get("seconds") else None,
    }


def talk(path, lines, last):
    """A client: connects when the server is up, sends each line and waits for its answer."""
    for _ in range(1000):
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.settimeout(20)
                server.connect(path)
                for line in lines:
                    server.sendall(line)
                    server.recv(4096)
                server.sendall(last)
                return
        except (FileNotFoundError, ConnectionRefusedError):
            time.sleep(0.01)
        except OSError:
            return


def run_server(name, command, lines, last, schedules):
    ended = hung = 0
    for seed in range(schedules):
        path = tempfile.mktemp(dir=os.getcwd(), suffix=".socket")
        client = threading.Thread(target=talk, args=(path, lines, last))
        client.start()
        _, run = unravel("run", "--json", "--seed", str(seed), "--timeout", "30s",
                         "--no-isolation", "--", *[part.replace("SOCKET", path) for part in command])
        client.join()
        ended += run["outcome"] == "passed"
        hung += run["outcome"] != "passed"
        why = run.get("explanation") or ""
    return {"program": name, "schedules": schedules, "ended_well": ended, "otherwise": hung,
            "why": why if hung else ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few schedules: does it run at all?")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    arguments = parser.parse_args()
    schedules, replays, services = (5, 3, 2) if arguments.quick else (300, 100, 50)

    results = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_inputs()
        print(f"{'program':20}{'threads':>8}{'steps':>9}{'outcome':>12}{'runs/s':>9}"
              f"{'replayed':>12}{'slow-down':>11}")
        for name, package, command, prepare in FILTERS:
            if arguments.only not in name:
                continue
            if not shutil.which(command.split()[0]):
                print(f"{name:20} not installed: apt-get install {package}")
                continue
            row = run_filter(name, command, prepare, schedules, replays)
            results.append(row)
            print(f"{name:20}{row['threads'] or '-':>8}{row['steps'] or '-':>9}{row['outcome']:>12}"
                  f"{row['runs_per_second']:>9}{row['reproduced']:>7} / {row['replays']}"
                  f"{row['slow_down'] or '-':>11}  {row['why']}", flush=True)
        servers = [
            ("memcached", ["memcached", "-u", "nobody", "-A", "-s", "SOCKET", "-t", "3"],
             [b"set k%d 0 0 5\r\nhello\r\n" % i for i in range(10)] + [b"get k3\r\n"],
             b"shutdown\r\n"),
            ("redis-server", ["redis-server", "--port", "0", "--unixsocket", "SOCKET", "--save", ""],
             [b"SET k%d v\r\n" % i for i in range(10)] + [b"GET k3\r\n"], b"SHUTDOWN NOSAVE\r\n"),
        ]
        for name, command, lines, last in servers:
            if arguments.only not in name:
                continue
            if not shutil.which(command[0]):
                print(f"{name:20} not installed: apt-get install {name}")
                continue
            row = run_server(name, command, lines, last, services)
            results.append(row)
            print(f"{name:20} started, loaded and shut down: {row['ended_well']} of "
                  f"{row['schedules']}  {row['why']}", flush=True)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
