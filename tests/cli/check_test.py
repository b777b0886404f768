#!/usr/bin/env python3
"""Kept failures on the program as it is now: the same build, a fix, an edit elsewhere, none."""
import pathlib
import unittest

import support
from support import UNRAVEL

BIN = pathlib.Path(UNRAVEL).resolve().parent

# Fails only if both threads have read before either writes; the bug and what fixes it are lines.
TRANSFER = """
#include <assert.h>
#include <pthread.h>
%(above)s
static int balance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void deposit(int amount) {
  %(lock)s
  int seen = balance;
  balance = seen + amount;
  %(unlock)s
}
static void* small(void* unused) {
  deposit(1);
  return unused;
}
static void* large(void* unused) {
  deposit(10);
  return unused;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, small, 0);
  pthread_create(&other, 0, large, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  pthread_mutex_lock(&mutex);
  assert(balance == 11);
  pthread_mutex_unlock(&mutex);
}
"""
BROKEN = {"above": "", "lock": "", "unlock": ""}
FIXED = {"above": "", "lock": "pthread_mutex_lock(&mutex);",
         "unlock": "pthread_mutex_unlock(&mutex);"}
MOVED = {"above": "static int unrelated __attribute__((unused));\n\n", "lock": "", "unlock": ""}
# Another store is now where the one of the failure was, by lines from the function's first.
EDITED = {"above": "static int calls;\n\n", "lock": "calls = amount;", "unlock": ""}

# Two locks in opposite order: no hooks are needed to see it.
CROSSED = """
#include <pthread.h>
%(above)s
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void* down(void* unused) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return unused;
}
static void* up(void* unused) {
  pthread_mutex_lock(&right);
  pthread_mutex_lock(&left);
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
  return unused;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, down, 0);
  pthread_create(&other, 0, up, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
}
"""


