#!/usr/bin/env python3
"""`unravel diff`: two runs of one program side by side."""
import pathlib
import unittest

import support
from support import UNRAVEL, CommandTest, program

BIN = pathlib.Path(UNRAVEL).resolve().parent

# The balance is read in one critical section and written in the next. What main does when its
# threads have ended is alike in all runs.
TWO_SECTIONS = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static void* deposit(void* unused) {
  pthread_mutex_lock(&mutex);
  const int before = balance;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  balance = before + 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, deposit, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  assert(balance == 2);
}
"""


# Every run adds a byte to a file. The runs from the first to the second argument take the lock once more.
SOME_RUNS_DIFFER = """
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char** arguments;
static void* work(void* unused) {
  int file = open("runs", O_RDWR | O_CREAT | O_APPEND, 0600);
  if (write(file, "x", 1) != 1) return unused;
  long run = lseek(file, 0, SEEK_END);
  int locks = run >= atol(arguments[1]) && run <= atol(arguments[2]) ? 2 : 1;
  for (int i = 0; i < locks; i++) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
int main(int count, char** all) {
  pthread_t thread;
  arguments = all;
  if (count < 3) return 1;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
}
"""


class Diff(CommandTest):
    def build_program(self, text=TWO_SECTIONS, compiler="gcc"):
        self.source("prog.c", text)
        self.build(compiler, "-g", "prog.c", "-o", "prog", "-pthread")

    def failing(self):
        done = self.tool("run", "--json", "--seed", "1", "--runs", "500", "--", "./prog")
        self.check(done, 1)
        return done.json()["run"]

    def passing(self, *arguments, name="./prog"):
        done = self.tool("run", "--json", "--rule", "stay", "--", name, *arguments)
        self.check(done, 0)
        return done.json()["run"]

    def operations(self, run):
        return self.tool("show", "--json", run).json().get("operations")

    def recorded_first(self, *differing):
        """A run of SOME_RUNS_DIFFER. To make its table, the second run repeats it, and the third reads stacks."""
        self.build_program(SOME_RUNS_DIFFER)
        done = self.tool("run", "--json", "--no-sandbox", "--rule", "stay", "--", "./prog", *differing)
        self.check(done, 0)
        return done.json()["run"]

    def test_a_run_that_does_not_repeat_once_costs_no_rows(self):
        run = self.recorded_first("3", "3")

        found = self.tool("diff", "--json", "--run", run, run)

        self.check(found, 0)
        rows = found.json()["rows"]
        self.assertGreater(len(rows), 0, found)
        self.assertEqual([row for row in rows if row["left"] != row["right"]], [], found)

    def test_a_table_that_cannot_be_made_whole_is_an_error(self):
        run = self.recorded_first("3", "9")

        found = self.tool("show", "--run", run)

        self.check(found, 2, "could not be made", "did not repeat")
        self.assertEqual(list(self.folder.glob(".unravel/runs/*.steps")), [])

    def test_a_failing_run_beside_one_that_passes(self):
        self.build_program()
        left, right = self.failing(), self.passing()
        self.assertIsNone(self.operations(right), "its steps are to be made by diff --run")

        done = self.tool("diff", "--run", "--json", left, right)

        self.check(done, 0)
        json = done.json()
        self.assertEqual(json["version"], 1)
        self.assertEqual((json["left"]["run"], json["right"]["run"]), (left, right))
        self.assertEqual((json["left"]["outcome"], json["right"]["outcome"]), ("failed", "passed"))
        for side, run in (("left", left), ("right", right)):
            column = [row[side] for row in json["rows"] if row[side] is not None]
            self.assertTrue(column)
            self.assertEqual(column, self.operations(run), "read down, it gives the run")
        first = json["first_difference"]
        for row in json["rows"][:first]:
            self.assertEqual(row["left"], row["right"])
        self.assertNotEqual(json["rows"][first]["left"], json["rows"][first]["right"])

    def test_the_two_runs_in_columns(self):
        self.build_program()
        left, right = self.failing(), self.passing()

        for columns in (60, 100, 200):
            with self.subTest(columns=columns):
                done = self.tool("diff", "--run", left[:5], right[:5], environment={"COLUMNS": str(columns)})
                self.check(done, 0)
                self.assertEqual(done.err, "")
                text, sentence = done.out.rstrip("\n").rsplit("\n\n", 1)
                for words in (f"run {left} failed", f"run {right} passed", "./prog", " <\n", " > T",
                              "equal steps …"):
                    self.assertIn(words, text, f"\n{done}")
                self.assertLessEqual(max(len(line) for line in text.split("\n")), columns)
                self.assertRegex(sentence, r"^the first difference: step \d+: left T\d:\d+ .* at "
                                           r"prog.c:\d+ \w+\(\), right T\d:\d+ ")

        every = self.tool("diff", "--run", "--rows", "all", left, right).out
        self.assertNotIn("equal step", every)
        for step in self.operations(left):
            self.assertIn(f"T{step['thread']}:{step['clock']} ", every)
        coloured = self.tool("diff", "--run", "--color", "always", left, right).out
        self.assertIn("\033[", coloured)
        quiet = self.tool("diff", "--run", "--quiet", left, right)
        self.check(quiet, 0)
        self.assertEqual(quiet.out, sentence + "\n")

    def test_a_run_does_not_differ_from_itself_nor_from_one_of_the_same_steps(self):
        self.build_program()
        left, right = self.passing(), self.passing()

        for other in (left, right):
            done = self.tool("diff", "--run", left, other)
            self.check(done, 0)
            self.assertTrue(done.out.endswith("\nthe same steps\n"), f"\n{done}")
            self.assertIsNone(self.tool("diff", "--run", "--json", left, other).json()["first_difference"])

    def test_the_switch_at_a_memory_access_is_the_first_difference(self):
        self.build_program(support.LOST_UPDATE, BIN / "unravel-cc")
        left, right = self.failing(), self.passing()

        json = self.tool("diff", "--run", "--json", left, right).json()
        rows = json["rows"][json["first_difference"]:]

        # Who begins is chance. Where T1 does in both, it is left before its store in the failing run.
        ours = next(row["left"] for row in rows if row["left"])
        begins = next(step["thread"] for step in self.operations(left) if step["thread"] > 0)
        if begins == 1:
            self.assertEqual((ours["thread"], ours["result"]), (1, "not yet"))
        else:
            self.assertEqual((ours["thread"], ours["operation"]), (2, "start"))

    def test_long_runs_part_before_the_steps_that_are_kept(self):
        self.build_program(TWO_SECTIONS.replace("i < 5", "i < 400"))
        left, right = self.failing(), self.passing()

        done = self.tool("diff", "--run", left, right)

        self.check(done, 0)
        self.assertRegex(done.out, r"the first difference: earlier, event \d+: left T\d:\d+ .*, right "
                                   r"T\d:\d+ .*; in the stored steps: ")
        json = self.tool("diff", "--run", "--json", left, right).json()
        self.assertGreater(json["left"]["earlier_operations"], 300)
        earlier = json["earlier_difference"]
        self.assertNotEqual(earlier["left"], earlier["right"])
        alike = self.tool("diff", "--run", right, self.passing())
        self.assertIn(" earlier operations, equal", alike.out)
        self.assertTrue(alike.out.endswith("\nthe same steps\n"), f"\n{alike}")

    def test_what_cannot_be_compared_is_refused(self):
        self.build_program()
        run, other = self.passing(), self.passing(name=program("locks_in_order"))
        argument = self.passing("an argument")
        table = [
            ([], "two runs", "no run was given", "unravel list"),
            ([run], "two runs", "only one was given", "unravel list"),
            ([run, run, run], "two runs", "3 were given"),
            ([run, "zzz"], "zzz", "unravel list"),
            (["zzz", run], "zzz", "unravel list"),
            ([run, other], "not of the same program", "locks_in_order", "./prog"),
            ([run, argument], "not of the same program", "an argument"),
            ([run, run, "--rows", "-1"], "--rows", "-1"),
            ([run, run, "--rows", "0"], "--rows", "'0'"),
            ([run, run, "--", "./prog"], "takes no program"),
            ([run, run, "--at", "T1:1"], "--at"),
        ]
        for arguments, *words in table:
            with self.subTest(arguments=arguments):
                self.check_refused(["diff", *arguments], *words)

    def test_a_program_may_be_named_in_other_words(self):
        self.build_program()
        left, right = self.passing(), self.passing(name=str(self.folder / "prog"))

        self.check(self.tool("diff", "--run", left, right), 0)

    def test_steps_that_were_not_kept_cannot_be_had_from_another_build(self):
        self.build_program()
        left, right = self.passing(), self.failing()
        self.build_program(TWO_SECTIONS.replace("before + 1", "before + 1 + 0 * before"))
        self.check_refused(["diff", "--run", left, right], left, "not stored", "--lenient")

        again = self.passing()
        done = self.tool("diff", "--run", right, again)

        self.check(done, 0, "was rebuilt")


if __name__ == "__main__":
    unittest.main()
