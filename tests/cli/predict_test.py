#!/usr/bin/env python3
"""`unravel predict`: bugs from a run that passed, each proved by a run."""
import pathlib
import re
import signal
import time
import unittest

import support
from support import HANG_SECONDS, UNRAVEL, CommandTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(UNRAVEL).resolve().parent
KINDS = ("race", "atomicity", "asv", "deadlock", "pattern", "order")
COUNTS = ("predicted", "seen", "confirmed", "refuted", "no_witness")
STATUSES = ("confirmed", "seen", "refuted", "no witness", "untried", "looks benign")

# Section 2 of Huang and Zhang, ISSTA 2011. If `first` runs first, the line with abort() never runs.
TWO_READS = """
#include <pthread.h>
#include <stdlib.h>
static int x, y;
static void* first(void* unused) {
  if (x == 1)
    if (y == 1) abort();
  return unused;
}
static void* second(void* unused) {
  x = 1;
  x = 0;
  y = 1;
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

COUNTER = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static DECLARE counter;
static void* add(void* unused) {
  ADD;
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
  return pthread_mutex_destroy(&mutex);
}
"""
WITH_MUTEX = COUNTER.replace("DECLARE", "int").replace(
    "  ADD;", "  pthread_mutex_lock(&mutex);\n  counter++;\n  pthread_mutex_unlock(&mutex);")
WITH_ATOMIC = COUNTER.replace("DECLARE", "atomic_int").replace("ADD", "atomic_fetch_add(&counter, 1)")

# It passes whatever it counts, but its output tells.
PRINTED = support.LOST_UPDATE.replace("<assert.h>", "<stdio.h>").replace(
    "assert(counter == 2)", 'printf("%d\\n", counter)')

# THREADS threads in a ring: each takes its lock, then that of the next one.
RING = """
#include <pthread.h>
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t locks[THREADS];
static void* take_two(void* place) {
  const long here = (long)place;
  if (GATED) pthread_mutex_lock(&gate);
  pthread_mutex_lock(&locks[here]);
  pthread_mutex_lock(&locks[(here + 1) % THREADS]);
  pthread_mutex_unlock(&locks[(here + 1) % THREADS]);
  pthread_mutex_unlock(&locks[here]);
  if (GATED) pthread_mutex_unlock(&gate);
  return 0;
}
int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_mutex_init(&locks[i], 0);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, take_two, (void*)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
}
"""

# Both sides have a critical section, but not of the same lock.
TWO_VARIABLES = """
#include <pthread.h>
static pthread_mutex_t for_writers = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t for_readers = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static void* write_both(void* unused) {
  pthread_mutex_lock(&for_writers);
  x = 1;
  y = 1;
  pthread_mutex_unlock(&for_writers);
  return unused;
}
static void* read_both(void* differ) {
  pthread_mutex_lock(&for_readers);
  const int of_x = x;
  const int of_y = y;
  *(int*)differ = of_x != of_y;
  pthread_mutex_unlock(&for_readers);
  return 0;
}
int main(void) {
  pthread_t threads[2];
  int differ = 0;
  pthread_create(&threads[0], 0, write_both, 0);
  pthread_create(&threads[1], 0, read_both, &differ);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return differ;
}
"""

# The reader runs first. If it reads x after its write, it never reads y.
FAILS_BEFORE = TWO_VARIABLES.replace("#include <pthread.h>", "#include <pthread.h>\n#include <stdlib.h>").replace(
    "  const int of_y", "  if (of_x == 1) abort();\n  const int of_y").replace("return differ", "return 0").replace(
    "  pthread_create(&threads[0], 0, write_both, 0);\n", "").replace(
    "read_both, &differ);\n", "read_both, &differ);\n  pthread_create(&threads[0], 0, write_both, 0);\n")

# Both accesses are three calls deep.
NESTED = """
#include <pthread.h>
static int shared, seen;
static void store_it(int value) {
  shared = value;
}
static void fill_it(int value) {
  store_it(value);
}
static void* fill(void* unused) {
  fill_it(1);
  return unused;
}
static int load_it(void) {
  return shared;
}
static int look_at_it(void) {
  return load_it();
}
static void* look(void* unused) {
  seen = look_at_it();
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, look, 0);
  pthread_create(&threads[1], 0, fill, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return seen;
}
"""

