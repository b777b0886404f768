#!/usr/bin/env python3
"""What was not tested is no success: programs without a second thread, and runs that say nothing."""
import unittest

from support import program
from verdicts import ENDS, ONE_THREAD, VerdictTest

# As test frameworks do that want to survive a crash.
IN_CHILDREN = """
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void* nothing(void* unused) { return unused; }
int main(void) {
  for (int i = 0; i < 2; i++) {
    if (fork() == 0) {
      pthread_t thread;
      pthread_create(&thread, 0, nothing, 0);
      pthread_join(thread, 0);
      _exit(0);
    }
    wait(0);
  }
}
"""

# As GoogleTest lists and filters.
TESTS = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static void* nothing(void* unused) { return unused; }
int main(int argc, char** argv) {
  const char* last = argc > 1 ? argv[argc - 1] : "";
  if (strstr(last, "list_tests")) {
    puts("Some.\\n  WithThread\\n  Alone\\n  AlsoAlone");
    return 0;
  }
  if (!strstr(last, "WithThread")) return 0;
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
}
"""

NO_THREAD = "the program starts no second thread: nothing to interleave"


class Untested(VerdictTest):
    # --- Nothing was tested ----------------------------------------------------------------------

    def test_a_program_of_one_thread_was_not_tested(self):
        alone = self.compile("alone", ONE_THREAD)
        for command in (["run"], ["run", "--runs", "50"], ["record"], ["hunt"]):
            with self.subTest(command):
                self.check_unresolved(self.tool(*command, "--json", "--", alone),
                                      "no-second-thread", NO_THREAD)
                allowed = self.tool(*command, "--json", "--allow-untested", "--", alone)
                self.check_unresolved(allowed, "no-second-thread", NO_THREAD, status=0)
                self.check(self.tool(*command, "--", alone,
                                     environment={"UNRAVEL_ALLOW_UNTESTED": "1"}), 0, NO_THREAD)
        self.assertEqual(self.tool("hunt", "--json", "--", alone).json()["runs"], 1)
        kept = self.tool("run", "--json", "--", alone).json()["run"]
        self.check(self.tool("replay", kept), 2, NO_THREAD, "reproduced")
        self.check(self.tool("replay", "--allow-untested", kept), 0)

    def test_what_children_do_was_not_tested(self):
        forks = self.compile("forks", IN_CHILDREN)
        words = "no second thread, but 2 child processes, which are not controlled"
        for command in (["run"], ["run", "--runs", "50"], ["hunt"]):
            with self.subTest(command):
                answer = self.check_unresolved(self.tool(*command, "--json", "--", forks),
                                               "children", words)
                self.assertEqual(answer.get("runs", 1), 1)

    def test_what_a_script_starts_was_not_tested(self):
        self.compile("threads", ENDS)
        script = self.folder / "wrapper.sh"
        script.write_text("#!/bin/sh\n./threads\nexit 0\n")
        script.chmod(0o755)
        self.check_unresolved(self.tool("hunt", "--json", "--", "./wrapper.sh"), "children",
                              "a child process")
        # One that it becomes is followed.
        script.write_text("#!/bin/sh\nexec ./threads\n")
        self.check(self.tool("hunt", "--runs", "20", "--", "./wrapper.sh"), 0, "no failure")

    def test_runs_that_say_nothing_are_no_success(self):
        spins = program("spin_forever")
        limits = ["--timeout", "300ms", "--runs", "2"]
        for command in ("run", "hunt"):
            with self.subTest(command):
                self.check_unresolved(self.tool(command, "--json", *limits, "--", spins), "limit",
                                      "a loop without synchronisation")
                self.check(self.tool(command, "--allow-untested", *limits, "--", spins), 0,
                           "none of them resolved")

    # --- Several tests ---------------------------------------------------------------------------

    def test_tests_without_a_second_thread_are_run_once_and_listed(self):
        binary = self.compile("tests", TESTS)
        done = self.tool("hunt", "--json", "--each-test", "--runs", "20", "--", binary)
        self.check(done, 0, "3 tests, no failure", "no second thread: Some.Alone, Some.AlsoAlone")
        tests = {test["test"]: test for test in done.json()["tests"]}
        self.assertEqual({name: (test["outcome"], test["runs"]) for name, test in tests.items()},
                         {"Some.WithThread": ("passed", 20), "Some.Alone": ("unresolved", 1),
                          "Some.AlsoAlone": ("unresolved", 1)})
        self.assertEqual(tests["Some.Alone"]["reason"], "no-second-thread")
        binary = self.compile("alone", TESTS.replace("\\n  WithThread", ""))
        alone = ["--each-test", "--runs", "20", "--", binary]
        done = self.tool("hunt", "--json", *alone)
        self.check(done, 2, "2 tests, nothing was tested")
        self.assertEqual((done.json()["outcome"], done.json()["reason"]),
                         ("unresolved", "no-second-thread"))
        self.check(self.tool("hunt", "--allow-untested", *alone), 0)


if __name__ == "__main__":
    unittest.main()
