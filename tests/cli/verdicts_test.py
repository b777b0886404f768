#!/usr/bin/env python3
"""What a command may claim: nothing about what was not tested, and a failure whatever happens."""
import pathlib
import re
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from support import CommandTest, program

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

ONE_THREAD = """
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) { return argc > 1 ? atoi(argv[1]) : 0; }
"""

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

# Two threads, and an end that does not depend on their order.
ENDS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* lock(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(int argc, char** argv) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, lock, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  const char* how = argc > 1 ? argv[1] : "0";
  if (strcmp(how, "assert") == 0) assert(!"always");
  if (strcmp(how, "exit_group") == 0) __asm__("syscall" : : "a"(SYS_exit_group), "D"(0));
  if (strcmp(how, "execve") == 0) {
    char* const arguments[] = {"/bin/true", 0};
    syscall(SYS_execve, "/bin/true", arguments, 0);
  }
  exit(atoi(how));
}
"""

# Fails if nobody has been here before. Outside the sandbox that is so once, and no schedule tells.
FIRST_VISIT = """
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static const char* place;
static int is_first(void) { return open(place, O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0; }
static int first_in_child(void) {
  const pid_t child = fork();
  if (child == 0) _exit(is_first());
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
static void* nothing(void* unused) { return unused; }
int main(int argc, char** argv) {
  place = argv[1];
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  const int first = argc > 2 ? first_in_child() : is_first();
  assert(!first);
}
"""

# A run cannot have a copy of its open file: the file has no name, and nothing may grow.
NO_ROOM = """
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
static void* nothing(void* unused) { return unused; }
int main(void) {
  const int file = open("file", O_RDWR | O_CREAT, 0600);
  if (file < 0 || write(file, "text", 4) != 4 || unlink("file")) return 3;
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_FSIZE, &none)) return 4;
  pthread_t thread;
  if (pthread_create(&thread, 0, nothing, 0)) return 5;
  pthread_join(thread, 0);
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

NO_THREAD = "the program starts no second thread: nothing to interleave"


class Verdicts(CommandTest):
    def compile(self, name, text):
        self.source(f"{name}.c", text)
        self.build("gcc", "-g", "-pthread", f"{name}.c", "-o", name)
        return f"./{name}"

    def check_unresolved(self, done, reason, *words, status=2):
        self.check(done, status, *words)
        answer = done.json()
        self.assertEqual((answer["outcome"], answer["reason"]), ("unresolved", reason), f"\n{done}")
        for word in words:
            self.assertIn(word, answer["explanation"])
        self.assertNotIn("PCT bound", done.err)
        self.assertNotIn("no failure", done.err)
        return answer

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

    # --- Skipped ---------------------------------------------------------------------------------

    def test_status_77_says_that_the_test_was_skipped(self):
        for name, text in (("alone", ONE_THREAD), ("threads", ENDS)):
            binary = self.compile(name, text)
            for options in ([], ["--runs", "3"], ["--no-fork"]):
                with self.subTest(name=name, options=options):
                    self.check_unresolved(
                        self.tool("run", "--json", *options, "--", binary, "77"), "skipped",
                        "the program skipped the test (exit status 77)")
                    other = ["run", "--json", *options, "--skip-status"]
                    self.check_unresolved(self.tool(*other, "5", "--", binary, "5"), "skipped",
                                          "exit status 5")
                    self.check(self.tool(*other, "5", "--", binary, "77"), 1, "exit status 77")
                    self.check(self.tool(*other, "none", "--", binary, "77"), 1)
                    self.check(self.tool("replay"), 1, "reproduced", "exit status 77")

    def test_a_skip_status_is_a_status(self):
        for wrong in ("0", "256", "-1", "never"):
            with self.subTest(wrong):
                self.check_refused(["run", f"--skip-status={wrong}", "--",
                                    program("locks_in_order")], "--skip-status")

    def test_a_status_is_told_as_others_see_it(self):
        for name, text in (("alone", ONE_THREAD), ("threads", ENDS)):
            binary = self.compile(name, text)
            with self.subTest(name):
                self.check(self.tool("run", "--", binary, "-1"), 1, "exit status 255")
                done = self.tool("run", "--json", "--allow-untested", "--", binary, "256")
                self.check(done, 0)
                self.assertIsNone(done.json()["failure"])

    # --- What is known of an end that nobody saw --------------------------------------------------

    def test_an_end_behind_our_back_is_called_what_it_was(self):
        binary = self.compile("ends", ENDS)
        for how, words, others in (("exit_group", "ended behind the C library's back: by a system",
                                    "another program"),
                                   ("execve", "went on as another program", "behind")):
            with self.subTest(how):
                done = self.tool("run", "--json", "--", binary, how)
                self.check_unresolved(done, "uncontrolled", words)
                self.assertNotIn(others, done.err)

    def test_trouble_of_our_own_before_a_run_begins_is_told_as_such(self):
        done = self.tool("run", "--json", "--", self.compile("grows", NO_ROOM))
        self.check(done, 3, "a run cannot have the program's open files")
        self.assertEqual(done.json()["outcome"], "error")

    # --- Verified --------------------------------------------------------------------------------

    def test_a_failure_that_does_not_come_back_counts_only_as_seen(self):
        binary = self.compile("visits", FIRST_VISIT)
        with tempfile.TemporaryDirectory(dir="/var/tmp") as outside:
            for number, command in enumerate((["run"], ["run", "--runs", "9"], ["hunt"])):
                with self.subTest(command):
                    place = f"{outside}/{number}"
                    done = self.tool(*command, "--json", "--", binary, place, "child")
                    self.check_unresolved(done, "not-reproduced", "a child process took part")
                    place += "-allowed"
                    self.check(self.tool(*command, "--allow-untested", "--", binary, place,
                                         "child"), 2, "replays did not reproduce it")
                    # Where everything was controlled it is a fault of ours.
                    place += "-alone"
                    done = self.tool(*command, "--json", "--", binary, place)
                    self.check(done, 3, "did not come back", "bug in unravel")
                    done.json()  # one object, and nothing else

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

    # --- Refused ---------------------------------------------------------------------------------

    def test_go_programs_are_refused(self):
        self.compile("goes", ENDS)
        self.source("empty", "Go buildinf:")
        for section in (".go.buildinfo", ".note.go.buildid"):
            with self.subTest(section):
                self.build("objcopy", "--add-section", f"{section}=empty", "goes", "gone")
                for command in ("run", "hunt", "record", "doctor"):
                    self.check_refused([command, "--", "./gone"], "'", "is a Go program",
                                       "goroutines")
        self.build("objcopy", "--add-section", ".go.buildinfo=empty", program("statically_linked"),
                   "static")
        self.check_refused(["hunt", "--", "./static"], "is a Go program")

    # --- Simplified already ----------------------------------------------------------------------

    def test_what_cannot_be_simpler_is_not_compared_with_itself(self):
        found = self.tool("hunt", "--json", "--seed", "1", "--", program("locks_in_disorder"))
        run = found.json()["failures"][0]["simplified"]["run"]
        done = self.tool("simplify", run)
        self.check(done, 0)
        self.assertNotIn(f"run {run} fails in the same way as run {run}", done.err)

    # --- The demonstration -----------------------------------------------------------------------

    def test_the_demonstration_ends_where_its_hunt_cannot_start(self):
        pretends = self.folder / "unravel"
        pretends.write_text("#!/bin/sh\necho \"unravel: cannot $1\" >&2\nexit 2\n")
        pretends.chmod(0o755)
        done = subprocess.run([ROOT / "tools/demo.sh"], cwd=self.folder, text=True,
                              capture_output=True,
                              env=self.environment | {"UNRAVEL_BINARY": str(pretends)})
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("unravel: cannot hunt", done.stderr)
        self.assertNotIn("cannot replay", done.stderr)
        self.assertNotIn("Your own program", done.stdout)


if __name__ == "__main__":
    unittest.main()
