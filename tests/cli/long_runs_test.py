#!/usr/bin/env python3
"""Runs that are longer than the memory through which they are handed over."""
import unittest

from support import CommandTest, program

# Slices go through a buffer of 16 MiB, 40 bytes each: this is more than fit.
YIELDS = 230_000


class LongRuns(CommandTest):
    def test_a_run_longer_than_its_buffer_is_recorded_whole_and_replayed(self):
        done = self.tool("run", "--json", "--rule", "stay", "--timeout", "60s", "--",
                         program("yield_often"), str(YIELDS))
        self.check(done, 0)
        run = done.json()
        self.assertEqual(run["outcome"], "passed")
        self.assertGreater(run["switches"], 2 * YIELDS - 10)

        again = self.tool("replay", "--json", "--timeout", "60s", run["run"])
        self.check(again, 0)
        self.assertTrue(again.json()["reproduced"])
        self.assertEqual(again.json()["switches"], run["switches"])


if __name__ == "__main__":
    unittest.main()
