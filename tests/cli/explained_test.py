#!/usr/bin/env python3
"""What is explained: failures that depend on the order of threads, within a limit, whatever ends the hunt."""
import re
import signal
import sqlite3
import time
import unittest

from support import program
from verdicts import ENDS, ONE_THREAD, VerdictTest

# Deadlocks now and then; every run takes a while.
SLOW_DISORDER = """
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t* x, pthread_mutex_t* y) {
  for (volatile long i = 0; i < 10000000; i++) {}
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
static void* forth(void* unused) { both(&a, &b); return unused; }
static void* back(void* unused) { both(&b, &a); return unused; }
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, forth, 0);
  pthread_create(&threads[1], 0, back, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
"""


class Explained(VerdictTest):
    # --- Not a matter of order -------------------------------------------------------------------

    def test_a_failure_under_every_schedule_is_not_explained_by_one(self):
        alone, threads = self.compile("alone", ONE_THREAD), self.compile("threads", ENDS)
        table = [([alone, "3"], 0, "it fails with one thread: the order of threads does not matter"),
                 ([threads, "assert"], 20,
                  "it fails under each of 20 schedules: the order of threads does not matter")]
        for command, schedules, words in table:
            with self.subTest(command):
                done = self.tool("hunt", "--json", "--", *command)
                self.check(done, 1, words)
                failure, = done.json()["failures"]
                self.assertEqual((failure["depends_on_order"], failure["schedules_tried"]),
                                 (False, schedules))
                self.assertNotIn("simplified", failure)
                self.assertNotIn("isolated", failure)
                self.assertNotIn("by the order", done.err)
        self.tool("run", "--", alone, "3")
        for command in ("simplify", "isolate"):
            self.check_refused([command], "had one thread", "no order of threads")

    def test_what_depends_on_order_is_explained_within_a_bound_that_is_told(self):
        done = self.tool("hunt", "--json", "--seed", "1", "--", program("locks_in_disorder"))
        self.check(done, 1, "replayed 3 times")
        told = re.search(r"explained with (\d+) of at most (\d+) runs", done.err)
        failure, = done.json()["failures"]
        self.assertEqual({"runs": int(told[1]), "at_most": int(told[2])},
                         failure["explained_with"])
        self.assertNotIn("depends_on_order", failure)
        self.assertIn("simplified", failure)

    def test_the_limit_of_time_is_one_for_the_explanation_too(self):
        done = self.tool("hunt", "--json", "--for", "1ms", "--", self.compile("threads", ENDS),
                         "assert")
        self.check(done, 1, "the explanation stopped at a limit", "unravel simplify")
        failure, = done.json()["failures"]
        self.assertTrue(failure["verified"])
        self.assertEqual(failure["explained_with"]["runs"], 0)

    # --- Interrupted -----------------------------------------------------------------------------

    def verified_failures(self):
        file = self.folder / ".unravel" / "store.db"
        try:
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
                return database.execute("SELECT count(*) FROM runs WHERE kind IS NOT NULL AND "
                                        "unverified = 0").fetchone()[0]
        except sqlite3.Error:
            return 0

    def test_a_verified_failure_is_told_whatever_ends_the_hunt(self):
        process = self.start("hunt", "--jobs", "1", "--seed", "1", "--",
                             self.compile("slow", SLOW_DISORDER))
        while self.verified_failures() == 0 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        done = self.finish(process)
        self.check(done, 1, "failed: deadlock", "replayed 3 times", "lock a", "unravel replay")
        self.assertNotIn("0 runs tried", done.err)
        if "interrupted" in done.err:
            self.assertNotIn("no run near it passes", done.err)
            self.assertRegex(done.err, "(explanation|decides) was interrupted")
        self.check_store_is_whole()

    # --- Simplified already ----------------------------------------------------------------------

    def test_what_cannot_be_simpler_is_not_compared_with_itself(self):
        found = self.tool("hunt", "--json", "--seed", "1", "--", program("locks_in_disorder"))
        run = found.json()["failures"][0]["simplified"]["run"]
        done = self.tool("simplify", run)
        self.check(done, 0)
        self.assertNotIn(f"run {run} fails in the same way as run {run}", done.err)


if __name__ == "__main__":
    unittest.main()
