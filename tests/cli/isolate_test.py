#!/usr/bin/env python3
"""`unravel isolate`: the switch that decides, and what it refuses."""
import pathlib
import unittest

from support import LOST_UPDATE, UNRAVEL, CommandTest, program

BIN = pathlib.Path(UNRAVEL).resolve().parent
GOOD = program("locks_in_order")
DEADLOCK = program("locks_in_disorder")

# Fails whatever its threads do.
ALWAYS = LOST_UPDATE.replace("counter == 2", "counter > 2")


class Isolating(CommandTest):
    def build_hooked(self, name="lost_update", text=LOST_UPDATE):
        self.source(f"{name}.c", text)
        self.build(BIN / "unravel-cc", "-g", "-O1", "-pthread", f"{name}.c", "-o", name)
        return f"./{name}"

    def run_of(self, status, binary, *options):
        done = self.tool("run", "--json", *options, "--", binary)
        self.assertEqual(done.status, status, f"\n{done}")
        return done.json()

    def failing_run(self, binary):
        return self.run_of(1, binary, "--seed", "1", "--runs", "2000")

    def passing_run(self, binary):
        return self.run_of(0, binary, "--rule", "stay")

    def isolate(self, *arguments):
        done = self.tool("isolate", "--json", "--jobs", "1", *arguments)
        self.assertEqual(done.status, 0, f"\n{done}")
        return done.json()

    def check_two_sides(self, answer, found):
        """They are kept, and replay as what they are."""
        failing = self.tool("replay", "--json", answer["failing"])
        passing = self.tool("replay", "--json", answer["passing"])
        self.assertEqual((failing.status, passing.status), (1, 0), f"\n{failing}\n{passing}")
        self.assertEqual(failing.json()["failure"]["key"], found["failure"]["key"])
        self.assertEqual(passing.json()["outcome"], "passed")

    def test_one_step_decides_over_a_lost_update(self):
        found = self.failing_run(self.build_hooked())
        simple = self.tool("simplify", "--json", found["run"]).json()["run"]
        answer = self.isolate(simple)

        self.assertEqual(set(answer), {
            "version", "failing", "passing", "deltas", "deltas_left", "tests", "neighbour_tests",
            "unresolved", "minimal", "seconds", "differences", "choices", "flips", "conflicts",
            "window", "narrowing"})
        conflict = answer["conflicts"][0]
        self.assertEqual((conflict["object"], conflict["between"]["operation"]), ("counter", "store"))
        self.assertEqual((answer["version"], answer["minimal"], answer["deltas_left"]), (1, True, 1))
        self.assertGreater(answer["neighbour_tests"], 0)
        difference, = answer["differences"]
        self.assertEqual(set(difference), {
            "switch", "from", "to", "passing_at", "failing_at", "passing_site", "failing_site",
            "passing_stack", "failing_stack"})
        functions = [frame["function"] for side in ("passing_stack", "failing_stack")
                     for frame in difference[side]]
        self.assertIn("add", functions)
        self.assertNotEqual(difference["passing_at"], difference["failing_at"])
        self.check_two_sides(answer, found)
        self.check_store_is_whole()

    def test_it_says_so_in_words(self):
        found = self.failing_run(self.build_hooked())
        simple = self.tool("simplify", "--json", found["run"]).json()["run"]
        done = self.tool("isolate", simple)
        self.check(done, 0, "1 of ", "decides, found in ", "to find the other run", "fails",
                   "passes", "lost_update.c:6 add()", "where it fails:", "unravel replay ")
        self.assertEqual(done.out, "")
        quiet = self.tool("isolate", "--quiet", simple)
        self.assertEqual(len(quiet.err.splitlines()), 1, f"\n{quiet}")

    def test_a_run_that_passed_may_be_named(self):
        binary = self.build_hooked()
        found, passed = self.failing_run(binary), self.passing_run(binary)
        answer = self.isolate(found["run"], "--passing", passed["run"])
        self.assertEqual((answer["neighbour_tests"], answer["minimal"]), (0, True))
        self.assertGreaterEqual(answer["deltas"], answer["deltas_left"])
        self.check_two_sides(answer, found)

    def test_near_a_run_that_passed_one_that_fails_is_looked_for(self):
        binary = self.build_hooked()
        passed = self.passing_run(binary)
        answer = self.isolate(passed["run"])
        self.assertGreater(answer["neighbour_tests"], 0)
        self.assertEqual((answer["minimal"], answer["deltas_left"]), (True, 1))
        found = self.tool("replay", "--json", answer["failing"])
        self.check_two_sides(answer, found.json())
        self.assertIn("counter == 2", found.json()["failure"]["key"] + found.out)
        self.check(self.tool("isolate", passed["run"]), 0, "near it fails: assertion failed",
                   "it passes if")

    def test_an_interrupted_one_leaves_the_store_whole(self):
        self.check_interrupted_inquiry("isolate", "--tests", "100000")

    def test_few_tests_leave_more_than_need_be(self):
        binary = self.build_hooked()
        found, passed = self.failing_run(binary), self.passing_run(binary)
        whole = self.isolate(found["run"], "--passing", passed["run"])
        self.assertGreater(whole["tests"], 1)
        answer = self.isolate(found["run"], "--passing", passed["run"], "--tests", "1")
        self.assertEqual((answer["minimal"], answer["tests"]), (False, 1))
        self.check(self.tool("isolate", found["run"], "--passing", passed["run"], "--tests", "1"), 0,
                   "there may be a smaller difference")

    def test_what_fails_under_every_schedule_has_no_switch_that_decides(self):
        found = self.failing_run(self.build_hooked("always", ALWAYS))
        self.check_refused(["isolate", found["run"], "--tests", "20"], "passes", "--tests", "--passing")
        self.check_store_is_whole()

    def test_it_refuses_what_it_cannot_do(self):
        binary = self.build_hooked()
        failed, passed = self.failing_run(binary)["run"], self.passing_run(binary)["run"]
        other = self.run_of(0, GOOD)["run"]
        deadlock = self.failing_run(DEADLOCK)["run"]
        for arguments, *words in [
                (["fedcba"], "fedcba"),
                ([other, "--tests", "20"], "near", "fails", "--tests", "unravel hunt"),
                ([failed, "--passing", "fedcba"], "fedcba"),
                ([failed, "--passing", failed], "did not pass", "leave out --passing"),
                ([failed, "--passing", deadlock], "did not pass"),
                ([failed, "--passing", other], "another program"),
                ([failed, "--tests", "0"], "--tests"),
                ([failed, "--width", "0"], "--width"),
                ([failed, "--jobs", "0"], "--jobs")]:
            with self.subTest(arguments):
                self.check_refused(["isolate", *arguments], *words)

    def test_another_build_is_refused(self):
        found = self.failing_run(self.build_hooked())
        self.build_hooked(text=LOST_UPDATE.replace("counter == 2", "counter > 1"))
        self.check_refused(["isolate", found["run"]], "build")


if __name__ == "__main__":
    unittest.main()
