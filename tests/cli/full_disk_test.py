#!/usr/bin/env python3
"""A failure that cannot be kept is told all the same, and what cannot be printed is an error."""
import os
import re
import subprocess
import unittest

from support import LOST_UPDATE, UNRAVEL, CommandTest, program

GOOD = program("locks_in_order")
BAD = program("locks_in_disorder")

# As long as there is a file `break`, it makes it impossible to keep anything: its start puts a file
# where a directory of the store was, or what fails fills the disk. Rights would not stop root.
BREAKS_STORE = """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static void fill_disk(void) {
  static char zeros[4096];
  const int rest = open("full/rest", O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (rest < 0) return;
  while (write(rest, zeros, sizeof zeros) > 0) {
  }
  while (write(rest, zeros, 1) > 0) {
  }
  close(rest);
}
static void break_store(void) {
  if (access("break", F_OK) != 0 || access("full", F_OK) == 0) return;
  rename(".unravel/runs", ".unravel/gone");
  close(open(".unravel/runs", O_CREAT | O_EXCL | O_WRONLY, 0600));
}
"""

# Each thread locks twice, and an update may be lost between.
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
  break_store();
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, deposit, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  if (balance != 2) fill_disk();
  assert(balance == 2);
}
"""


class FullDisk(CommandTest):
    def setUp(self):
        super().setUp()
        self.source("prog.c", BREAKS_STORE + TWO_SECTIONS)
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")

    def tool(self, command, *arguments, **others):
        """What a run does to files is real."""
        if command in ("run", "record", "hunt"):
            arguments = ("--no-sandbox", *arguments)
        return super().tool(command, *arguments, **others)

    def break_store(self):
        (self.folder / "break").write_text("")

    def mend_store(self):
        (self.folder / "break").unlink()
        (self.folder / ".unravel" / "runs").unlink()
        (self.folder / ".unravel" / "gone").rename(self.folder / ".unravel" / "runs")

    def schedule_in(self, done):
        found = re.search(r"unravel run --schedule (\S+) -- \./prog", done.err)
        self.assertTrue(found, f"\n{done}")
        return found[1]

    def check_repeats(self, schedule, status):
        again = self.tool("run", "--store", "other", "--schedule", schedule, "--", "./prog")
        self.check(again, status)

    def test_a_failure_is_told_with_its_schedule_before_the_error(self):
        loop = ["--seed", "1", "--runs", "500"]
        for command in (["run", *loop], ["run", "--quiet", *loop], ["hunt", *loop, "--jobs", "2"],
                        ["hunt", "--explore", *loop, "--jobs", "1"],
                        ["hunt", "--quiet", "--find-only", *loop]):
            with self.subTest(command=command):
                self.check(self.tool("run", "--", GOOD), 0)
                self.break_store()
                done = self.tool(*command, "--", "./prog")
                self.check(done, 1, "balance == 2", "cannot use '.unravel/runs'", "--store")
                self.assertLess(done.err.index("balance == 2"), done.err.index("cannot use"),
                                f"\n{done}")
                self.check_repeats(self.schedule_in(done), 1)
                self.mend_store()

    def test_so_is_that_of_one_run(self):
        self.source("prog.c", BREAKS_STORE + TWO_SECTIONS.replace("balance == 2", "balance == 3"))
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")
        for command in ("run", "record"):
            with self.subTest(command=command):
                self.check(self.tool("run", "--", GOOD), 0)
                self.break_store()
                done = self.tool(command, "--", "./prog")
                self.check(done, 1, "balance == 3", "cannot use '.unravel/runs'")
                self.check_repeats(self.schedule_in(done), 1)
                self.mend_store()

    def test_a_run_that_passed_and_could_not_be_kept_is_an_error(self):
        self.check(self.tool("run", "--", GOOD), 0)
        self.break_store()
        done = self.tool("run", "--rule", "stay", "--", "./prog")
        self.check(done, 2, "passed", "cannot use '.unravel/runs'")
        self.check_repeats(self.schedule_in(done), 0)

    def test_json_has_the_failure_and_the_error(self):
        for command in ("run", "hunt"):
            with self.subTest(command=command):
                self.check(self.tool("run", "--", GOOD), 0)
                self.break_store()
                done = self.tool(command, "--json", "--seed", "1", "--runs", "500", "--", "./prog")
                self.check(done, 1, "cannot use")
                run = done.json() if command == "run" else done.json()["failures"][0]
                self.assertEqual((run["run"], run["failure"]["kind"]), (None, "assert"))
                self.assertIn("cannot use", run["error"]["what"])
                self.assertNotIn("schedule_file", run)
                self.check_repeats(run["schedule"], 1)
                self.mend_store()

    def test_what_is_made_of_a_failure_is_told_with_its_schedule(self):
        done = self.tool("run", "--json", "--seed", "1", "--runs", "500", "--", "./prog")
        self.check(done, 1)
        for command, words in (("simplify", "became"), ("isolate", "fails if")):
            with self.subTest(command=command):
                self.break_store()
                made = self.tool(command, done.json()["run"])
                self.check(made, 2, words, "cannot use '.unravel/runs'")
                self.schedule_in(made)
                self.assertNotIn("unravel replay", made.err)
                self.mend_store()
        self.check(self.tool("show", done.json()["run"]), 0)

    def test_a_disk_that_is_full_when_the_failure_is_found(self):
        tried = subprocess.run(["unshare", "-m", "true"], capture_output=True)
        if tried.returncode != 0:
            self.skipTest("unshare -m is refused: needs to be root")
        for command in ("run", "hunt"):
            with self.subTest(command=command):
                done = self.finish(subprocess.Popen(
                    ["unshare", "-m", "sh", "-c",
                     "mkdir -p full; mount -t tmpfs -o size=600k none full; exec \"$@\"", "sh",
                     UNRAVEL, command, "--no-sandbox", "--store", "full/store", "--seed", "1",
                     "--runs", "500", "--", "./prog"],
                    cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE))
                self.check(done, 1, "balance == 2", "full/store", "--store")
                schedule = self.schedule_in(done)
                (self.folder / "full").rmdir()
                self.check_repeats(schedule, 1)


class StandardOutput(CommandTest):
    def into(self, target, *arguments):
        with open(target, "wb") as out:
            done = subprocess.run([UNRAVEL, *arguments], cwd=self.folder, env=self.environment,
                                  stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                  timeout=60)
        return done.returncode, done.stderr.decode()

    def test_what_cannot_be_written_is_an_error(self):
        self.check(self.tool("run", "--", GOOD), 0)
        for command in (["list"], ["list", "--json"], ["--help"], ["show", "--help"], ["--version"],
                        ["run", "--json", "--", GOOD]):
            with self.subTest(command=command):
                status, err = self.into("/dev/full", *command)
                self.assertEqual(status, 2, err)
                self.assertIn("standard output", err)
        status, err = self.into("/dev/full", "run", "--json", "--seed", "1", "--runs", "200", "--",
                                BAD)
        self.assertEqual(status, 1, "a failure is graver")
        self.assertIn("standard output", err)

    def test_a_reader_that_has_gone_is_told_to_nobody(self):
        self.check(self.tool("run", "--", GOOD), 0)
        for command, status in ((["list"], 2),
                                (["hunt", "--seed", "1", "--json", "--", BAD], 1)):
            with self.subTest(command=command):
                read, write = os.pipe()
                os.close(read)
                done = subprocess.run([UNRAVEL, *command], cwd=self.folder, env=self.environment,
                                      stdin=subprocess.DEVNULL, stdout=write,
                                      stderr=subprocess.PIPE, timeout=60)
                os.close(write)
                self.assertEqual(done.returncode, status)
                self.assertNotIn(b"standard output", done.stderr)

    def test_messages_do_not_repeat_what_misleads(self):
        bad = "x\033]0;title\007\033[2J\u202egpj\u2066\x9b"
        for command in (["run", "--", bad], ["run", "--store", bad + "/y", "--rule", bad, "--", GOOD],
                        ["show", "--store", bad], ["list", "--store", bad],
                        ["hunt", "--known", bad, "--", GOOD], [bad], ["run", "--" + bad],
                        ["run", "--schedule", bad, "--", GOOD],
                        ["run", "--keep-files", "/dev/null/" + bad, "--", GOOD],
                        ["races", "--suppressions", bad, "--", GOOD]):
            with self.subTest(command=command):
                done = self.tool(*command)
                for misleading in ("\033", "\007", "\u202e", "\u2066", "\x9b"):
                    self.assertNotIn(misleading, done.err + done.out, ascii(str(done)))


if __name__ == "__main__":
    unittest.main()
