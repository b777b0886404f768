#!/usr/bin/env python3
"""`unravel query`: where every thread was at one moment of a run."""
import pathlib
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
    ("x", "'x' is not a clock", "T1:12"),
    ("T1", "'T1' is not a clock"),
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

    def test_another_build_is_refused(self):
        run = self.find(TWO_SECTIONS, "gcc")["run"]
        self.source("prog.c", TWO_SECTIONS.replace("balance == 2", "balance != 1"))
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")
        self.check_refused(["query", run, "--at", "T1:1+1"], "was rebuilt")


if __name__ == "__main__":
    unittest.main()