# The same for two locks in two orders.
NESTED_LOCKS = """
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static void take(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
}
static void take_one_and_other(void) {
  take(&one);
  take(&other);
  pthread_mutex_unlock(&other);
  pthread_mutex_unlock(&one);
}
static void take_other_and_one(void) {
  take(&other);
  take(&one);
  pthread_mutex_unlock(&one);
  pthread_mutex_unlock(&other);
}
static void* forwards(void* unused) {
  take_one_and_other();
  return unused;
}
static void* backwards(void* unused) {
  take_other_and_one();
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, forwards, 0);
  pthread_create(&threads[1], 0, backwards, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

INCONSISTENT_READ = """
pattern inconsistent-read set      # the variables belong together
  t1 u1 write x
  t2 u2 read  x
  t2 u2 read  y
  t1 u1 write y
"""

# The thread that reads runs first, and the one that writes 1 last.
THREE_THREADS = """
#include <pthread.h>
static int x, seen;
static void* read_it(void* unused) {
  seen = x;
  return unused;
}
static void* write_two(void* unused) {
  x = 2;
  return unused;
}
static void* write_one(void* unused) {
  x = 1;
  return unused;
}
int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, read_it, 0);
  pthread_create(&threads[1], 0, write_two, 0);
  pthread_create(&threads[2], 0, write_one, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return seen == 2;
}
"""
OVERWRITTEN = """
pattern overwritten
  t1 u1 write x
  t2 u2 write x
  t3 u3 read  x
