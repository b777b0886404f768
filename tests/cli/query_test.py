#!/usr/bin/env python3
"""`unravel query`: where every thread was at some moments of a run."""
import pathlib
import re
import unittest

import support
from support import UNRAVEL, CommandTest

BIN = pathlib.Path(UNRAVEL).resolve().parent

# Both threads stand between two critical sections when the update of one is lost.
TWO_SECTIONS = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static void set(int value) {
  pthread_mutex_lock(&mutex);
  balance = value;
  pthread_mutex_unlock(&mutex);
}
static int get(void) {
  pthread_mutex_lock(&mutex);
  const int value = balance;
  pthread_mutex_unlock(&mutex);
  return value;
}
static void* deposit(void* unused) {
  const int before = get();
  set(before + 1);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, deposit, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(balance == 2);
}
"""

# Words that must be on standard error, by what is asked for.
REFUSED = [
    ("", "--at is missing"),
    ("x", "'x' is not a clock or a count of points", "T1:12"),
    ("T1", "'T1' is not a clock"),
    ("0", "0 is not a point", "counted from 1"),
    ("-1", "'-1' is not a clock or a count of points"),
    ("1.5", "'1.5' is not a clock or a count of points"),
    ("12x", "'12x' is not a clock or a count of points"),
    ("99999999999999999999", "'99999999999999999999' is too large for a count of points"),
    ("1000000", "point 1000000 was never reached", "its threads passed "),
    ("T1:", "'T1:' is not a clock"),
    ("T1:2+", "is not a clock"),
    ("T1:-2", "is not a clock"),
    ("T1:2 ", "is not a clock"),
    ("t1:2", "is not a clock"),
    ("T1:18446744073709551616", "is not a clock"),
    ("T9:1", "no thread T9", "its last thread is T2"),
    ("T1:99", "T1:99 was never reached", "last clock of that thread was T1:6"),
    ("T1:2+9", "T1:2+9 was never reached", "T1:6"),
    ("T1:6", "T1:6 was never reached", "where it ended"),
]

# The same for several moments.
REFUSED_TOGETHER = [
    (["T1:1+1", "T1:1+1"], "the moment T1:1+1 was given twice"),
    (["5", "T1:1", "5"], "the moment 5 was given twice"),
    (["T1:1+1", ""], "--at is missing"),
    (["T1:1+1", "x"], "'x' is not a clock or a count of points"),
    (["T1:1+1", "0"], "0 is not a point"),
    (["T1:1+1", "T9:1"], "no thread T9"),
    (["T1:6", "T1:1", "T2:1"], "T1:6 was never reached", "where it ended"),
    (["T2:1", "T1:2+9"], "T1:2+9 was never reached"),
    (["T2:1", "1000000"], "point 1000000 was never reached"),
]


class Query(CommandTest):
    def find(self, text, compiler, *flags):
        self.source("prog.c", text)
        self.build(compiler, "-g", *flags, "prog.c", "-o", "prog", "-pthread")
        done = self.tool("run", "--json", "--seed", "1", "--runs", "300", "--", "./prog")
        self.check(done, 1)
        return done.json()

    def ask(self, at, *run):
        done = self.tool("query", "--json", *run, "--at", at)
        self.check(done, 0)
        return done.json()

    def functions(self, moment):
        """Of the threads, by their numbers: state, and the functions of the program's own."""
        return {thread["thread"]: (thread["state"],
                                   [site["function"] for site in thread["stack"]
                                    if (site["file"] or "").endswith("prog.c")])
                for thread in moment["threads"]}

    def test_every_clock_that_is_shown_can_be_asked_for(self):
        """In a program without hooks: before each operation stands the thread that makes it."""
        run = self.find(TWO_SECTIONS, "gcc")
        shown = self.tool("show", "--json").json()["operations"]
        asked, steps = 0, []
        for step in shown:
            if step["operation"] not in ("lock", "unlock"):
                continue
            before = int(step["clock"]) - 1
            at = f"T{step['thread']}:{before}+1"
            moment = self.ask(at, run["run"])
            self.assertEqual((moment["version"], moment["at"]), (1, at))
            state, functions = self.functions(moment)[step["thread"]]
            self.assertEqual((state, functions),
                             ("running", [step["site"]["function"], "deposit"]), moment)
            asked += 1
            steps.append(moment["step"])
        self.assertEqual(asked, 8)
        self.assertEqual(len(set(steps)), len(steps), steps)

    def test_a_moment_at_a_memory_access(self):
        self.find(support.LOST_UPDATE, BIN / "unravel-cc", "-O1")
        left = [step for step in self.tool("show", "--json").json()["operations"]
                if step["result"] == "not yet" and step["operation"] == "store"]
        self.assertTrue(left)
        for step in left:
            at = f"T{step['thread']}:{step['clock']}"
            moment = self.ask(at)
            self.assertEqual(moment["at"], at)
            threads = self.functions(moment)
            self.assertIn(threads[0][0], ("blocked in join", "runnable"))
            self.assertEqual(threads[0][1], ["main"])
            self.assertEqual(threads[step["thread"]], ("running", ["add"]))

    def test_it_is_told_in_words(self):
        self.find(TWO_SECTIONS, "gcc")
        done = self.tool("query", "--at", "T1:1+1")
        self.check(done, 0)
        self.assertRegex(done.out, r"^at T1:1\+1, step \d+:\n")
        self.assertRegex(done.out, r"  T0 (blocked in join|runnable)\n      main\(\)  .*prog.c:\d+\n")
        line = 1 + next(number for number, line in enumerate(TWO_SECTIONS.splitlines())
                        if "lock" in line and "get" in TWO_SECTIONS.splitlines()[number - 1])
        self.assertRegex(done.out, rf"  T1 running\n      get\(\)  .*prog.c:{line}\n      deposit")
        quiet = self.tool("query", "--quiet", "--at", "T1:1+1")
        self.assertEqual(quiet.out, done.out.split(":\n")[0] + "\n")

    def test_a_moment_that_cannot_be_had_is_refused(self):
        run = self.find(TWO_SECTIONS, "gcc")["run"]
        for at, *words in REFUSED:
            with self.subTest(at=at):
                self.check_refused(["query", run, "--at", at], *words)
        self.check_refused(["query", "zzz", "--at", "T1:1"], "zzz")

    def test_several_moments_of_which_one_cannot_be_had_are_refused(self):
        run = self.find(TWO_SECTIONS, "gcc")["run"]
        for moments, *words in REFUSED_TOGETHER:
            with self.subTest(moments=moments):
                asked = [word for at in moments for word in ("--at", at)]
                self.check_refused(["query", run, *asked], *words)

    def test_several_moments_are_told_in_the_order_asked(self):
        run = self.find(TWO_SECTIONS, "gcc")["run"]
        asked = ["T2:2", "T1:1+1", "T2:1", "T0:2+1"]
        single = [self.ask(at, run) for at in asked]
        done = self.tool("query", "--json", run, *(word for at in asked for word in ("--at", at)))
        self.check(done, 0)
        told = done.json()
        self.assertEqual(list(told), ["version", "moments"])
        for moment in single:
            del moment["version"]
        self.assertEqual(told["moments"], single)
        words = self.tool("query", run, "--at", "T2:2", "--at", "T1:1+1")
        # The run may stand behind the moments.
        self.assertEqual(self.tool("query", "--at", "T2:2", "--at", "T1:1+1", run).out, words.out)
        self.check(words, 0)
        self.assertRegex(words.out, r"^at T2:2\+1, step \d+:\n(.*\n)+\nat T1:1\+1, step \d+:\n")

    def every_point(self, run):
        """Asks for all points of a run. Those that cannot be had must be the start or an end."""
        counts, refused = list(range(1, run["steps"] + 1)), []
        while True:
            asked = [word for count in counts for word in ("--at", str(count))]
            done = self.tool("query", "--json", run["run"], *asked)
            if done.status == 0:
                break
            words = re.search(r"cannot be stopped at point (\d+)\n +(.*)\n", done.err)
            self.assertIn(words[2], ("a thread ended there", "the run ended there",
                                     "it was passed before the first thread was created"), done.err)
            refused.append(int(words[1]))
            counts.remove(refused[-1])
        moments = done.json()["moments"]
        self.assertEqual([moment["step"] for moment in moments], counts)
        self.assertEqual(len({moment["at"] for moment in moments}), len(moments), "each is another")
        self.assertGreater(len(counts), len(refused), refused)
        return moments

    def test_every_point_can_be_asked_for_by_its_count(self):
        run = self.find(TWO_SECTIONS, "gcc")
        moments = self.every_point(run)
        backwards = [word for moment in reversed(moments) for word in ("--at", moment["at"])]
        told = self.tool("query", "--json", run["run"], *backwards).json()["moments"]
        self.assertEqual(told, moments[::-1])
        self.assertEqual(self.ask(str(moments[3]["step"])), {"version": 1, **moments[3]})

    def test_every_point_among_memory_accesses(self):
        self.every_point(self.find(support.LOST_UPDATE, BIN / "unravel-cc", "-O1"))

    def test_another_build_is_refused(self):
        run = self.find(TWO_SECTIONS, "gcc")["run"]
        self.source("prog.c", TWO_SECTIONS.replace("balance == 2", "balance != 1"))
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")
        self.check_refused(["query", run, "--at", "T1:1+1"], "was rebuilt")


if __name__ == "__main__":
    unittest.main()