class Check(support.CommandTest):
    def compile(self, parts, text=TRANSFER, compiler=BIN / "unravel-cc"):
        self.build(compiler, "-g", "-O0", "-pthread", "-Wl,--build-id",
                   self.source("prog.c", text % parts), "-o", "prog")

    def hunt(self):
        done = self.tool("hunt", "--json", "--seed", "3", "--jobs", "1", "--", "./prog")
        self.assertEqual(done.status, 1, f"\n{done}")
        return done.json()["failures"][0]

    def check_json(self, status, *arguments):
        done = self.tool("check", "--json", *arguments)
        self.assertEqual(done.status, status, f"\n{done}")
        self.assertEqual(done.json()["version"], 1)
        return done.json()["results"]

    def test_a_failure_is_known_by_lines_of_the_program_at_every_level_of_optimisation(self):
        example = pathlib.Path(__file__).resolve().parents[2] / "examples" / "01-lost-update.cpp"
        for compiler in ("g++", BIN / "unravel-c++"):
            for level, other in (("-O0", "-O2"), ("-O2", "-O0")):
                with self.subTest(compiler=str(compiler), level=level):
                    options = ("-std=c++20", "-g", "-pthread", example, "-o", "prog")
                    self.build(compiler, level, *options)
                    found = self.hunt()
                    kept = (self.folder / ".unravel" / "runs" / f"{found['run']}.constraints").read_bytes()
                    self.assertIn(b"Account::balance()", kept)
                    self.assertIn(b"Account::set_balance(int)", kept)
                    for wrapper in (b"gthr-default.h", b"std_mutex.h"):
                        self.assertNotIn(wrapper, kept)
                    self.build(compiler, other, *options)
                    result, = self.check_json(1, found["run"])
                    self.assertEqual(result["verdict"], "still-fails")

    def test_the_same_build_still_fails_by_its_schedule(self):
        self.compile(BROKEN)
        found = self.hunt()

        self.assertEqual(self.check_json(1), [
            {"run": found["run"], "verdict": "still-fails", "neighbours": 0, "unresolved": 0,
             "reproduced_by": "schedule", "key": found["failure"]["key"], "reason": None,
             "other_failures": [], "others": []}])
        told = self.tool("check", found["run"][:4])
        self.assertEqual(told.status, 1, f"\n{told}")
        self.assertEqual(told.out, f"{found['run']} still fails: reproduced by its own schedule "
                                   f"({found['failure']['key']})\n"
                                   "1 run: 0 fixed, 1 still failing, 0 not applicable\n")

    def test_a_fix_is_told_with_the_number_of_tries(self):
        self.compile(BROKEN)
        found = self.hunt()
        self.compile(FIXED)

        result, = self.check_json(0, "all")
        self.assertEqual((result["verdict"], result["neighbours"], result["reproduced_by"]),
                         ("fixed", 200, None))
        told = self.tool("check", "--neighbours", "30")
        self.assertEqual(told.status, 0, f"\n{told}")
        self.assertIn(f"{found['run']} fixed: not reproduced in 30 tries", told.out)

    def test_a_fix_that_fails_otherwise_is_a_failure(self):
        self.compile(BROKEN)
        found = self.hunt()
        self.compile({**FIXED, "unlock": "assert(seen == 0); pthread_mutex_unlock(&mutex);"})

        result, = self.check_json(1)
        self.assertEqual((result["run"], result["verdict"]), (found["run"], "fixed"))
        other, = result["others"]
        self.assertTrue(other["verified"])
        self.assertEqual(result["other_failures"], [other["key"]])
        self.check(self.tool("replay", other["run"]), 1, "reproduced", "seen == 0")
        told = self.tool("check", found["run"])
        self.assertEqual(told.status, 1, f"\n{told}")
        self.assertIn("fixed, but fails in another way", told.out)
        self.assertIn("another failure was seen: run ", told.out)

    def test_an_edit_elsewhere_fixes_nothing(self):
        self.compile(BROKEN)
        self.hunt()
        for name, edit in (("above", MOVED), ("within", EDITED)):
            with self.subTest(name):
                self.compile(edit)

                result, = self.check_json(1)
                # One run to learn from; with the loads before the stores the next one must fail.
                self.assertEqual(
                    (result["verdict"], result["reproduced_by"], result["neighbours"]),
                    ("still-fails", "constraints", 2), result)

    def test_a_deadlock_is_found_again_in_another_build(self):
        self.compile({"above": ""}, CROSSED, "cc")
        self.hunt()
        self.compile({"above": "int unrelated;\n"}, CROSSED, "cc")

        result, = self.check_json(1)
        self.assertEqual((result["verdict"], result["key"].split(":")[0]),
                         ("still-fails", "deadlock"))

    def test_a_program_that_is_gone_is_not_applicable(self):
        self.compile(BROKEN)
        found = self.hunt()
        (self.folder / "prog").unlink()

        result, = self.check_json(0)
        self.assertEqual((result["run"], result["verdict"]), (found["run"], "not-applicable"))
        self.assertEqual(result["reason"], "./prog is not there any more")
        self.assertIn("not applicable: ./prog is not there any more", self.tool("check").out)

    def test_a_program_that_cannot_be_controlled_is_not_applicable(self):
        self.compile({"above": ""}, CROSSED, "cc")
        self.hunt()
        self.build("cc", "-static", "-pthread", "prog.c", "-o", "prog")

        result, = self.check_json(0)
        self.assertEqual(result["verdict"], "not-applicable")
        self.assertIn("static", result["reason"])

    def test_the_same_build_that_does_not_repeat_is_an_error(self):
        # What decides is neither the schedule nor the program.
        self.build("cc", "-g", "-pthread", "-Wl,--build-id", self.source("prog.c", """
            #include <assert.h>
            #include <pthread.h>
            #include <unistd.h>
            static void* nothing(void* unused) { return unused; }
            int main(void) {
              pthread_t thread;
              pthread_create(&thread, 0, nothing, 0);
              pthread_join(thread, 0);
              assert(access("absent", F_OK) == 0);
            }
            """), "-o", "prog")
        self.hunt()
        (self.folder / "absent").write_text("")

        result, = self.check_json(2)
        self.assertEqual(result["verdict"], "not-applicable")
        self.assertIn("the build is the same", result["reason"])

    def test_what_cannot_be_checked_is_refused(self):
        self.check_refused(["check"], "there is no store")
        self.compile(BROKEN)
        self.assertEqual(self.tool("run", "--rule", "stay", "--", "./prog").status, 0)
        passed = self.tool("list", "--json").json()["runs"][0]["run"]
        self.check_refused(["check", passed], f"run {passed} did not fail")
        self.check_refused(["check", "nosuch"], "no run 'nosuch'")
        self.check_refused(["check", "--neighbours", "0"], "--neighbours")
        self.check_refused(["check", "--", "./prog"], "takes no program")
        nothing = self.tool("check")
        self.assertEqual((nothing.status, nothing.out),
                         (0, "no failure is stored, so there is nothing to check; `unravel hunt -- PROGRAM` "
                             "looks for one\n"))


if __name__ == "__main__":
    unittest.main()
