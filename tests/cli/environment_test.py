"""A kept run is repeated in the environment, umask and limits in which it was found."""
import ctypes
import os
import resource
import subprocess
import unittest

from support import UNRAVEL, CommandTest, program

SHOWS = program("shows_environment")
SECRET = "hunter2-7d1f"

PR_CAPBSET_DROP, CAP_SYS_RESOURCE = 24, 24


class EnvironmentTest(CommandTest):
    def find(self):
        """A failure that needs a variable, which later commands do not have."""
        done = self.tool("run", "--json", "--seed", "1", "--runs", "100", "--", SHOWS,
                         environment={"BUG": SECRET})
        self.check(done, 1)
        return done.json()["run"]

    def tool_after(self, prepare, *arguments, environment=None):
        """The tool in a process that was changed before it began."""
        return self.finish(subprocess.Popen(
            [UNRAVEL, *arguments], cwd=self.folder, env=self.environment | (environment or {}),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=prepare))

    def environment_file(self, run):
        return self.folder / ".unravel" / "runs" / f"{run}.environment"

    def test_a_failure_that_needs_a_variable_is_reproduced_without_it(self):
        run = self.find()
        self.check(self.tool("replay", run), 1, "reproduced", "assertion failed")
        again = self.tool("replay", "--json", run)
        self.check(again, 1)
        self.assertTrue(again.json()["reproduced"])

    def test_other_commands_restore_it_too(self):
        run = self.find()
        self.check(self.tool("query", run, "--at", "T0:1"), 0)
        self.check(self.tool("replay", "--trace", run), 1, "a trace of")
        simplified = self.tool("simplify", "--json", run)
        self.check(simplified, 0)
        # What was made of it is repeated in the same way.
        self.check(self.tool("replay", simplified.json()["run"]), 1, "reproduced")
        self.check(self.tool("isolate", run), 0)
        checked = self.tool("check", "--json", run)
        self.check(checked, 1)
        self.assertEqual(checked.json()["results"][0]["reproduced_by"], "schedule")

    def test_the_program_finds_the_same_bytes_around_it(self):
        def record():
            os.umask(0o027)
            hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (1100, hard))
            resource.setrlimit(resource.RLIMIT_STACK,
                               (4 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))

        told = self.tool_after(record, "run", "--seed", "1", "--", SHOWS,
                               environment={"LONG": "x" * 999, "EMPTY": "", "UNRAVEL_SEED": "9"})
        self.check(told, 0, "passed")
        self.assertIn("umask 027", told.out)
        self.assertIn("limit 7 1100 ", told.out)
        run = self.tool("list", "--json").json()["runs"][0]["run"]

        def replay():
            os.umask(0o077)

        again = self.tool_after(replay, "replay", run, environment={"OTHER": "y" * 55})
        self.check(again, 0, "reproduced")
        self.assertEqual(again.out, told.out)
        now = self.tool_after(replay, "replay", "--environment", "now", run)
        self.assertIn("umask 077", now.out)
        self.assertNotIn("LONG", now.out)

    def test_nobody_else_can_read_it_and_nothing_tells_it(self):
        run = self.find()
        self.assertEqual(self.environment_file(run).stat().st_mode & 0o777, 0o600)
        kept = [path for path in (self.folder / ".unravel").rglob("*")
                if path.is_file() and path.suffix != ".out" and SECRET.encode() in path.read_bytes()]
        self.assertEqual(kept, [self.environment_file(run)])
        for command in (["show", run], ["show", "--json", run], ["list", "--json"],
                        ["replay", "--json", run], ["replay", "--json", "--environment", "now", run],
                        ["check", "--json", run]):
            with self.subTest(command=command):
                done = self.tool(*command)
                self.assertNotIn(SECRET, done.out + done.err)

    def test_the_environment_of_now_can_be_asked_for(self):
        run = self.find()
        done = self.tool("replay", "--environment", "now", run, environment={"COLOUR": "blue"})
        self.check(done, 2, "not reproduced", "BUG, COLOUR", "--environment")
        self.assertNotIn("blue", done.err)
        self.assertNotIn("PATH", done.err)
        # Nothing is said where it does not matter.
        same = self.tool("replay", "--environment", "now", run, environment={"BUG": "another"})
        self.check(same, 1, "reproduced")
        self.assertNotIn("variables", same.err)
        self.check_refused(["replay", "--environment", "then"], "recorded or now")

    def test_a_run_that_was_kept_without_it_has_the_environment_of_now(self):
        run = self.find()
        self.environment_file(run).unlink()
        self.check(self.tool("replay", run), 2, "not reproduced")
        self.check(self.tool("replay", run, environment={"BUG": SECRET}), 1, "reproduced")

    def test_a_damaged_one_is_refused(self):
        run = self.find()
        whole = self.environment_file(run).read_bytes()
        for bytes_left in (b"", whole[:-1], whole[:40] + b"?" + whole[41:], b"UNRAVSCH" + whole[8:]):
            self.environment_file(run).write_bytes(bytes_left)
            self.check_refused(["replay", run], run, "--environment now")
        self.check(self.tool("show", run), 0)
        self.check(self.tool("replay", "--environment", "now", run, environment={"BUG": SECRET}), 1,
                   "reproduced")

    def test_a_limit_that_may_not_be_raised_is_told(self):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.assertGreater(most, 1200)
        self.check(self.tool("run", "--seed", "1", "--", SHOWS), 0)
        run = self.tool("list", "--json").json()["runs"][0]["run"]

        def lower():
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0)
            resource.setrlimit(resource.RLIMIT_NOFILE, (1100, 1200))

        done = self.tool_after(lower, "replay", run)
        self.check(done, 0, "reproduced", "RLIMIT_NOFILE", "permitted")
        self.assertIn("limit 7 1200 1200" if most > 1200 else "limit 7", done.out)

    def test_an_oracle_gets_it_too(self):
        done = self.tool("run", "--json", "--oracle", "test -z \"$FAILS\"", "--", SHOWS,
                         environment={"FAILS": "yes"})
        self.check(done, 1)
        self.check(self.tool("replay", done.json()["run"]), 1, "reproduced")


