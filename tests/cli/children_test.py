#!/usr/bin/env python3
"""Children of the program, which run without us, what they share with it, and limits of ours."""
import unittest

from support import CommandTest, program


class DeathTests(CommandTest):
    """GoogleTest's: a child has to die, in a way that its parent looks at."""

    def run_in_style(self, style, test):
        for seed in ("1", "2", "3"):
            with self.subTest(style=style, test=test, seed=seed):
                done = self.tool("run", "--seed", seed, "--allow-untested", "--",
                                 program("death_tests"), style, f"--gtest_filter={test}")
                self.assertEqual(done.status, 0, done)
                self.assertIn("[  PASSED  ] 1 test", done.out, done)

    def test_fast_style_before_the_first_thread(self):
        self.run_in_style("fast", "*AlongsideNothing")

    def test_fast_style_beside_a_thread(self):
        self.run_in_style("fast", "*AlongsideAThread")

    def test_threadsafe_style_before_the_first_thread(self):
        self.run_in_style("threadsafe", "*AlongsideNothing")

    def test_threadsafe_style_beside_a_thread(self):
        self.run_in_style("threadsafe", "*AlongsideAThread")


class SharedMemory(CommandTest):
    def test_condition_variable_is_waited_on_with_a_child(self):
        # What a child writes is not recorded, so that a replay may differ.
        done = self.tool("run", "--runs", "20", "--seed", "1", "--", program("shared_condition"))
        self.check(done, 0)


class Limits(CommandTest):
    def test_more_threads_than_we_have_room_for_are_no_failure(self):
        done = self.tool("run", "--rule", "stay", "--", program("too_many_threads"), "4100")
        self.check(done, 2, "unresolved", "4,096")


if __name__ == "__main__":
    unittest.main()
