#!/usr/bin/env python3
"""`unravel record`: threads take turns by the clock, and the run can be had again."""
import pathlib
import subprocess
import unittest

from support import UNRAVEL, CommandTest, program

BIN = pathlib.Path(UNRAVEL).resolve().parent

# Each thread works far longer than a tick; without a switch between its two accesses all is well.
LONG_WORK = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int shared, rounds;
volatile int sink;
static void* work(void* unused) {
  const int seen = shared;
  for (int i = 0; i < rounds; i++) sink = i;
  shared = seen + 1;
  return unused;
}
int main(int count, char** arguments) {
  rounds = count > 1 ? atoi(arguments[1]) : 30000000;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(shared == 2);
}
"""
LIMITS = ("--max-steps", "1000000000", "--timeout", "50s")


class Record(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "work.c").write_text(LONG_WORK)
        subprocess.run([BIN / "unravel-cc", "-O1", "work.c", "-o", "work", "-pthread"],
                       cwd=self.folder, check=True, env=self.environment)

    def record(self, status, *arguments):
        done = self.tool("record", "--json", *LIMITS, *arguments)
        self.check(done, status)
        run = done.json()
        self.assertEqual(run["strategy"], "record")
        return run

    def check_replays(self, run, status):
        again = self.tool("replay", "--json", run["run"])
        self.check(again, status)
        self.assertTrue(again.json()["reproduced"])
        for field in ("steps", "switches", "preemptions", "schedule"):
            self.assertEqual(again.json()[field], run[field])

    def test_a_tick_preempts_at_the_next_point(self):
        for points in ("memory", "calls"):
            with self.subTest(points=points):
                run = self.record(1, "--tick", "1ms", "--points", points, "--", "./work")
                self.assertEqual(run["failure"]["kind"], "assert")
                self.assertGreater(run["preemptions"], 1)
                self.check_replays(run, 1)

    def test_without_a_tick_nobody_is_preempted(self):
        run = self.record(0, "--tick", "1h", "--points", "calls", "--", "./work", "100000")
        self.assertEqual(run["preemptions"], 0)
        self.check_replays(run, 0)

    def test_where_there_is_no_point_there_is_no_switch(self):
        run = self.record(0, "--tick", "1ms", "--points", "sync", "--", "./work")
        self.assertEqual(run["failure"], None)
        self.check_replays(run, 0)

    def test_programs_without_hooks_are_recorded_too(self):
        run = self.record(0, "--", program("locks_in_order"))
        self.assertEqual(run["points"], "sync")
        self.check_replays(run, 0)
        told = self.tool("record", "--", program("locks_in_order"))
        self.check(told, 0, "passed", "record,")


if __name__ == "__main__":
    unittest.main()
