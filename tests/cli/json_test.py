"""Every command's --json, compared with golden files: what other tools read does not change by accident.

A golden file holds one command's object with what differs from machine to machine replaced by what it is:
"(seconds)", "(run 2)". UNRAVEL_ACCEPT=1 in the environment writes the files anew; look at the difference then.
"""
import json
import os
import pathlib
import re
import unittest

from support import LOST_UPDATE, PROGRAMS, UNRAVEL, CommandTest, program

GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "json"

# Two locks in opposite order, in lines of their own.
LOCK_ORDER = """
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static void* backwards(void* unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, backwards, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(thread, 0);
}
"""

# What is a matter of time, of the machine or of addresses; all else must be the same every time.
VARYING = {
    "seconds": "(seconds)", "processor_seconds": "(seconds)", "runs_per_second": "(rate)", "time": "(time)",
    "created": "(time)", "schedule": "(schedule)", "directory": "(directory)", "address": "(address)",
    "pointer": "(address)", "build_id": "(build)", "module": "(module)", "offset": "(offset)", "began": "(time)",
    "bytes": "(size)", "variables_left_out": "(count)",
}

# What names a run.
RUNS = {"run", "from", "failing", "passing", "left", "right", "simplified_run"}


class Json(CommandTest):
    def setUp(self):
        super().setUp()
        self.runs = {}

    def number_of(self, run):
        return self.runs.setdefault(run, f"(run {len(self.runs) + 1})")

    def normal(self, value, key=""):
        """`value` without what differs from machine to machine."""
        if key in VARYING and value is not None and not isinstance(value, (dict, list)):
            return VARYING[key]
        if isinstance(value, dict):
            return {name: self.normal(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.normal(inner, key) for inner in value]
        if isinstance(value, float):
            return "(number)"
        if not isinstance(value, str):
            return value
        if key in RUNS and value:
            return self.number_of(value)
        text = value
        for path, name in ((self.folder, "folder"), (PROGRAMS, "programs"), (pathlib.Path(UNRAVEL).parent, "bin")):
            text = text.replace(str(path), f"({name})")
        text = re.sub(r"0x[0-9a-f]{6,}", "(address)", text)
        text = re.sub(r"\bu1\.[\w-]+", "(schedule)", text)
        text = re.sub(r"/(usr/)?lib/[^ ]*/(libc|libpthread|libstdc\+\+)[^ ]*", r"(\2)", text)
        for run, name in self.runs.items():
            text = re.sub(rf"\b{run}\b", name, text)
        return text

    def expect(self, name, done, status):
        self.check(done, status)
        text = json.dumps(self.normal(done.json()), indent=1, ensure_ascii=False) + "\n"
        file = GOLDEN / f"{name}.json"
        if os.environ.get("UNRAVEL_ACCEPT"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        self.assertEqual(text, file.read_text(), f"{file.name}: {done.command}")

    def lost_update(self, *flags):
        self.source("lost.c", LOST_UPDATE)
        self.build("gcc", "-g", "-O1", "-pthread", *flags, "lost.c", "-o", "lost")
        return "./lost"

    def test_a_failure_from_its_hunt_to_its_explanation(self):
        prog = self.lost_update("-fsanitize=thread")
        hunted = self.tool("hunt", "--json", "--jobs", "1", "--seed", "1", "--runs", "300", "--", prog)
        self.expect("hunt_lost_update", hunted, 1)
        failing = hunted.json()["failures"][0]["run"]
        self.expect("replay", self.tool("replay", "--json", failing), 1)
        self.expect("show", self.tool("show", "--json", "--run", failing), 0)
        self.expect("query", self.tool("query", "--json", failing, "--at", "T1:1"), 0)
        self.expect("query_moments",
                    self.tool("query", "--json", failing, "--at", "T2:1", "--at", "T1:1"), 0)
        self.expect("simplify", self.tool("simplify", "--json", "--jobs", "1", failing), 0)
        isolated = self.tool("isolate", "--json", "--jobs", "1", failing)
        self.expect("isolate", isolated, 0)
        told = isolated.json()
        self.expect("diff", self.tool("diff", "--json", "--run", told["failing"], told["passing"]), 0)
        self.expect("check", self.tool("check", "--json", failing), 1)
        self.expect("list", self.tool("list", "--json"), 0)
        self.expect("pack", self.tool("pack", "--json", failing, "-o", "failure.unravel"), 0)

    def test_a_deadlock(self):
        self.source("locks.c", LOCK_ORDER)
        self.build("gcc", "-g", "-O1", "-pthread", "locks.c", "-o", "locks")
        self.expect("hunt_deadlock", self.tool("hunt", "--json", "--jobs", "1", "--seed", "1", "--runs", "300",
                                               "--find-only", "--", "./locks"), 1)

    def test_runs_that_pass_and_fail(self):
        prog = self.lost_update()
        self.expect("run", self.tool("run", "--json", "--seed", "1", "--rule", "stay", "--", prog), 0)
        self.expect("run_many", self.tool("run", "--json", "--seed", "1", "--runs", "20", "--", prog), 0)
        self.expect("record", self.tool("record", "--json", "--tick", "1h", "--", prog), 0)
        self.expect("run_untested", self.tool("run", "--json", "--seed", "1", "--", program("one_thread")), 2)
        hooked = self.lost_update("-fsanitize=thread")
        self.expect("run_failure", self.tool("run", "--json", "--seed", "1", "--runs", "300", "--points", "memory",
                                             "--", hooked), 1)
        self.expect("hunt_nothing", self.tool("hunt", "--json", "--jobs", "1", "--seed", "1", "--runs", "20", "--",
                                              program("locks_in_order")), 0)

    def test_races(self):
        prog = self.lost_update("-fsanitize=thread")
        self.expect("races", self.tool("races", "--json", "--runs", "2", "--", prog), 1)

    def test_predictions(self):
        prog = self.lost_update("-fsanitize=thread")
        self.expect("predict", self.tool("predict", "--json", "--jobs", "1", "--seed", "1", "--find-only", "--",
                                         prog), 1)

    def test_doctor(self):
        self.expect("doctor", self.tool("doctor", "--json", "--runs", "2", "--", program("locks_in_order")), 0)

    def test_each_test(self):
        (self.folder / "CTestTestfile.cmake").write_text(
            f'add_test(orderly "{program("locks_in_order")}")\nadd_test(alone "{program("one_thread")}")\n')
        self.expect("each_test", self.tool("hunt", "--json", "--jobs", "1", "--seed", "1", "--runs", "20",
                                           "--each-test", "--", "."), 0)

    def test_an_error(self):
        self.expect("error", self.tool("replay", "--json", "123456"), 2)
        self.expect("error_option", self.tool("run", "--json", "--rull", "stay"), 2)


if __name__ == "__main__":
    unittest.main()
