#!/usr/bin/env python3
"""What is not controlled is recognised, named and answered with advice; and nothing hangs."""
import pathlib
import unittest

from support import LOST_UPDATE, UNRAVEL, CommandTest, program

JEMALLOC = "libjemalloc.so.2"
# For programs that stand still; the others end long before.
SHORT = ("--timeout", "1s")


class Doctor(CommandTest):
    def doctor(self, name, *arguments, status=1, options=(), environment=None):
        """The checkup of one of our programs, as JSON."""
        done = self.tool("doctor", "--json", *options, "--", program(name), *arguments,
                         environment=environment)
        self.check(done, status)
        checkup = done.json()
        self.assertEqual(checkup["controlled"], status == 0, f"\n{done}")
        for concern in checkup["uncontrolled"]:
            self.assertTrue(concern["meaning"] and concern["advice"], f"\n{done}")
        return checkup

    def concern(self, checkup, name):
        found = [concern for concern in checkup["uncontrolled"] if concern["name"] == name]
        self.assertEqual(len(found), 1, f"{name}: {checkup['uncontrolled']}")
        return found[0]

    def check_source(self, name, source, *advice):
        """Every repetition went another way; see why each of these programs does."""
        difference = self.doctor(name)["first_difference"]
        self.assertEqual((difference["in"], difference["source"]), ("event", source), difference)
        for word in advice:
            self.assertIn(word, difference["advice"])

    def test_a_controlled_program_is_said_to_be(self):
        for name in ("locks_in_order", "hash_pointer", "change_files", "make_names"):
            with self.subTest(name=name):
                checkup = self.doctor(name, status=0)
                self.assertEqual((checkup["runs"], checkup["differed"]), (5, 0))
                self.assertIsNone(checkup["first_difference"])
                self.assertEqual([concern for concern in checkup["uncontrolled"]
                                  if concern["weight"] != "note"], [])

    def test_a_program_that_fails_alike_is_controlled(self):
        self.assertEqual(self.doctor("end_by", "assert", status=0)["outcome"], "failed")

    def test_the_processors_counter_is_named(self):
        self.check_source("use_counter", "time", "clock_gettime")

    def test_a_clock_that_nobody_can_stand_in_front_of_is_seen_later(self):
        # The first repetitions come at once, also on a busy machine; the last one does not.
        checkup = self.doctor("late_clock", "10", options=("--later", "12s", "--runs", "3"))

        difference = checkup["first_difference"]
        self.assertEqual((difference["in"], difference["source"], difference["started"]),
                         ("event", "time", "later"), difference)
        self.assertEqual(difference["stack"][0]["function"], "work")
        self.assertEqual((checkup["differed"], checkup["later"]["differed"]), (1, 1))
        self.assertGreaterEqual(checkup["later"]["seconds"], 12)
        self.assertIn("clock_gettime", difference["advice"])

    def test_a_printed_clock_is_named(self):
        difference = self.doctor("print_clock", options=("--later", "2s", "--runs", "2"))[
            "first_difference"]
        self.assertEqual((difference["in"], difference["source"]), ("output", "time"), difference)

    def test_one_of_the_runs_is_made_later_unless_that_is_switched_off(self):
        for later, runs in (("0", 0), ("1s", 1)):
            with self.subTest(later=later):
                checkup = self.doctor("locks_in_order", status=0, options=("--later", later))
                self.assertEqual((checkup["runs"], checkup["later"]["runs"]), (5, runs))
                self.assertGreaterEqual(checkup["later"]["seconds"], runs)
        # A difference that shows at once needs no patience.
        self.assertEqual(self.doctor("use_counter", options=("--later", "10m"))["later"]["runs"], 0)

    def test_a_time_that_is_none_is_refused(self):
        for later in ("-1s", "x", "00", "2d"):
            with self.subTest(later=later):
                self.check_refused(["doctor", "--later", later, "--", program("one_thread")],
                                   "is not a time")

    def test_random_numbers_of_the_processor_are_named(self):
        if " rdrand " not in pathlib.Path("/proc/cpuinfo").read_text():
            self.skipTest("this processor has no rdrand")
        self.check_source("use_rdrand", "random", "getrandom")

    def test_what_a_child_says_is_an_input(self):
        self.check_source("ask_child", "input", "same input")

    def test_a_loop_without_synchronisation_is_named_with_its_place(self):
        checkup = self.doctor("spin_forever", options=SHORT)

        concern = self.concern(checkup, "a loop without synchronisation")
        self.assertIn("at spin ", concern["evidence"])
        self.assertIn("yield", concern["advice"])
        self.assertEqual((checkup["outcome"], checkup["runs"]), ("unresolved", 1))

    def test_a_wait_for_something_outside_is_named_with_its_place(self):
        concern = self.concern(self.doctor("read_forever", options=SHORT),
                               "a wait for something outside")

        self.assertIn("T1 in read at wait_for_byte ", concern["evidence"])
        self.assertIn("client", concern["advice"])

    def test_threads_that_are_not_scheduled_are_named(self):
        for name, what in (("clone_thread", "a thread made by clone()"),
                           ("lookup_thread", "getaddrinfo_a")):
            with self.subTest(name=name):
                checkup = self.doctor(name)
                concern = self.concern(checkup, "a thread that is not scheduled")
                self.assertEqual((concern["weight"], concern["evidence"]), ("certain", what))
                self.assertIn("pthread_create", concern["advice"])
                # That nobody else could go on is no failure of theirs.
                self.assertIn(checkup["outcome"], ("passed", "unresolved"))
                done = self.tool("run", "--", program(name))
                self.check(done, 2 if "unresolved" in done.err else 0, f"not controlled: {what}")

    def test_openmp_ends_by_the_time_limit(self):
        checkup = self.doctor("parallel_region", options=SHORT)

        concern = self.concern(checkup, "OpenMP (GCC)")
        self.assertEqual(concern["weight"], "certain")
        self.assertIn("OMP_THREAD_LIMIT=1", concern["advice"])
        self.assertEqual(checkup["outcome"], "unresolved")
        # What the advice says is true.
        self.check(self.tool("run", *SHORT, "--", program("parallel_region"),
                             environment={"OMP_THREAD_LIMIT": "1"}), 2, "no second thread")

    def test_an_address_sanitizer_build_is_refused(self):
        self.check_refused(["doctor", "--", program("with_asan")], "AddressSanitizer",
                           "-fsanitize=address")

    def test_io_uring_by_the_system_call_is_named(self):
        done = self.tool("doctor", "--json", "--", program("use_io_uring"))
        if done.json()["outcome"] == "failed":
            self.skipTest("this system has no io_uring to give")
        self.check(done, 1)
        concern = self.concern(done.json(), "io_uring")
        self.assertEqual(concern["weight"], "certain")
        self.assertIn("read and write", concern["advice"])

    def test_a_daemon_is_named_and_not_left_running(self):
        for arguments in ([], ["late"]):
            with self.subTest(arguments=arguments):
                # Before its first thread it is another process that has them all.
                checkup = self.doctor("daemonise", *arguments, status=0 if arguments else 1)
                concern = self.concern(checkup, "a process that outlives the run")
                self.assertIn("foreground", concern["advice"])
                self.assertEqual(self.wait_until_gone(), {})

    def test_threading_building_blocks_are_named(self):
        concern = self.concern(self.doctor("use_tbb", status=0), "Threading Building Blocks")

        self.assertEqual(concern["weight"], "possible")
        self.assertIn("max_allowed_parallelism", concern["advice"])

    def test_jemalloc_is_named_where_it_is_preloaded(self):
        checkup = self.doctor("locks_in_order", status=0, environment={"LD_PRELOAD": JEMALLOC})

        concern = self.concern(checkup, "jemalloc")
        self.assertEqual(concern["evidence"], f"LD_PRELOAD names {JEMALLOC}")
        self.assertIn("background_thread:false", concern["advice"])

    def test_without_json_it_says_what_was_seen_and_what_to_do(self):
        done = self.tool("doctor", "--", program("lookup_thread"))

        self.check(done, 1)
        for word in ("is not controlled", "✗ a thread that is not scheduled", "    seen  ",
                     "    what  ", "    do    "):
            self.assertIn(word, done.out, f"\n{done}")
        self.assertEqual(self.tool("doctor", "--quiet", "--", program("locks_in_order")).out,
                         f"{program('locks_in_order')} is controlled: 5 runs of one schedule, "
                         "all the same\n")

    def concerns(self, *command):
        done = self.tool("doctor", "--json", "--", *command)
        return done, {concern["name"]: concern for concern in done.json()["uncontrolled"]
                      if concern["weight"] != "note"}

    def test_a_thread_that_was_created_behind_our_back_is_named(self):
        done, concerns = self.concerns(program("hide_thread"))

        self.check(done, 1)
        thread = concerns["a thread that is not scheduled"]
        self.assertEqual(thread["weight"], "certain")
        self.assertIn("hidden", thread["evidence"])

    def test_a_child_is_no_such_thread(self):
        for command in (["sh", "-c", f"{program('locks_in_order')}; true"],
                        [program("leave_children")]):
            with self.subTest(command=command):
                _, concerns = self.concerns(*command)

                self.assertNotIn("a thread that is not scheduled", concerns)

    def test_the_hooks_are_those_of_the_program_that_a_wrapper_becomes(self):
        self.source("racing.c", LOST_UPDATE)
        self.build(pathlib.Path(UNRAVEL).resolve().parent / "unravel-cc", "-g", "-O1", "-pthread",
                   "racing.c", "-o", "racing")
        script = self.folder / "wrapper.sh"
        script.write_text("#!/bin/sh\nexec ./racing\n")
        script.chmod(0o755)
        for command in (["./wrapper.sh"], ["env", "A=1", "./racing"]):
            with self.subTest(command=command):
                done = self.tool("doctor", "--json", "--", *command)
                self.assertTrue(done.json()["hooks"], f"\n{done}")
                self.check(self.tool("hunt", "--runs", "20", "--strategy", "pairs", "--", *command), 0,
                           "no hooks at memory accesses",
                           "--points auto")
                self.check(self.tool("hunt", "--points", "auto", "--find-only", "--", *command), 1,
                           "assert")

    def test_threads_may_be_in_another_process(self):
        done, concerns = self.concerns("sh", "-c", f"{program('locks_in_order')}; true")

        self.check(done, 1)
        self.assertEqual(list(concerns), ["another process"])
        self.assertEqual(concerns["another process"]["weight"], "certain")
        self.assertIn("exec", concerns["another process"]["advice"])

        done, concerns = self.concerns(program("one_thread"))

        self.check(done, 1)
        self.assertEqual(list(concerns), ["no second thread"])

        done, concerns = self.concerns("sh", "-c", f"exec {program('locks_in_order')}")

        self.check(done, 0)
        self.assertEqual(concerns, {})


if __name__ == "__main__":
    unittest.main()
