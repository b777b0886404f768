#!/usr/bin/env python3
"""`unravel simplify`: what it makes of a failing run, what it says of it, and what it refuses."""
import pathlib
import re
import unittest

from support import LOST_UPDATE, UNRAVEL, CommandTest, program

BIN = pathlib.Path(UNRAVEL).resolve().parent
GOOD = program("locks_in_order")
DEADLOCK = program("locks_in_disorder")

COST = ("switches", "preemptions", "threads", "steps")


class Simplifying(CommandTest):
    def build_hooked(self, text=LOST_UPDATE):
        self.source("lost_update.c", text)
        self.build(BIN / "unravel-cc", "-g", "-O1", "-pthread", "lost_update.c", "-o", "lost_update")
        return "./lost_update"

    def failing_run(self, binary, *options):
        """As restless as can be, so that there is something to simplify."""
        done = self.tool("run", "--json", "--rule", "random", "--probability", "0.5", "--seed", "1",
                         "--runs", "2000", *options, "--", binary)
        self.assertEqual(done.status, 1, f"\n{done}")
        return done.json()

    def simplify(self, *arguments):
        done = self.tool("simplify", "--json", "--jobs", "1", *arguments)
        self.assertEqual(done.status, 0, f"\n{done}")
        return done.json()

    def test_a_lost_update_needs_one_preemption(self):
        found = self.failing_run(self.build_hooked(), "--points", "memory")
        answer = self.simplify(found["run"])

        self.assertEqual(set(answer), {
            "version", "run", "from", "before", "after", "runs", "rounds", "seconds", "complete",
            "operations", "preempted_at"})
        self.assertEqual((answer["version"], answer["from"]), (1, found["run"]))
        self.assertEqual([answer["before"][part] for part in COST], [found[part] for part in COST])
        self.assertEqual(set(answer["operations"]),
                         {"remove_last", "consolidate_up", "consolidate_down"})
        # Main waits for one thread, which is left in its `counter++`; the other ends, then it.
        self.assertEqual([answer["after"][part] for part in COST[:3]], [4, 1, 3])
        self.assertEqual(answer["after"]["forced"], 3)
        self.assertTrue(answer["complete"])
        left, = answer["preempted_at"]
        self.assertEqual((left["site"]["function"], left["variable"]), ("add", "counter"))
        self.assertIn("add", [frame["function"] for frame in left["stack"]])
        self.assertEqual({left["from"], left["to"]}, {1, 2})

        again = self.tool("replay", "--json", answer["run"])
        self.assertEqual(again.status, 1, f"\n{again}")
        self.assertEqual([again.json()[part] for part in COST],
                         [answer["after"][part] for part in COST])
        self.assertEqual(again.json()["failure"]["key"], found["failure"]["key"])

    def test_it_says_so_in_words(self):
        found = self.failing_run(self.build_hooked(), "--points", "memory")
        done = self.tool("simplify", found["run"])
        self.check(done, 0, f"fails in the same way as run {found['run']}", "became 4", "assertion fails",
                   "is preempted at lost_update.c:6 add()", "before store counter",
                   "unravel isolate ")
        self.assertEqual(done.out, "")
        run = re.search(r"unravel replay (\w+)", done.err)[1]
        self.check(self.tool("replay", run), 1, "reproduced")
        quiet = self.tool("simplify", "--quiet", found["run"])
        self.assertEqual(len(quiet.err.splitlines()), 1, f"\n{quiet}")

    def test_the_latest_failure_is_meant_if_none_is_named(self):
        found = self.failing_run(DEADLOCK)
        self.assertEqual(self.simplify()["from"], found["run"])

    def test_what_cannot_be_simpler_stays_as_it_is(self):
        self.failing_run(DEADLOCK)
        simple = self.simplify()
        again = self.simplify(simple["run"])
        self.assertEqual((again["run"], again["from"]), (simple["run"], simple["run"]))
        self.assertEqual(again["after"], again["before"])
        self.check_store_is_whole()

    def test_one_run_is_not_enough_and_that_is_said(self):
        found = self.failing_run(self.build_hooked(), "--points", "memory")
        answer = self.simplify(found["run"], "--runs", "1")
        self.assertEqual((answer["complete"], answer["runs"]), (False, 1))
        done = self.tool("simplify", found["run"], "--runs", "1", "--jobs", "1")
        self.check(done, 0, "; 1 run, ", "stopped before everything was tried")

    def test_a_suffix_leaves_the_slices_before_it_alone(self):
        found = self.failing_run(self.build_hooked(), "--points", "memory")
        self.assertGreater(found["switches"], 4)
        last = self.simplify(found["run"], "--suffix", "1")
        whole = self.simplify(found["run"])
        self.assertLess(whole["after"]["switches"], last["after"]["switches"])
        # Longer than the run, it is the whole of it.
        longer = self.simplify(found["run"], "--suffix", "100000")
        self.assertEqual(longer["after"], whole["after"])

    def test_it_refuses_what_it_cannot_do(self):
        failed = self.failing_run(DEADLOCK)["run"]
        passed = self.tool("run", "--json", "--", GOOD).json()["run"]
        for arguments, *words in [
                (["fedcba"], "fedcba"),
                ([passed], "did not fail", "unravel list"),
                ([failed, "--suffix", "0"], "--suffix"),
                ([failed, "--runs", "0"], "--runs"),
                ([failed, "--jobs", "0"], "--jobs"),
                ([failed, "--for", "soon"], "soon"),
                ([failed, "another"], "another")]:
            with self.subTest(arguments):
                self.check_refused(["simplify", *arguments], *words)

    def test_there_must_be_a_failure(self):
        self.check_refused(["simplify"], "no store")
        self.tool("run", "--", GOOD)
        self.check_refused(["simplify"], "no run", "failed")

    def test_another_build_is_refused(self):
        found = self.failing_run(self.build_hooked(), "--points", "memory")
        self.build_hooked(LOST_UPDATE.replace("counter == 2", "counter > 1"))
        self.check_refused(["simplify", found["run"]], "build")

    def test_an_interrupted_one_leaves_the_store_whole(self):
        self.check_interrupted_inquiry("simplify", "--runs", "100000", "--for", "10m")



if __name__ == "__main__":
    unittest.main()
