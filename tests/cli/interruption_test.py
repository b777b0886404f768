#!/usr/bin/env python3
"""Commands and programs that are ended from outside, at any moment."""
import os
import pathlib
import random
import signal
import time
import unittest

from support import CommandTest, program

GOOD = program("locks_in_order")
MOMENTS = 20


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # it has ended by itself


def started_at(pid):
    """In ticks since the machine started, then by number; 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0, 0
    return int(fields[19]), pid


class Interruptions(CommandTest):
    def setUp(self):
        super().setUp()
        # Fixed, so that the table of moments is; when exactly a command gets there is not.
        self.random = random.Random(7)

    def start_long(self, *options):
        return self.start("run", "--seed", "1", "--runs", "100000000", *options, "--", GOOD)

    def wait_a_moment(self, longest):
        time.sleep(self.random.uniform(0, longest))

    def check_interrupted(self, number, longest, *options):
        # Before it has set up its handlers a signal ends it at once; it has written nothing then.
        process = self.start_long(*options)
        self.wait_a_moment(longest)
        process.send_signal(number)
        done = self.finish(process)
        if done.status == -number:
            self.assertEqual((done.out, done.err), ("", ""))
            return
        self.check(done, 2, "interrupted")

    def test_sigint_sigterm_and_sigquit_end_it_at_any_moment(self):
        for moment in range(MOMENTS):
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)[moment % 3]
            with self.subTest(moment=moment, signal=number):
                self.check_interrupted(number, 0.5)
                self.assertEqual(self.wait_until_gone(), {})
        self.check_store_is_whole()

    def test_they_end_it_while_it_starts(self):
        for moment in range(MOMENTS):
            number = (signal.SIGINT, signal.SIGTERM)[moment % 2]
            with self.subTest(moment=moment, signal=number):
                self.check_interrupted(number, 0.03)
                self.assertEqual(self.wait_until_gone(), {})
        self.check_store_is_whole()

    def test_it_is_told_in_json_too(self):
        process = self.start_long("--json")
        self.wait_for_program(process, "locks_in_order")
        process.send_signal(signal.SIGINT)
        done = self.finish(process)

        self.check(done, 2, "interrupted")
        self.assertEqual(done.json()["error"]["what"], "interrupted")

    def test_it_ends_a_program_that_hangs(self):
        for name in ("spin_forever", "read_forever"):
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(program=name, signal=number):
                    process = self.start("run", "--timeout", "1h", "--", program(name))
                    self.wait_for_program(process, name)
                    self.wait_a_moment(0.2)
                    process.send_signal(number)
                    self.check(self.finish(process), 2, "interrupted")
        self.check_store_is_whole()

    def test_it_ends_an_oracle_that_hangs(self):
        process = self.start("run", "--timeout", "1h", "--oracle", "sleep 1000",
                             "--", GOOD)
        # It runs among the program's files, so it is seen as a process only.
        while process.poll() is None and not any(": sleep 1000" in line
                                                 for line in self.marked().values()):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)

        self.check(self.finish(process), 2, "interrupted")

    def test_nothing_outlives_a_driver_that_is_killed(self):
        for name in ("locks_in_order", "spin_forever", "leave_children"):
            for _ in range(5):
                with self.subTest(program=name):
                    process = self.start("run", "--runs", "100000000", "--timeout", "1h", "--",
                                         program(name))
                    self.wait_for_program(process, name)
                    self.wait_a_moment(0.2)
                    process.kill()
                    process.communicate()
                    self.assertEqual(list(self.wait_until_gone().values()), [])
        # What it had no time to remove is removed by the next command.
        self.check_store_is_whole()

    def test_a_run_that_is_killed_is_nobodys_bug(self):
        for options in ([], ["--no-fork"], ["--runs", "3"]):
            with self.subTest(options=options):
                process = self.start("run", "--timeout", "1s", *options, "--",
                                     program("spin_forever"))
                self.wait_a_moment(0.3)
                kill(max(self.wait_for_program(process, "spin_forever"), key=started_at))
                # Killed before it was a run, it is started anew, hangs and is unresolved.
                done = self.finish(process)
                self.assertEqual(done.status, 2, f"\n{done}")
                self.assertTrue("killed" in done.err or "unresolved" in done.err, f"\n{done}")
        self.check_refused(["replay"], "no run", "failed")
        self.check_store_is_whole()

    def test_a_server_that_is_killed_is_replaced_or_named(self):
        for _ in range(10):
            process = self.start_long()
            self.wait_for_program(process, "locks_in_order")
            self.wait_a_moment(0.1)
            # The server is older than the runs that it forks.
            kill(min(self.wait_for_program(process, "locks_in_order"), key=started_at))
            self.wait_a_moment(0.1)
            process.send_signal(signal.SIGINT)
            done = self.finish(process)
            self.assertEqual(done.status, 2, f"\n{done}")
            self.assertEqual(self.wait_until_gone(), {})
        self.check_store_is_whole()


if __name__ == "__main__":
    unittest.main()
