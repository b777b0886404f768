#!/usr/bin/env python3
"""What does a hunt of a million runs take of memory and disk?

Two programs: one whose threads do nothing, so that few schedules differ, and one of which nearly
every run is another schedule. The driver's largest size is asked of the kernel when it has ended,
the store's is that of its files then: SQLite's do not shrink. Each hunt is made twice, once a tenth
as long, so that what grows with the runs shows.
"""
import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

from arguments import count_of

UNRAVEL = pathlib.Path(__file__).resolve().parent.parent / "bin" / "unravel"

PROGRAMS = {
    "two empty threads": """
#include <pthread.h>
static void* nothing(void* unused) { return unused; }
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, nothing, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
""",
    "three threads, three locks": """
#include <pthread.h>
static pthread_mutex_t locks[3];
static void* work(void* number) {
  for (int i = 0; i < 6; i++) {
    pthread_mutex_t* lock = &locks[((long)number + i) % 3];
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
  }
  return number;
}
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_mutex_init(&locks[i], 0);
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
""",
}

# What a hunt of a million runs may take.
MOST_MEBIBYTES = 64
MOST_MEGABYTES = 100


def size_of(folder):
    return sum(os.lstat(os.path.join(where, name)).st_size
               for where, _, names in os.walk(folder) for name in names)


def measure(program, runs, jobs, folder):
    """In a process of its own: the kernel tells the largest of all children, not of each."""
    store = folder / "store"
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        done = subprocess.run([UNRAVEL, "hunt", "--json", "--quiet", "--store", store, "--runs", str(runs),
                               "--jobs", str(jobs), "--", program], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        told = json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr}
        told["kibibytes"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        with os.fdopen(write, "w") as pipe:
            json.dump(told, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        told = json.load(pipe)
    os.waitpid(child, 0)
    if "error" in told:
        sys.exit(f"the hunt failed: {told['error']}")
    row = {"runs": told["runs"], "schedules": told["coverage"]["schedules"],
           "runs_per_second": told["runs_per_second"], "mebibytes": told["kibibytes"] / 1024,
           "megabytes": size_of(store) / 1e6}
    shutil.rmtree(store)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a hundredth of the runs")
    parser.add_argument("--runs", type=count_of, default=1_000_000)
    parser.add_argument("--jobs", type=count_of, default=2)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    runs = options.runs // 100 if options.quick else options.runs
    rows = []
    print("                                  runs  schedules   runs/s   driver MiB   store MB")
    with tempfile.TemporaryDirectory(prefix="unravel-bench-") as name:
        folder = pathlib.Path(name)
        for title, source in PROGRAMS.items():
            (folder / "prog.c").write_text(source)
            subprocess.run(["cc", "-g", "-pthread", folder / "prog.c", "-o", folder / "prog"], check=True)
            for count in (runs // 10, runs):
                row = {"program": title} | measure(folder / "prog", count, options.jobs, folder)
                rows.append(row)
                print(f"  {title:26} {row['runs']:9} {row['schedules']:10} {row['runs_per_second']:8.0f}"
                      f" {row['mebibytes']:12.1f} {row['megabytes']:10.1f}", flush=True)
    worst = (max(row["mebibytes"] for row in rows), max(row["megabytes"] for row in rows))
    print(f"\n  at most {worst[0]:.1f} MiB of memory ({worst[0] / MOST_MEBIBYTES:.2f} of {MOST_MEBIBYTES}) and"
          f" {worst[1]:.1f} MB of disk ({worst[1] / MOST_MEGABYTES:.2f} of {MOST_MEGABYTES})")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"footprint": rows}, indent=2))


if __name__ == "__main__":
    main()
