#!/usr/bin/env python3
"""On a machine that grants neither namespaces nor fixed addresses, everything works and says so."""
import unittest

from support import CommandTest, program

NOT_SANDBOXED = "runs are not sandboxed: the system refuses namespaces"
RANDOMISED = "addresses are randomised: personality(ADDR_NO_RANDOMIZE) was refused"
CHANGED = "seen by later runs: ./a, ./b, ./c, "


class Refusal(CommandTest):
    def check_warned(self, done, status, *words):
        self.check(done, status, NOT_SANDBOXED, RANDOMISED, *words)

    def run_id(self):
        return self.tool("list", "--json").json()["runs"][-1]["run"]

    def test_a_program_that_writes_files_passes_and_is_told_which(self):
        done = self.where_refused("run", "--", program("change_files"))

        self.check_warned(done, 0, "passed", CHANGED)
        self.assertIn(f"{self.folder.resolve()}/d\n", done.err)
        self.assertNotIn("/dev/null", done.err)
        self.assertNotIn("gone", done.err)
        self.assertEqual((self.folder / "c").read_text(), "t")
        self.check(self.where_refused("replay", self.run_id()), 0, RANDOMISED, "reproduced")

    def test_a_run_that_was_isolated_is_told_where_it_is_replayed_that_it_is_not(self):
        self.check(self.tool("run", "--", program("change_files")), 0, "passed")

        done = self.where_refused("replay", self.run_id())

        self.check_warned(done, 0, "reproduced", CHANGED)

    def test_many_runs_that_pass_are_warned_about_once(self):
        done = self.where_refused("run", "--runs", "20", "--", program("change_files"))

        self.check_warned(done, 0, "20 runs, no failure", CHANGED)
        self.assertEqual(done.err.count(NOT_SANDBOXED), 1)

    def test_of_many_files_a_few_are_named(self):
        done = self.where_refused("run", "--runs", "3", "--", program("change_files"), "many")

        self.check_warned(done, 0, "seen by later runs: ./file-0, ./file-1, ", " and others\n")
        self.assertNotIn("file-99", done.err)

    def test_where_it_is_granted_nothing_is_said(self):
        done = self.tool("run", "--", program("change_files"))

        self.check(done, 0, "passed")
        self.assertNotIn("warning", done.err)

    def test_a_deadlock_is_found_and_replayed(self):
        search = ("run", "--runs", "200", "--seed", "1", "--", program("locks_in_disorder"))
        done = self.where_refused(*search)

        self.check_warned(done, 1, "deadlock")
        self.check(self.where_refused("replay"), 1, RANDOMISED, "reproduced", "deadlock")

    def test_a_program_that_hashes_pointers_repeats_inside_one_process_only(self):
        hashes = program("hash_pointer")
        # Forked from one start, all runs find the object at the same place.
        done = self.where_refused("run", "--json", "--runs", "20", "--rule", "stay", "--", hashes)
        self.check_warned(done, 0, "20 runs, no failure")

        # Four starts agree by chance once in 256^3 times.
        self.check_warned(self.where_refused("run", "--rule", "stay", "--", hashes), 0, "passed")
        replays = [self.where_refused("replay", self.run_id()) for _ in range(3)]

        for replay in replays:
            self.check(replay, replay.status, RANDOMISED)
        self.assertIn(2, [replay.status for replay in replays])
        for _ in range(3):
            self.check(self.tool("run", "--rule", "stay", "--", hashes), 0)
            self.check(self.tool("replay", self.run_id()), 0, "reproduced")

    def test_doctor_says_what_is_not_granted(self):
        done = self.where_refused("doctor", "--json", "--runs", "3", "--", program("change_files"))

        self.check(done, 1)
        concerns = {concern["name"]: concern for concern in done.json()["uncontrolled"]}
        self.assertFalse(done.json()["controlled"])
        addresses = concerns["address randomisation"]
        self.assertEqual(addresses["weight"], "certain")
        self.assertIn("docker", addresses["advice"])
        files = concerns["runs share their files"]
        self.assertEqual(files["weight"], "note")
        self.assertIn("the system refuses namespaces", files["evidence"])
        self.assertIn(CHANGED, files["evidence"])
        self.assertIn("only one", files["meaning"])

    def test_doctor_names_addresses_as_the_source(self):
        done = self.where_refused("doctor", "--json", "--", program("hash_pointer"))

        self.check(done, 1)
        self.assertEqual(done.json()["first_difference"]["source"], "address")
        self.check(self.tool("doctor", "--", program("hash_pointer")), 0)


if __name__ == "__main__":
    unittest.main()
