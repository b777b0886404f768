#!/usr/bin/env python3
"""How runs are judged: limits, oracle, targets, and what the program reads and writes."""
import os
import subprocess
import sys
import tempfile
import unittest

from support import UNRAVEL, CommandTest, program

ENDS = program("end_by")


class Judging(CommandTest):
    def outcome(self, done):
        run = done.json()
        return run["outcome"], run["failure"] and run["failure"]["kind"]

    def test_exit_statuses(self):
        table = [
            ([ENDS], 0, ("passed", None)),
            ([ENDS, "assert"], 1, ("failed", "assert")),
            ([ENDS, "signal"], 1, ("failed", "signal")),
            ([ENDS, "exit"], 1, ("failed", "exit")),
            ([ENDS, "segv"], 1, ("failed", "signal")),
            ([program("locks_in_order"), "3"], 1, ("failed", "exit")),
        ]
        for command, status, outcome in table:
            for options in ([], ["--runs", "5"], ["--no-fork"]):
                with self.subTest(command=command, options=options):
                    done = self.tool("run", "--json", *options, "--", *command)
                    self.check(done, status)
                    self.assertEqual(self.outcome(done), outcome)

    def test_a_run_that_hangs_is_unresolved(self):
        table = [
            (["spin_forever"], "a loop without synchronisation at spin"),
            (["spin_forever", "main"], "did not create a thread", "spin"),
            (["read_forever"], "every thread waits", "outside the program: T1 in read at wait_for_byte"),
            (["flood"], "flood"),
        ]
        for (name, *arguments), *words in table:
            command = ["--", program(name), *arguments]
            with self.subTest(command=command):
                done = self.tool("run", "--json", "--timeout", "1s", *command)
                self.check(done, 2, "unresolved", *words)
                self.assertEqual(self.outcome(done), ("unresolved", None))
                self.assertEqual(done.json()["reason"], "limit")
                done = self.tool("run", "--timeout", "500ms", "--runs", "2", *command)
                self.check(done, 2, "2 unresolved")

    def test_a_failure_is_unresolved_if_a_thread_computed_while_a_wait_would_have_ended(self):
        command = ["--", program("compute_beside_wait")]
        # Well above the limit of a second: on a busy machine the driver sees a part of it.
        self.source("duration", "2500")
        subprocess.run(command[1:], cwd=self.folder, check=True)
        why = ("without a synchronisation operation while T0 waited for at most 5 ms: "
               "natively that wait would have ended")
        done = self.tool("run", "--json", "--rule", "stay", *command)
        self.check(done, 2)
        self.assertEqual(self.outcome(done), ("unresolved", None))
        self.assertEqual(done.json()["reason"], "late-deadline")
        self.assertRegex(done.json()["explanation"],
                         r"it ended as assert \(.*\), but T1 computed for [12](\.\d)? s " + why)

        # Recorded while the thread was faster, a failure is judged anew when it is replayed.
        for options, arguments, status, words in (
                ([], [], 2, ["recorded: failed (assert); replay: unresolved", why]),
                (["--timeouts", "idle"], [], 1, ["reproduced"]),
                ([], ["join"], 1, ["reproduced"])):
            with self.subTest(options=options, arguments=arguments):
                self.source("duration", "50")
                # With its file, a replay would be as fast again.
                self.check(self.tool("run", "--no-files", "--rule", "stay", *options, *command,
                                     *arguments), 1)
                self.source("duration", "2500" if why in words else "1200")
                self.check(self.tool("replay"), status, *words)

    def test_the_time_limit_lets_no_system_call_return(self):
        for options in ([], ["--no-fork"]):
            with self.subTest(options=options):
                done = self.tool("run", "--json", "--timeout", "1s", *options, "--",
                                 program("interrupted_wait"))

                self.assertEqual(self.outcome(done), ("unresolved", None))
                self.check(done, done.status, "waiting in a system call", "wait_for_event")
                self.assertNotIn("nobody may interrupt", done.out + done.err)

    def test_time_in_which_others_have_the_processor_does_not_count(self):
        # One processor for all. By their priorities the run gets a twentieth of it, and needs about
        # two seconds of real time for a tenth of a second of work.
        processor = {min(os.sched_getaffinity(0))}

        def crowd():
            os.sched_setaffinity(0, processor)

        def wait_in_the_crowd():
            crowd()
            os.nice(10)

        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=crowd)
                  for _ in range(2)]
        try:
            process = subprocess.Popen(
                [UNRAVEL, "run", "--json", "--timeout", "500ms", "--", program("compute")],
                cwd=self.folder, env=self.environment, preexec_fn=wait_in_the_crowd,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            done = self.finish(process)
        finally:
            for other in others:
                other.kill()
                other.wait()

        self.check(done, 0)
        self.assertEqual(self.outcome(done), ("passed", None))

    def test_a_run_that_was_stopped_is_called_that(self):
        done = self.tool("run", "--json", "--timeout", "200ms", "--", program("stop_itself"))

        self.assertEqual(self.outcome(done), ("unresolved", None))
        self.check(done, done.status, "stopped by a signal")

    def test_a_program_that_overwrites_unravels_memory(self):
        for seed in range(5):
            for options in (["run"], ["run", "--no-fork"], ["run", "--runs", "3"], ["hunt", "--runs", "3"]):
                with self.subTest(seed=seed, options=options):
                    done = self.tool(*options, "--timeout", "5s", "--", program("scribble"),
                                     str(seed), "all")
                    self.check(done, done.status, "the program overwrote unravel's memory")
                    self.assertIn(done.status, (0, 2))

    def test_a_program_that_overwrites_some_of_it(self):
        for seed in range(20):
            with self.subTest(seed=seed):
                done = self.tool("run", "--timeout", "5s", "--", program("scribble"), str(seed), "3")
                # Whatever it hit: no crash, no hang, no fault of ours.
                self.assertIn(done.status, (0, 1, 2))

    def test_a_timeout_can_be_the_target(self):
        done = self.tool("run", "--json", "--timeout", "1s", "--target", "timeout", "--",
                         program("spin_forever"))

        self.check(done, 1)
        self.assertEqual(self.outcome(done), ("failed", "timeout"))
        failure = done.json()["failure"]
        self.assertEqual(failure["site"]["function"], "spin")
        self.assertEqual(failure["thread"], 1)
        self.assertEqual([thread["thread"] for thread in failure["threads"]
                          if thread["stack"] and thread["stack"][0]["function"] == "spin"], [1])
        self.check(self.tool("replay"), 1, "reproduced")

    def test_a_wait_for_something_outside_names_who_waits(self):
        done = self.tool("run", "--json", "--timeout", "1s", "--target", "timeout", "--",
                         program("read_forever"))

        self.check(done, 1)
        failure = done.json()["failure"]
        self.assertEqual(failure["site"]["function"], "wait_for_byte")
        self.assertEqual(failure["thread"], 1)
        self.assertEqual([thread["state"] for thread in failure["threads"]],
                         ["blocked in join", "blocked in read"])
        self.check(self.tool("replay"), 1, "reproduced")

    def test_too_many_steps_are_unresolved(self):
        done = self.tool("run", "--json", "--max-steps", "5", "--", program("locks_in_order"))

        self.check(done, 2, "unresolved", "steps")

    def test_targets_narrow_what_counts(self):
        table = [
            ("deadlock", "assert", 0, "not among the targets"),
            ("assert", "assert", 1, "assert"),
            ("deadlock,assert", "assert", 1, "assert"),
            ("signal", "exit", 0, "not among the targets"),
        ]
        for targets, how, status, words in table:
            with self.subTest(targets=targets, how=how):
                done = self.tool("run", "--target", targets, "--", ENDS, how)
                self.check(done, status, words)

    def test_targets_narrow_by_text_and_stack(self):
        table = [
            ("text:asked for", "assert", 1, "asked for"),
            ("text:asked twice", "assert", 0, "not among the targets"),
            # What the program wrote to its error output.
            ("text:Assertion", "assert", 1, "asked for"),
            ("text:Assertion", "exit", 0, "not among the targets"),
            ("text:nothing,text:asked", "assert", 1, "asked for"),
            ("stack:end", "assert", 1, "asked for"),
            ("stack:end_by.c", "signal", 1, "SIGTERM"),
            ("stack:nobody", "signal", 0, "not among the targets"),
            ("signal,stack:end_by", "assert", 0, "not among the targets"),
            ("assert,signal,stack:end_by,text:asked", "assert", 1, "asked for"),
            ("assert,stack:end_by,text:nothing", "assert", 0, "not among the targets"),
        ]
        for targets, how, status, words in table:
            for options in ([], ["--runs", "3"]):
                with self.subTest(targets=targets, how=how, options=options):
                    done = self.tool("run", "--target", targets, *options, "--", ENDS, how)
                    self.check(done, status, "no failure" if options and not status else words)

    def test_of_a_deadlock_the_stack_of_every_thread_counts(self):
        for name, status in (("other_way", 1), ("main", 1), ("nobody", 0)):
            with self.subTest(name=name):
                done = self.tool("run", "--runs", "100", "--seed", "1", "--target",
                                 f"deadlock,stack:{name}", "--", program("locks_in_disorder"))
                self.check(done, status, "deadlock" if status else "100 runs, no failure")

    def test_a_replay_judges_by_the_targets_of_its_run(self):
        done = self.tool("run", "--json", "--target", "text:nothing,stack:nobody", "--", ENDS,
                         "assert")
        self.check(done, 0)
        self.check(self.tool("replay", done.json()["run"]), 0, "reproduced", "not among")

        self.check(self.tool("run", "--target", "stack:end_by", "--", ENDS, "assert"), 1)
        self.check(self.tool("replay"), 1, "reproduced")
        self.check(self.tool("replay", "--target", "stack:nobody"), 2, "not reproduced")

    def test_targets_that_say_nothing_are_refused(self):
        table = [
            ("deadlok", "'deadlok'", "lost-wakeup", "text:WORDS", "stack:NAME"),
            ("text:", "nothing after 'text:'", "text:WORDS"),
            ("assert,stack:", "nothing after 'stack:'", "stack:NAME"),
            ("test:x", "'test:x'", "kinds are"),
        ]
        for targets, *words in table:
            with self.subTest(targets=targets):
                self.check_refused(["run", "--target", targets, "--", ENDS], *words)

    def test_the_oracle_has_the_last_word(self):
        table = [
            ("exit 0", 0, ("passed", None)),
            ("exit 125", 2, ("unresolved", None)),
            ("exit 1", 1, ("failed", "oracle")),
            ("exit 77", 1, ("failed", "oracle")),
            ("kill -9 $$", 1, ("failed", "oracle")),
            ("grep -q 'counted 2'", 0, ("passed", None)),
            ("grep -q 'counted 3'", 1, ("failed", "oracle")),
        ]
        for oracle, status, outcome in table:
            for options in ([], ["--runs", "3", "--seed", "1"]):
                with self.subTest(oracle=oracle, options=options):
                    done = self.tool("run", "--json", "--oracle", oracle, *options, "--",
                                     program("locks_in_order"))
                    self.check(done, status)
                    self.assertEqual(self.outcome(done), outcome)

    def test_a_failure_that_the_oracle_sees_is_replayed_with_it(self):
        self.check(self.tool("run", "--oracle", "exit 3", "--", program("locks_in_order")), 1)

        self.check(self.tool("replay"), 1, "reproduced", "oracle")

    def test_the_oracle_is_not_asked_about_a_run_that_failed(self):
        # What it writes where the program writes vanishes with the run.
        with tempfile.TemporaryDirectory(dir="/var/tmp") as outside:
            oracle = f"touch {outside}/asked"

            self.check(self.tool("run", "--oracle", oracle, "--", ENDS, "exit"), 1,
                       "exit status 7")

            self.assertEqual(os.listdir(outside), [])
            self.check(self.tool("run", "--oracle", oracle, "--", program("locks_in_order")), 0)
            self.assertEqual(os.listdir(outside), ["asked"])

    def test_an_oracle_that_is_missing_is_no_failure_of_the_program(self):
        for oracle in ("no-such-oracle", "./no-such-oracle", "/no/such --oracle"):
            with self.subTest(oracle=oracle):
                self.check_refused(["run", "--oracle", oracle, "--", program("locks_in_order")],
                                   "oracle")

    def test_an_oracle_that_hangs_is_given_up(self):
        done = self.tool("run", "--timeout", "1s", "--oracle", "sleep 1000", "--",
                         program("locks_in_order"))

        self.check(done, 2, "unresolved", "oracle")

    def expect(self, text):
        (self.folder / "expected").write_text(text)
        return ["--expect-output", "expected"]

    def test_output_is_compared_with_a_file(self):
        table = [
            ("before the end\n", [], 0, "passed"),
            ("before the end", [], 1, "line 1: expected no newline at its end"),
            ("before the war\n", [], 1, "line 1: expected 'before the war', got 'before the end'"),
            ("before the end\nand after\n", [], 1, "output ends after line 1"),
            ("", [], 1, "line 1: expected no more, got 'before the end'"),
            # The comparison comes first.
            ("before the end\n", ["--oracle", "exit 3"], 1, "oracle exit status 3"),
            ("before the war\n", ["--oracle", "exit 3"], 1, "before the war"),
            ("before the war\n", ["--target", "assert"], 0, "not among the targets"),
            ("before the war\n", ["--target", "oracle,text:war"], 1, "before the war"),
        ]
        for text, options, status, words in table:
            with self.subTest(text=text, options=options):
                done = self.tool("run", *self.expect(text), *options, "--", ENDS)
                self.check(done, status, words)

    def test_the_output_of_every_run_is_compared(self):
        # Whoever comes second writes what the order was.
        command = ["--runs", "200", "--seed", "1", "--", program("write_in_order")]
        self.check(self.tool("run", *self.expect("1\n2\n"), *command), 1, "failed",
                   "line 1: expected '1', got '2'")
        failed = self.tool("list", "--json").json()["runs"][-1]
        self.assertEqual(failed["failure"]["key"], "oracle: output differs from expected")

        # From anywhere, with what the run was judged by.
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        again = self.finish(subprocess.Popen(
            [UNRAVEL, "replay", "--store", str(self.folder / ".unravel")], cwd=elsewhere,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE))
        self.check(again, 1, "reproduced", "expected '1'")
        self.expect("2\n1\n")
        self.check(self.tool("replay"), 2, "not reproduced")

    def test_a_failure_comes_before_its_output(self):
        self.check(self.tool("run", *self.expect("other"), "--", ENDS, "exit"), 1,
                   "exit status 7")

    def test_an_expected_output_that_is_not_there_is_refused(self):
        self.check_refused(["run", "--expect-output", "no-such-file", "--", ENDS],
                           "no-such-file", "--expect-output FILE")
        self.check_refused(["run", "--expect-output", ".", "--", ENDS], "directory")
        self.check_refused(["run", "--expect-output", "", "--", ENDS], "name of a file")

        self.check(self.tool("run", *self.expect("other"), "--", ENDS), 1)
        (self.folder / "expected").unlink()
        self.check_refused(["replay"], str(self.folder / "expected"), "restore the file")

    def test_standard_input_is_the_same_in_every_run(self):
        text = "a line\n" * 20000
        done = self.tool("run", "--", program("echo_input"), data=text.encode())
        self.check(done, 0, "passed")
        self.assertEqual(done.out, text)

        done = self.tool("run", "--runs", "5", "--oracle", "test $(wc -l) = 20000", "--",
                         program("echo_input"), data=text.encode())

        self.check(done, 0, "5 runs, no failure\n")

    def test_a_kept_run_keeps_its_input(self):
        done = self.tool("run", "--json", "--", program("echo_input"), data=b"kept")
        self.check(done, 0)

        again = self.tool("replay", done.json()["run"])

        self.check(again, 0, "reproduced")
        self.assertEqual(again.out, "kept")

    def test_a_run_without_input_has_none(self):
        self.check(self.tool("run", "--", program("echo_input")), 1, "exit status 5")

    def test_much_output_is_kept_whole(self):
        done = self.tool("run", "--", program("flood"), "200000")

        self.check(done, 0, "passed")
        self.assertEqual(done.out, "yes, and yes, and yes, and yes\n" * 200000)


if __name__ == "__main__":
    unittest.main()