"""

# If `second` has its critical section first, `first` writes another element: they never meet.
NO_RACE = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int place, numbers[64];
static void* first(void* unused) {
  pthread_mutex_lock(&mutex);
  numbers[place] = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void* second(void* unused) {
  pthread_mutex_lock(&mutex);
  place = 32;
  pthread_mutex_unlock(&mutex);
  numbers[0] = 2;
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

# The first counter is lost soon; the others take long.
SLOW = """
#include <assert.h>
#include <pthread.h>
static int counter, numbers[40];
static void* add(void* unused) {
  counter++;
  for (int i = 0; i < 40; i++) {
    for (long j = 0; j < ROUNDS; j++) __asm__ volatile("");
    numbers[i]++;
  }
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
}
"""

# Options, and words that must be on standard error.
BAD_OPTIONS = [
    (["--only", "rcae"], "no kind 'rcae'", "did you mean race?", *KINDS),
    (["--only", "race,nonsense"], "no kind 'nonsense'", *KINDS),
    (["--only", "race,"], "no kind ''"),
    (["--rungs", "specluative"], "no rung 'specluative'", "did you mean speculative?", "sync-preserving",
     "lock-reordering", "same-value", "paper", "constraints"),
    (["--rungs", "paper,x"], "no rung 'x'"),
    (["--runs", "0"], "--runs", "above 0"),
    (["--for", "soon"], "'soon'"),
    (["--patterns", "missing"], "missing"),
    (["--patterns", "."], "."),
    (["--suppressions", "missing"], "missing"),
]

# A pattern file, and words that must be on standard error.
BAD_PATTERNS = [
    ("", "patterns", "no pattern", "`pattern NAME`"),
    ("# nothing but this\n\n", "patterns", "no pattern"),
    ("t1 u1 write x\n", "patterns:1: 't1' comes before any pattern", "`pattern NAME`"),
    ("\npattern\n", "patterns:2: ", "no name"),
    ("pattern p close\n", "patterns:1: 'close' is not known", "`adjacent`, `set`"),
    ("pattern p\n  t1 u1 wrote x\n", "patterns:2: 'wrote' is not known", "`read` or `write`"),
    ("pattern p\n  t1 u1 write\n", "patterns:2: ", "3 words instead of 4", "`t1 u1 write x`"),
    ("pattern p\n  t1 u1 write x y\n", "patterns:2: ", "5 words instead of 4"),
    ("# first\npattern p\n", "patterns:2: pattern 'p' has no events"),
    ("pattern p\n  t1 u1 read x\n  t1 u2 write x\n", "patterns:1: pattern 'p' has one thread only"),
    ("pattern p\n  t1 u1 write x\n  t2 u1 write x\n", "patterns:3: unit 'u1' belongs to thread 't1'"),
    ("pattern p\n  t1 u1 write x\n  t2 u2 read x\n  t2 u2 read y\n", "patterns:1: ", "variable 'y' open",
     "one thread alone"),
    ("pattern p\n  t1 u1 read x\n  t2 u2 read x\n", "patterns:1: ", "variable 'x' open", "no thread writes it"),
    ("pattern p\n" + "".join(f"  t{i} u{i} write x\n" for i in range(5)), "patterns:6: ", "too many threads", "4"),
    ("pattern p\n" + "".join(f"  t{i % 2} u{i % 2} write x{i}\n" for i in range(5)), "patterns:6: ",
     "too many variables", "4"),
    ("pattern p\n" + "".join(f"  t{i % 2} u{i} write x\n" for i in range(9)), "patterns:10: ", "too many events", "8"),
    (INCONSISTENT_READ * 2, "patterns:8: ", "'inconsistent-read' already"),
]


def line_of(source, text):
    return 1 + next(number for number, line in enumerate(source.splitlines()) if text in line)


def total(counts):
    return sum(counts.values())


class PredictTest(CommandTest):
    def make(self, source, name="prog", hooks=True):
        self.source(f"{name}.c", source)
        self.build(BIN / "unravel-cc" if hooks else "gcc", "-g", f"{name}.c", "-o", name, "-pthread")
        return f"./{name}"

    def make_example(self):
        self.build(BIN / "unravel-c++", "-std=c++20", "-g", "-pthread", ROOT / "examples/01-lost-update.cpp", "-o",
                   "lost-update")
        return "./lost-update"

    def predict(self, status, *options):
        """What one worker tells of it as JSON."""
        done = self.tool("predict", "--json", "--jobs", "1", "--find-only", *options)
        self.assertEqual(done.status, status, f"\n{done}")
        self.told = done.err
        answer = done.json()
        for name in COUNTS:
            self.assertEqual(tuple(answer[name]), KINDS, name)
        self.assertEqual(total(answer["predicted"]), len(answer["anomalies"]), answer)
        for anomaly in answer["anomalies"]:
            self.assertIn(anomaly["status"], STATUSES)
        self.assertEqual(answer["failures"], len(answer["failed_runs"]))
        return answer

    def only_anomaly(self, answer, kind):
        (found,) = [one for one in answer["anomalies"] if one["kind"] == kind]
        return found

    def lines(self, anomaly):
        return [site["line"] for site in anomaly["sites"]]

    def own_functions(self, stack):
        """Its functions in the program's source, innermost first."""
        return [frame["function"].split("(")[0] for frame in stack if frame["file"].endswith("/prog.c")]

    def check_replays(self, run, status=1):
        done = self.tool("replay", "--json", run)
        self.assertEqual(done.status, status, f"\n{done}")
        return done.json()

    def passing_run(self, prog):
        done = self.tool("run", "--rule", "stay", "--json", "--", prog)
        self.check(done, 0)
        return done.json()["run"]


