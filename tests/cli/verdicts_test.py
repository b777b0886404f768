#!/usr/bin/env python3
"""What a command may claim: how a program ended, and a failure only if it comes back."""
import pathlib
import subprocess
import tempfile
import unittest

from support import program
from verdicts import ENDS, ONE_THREAD, VerdictTest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

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


class Verdicts(VerdictTest):
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
            for number, command in enumerate((["run", "--no-inputs"], ["run", "--runs", "9"],
                                              ["hunt"])):
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

    def test_a_failure_by_what_a_child_did_comes_back_with_its_inputs(self):
        binary = self.compile("visits", FIRST_VISIT)
        with tempfile.TemporaryDirectory(dir="/var/tmp") as outside:
            done = self.tool("run", "--json", "--", binary, f"{outside}/place", "child")
            self.check(done, 1)
            self.assertTrue(done.json()["verified"])
            self.check(self.tool("replay"), 1, "with the recorded inputs")

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
