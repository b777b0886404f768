#!/usr/bin/env python3
"""Schedules that are damaged, foreign, too new, or of another program."""
import pathlib
import random
import shutil
import unittest

from support import CommandTest, program

GOOD = program("locks_in_order")
BAD = program("locks_in_disorder")
VERSION = 8  # offset in a schedule file


class Schedules(CommandTest):
    def setUp(self):
        super().setUp()
        done = self.tool("run", "--json", "--seed", "1", "--runs", "200", "--", BAD)
        self.check(done, 1)
        self.run_json = done.json()
        self.string = self.run_json["schedule"]
        self.bytes = (self.folder / self.run_json["schedule_file"]).read_bytes()

    def file(self, name, content):
        (self.folder / name).write_bytes(content)
        return name

    def test_a_schedule_brings_the_failure_back_as_string_and_as_file(self):
        for schedule in (self.string, self.run_json["schedule_file"],
                         self.file("string", self.string.encode() + b"\n")):
            with self.subTest(schedule=schedule[:20]):
                done = self.tool("run", "--json", "--schedule", schedule, "--", BAD)
                self.check(done, 1)
                self.assertEqual(done.json()["failure"]["key"], self.run_json["failure"]["key"])
                self.assertEqual(done.json()["schedule"], self.string)

    def test_a_replay_names_what_it_met_as_the_run_did_and_lists_its_operations(self):
        again = self.tool("replay", "--json").json()

        self.assertEqual(again["failure"]["detail"], self.run_json["failure"]["detail"])
        self.assertEqual(self.run_json["outcomes"]["failed"], 1)
        self.assertTrue(self.run_json["verified"])
        locks = [row for row in again["operations"] if row["operation"] == "lock"]
        self.assertEqual({row["object"] for row in locks}, {"a", "b"})
        self.assertEqual(locks[0]["site"]["function"], "take")

    def test_a_string_that_is_no_schedule_is_refused(self):
        table = [
            (self.string[:40], "damaged", "cut off"),
            (self.string[:-1], "damaged"),
            (self.string[:50] + ("A" if self.string[50] != "A" else "B") + self.string[51:],
             "damaged"),
            (self.string + "AAAA", "damaged"),
            ("u9" + self.string[2:], "version 9", "update unravel"),
            ("u1.", "damaged"),
            ("u1.@@@@", "damaged"),
            ("u1.AAAA", "damaged"),
            ("nonsense", "nonsense"),
        ]
        for schedule, *words in table:
            with self.subTest(schedule=schedule[-20:]):
                self.check_refused(["run", "--schedule", schedule, "--", BAD], *words)

    def test_a_file_that_is_no_schedule_is_refused(self):
        newer = bytearray(self.bytes)
        newer[VERSION] += 1
        table = [
            (self.file("cut", self.bytes[:-7]), "cut: ", "damaged"),
            (self.file("head_only", self.bytes[:20]), "head_only: ", "damaged"),
            (self.file("longer", self.bytes + b"x"), "longer: ", "damaged"),
            (self.file("newer", bytes(newer)), "newer: ", "newer unravel", "update"),
            (self.file("foreign", b"PNG" * 100), "foreign: ", "not a schedule"),
            (self.file("empty", b""), "empty: ", "it is empty"),
            (self.file("cut_string", self.string[:60].encode()), "cut_string: ", "damaged"),
            (GOOD, "not a schedule"),
            ("/", "directory"),
            ("./missing", "missing", "No such file"),
        ]
        for schedule, *words in table:
            with self.subTest(schedule=schedule):
                self.check_refused(["run", "--schedule", schedule, "--", BAD], *words)

    def test_no_single_flipped_bit_is_overlooked(self):
        # All of them would take minutes.
        chosen = random.Random(7).sample(range(8 * len(self.bytes)), 60)
        for bit in chosen:
            flipped = bytearray(self.bytes)
            flipped[bit // 8] ^= 1 << bit % 8
            schedule = self.file("flipped", bytes(flipped))
            with self.subTest(bit=bit):
                self.check(self.tool("run", "--schedule", schedule, "--", BAD), 2, "flipped: ")

    def test_a_schedule_of_another_program_is_refused_and_says_so(self):
        done = self.tool("run", "--schedule", self.string, "--", GOOD)

        self.check(done, 2, "locks_in_disorder", "locks_in_order", "--lenient")

    def test_a_schedule_of_another_program_can_be_followed_leniently(self):
        done = self.tool("run", "--schedule", self.string, "--lenient", "--", GOOD)

        self.check(done, 0, "passed")

    def test_a_schedule_of_threads_that_never_start_does_not_fit_a_rebuilt_program(self):
        path = self.folder / "changing"
        shutil.copy(GOOD, path)
        done = self.tool("run", "--json", "--seed", "1", "--", str(path))
        self.check(done, 0)
        shutil.copy(program("one_thread"), path)

        self.check(self.tool("replay", done.json()["run"]), 2, "was rebuilt", "--lenient")
        again = self.tool("run", "--schedule", done.json()["schedule"], "--strict", "--", str(path))
        self.check(again, 2, "was rebuilt")
        lenient = self.tool("replay", done.json()["run"], "--lenient")
        self.check(lenient, 2, "not reproduced", "no second thread")

    def test_a_program_that_is_gone_is_missed(self):
        path = self.folder / "going"
        shutil.copy(BAD, path)
        self.check(self.tool("run", "--seed", "1", "--runs", "200", "--", str(path)), 1)
        pathlib.Path(path).unlink()

        self.check_refused(["replay"], "going", "does not exist any more")


if __name__ == "__main__":
    unittest.main()