class WhatIsFound(PredictTest):
    def test_the_error_of_the_papers_second_section(self):
        prog = self.make(TWO_READS)
        self.check(self.tool("run", "--rule", "stay", "--", prog), 0)

        answer = self.predict(1, "--", prog)

        self.assertEqual(answer["failures"], 1)
        self.assertIn("SIGABRT in T1", self.told)
        self.assertLessEqual(int(re.search(r"found in run (\d+)", self.told)[1]), 6)
        kept = re.search(r"run ([0-9a-f]{6}) failed", self.told)[1]
        again = self.check_replays(kept)
        self.assertEqual(again["failure"]["detail"], "SIGABRT")
        self.assertEqual(self.check_replays(answer["anomalies"][0]["run"])["failure"]["key"], again["failure"]["key"])
        # The line with y runs only in runs that follow from the first one.
        self.assertGreater(answer["traces"], 1)
        races = {tuple(sorted(self.lines(one))) for one in answer["anomalies"] if one["kind"] == "race"}
        of_x = line_of(TWO_READS, "if (x == 1)")
        self.assertEqual(races, {(of_x, line_of(TWO_READS, "x = 1;")), (of_x, line_of(TWO_READS, "x = 0;")),
                                 (of_x + 1, line_of(TWO_READS, "y = 1;"))})
        self.assertEqual(answer["confirmed"]["race"], 3)

        # Without following, the race on y is not known.
        alone = self.predict(1, "--rounds", "0", "--only", "race", "--", prog)
        self.assertEqual((alone["traces"], alone["predicted"]["race"]), (1, 2))

    def test_the_failure_is_found_within_six_runs(self):
        prog = self.make(TWO_READS)
        answer = self.predict(1, "--runs", "6", "--", prog)
        self.assertEqual(answer["failures"], 1)
        self.assertLessEqual(answer["runs"], 6)

    def test_a_lost_update_across_two_critical_sections(self):
        answer = self.predict(1, "--", self.make_example())
        anomaly = self.only_anomaly(answer, "atomicity")
        self.assertEqual((anomaly["pattern"], anomaly["status"], anomaly["confirmed"]), ("RWW", "confirmed", True))
        self.assertEqual(self.lines(anomaly), [17, 21, 21])
        self.assertEqual(anomaly["threads"], [1, 2, 1])
        self.assertEqual(anomaly["operations"], ["load", "store", "store"])
        self.assertTrue(anomaly["variable"].startswith("account.balance_"), anomaly["variable"])
        self.assertEqual(anomaly["failure"]["kind"], "assert")
        for stack in anomaly["stacks"]:
            self.assertIn("Account::deposit(int)", [frame["function"] for frame in stack])
        # Every access is under the lock.
        self.assertEqual(answer["predicted"]["race"], 0)
        self.assertEqual(self.check_replays(anomaly["run"])["failure"]["kind"], "assert")

    def test_it_is_told_in_words(self):
        done = self.tool("predict", "--jobs", "1", "--", self.make_example())
        self.check(done, 1, "failed: assertion failed in T0", "it fails if T1 stops at 01-lost-update.cpp:")
        self.assertRegex(done.out, r"^anomaly 1: atomicity violation on account\.balance_.* \(RWW\): ")
        self.assertRegex(done.out, r"\n  T1:2\+1 reads account\.balance_.* at Account::balance\(\)  \S*:17\n"
                                   r" +17 │ return balance_;\n")
        run = re.search(r"  it fails: assertion failed in T0: .*\n  to see it again: unravel replay ([0-9a-f]{6})\n",
                        done.out)[1]
        self.check_replays(run)
        self.assertRegex(done.out,
                         r"\n\d+ anomalies predicted in \d+ traces?: .*; 1 failure \(\d+ runs, \d+\.\d+ s\)\n$")

        quiet = self.tool("predict", "--quiet", "--jobs", "1", "--", "./lost-update")
        self.assertRegex(quiet.out, r"^\d+ anomalies predicted in \d+ traces?: .*\n$")

    def test_a_cycle_of_locks(self):
        for threads in (2, 3):
            with self.subTest(threads):
                prog = self.make(f"#define THREADS {threads}\n#define GATED 0{RING}")
                self.check(self.tool("run", "--rule", "stay", "--", prog), 0)
                answer = self.predict(1, "--only", "deadlock", "--", prog)
                anomaly = self.only_anomaly(answer, "deadlock")
                self.assertEqual((anomaly["status"], anomaly["pattern"]), ("confirmed", None))
                self.assertEqual(anomaly["threads"], list(range(1, threads + 1)))
                self.assertEqual(anomaly["failure"]["kind"], "deadlock")
                self.assertEqual(self.check_replays(anomaly["run"])["failure"]["kind"], "deadlock")

    def test_both_sides_of_a_race_have_their_whole_stacks(self):
        answer = self.predict(1, "--only", "race", "--", self.make(NESTED))
        anomaly = self.only_anomaly(answer, "race")
        self.assertEqual(anomaly["status"], "confirmed")
        of_thread = dict(zip(anomaly["threads"], anomaly["stacks"], strict=True))
        self.assertEqual(self.own_functions(of_thread[1]), ["load_it", "look_at_it", "look"])
        self.assertEqual(self.own_functions(of_thread[2]), ["store_it", "fill_it", "fill"])
        self.assertEqual((anomaly["variable"], anomaly["variables"]), ("shared", ["shared"]))

    def test_all_sides_of_a_deadlock_have_their_whole_stacks(self):
        for hooks in (True, False):
            with self.subTest(hooks):
                answer = self.predict(1, "--only", "deadlock", "--", self.make(NESTED_LOCKS, hooks=hooks))
                anomaly = self.only_anomaly(answer, "deadlock")
                of_thread = dict(zip(anomaly["threads"], anomaly["stacks"], strict=True))
                self.assertEqual(self.own_functions(of_thread[1]), ["take", "take_one_and_other", "forwards"])
                self.assertEqual(self.own_functions(of_thread[2]), ["take", "take_other_and_one", "backwards"])
                wanted = dict(zip(anomaly["threads"], anomaly["variables"], strict=True))
                self.assertEqual(wanted, {1: "other", 2: "one"})
        told = self.tool("predict", "--jobs", "1", "--find-only", "--only", "deadlock", "--", "./prog")
        self.check(told, 1)
        place = f"prog.c:{line_of(NESTED_LOCKS, 'pthread_mutex_lock(mutex)')}"
        self.assertRegex(told.out, rf"\n  T1:\d\+\d is blocked in lock other at take\(\)  \S*{place}\n")
        self.assertRegex(told.out, rf"\n✗ T2:\d\+\d .* blocked in lock one +{place} take\(\)")

    def test_a_failure_before_the_last_predicted_event(self):
        answer = self.predict(1, "--only", "asv", "--", self.make(FAILS_BEFORE))
        self.assertEqual({one["failure"] for one in answer["anomalies"]}, {None})
        self.assertIn("its run failed before: SIGABRT in T1", {one["why"] for one in answer["anomalies"]})
        (failed,) = answer["failed_runs"]
        self.assertEqual((failed["failure"]["detail"], failed["verified"]), ("SIGABRT", True))
        self.assertEqual(self.check_replays(failed["run"])["failure"]["key"], failed["failure"]["key"])
        self.assertEqual(self.told.count("failed: SIGABRT in T1"), 1)

    def test_a_failure_that_an_anomaly_leads_to_is_stored_once(self):
        answer = self.predict(1, "--only", "atomicity", "--", self.make_example())
        (failed,) = answer["failed_runs"]
        self.assertEqual(failed["run"], self.only_anomaly(answer, "atomicity")["run"])
        self.assertIn(failed["found_at_run"], range(2, answer["runs"] + 1))
        self.assertEqual(len(self.tool("list", "--json").json()["runs"]), 1)
        self.assertIn(f"found in run {failed['found_at_run']} of the prediction (predicted)", self.told)

    def test_a_lock_around_a_cycle_of_locks(self):
        prog = self.make(f"#define THREADS 2\n#define GATED 1{RING}")
        answer = self.predict(0, "--", prog)
        self.assertEqual((answer["predicted"]["deadlock"], answer["failures"]), (0, 0))

    def test_correct_programs_have_nothing_that_matters(self):
        for name, source in (("mutex", WITH_MUTEX), ("atomic", WITH_ATOMIC)):
            with self.subTest(name):
                answer = self.predict(0, "--", self.make(source))
                self.assertEqual(answer["failures"], 0)
                self.assertEqual({one["status"] for one in answer["anomalies"]} - {"looks benign", "seen"}, set())
                self.assertEqual(answer["predicted"]["race"] + answer["predicted"]["atomicity"], 0)

    def test_another_output_matters(self):
        prog = self.make(PRINTED)
        answer = self.predict(1, "--", prog)
        self.assertEqual(answer["failures"], 0)
        for kind in ("race", "atomicity"):
            anomaly = self.only_anomaly(answer, kind)
            self.assertEqual((anomaly["variable"], anomaly["failure"]), ("counter", None))
            self.assertIn("wrote something else", anomaly["why"])
            self.check_replays(anomaly["run"], status=0)
        judged = self.predict(1, "--oracle", "grep -q 2", "--", prog)
        self.assertEqual(judged["failures"], 1)
        self.assertEqual(judged["anomalies"][0]["failure"]["kind"], "oracle")

    def test_two_variables_that_belong_together(self):
        prog = self.make(TWO_VARIABLES)
        lines = [line_of(TWO_VARIABLES, text) for text in ("x = 1;", "of_x = x", "of_y = y", "y = 1;")]
        answer = self.predict(1, "--only", "asv", "--", prog)
        self.assertEqual({one["pattern"]: self.lines(one) for one in answer["anomalies"]},
                         {"Wx-R'x-R'y-Wy": lines, "Rx-W'x-W'y-Ry": [lines[1], lines[0], lines[3], lines[2]]})
        self.assertEqual(answer["confirmed"]["asv"], 2)
        for anomaly in answer["anomalies"]:
            self.assertEqual((anomaly["variable"], anomaly["variables"]), ("x", ["x", "y"]))
        told = self.tool("predict", "--jobs", "1", "--find-only", "--only", "asv", "--", prog)
        self.check(told, 1)
        self.assertRegex(told.out, r"anomaly \d: atomic-set violation on x and y \(Wx-R'x-R'y-Wy\): ")
        for deed in ("T1:2+1 writes x", "T1:2+2 writes y", "T2:2+1 reads x", "T2:2+2 reads y"):
            self.assertIn(f"\n  {deed} at ", told.out)
        # The clip has the locks around the accesses.
        for operation in ("lock for_writers", "▸ T2:2\\+2 .* load y"):
            self.assertRegex(told.out, rf"\n.*{operation} ")

        self.source("patterns", INCONSISTENT_READ)
        answer = self.predict(1, "--only", "pattern", "--patterns", "patterns", "--", prog)
        (anomaly,) = answer["anomalies"]
        self.assertEqual((anomaly["kind"], anomaly["pattern"]), ("pattern", "inconsistent-read"))
        self.assertEqual((self.lines(anomaly), anomaly["threads"]), (lines, [1, 2, 2, 1]))
        self.assertEqual((anomaly["status"], anomaly["failure"]["kind"]), ("confirmed", "exit"))
        self.check_replays(anomaly["run"])

    def test_a_pattern_of_three_threads(self):
        prog = self.make(THREE_THREADS)
        self.source("patterns", OVERWRITTEN)
        answer = self.predict(1, "--only", "pattern", "--patterns", "patterns", "--", prog)
        lines = [line_of(THREE_THREADS, text) for text in ("x = 1;", "x = 2;", "seen = x;")]
        self.assertEqual({tuple(self.lines(one)): one["failure"] is not None for one in answer["anomalies"]},
                         {tuple(lines): True, (lines[1], lines[0], lines[2]): False})
        self.assertEqual(answer["confirmed"]["pattern"], 2)

    def test_a_race_is_on_one_variable(self):
        answer = self.predict(0, "--only", "race", "--", self.make(NO_RACE))
        self.assertEqual(answer["confirmed"]["race"], 0)

    def test_a_program_without_hooks(self):
        prog = self.make(f"#define THREADS 2\n#define GATED 0{RING}", hooks=False)
        answer = self.predict(1, "--", prog)
        self.assertIn("no hooks at memory accesses", self.told)
        self.assertIn("unravel-cc or unravel-c++", self.told)
        self.assertEqual(self.only_anomaly(answer, "deadlock")["failure"]["kind"], "deadlock")
        plain = self.predict(0, "--", self.make(TWO_READS, hooks=False))
        self.assertIn("no hooks at memory accesses", self.told)
        self.assertEqual((plain["failures"], plain["predicted"]["race"]), (0, 0))


