#!/usr/bin/env python3
"""The set of points that is learnt: what it has, that it is kept, and that it grows."""
import pathlib
import unittest

import support
from support import UNRAVEL

BIN = pathlib.Path(UNRAVEL).resolve().parent

# The threads share one variable without a lock, one with; `own` is nobody else's.
SHARED = """
#include <assert.h>
#include <pthread.h>
static int plain, guarded, sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* unused) {
  int own[200];
  for (int i = 0; i < 200; ++i) own[i] = i;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 200; ++i) guarded += own[i];
  pthread_mutex_unlock(&mutex);
  plain++;
  return unused;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  sum = guarded;
  assert(plain == 2);
}
"""

# What lies behind the check is only seen in a run that is switched there.
BEHIND_A_CHECK = """
#include <assert.h>
#include <pthread.h>
static int closed, first, second;
static void* close_it(void* unused) {
  closed = 1;
  first = 1;
  second = 1;
  return unused;
}
static void* use_it(void* unused) {
  if (!closed) {
    int one = first;
    int other = second;
    assert(one == other);
  }
  return unused;
}
int main(void) {
  pthread_t closer, user;
  pthread_create(&closer, 0, close_it, 0);
  pthread_create(&user, 0, use_it, 0);
  pthread_join(closer, 0);
  pthread_join(user, 0);
}
"""


class Auto(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.compile("shared", SHARED)

    def compile(self, name, text):
        self.build(BIN / "unravel-cc", "-g", "-O0", "-pthread", self.source(f"{name}.c", text),
                   "-o", name)

    def run_json(self, *arguments):
        return self.tool("run", "--json", "--rule", "stay", *arguments, "--", "./shared").json()

    def learnt(self):
        return list(pathlib.Path(self.folder, ".unravel", "points").iterdir())

    def test_points_are_where_threads_may_meet(self):
        some = self.run_json()
        every = self.run_json("--points", "memory")
        sync = self.run_json("--points", "sync")

        self.assertEqual((some["points"], every["points"], sync["points"]),
                         ("auto", "memory", "sync"))
        # Two accesses of each thread, to what no lock guards.
        self.assertEqual(some["steps"] - sync["steps"], 4)
        self.assertGreater(every["steps"] - sync["steps"], 1000)

    def test_they_are_enough_to_find_the_bug(self):
        found = self.tool("run", "--json", "--runs", "200", "--seed", "1", "--", "./shared")
        self.assertEqual(found.status, 1, found)
        run = found.json()
        self.assertEqual((run["points"], run["failure"]["kind"]), ("auto", "assert"))
        self.assertEqual(self.tool("replay", run["run"]).status, 1)

        # The schedule alone brings the points along.
        again = self.tool("run", "--json", "--store", "elsewhere", "--schedule", run["schedule"],
                          "--", "./shared")
        self.assertEqual(again.status, 1, again)
        self.assertEqual(again.json()["steps"], run["steps"])

    def test_they_are_learnt_once(self):
        first = self.run_json()
        kept = self.learnt()
        before = kept[0].read_bytes()
        self.assertEqual(len(kept), 1)

        self.assertEqual(self.run_json()["steps"], first["steps"])
        self.assertEqual(kept[0].read_bytes(), before)

    def test_what_was_kept_and_is_damaged_is_learnt_again(self):
        first = self.run_json()
        kept = self.learnt()[0]
        whole = kept.read_bytes()
        for damaged in (b"", whole[:-3], b"nonsense", whole[:20] + b"\xff" + whole[21:]):
            with self.subTest(damaged=damaged[:8]):
                kept.write_bytes(damaged)
                done = self.tool("run", "--json", "--rule", "stay", "--", "./shared")
                self.check(done, 0, "learnt again")
                self.assertEqual(done.json()["steps"], first["steps"])
                self.assertEqual(kept.read_bytes(), whole)

    def test_another_build_learns_anew(self):
        self.run_json()
        self.compile("shared", SHARED.replace("200", "100"))
        self.run_json()
        self.assertEqual(len(self.learnt()), 2)

    def test_they_grow_with_what_runs_do(self):
        self.compile("behind", BEHIND_A_CHECK)
        # In the first run the user comes too late to see anything.
        before = self.tool("run", "--json", "--rule", "stay", "--", "./behind").json()
        found = self.tool("run", "--runs", "500", "--seed", "1", "--", "./behind")
        after = self.tool("run", "--json", "--rule", "stay", "--", "./behind").json()

        self.assertEqual(found.status, 1, found)
        self.assertGreater(after["steps"], before["steps"])


if __name__ == "__main__":
    unittest.main()
