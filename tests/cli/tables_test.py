#!/usr/bin/env python3
"""Five classic bugs as `unravel show` tells them: does the table alone say what went wrong?

Expected tables are in tests/golden. They hold clocks, so another compiler has others: GCC builds the
programs. To accept a change that was looked at, run this test with UNRAVEL_ACCEPT=1.
"""
import os
import pathlib
import shutil
import unittest

from support import UNRAVEL, CommandTest

BIN = pathlib.Path(UNRAVEL).resolve().parent
TESTS = pathlib.Path(__file__).resolve().parent.parent

# The bug, and the program that has it.
BUGS = {
    "lost_update": "assert/plain_counter.c",
    "check_then_act": "assert/last_seat_sold_twice.c",
    "missed_signal": "lost-wakeup/check_then_wait.c",
    "lock_order": "deadlock/transfer_both_ways.cpp",
    "early_publication": "assert/volatile_flag_set_early.c",
}


class Tables(CommandTest):
    def table_of(self, source):
        """Of the first failure that the seed finds, with the line that says what it was."""
        name = source.name
        shutil.copy(source, self.folder / name)
        compiler = "unravel-c++" if name.endswith(".cpp") else "unravel-cc"
        self.build(BIN / compiler, "-g", "-O1", name, "-o", "program", "-pthread",
                   UNRAVEL_CC="gcc", UNRAVEL_CXX="g++")
        found = self.tool("run", "--quiet", "--seed", "1", "--runs", "2000", "--", "./program")
        self.check(found, 1)
        shown = self.tool("show", environment={"COLUMNS": "140"})
        self.check(shown, 0)
        # Before the table are an id and times, behind it are paths.
        return shown.out.split("\n\n")[1] + "\n"

    def test_five_classic_bugs(self):
        for bug, program in BUGS.items():
            with self.subTest(bug=bug):
                golden = TESTS / "golden" / f"table_of_{bug}.txt"
                table = self.table_of(TESTS / "programs" / program)
                if os.environ.get("UNRAVEL_ACCEPT"):
                    golden.write_text(table)
                self.assertEqual(table, golden.read_text(),
                                 f"{golden.name} differs; if the new table is right, run the test "
                                 "again with UNRAVEL_ACCEPT=1")


if __name__ == "__main__":
    unittest.main()