class WhatIsAskedFor(PredictTest):
    def test_json_has_what_is_promised(self):
        answer = self.predict(1, "--", self.make(TWO_READS))
        self.assertLessEqual({"version", "events", "kept_events", "seconds", "runs", "traces", "anomalies",
                              "failures", "failed_runs", "suppressed", *COUNTS}, set(answer))
        self.assertEqual(answer["version"], 1)
        self.assertGreater(answer["events"], answer["kept_events"])
        for anomaly in answer["anomalies"]:
            self.assertLessEqual({"key", "kind", "pattern", "variable", "variables", "sites", "stacks", "threads",
                                  "confirmed", "status", "rung", "why", "run", "failure"}, set(anomaly))
            self.assertEqual(len(anomaly["sites"]), len(anomaly["threads"]))
            for site, stack in zip(anomaly["sites"], anomaly["stacks"], strict=True):
                self.assertEqual(set(site), {"file", "line", "function", "module", "offset"})
                self.assertEqual(stack[0], site)

    def test_a_stored_run(self):
        prog = self.make_example()
        run = self.passing_run(prog)
        answer = self.predict(1, run)
        self.assertEqual(self.only_anomaly(answer, "atomicity")["status"], "confirmed")
        failing = self.only_anomaly(answer, "atomicity")["run"]
        # A run that failed is analysed up to there, and counts as a failure.
        again = self.predict(1, failing, "--no-confirm")
        self.assertEqual(again["failures"], 1)
        self.assertEqual((again["failed_runs"][0]["found_at_run"], total(again["confirmed"])), (1, 0))
        self.assertEqual(self.predict(1, "--no-confirm")["failures"], 1)

    def test_nothing_is_confirmed_if_that_is_not_wanted(self):
        answer = self.predict(0, "--no-confirm", "--", self.make_example())
        self.assertEqual((answer["runs"], answer["traces"], answer["failures"]), (1, 1, 0))
        self.assertGreater(answer["predicted"]["atomicity"], 0)
        self.assertEqual({one["status"] for one in answer["anomalies"]}, {"untried"})
        self.assertEqual({one["run"] for one in answer["anomalies"]}, {None})

    def test_only_some_kinds(self):
        prog = self.make(TWO_READS)
        for only, status in (("race", 1), ("atomicity", 1), ("race,order", 1), ("deadlock,asv", 0)):
            with self.subTest(only):
                answer = self.predict(status, "--only", only, "--", prog)
                self.assertLessEqual({one["kind"] for one in answer["anomalies"]}, set(only.split(",")))
                self.assertEqual(len(answer["anomalies"]) > 0, status == 1)

    def test_only_some_rungs(self):
        prog = self.make_example()
        # The other order of two critical sections needs a read that takes its value from another write.
        for rungs in ("sync-preserving", "lock-reordering", "same-value", "sync-preserving,lock-reordering"):
            with self.subTest(rungs):
                answer = self.predict(0, "--rungs", rungs, "--", prog)
                self.assertEqual((answer["runs"], total(answer["confirmed"])), (1, 0))
                self.assertEqual({one["status"] for one in answer["anomalies"]}, {"no witness"})
        for rungs in ("speculative", "constraints", "lock-reordering,speculative"):
            with self.subTest(rungs):
                answer = self.predict(1, "--rungs", rungs, "--", prog)
                anomaly = self.only_anomaly(answer, "atomicity")
                self.assertEqual((anomaly["status"], anomaly["rung"]), ("confirmed", rungs.split(",")[-1]))

    def test_what_else_there_is_is_listed(self):
        prog = self.make(WITH_MUTEX)
        line = line_of(WITH_MUTEX, "pthread_mutex_lock")
        benign = f"looks benign: order: T2 lock prog.c:{line}, T1 lock prog.c:{line} (the run passed, as before)\n"
        brief = self.tool("predict", "--jobs", "1", "--", prog)
        self.check(brief, 0)
        self.assertNotIn(benign, brief.out)
        self.assertIn("1 confirmed (1 looks benign)", brief.out)
        long = self.tool("predict", "--jobs", "1", "--all", "--", prog)
        self.check(long, 0)
        self.assertIn(benign, long.out)
        untried = self.tool("predict", "--all", "--no-confirm", "--", prog)
        self.check(untried, 0)
        self.assertIn("untried: order: T2 lock", untried.out)

    def test_runs_and_time_are_limited(self):
        prog = self.make(PRINTED)
        answer = self.predict(1, "--runs", "3", "--", prog)
        self.assertLessEqual(answer["runs"], 3)
        answer = self.predict(0, "--for", "1ms", "--", prog)
        self.assertEqual((answer["runs"], total(answer["confirmed"])), (1, 0))

    def test_the_same_seed_predicts_the_same(self):
        def found(*options):
            answer = self.predict(1, *options)
            for name in ("seconds", "analysis_seconds"):
                answer[name] = 0
            for anomaly in answer["anomalies"]:
                anomaly["run"] = bool(anomaly["run"])
            # Ids of runs and times differ.
            answer["failed_runs"] = [
                [run["failure"]["key"], *(run[name] for name in ("found_at_run", "steps", "switches"))]
                for run in answer["failed_runs"]]
            return answer
        for prog in (self.make(TWO_READS), self.make_example()):
            with self.subTest(prog):
                self.assertEqual(found("--seed", "7", "--", prog), found("--seed", "7", "--", prog))
                self.assertEqual(found("--", prog), found("--seed", "1", "--", prog))
                self.assertEqual(found("--rungs", "constraints", "--seed", "7", "--", prog),
                                 found("--rungs", "constraints", "--seed", "7", "--", prog))

    def test_several_workers(self):
        done = self.tool("predict", "--json", "--jobs", "3", "--find-only", "--", self.make_example())
        self.check(done, 1)
        self.assertEqual(self.only_anomaly(done.json(), "atomicity")["failure"]["kind"], "assert")

    def test_known_anomalies_are_suppressed(self):
        prog = self.make(PRINTED)
        for known in ("function:add", "file:prog.c", "variable:counter", "# more\n\nvariable:count*"):
            with self.subTest(known):
                self.source("known", known + "\n")
                answer = self.predict(0, "--suppressions", "known", "--", prog)
                self.assertEqual((answer["anomalies"], answer["suppressed"]), ([], 2))
        self.source("known", "function:ad\nvariable:ounter\n")
        self.assertEqual(self.predict(1, "--suppressions", "known", "--", prog)["suppressed"], 0)


