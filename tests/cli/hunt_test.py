#!/usr/bin/env python3
"""`unravel hunt`: what it finds, what it says when there is nothing, and how it goes on."""
import pathlib
import re
import signal
import sqlite3
import time
import unittest

from support import LOST_UPDATE, UNRAVEL, CommandTest, program

BIN = pathlib.Path(UNRAVEL).resolve().parent
GOOD = program("locks_in_order")
DEADLOCK = program("locks_in_disorder")

# Two bugs: which one a run shows depends on who comes first.
TWO_BUGS = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first, second;
static void* one(void* unused) {
  pthread_mutex_lock(&mutex);
  if (!first) first = 1;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  assert(first == 1);
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void* two(void* unused) {
  pthread_mutex_lock(&mutex);
  if (!first) first = 2;
  second = first;
  pthread_mutex_unlock(&mutex);
  assert(second != 1);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, two, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
"""

# As GoogleTest lists and filters; one of its tests deadlocks now and then.
TEST_BINARY = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t* x, pthread_mutex_t* y) {
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}
static void* forth(void* unused) { both(&a, &b); return unused; }
static void* back(void* unused) { both(&b, &a); return unused; }
int main(int argc, char** argv) {
  const char* last = argc > 1 ? argv[argc - 1] : "";
  if (strstr(last, "list_tests")) {
    puts("Locks.\\n  InOrder\\n  InDisorder\\n  DISABLED_Other");
    return 0;
  }
  pthread_t threads[2];
  pthread_create(&threads[0], 0, forth, 0);
  pthread_create(&threads[1], 0, strstr(last, "Disorder") ? back : forth, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
"""

REFUSED = [
    (["hunt"], "no program was given"),
    (["hunt", "--strategy", "pairz", "--", GOOD], "no strategy 'pairz'", "did you mean pairs?"),
    (["hunt", "--runs", "0", "--", GOOD], "--runs"),
    (["hunt", "--for", "soon", "--", GOOD], "soon"),
    (["hunt", "--known", "nowhere", "--", GOOD], "nowhere"),
    (["hunt", "--resume", "--", GOOD], "no hunt to resume"),
    (["hunt", "--resume", "--seed", "1", "--", GOOD], "--resume and --seed cannot be combined"),
    (["hunt", "--each-test", "--", GOOD], "GoogleTest"),
    (["hunt", "--", "./not-there"], "not-there"),
]


class Hunts(CommandTest):
    def hunt(self, *arguments):
        return self.tool("hunt", "--json", "--jobs", "1", "--seed", "1", *arguments)

    def build_hooked(self, name, text):
        self.source(f"{name}.c", text)
        self.build(BIN / "unravel-cc", "-g", "-O1", "-pthread", f"{name}.c", "-o", name)
        return f"./{name}"

    def build_plain(self, name, text):
        self.source(f"{name}.c", text)
        self.build("gcc", "-g", "-pthread", f"{name}.c", "-o", name)
        return f"./{name}"

    def test_it_refuses_what_it_cannot_do(self):
        for arguments, *words in REFUSED:
            with self.subTest(arguments):
                self.check_refused(arguments, *words)

    def test_a_deadlock_is_found_replayed_kept_and_told(self):
        done = self.tool("hunt", "--seed", "1", "--", DEADLOCK)
        self.check(done, 1, "failed: deadlock", "of the hunt (", "and replayed", "blocked in lock",
                   "unravel replay ")
        run = re.search(r"unravel replay (\w+)", done.err)[1]
        self.check(self.tool("replay", run), 1)
        self.check_store_is_whole()

    def test_a_race_is_found_in_few_runs(self):
        answer = self.hunt("--", self.build_hooked("lost_update", LOST_UPDATE)).json()
        failure, = answer["failures"]
        self.assertEqual((answer["outcome"], failure["verified"]), ("failed", True))
        self.assertLessEqual(failure["found_at_run"], 5)
        self.assertEqual(failure["found_at_run"], answer["runs"])
        self.assertEqual(failure["failure"]["kind"], "assert")

    def test_every_strategy_finds_it_and_one_seed_repeats(self):
        binary = self.build_hooked("lost_update", LOST_UPDATE)
        for strategy in ("random", "pct", "pos", "pairs", "predicted", "reads-from", "starvation",
                         "pos,pct"):
            with self.subTest(strategy):
                found = []
                for store in ("one", "two"):
                    done = self.hunt("--strategy", strategy, "--store", f"{strategy}-{store}", "--",
                                     binary)
                    self.assertEqual(done.status, 1, f"\n{done}")
                    failure, = done.json()["failures"]
                    found.append([failure[name] for name in ("strategy", "found_at_run", "steps",
                                                              "switches", "preemptions")])
                self.assertEqual(found[0], found[1])
                self.assertIn(found[0][0], [*strategy.split(","), "stay"])

    def test_a_hunt_without_a_failure_says_what_it_explored(self):
        done = self.tool("hunt", "--seed", "1", "--runs", "300", "--", GOOD)
        self.check(done, 0, "300 runs", "no failure", "distinct interleavings",
                   "contending pairs met in both orders", "functions with points", "PCT bound",
                   "no hooks at memory accesses")
        answer = self.hunt("--runs", "300", "--", GOOD).json()
        coverage = answer["coverage"]
        self.assertEqual((answer["runs"], answer["ended"]), (300, "runs"))
        self.assertEqual(coverage["sync_pairs"]["covered"], coverage["sync_pairs"]["total"])
        self.assertGreater(coverage["sync_pairs"]["total"], 0)
        self.assertGreater(coverage["schedules"], 10)
        self.assertLessEqual(coverage["behaviours"], coverage["schedules"])
        self.assertGreaterEqual(coverage["functions"]["covered"], 1)

    def test_a_stale_hunt_ends(self):
        answer = self.hunt("--stop-when-stale", "50", "--runs", "100000", "--", GOOD).json()
        self.assertEqual(answer["ended"], "stale")
        self.assertGreaterEqual(answer["coverage"]["runs_since_new"], 50)

    def test_time_ends_it(self):
        answer = self.hunt("--for", "500ms", "--", GOOD).json()
        self.assertEqual(answer["ended"], "time")

    def test_it_goes_on_after_a_failure_and_leaves_out_what_is_known(self):
        binary = self.build_plain("two_bugs", TWO_BUGS)
        answer = self.hunt("--explore", "--runs", "200", "--", binary).json()
        keys = [failure["failure"]["key"] for failure in answer["failures"]]
        self.assertEqual((len(keys), len(set(keys)), answer["runs"]), (2, 2, 200))

        self.source("known", f"# seen before\n{keys[0]}\n")
        answer = self.hunt("--known", "known", "--runs", "200", "--", binary).json()
        self.assertEqual([failure["failure"]["key"] for failure in answer["failures"]], [keys[1]])

        self.source("known", "\n".join(keys))
        done = self.hunt("--known", "known", "--runs", "200", "--", binary)
        self.assertEqual((done.status, done.json()["failures"]), (0, []))
        # Runs are counted, not only ways to fail.
        self.assertGreater(done.json()["known_failures"], 2)

    def test_every_test_of_a_binary_is_hunted_by_itself(self):
        binary = self.build_plain("tests", TEST_BINARY)
        done = self.hunt("--each-test", "--runs", "50", "--", binary)
        self.assertEqual(done.status, 1, f"\n{done}")
        answer = done.json()
        outcomes = {test["test"]: test["outcome"] for test in answer["tests"]}
        self.assertEqual(outcomes, {"Locks.InOrder": "passed", "Locks.InDisorder": "failed"})
        failure, = answer["failures"]
        self.assertEqual((failure["test"], failure["failure"]["kind"]),
                         ("Locks.InDisorder", "deadlock"))

    def test_what_every_test_would_warn_of_is_said_once(self):
        binary = self.build_plain("tests", TEST_BINARY)
        done = self.where_refused("hunt", "--each-test", "--seed", "1", "--runs", "50", "--", binary)
        self.check(done, 1)
        self.assertEqual(done.err.count("runs are not sandboxed"), 1, f"\n{done}")

    def test_an_interrupted_hunt_goes_on_as_if_it_had_not_been(self):
        self.check_resumed(GOOD)

    def test_points_that_were_learnt_before_an_interruption_are_points_again(self):
        text = LOST_UPDATE.replace("assert(counter == 2);", "assert(counter <= 6);")
        text = text.replace("counter++;", "counter++; counter++; counter++;")
        # Without `predicted`, which predicts anew after an interruption.
        self.check_resumed(self.build_hooked("counter", text), "--strategy",
                           "pairs,pos,random,pct,reads-from,starvation")

    def test_a_hunt_that_predicts_goes_on_after_an_interruption(self):
        text = LOST_UPDATE.replace("assert(counter == 2);", "assert(counter <= 6);")
        text = text.replace("counter++;", "counter++; counter++; counter++;")
        self.check_resumed(self.build_hooked("counter", text), repeats=False)

    def check_resumed(self, binary, *options, repeats=True):
        whole = self.hunt("--runs", "2000", "--store", "whole", *options, "--", binary).json()
        process = self.start("hunt", "--json", "--jobs", "1", "--seed", "1", "--runs", "2000",
                             *options, "--", binary)
        # Rounds are kept as they are done.
        deadline = time.monotonic() + 30
        while self.rounds_kept() < 3 and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        done = self.finish(process)
        if done.status == 0:
            self.skipTest("it ended before it could be interrupted")
        self.check(done, 2, "interrupted", "--resume")
        before = done.json()
        self.assertEqual(before["ended"], "interrupted")
        resumed = self.tool("hunt", "--json", "--jobs", "1", "--runs", "2000", "--resume", "--",
                            binary)
        self.assertEqual(resumed.status, 0, f"\n{resumed}")
        answer = resumed.json()
        self.assertEqual((answer["runs"], answer["seed"]), (2000, 1))
        for field in ("schedules", "behaviours", "sync_pairs") if repeats else ():
            self.assertEqual(answer["coverage"][field], whole["coverage"][field], field)
        self.check(self.tool("hunt", "--resume", "--", binary), 2, "no hunt to resume")

    def test_what_was_found_before_an_interruption_still_counts(self):
        binary = self.build_plain("two_bugs", TWO_BUGS)
        process = self.start("hunt", "--quiet", "--explore", "--jobs", "1", "--seed", "1", "--runs",
                             "5000", "--", binary)
        deadline = time.monotonic() + 30
        while self.rounds_kept() < 4 and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        done = self.finish(process)
        if "interrupted" not in done.err:
            self.skipTest("it ended before it could be interrupted")
        self.assertEqual(done.status, 1 if "failed: " in done.err else 2, f"\n{done}")
        self.assertIn("with --resume", done.err)
        resumed = self.tool("hunt", "--json", "--explore", "--jobs", "1", "--runs", "300",
                            "--resume", "--", binary)
        self.check(resumed, 1, "found before the hunt was interrupted")
        answer = resumed.json()
        self.assertEqual((answer["outcome"], answer["earlier_failures"] + len(answer["failures"])),
                         ("failed", 2))

    def rounds_kept(self):
        file = self.folder / ".unravel" / "store.db"
        if not file.exists():
            return 0
        try:
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
                return database.execute("SELECT count(*) FROM hunt_rounds").fetchone()[0]
        except sqlite3.Error:
            return 0


if __name__ == "__main__":
    unittest.main()
