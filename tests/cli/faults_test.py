#!/usr/bin/env python3
"""Kills, damaged stores and bad command lines: nothing crashes, hangs, is left behind or touched.

A few trials of bench/faults with fixed seeds; what a failing one did is told by its seed there.
"""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from fault_ground import Ground, become_subreaper  # noqa: E402
from fault_trials import Trials  # noqa: E402


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        become_subreaper()
        cls.ground = Ground(os.environ["UNRAVEL_BINARY"])
        cls.addClassCleanup(cls.ground.close)
        cls.trials = Trials(cls.ground)

    def check(self, kind, seeds):
        for seed in seeds:
            with self.subTest(kind=kind, seed=seed):
                trial = self.trials.make(kind, seed)
                self.assertEqual(trial["problems"], [], f"\n{trial['command']}\n{trial['error']}")

    def test_kills_lose_nothing(self):
        self.check("kills", range(1, 9))

    def test_damaged_stores_do_no_harm(self):
        self.check("stores", (2, 4, 13, 15, 16, 18, 19, 28))

    def test_bad_command_lines_are_refused(self):
        self.check("arguments", [seed for seed in range(1, 25) if seed not in (2, 15, 22)])


if __name__ == "__main__":
    unittest.main()