class Limits(PredictTest):
    def test_what_a_limit_left_out_is_told(self):
        prog = self.make(support.LOST_UPDATE)

        # The first run is the one that is analysed.
        few = self.tool("predict", "--json", "--jobs", "1", "--seed", "1", "--find-only", "--runs", "1", "--", prog)
        in_words = self.tool("predict", "--jobs", "1", "--seed", "1", "--find-only", "--runs", "1", "--", prog)
        many = self.tool("predict", "--json", "--jobs", "1", "--seed", "1", "--find-only", "--", prog)

        self.assertGreater(few.json()["not_searched"], 0, few)
        self.assertIn("a limit ended the search", in_words.out + in_words.err, in_words)
        self.assertEqual(many.json()["not_searched"], 0, many)


class WhatIsRefused(PredictTest):
    def test_options(self):
        prog = self.make(support.LOST_UPDATE)
        for options, *words in BAD_OPTIONS:
            with self.subTest(options):
                self.check_refused(["predict", *options, "--", prog], *words)

    def test_patterns(self):
        prog = self.make(support.LOST_UPDATE)
        for text, *words in BAD_PATTERNS:
            with self.subTest(text):
                self.source("patterns", text)
                self.check_refused(["predict", "--patterns", "patterns", "--", prog], *words)

    def test_runs_and_programs(self):
        self.check_refused(["predict", "--", "./nothing"], "nothing' was not found")
        self.check_refused(["predict"], "there is no store")
        prog = self.make(WITH_MUTEX)
        self.check_refused(["predict", "3fa", "--", prog], "a stored run or a program, not both", "'3fa'")
        run = self.passing_run(prog)
        unknown = "000000" if run[0] != "0" else "ffffff"
        self.check_refused(["predict", unknown], f"no run '{unknown}'", "unravel list")
        self.make(WITH_ATOMIC)
        self.check_refused(["predict", run], "was rebuilt")