class DifferentRunTest(CommandTest):
    """What a replay may claim."""

    def record(self):
        # Otherwise a replay finds the files that there were then.
        done = self.tool("run", "--no-files", "--json", "--seed", "1", "--", SHOWS)
        self.check(done, 0)
        return done.json()

    def test_a_run_that_ends_before_its_first_thread_did_not_pass(self):
        recorded = self.record()
        (self.folder / "stop").touch()
        for command in (["replay", recorded["run"]],
                        ["run", "--schedule", recorded["schedule"], "--", SHOWS]):
            with self.subTest(command=command[0]):
                done = self.tool(*command)
                self.check(done, 2, "before its first thread")
                self.assertNotIn("passed", done.err)
                told = self.tool(command[0], "--json", *command[1:])
                self.check(told, 2)
                self.assertEqual(told.json()["outcome"], "diverged")
                quiet = self.tool(command[0], "--quiet", *command[1:])
                self.check(quiet, 2, "before its first thread")
                self.assertEqual(quiet.err.count("\n"), 1, quiet.err)
        told = self.tool("replay", "--json", recorded["run"]).json()
        self.assertFalse(told["reproduced"])
        divergence = told["divergence"]
        self.assertEqual((divergence["kind"], divergence["recorded"]["text"]), ("outcome", "passed"))
        self.assertIn("before its first thread", divergence["now"]["text"])
        self.assertIn("files", divergence["cause"])
        (self.folder / "stop").unlink()
        self.check(self.tool("replay", recorded["run"]), 0, "reproduced")


if __name__ == "__main__":
    unittest.main()