class Interrupted(PredictTest):
    def make_slow(self, rounds):
        # Built by GCC, its loops have no hooks.
        self.source("slow.c", SLOW)
        self.build("gcc", "-g", "-O1", f"-DROUNDS={rounds}", "-fsanitize=thread", "-pthread", "slow.c", "-o", "slow")

    def test_what_was_confirmed_is_told(self):
        self.make_slow(5_000_000)
        process = self.start("predict", "--json", "--jobs", "1", "--find-only", "--", "./slow")
        told = b""
        give_up = time.monotonic() + HANG_SECONDS
        while b"failed: " not in told and time.monotonic() < give_up:
            line = process.stderr.readline()
            self.assertTrue(line, told)
            told += line
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        done = self.finish(process)

        self.check(done, 1)
        answer = done.json()
        self.assertEqual(answer["failures"], 1)
        anomaly = answer["anomalies"][0]
        self.assertEqual((anomaly["status"], anomaly["failure"]["kind"]), ("confirmed", "assert"))
        self.assertEqual(self.wait_until_gone(), {})
        self.check_replays(re.search(rb"run ([0-9a-f]{6}) failed", told)[1].decode())
        self.check_store_is_whole()

    def test_without_anything_to_tell(self):
        self.make_slow(500_000_000)
        process = self.start("predict", "--jobs", "1", "--", "./slow")
        while process.poll() is None and not any(": ./slow" in line for line in self.marked().values()):
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.check(self.finish(process), 2, "interrupted")
        self.assertEqual(self.wait_until_gone(), {})


if __name__ == "__main__":
    unittest.main()
