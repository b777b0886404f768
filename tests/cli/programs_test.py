#!/usr/bin/env python3
"""Programs that cannot be run or controlled are refused with a reason; odd ones are run."""
import os
import shutil
import unittest

from support import CommandTest, program

E_MACHINE = 18  # offset in an ELF header
EM_AARCH64 = 183


class Programs(CommandTest):
    def file(self, name, content=b"", mode=0o755):
        path = self.folder / name
        path.write_bytes(content)
        path.chmod(mode)
        return "./" + name

    def copy(self, name, mode=0o755, of=program("one_thread")):
        path = self.folder / name
        shutil.copy(of, path)
        path.chmod(mode)
        return "./" + name

    def for_another_machine(self):
        path = self.copy("another_machine")
        with open(self.folder / path, "r+b") as file:
            file.seek(E_MACHINE)
            file.write(EM_AARCH64.to_bytes(2, "little"))
        return path

    def cut_off(self):
        path = self.copy("cut_off")
        os.truncate(self.folder / path, 40)
        return path

    def test_what_cannot_be_controlled_is_refused(self):
        os.mkfifo(self.folder / "fifo", 0o755)
        table = [
            ("./missing", "/missing' was not found", "check the path"),
            ("missing", "'missing' was not found", "PATH"),
            (self.copy("not_executable", 0o644), "may not be executed", "chmod +x"),
            ("not_executable", "was not found", "did you mean './not_executable'"),
            ("/", "is a directory"),
            ("./fifo", "not a regular file"),
            (self.file("text", b"hello\n"), "neither an ELF program nor a script", "#!/bin/sh"),
            (self.file("empty"), "neither an ELF program nor a script"),
            (self.file("script", b"#!/no/such/shell\n"), "/no/such/shell", "was not found"),
            (self.file("script2", b"#!\n"), "script"),
            (self.file("script3", b"#!./script\n"), "script"),
            (program("statically_linked"), "statically linked", "without -static"),
            (self.copy("setuid", 0o4755), "setuid", "chmod ug-s"),
            (self.copy("setgid", 0o2755), "setgid"),
            (self.for_another_machine(), "another machine", "x86-64"),
            (self.cut_off(), "cut_off"),
            (self.copy("library", of="/lib/x86_64-linux-gnu/libm.so.6"), "library"),
        ]
        for path, *words in table:
            with self.subTest(program=path):
                self.check_refused(["run", "--", path], *words)
        self.assertFalse((self.folder / ".unravel").exists())

    def test_a_script_is_run(self):
        script = self.file("good.sh", f"#!/bin/sh\nexec {program('locks_in_order')}\n".encode())

        done = self.tool("run", "--", script)

        self.check(done, 0, "passed", "3 threads")
        self.assertEqual(done.out, "counted 2\n")

    def test_a_shell_that_becomes_the_program_is_followed(self):
        script = self.file("wrapper", b"#!/bin/sh\nshift\nLEVEL=2 exec \"$@\"\n")
        deadlocks, passes = program("locks_in_disorder"), program("locks_in_order")
        for wrapper in (["sh", "-c", 'exec "$0" "$@"'], [script, "dropped"],
                        ["sh", script, "dropped", "sh", "-c", 'exec "$0"']):
            for options in ([], ["--no-fork"]):
                with self.subTest(wrapper=wrapper, options=options):
                    done = self.tool("run", "--json", *options, "--", *wrapper, passes)
                    self.check(done, 0)
                    self.assertEqual((done.json()["outcome"], done.json()["threads"]),
                                     ("passed", 3))
                    done = self.tool("run", "--runs", "200", "--seed", "1", *options, "--",
                                     *wrapper, deadlocks)
                    self.check(done, 1, "deadlock", "other_way()")
                    self.check(self.tool("replay"), 1, "reproduced", "deadlock")
            with self.subTest(wrapper=wrapper, doctor=True):
                self.check(self.tool("doctor", "--", *wrapper, passes), 0)

    def test_a_program_gets_the_signal_mask_that_its_wrapper_had(self):
        for wrapper in (["env", "A=1"], ["nice"], ["sh", "-c", 'exec "$0"'],
                        ["env", "sh", "-c", 'exec nice "$0"']):
            with self.subTest(wrapper=wrapper):
                self.check(self.tool("run", "--", *wrapper, program("raise_signal")), 0, "passed")

    def test_a_run_that_becomes_another_program_is_not_judged_by_how_that_one_ends(self):
        for who in ("main", "thread"):
            for command in ("exit 0", "exit 3", "echo more; exec true", "kill -TERM $$",
                            "kill -SEGV $$"):
                for options in ([], ["--no-fork"]):
                    with self.subTest(who=who, command=command, options=options):
                        run = [*options, "--rule", "stay", "--", program("exec_late"), who,
                               command]
                        done = self.tool("run", "--json", *run)
                        self.check(done, 2, "unresolved", "went on as another program")
                        self.assertEqual(done.json()["outcome"], "unresolved")
                        self.check(self.tool("run", "--runs", "3", *run), 2, "3 unresolved")
        done = self.tool("doctor", "--json", "--", program("exec_late"), "main", "exit 0")
        self.check(done, 1)
        self.assertEqual([concern["name"] for concern in done.json()["uncontrolled"]],
                         ["another program"])

    def test_a_program_without_threads_is_not_tested(self):
        done = self.tool("run", "--json", "--", program("one_thread"))

        self.check(done, 2)
        self.assertEqual((done.json()["outcome"], done.json()["threads"]), ("unresolved", 1))
        # Nothing is interleaved: another run would be the same.
        self.check(self.tool("run", "--runs", "10", "--", program("one_thread")), 2, "1 run,")

    def test_a_crash_before_main_is_a_failure_with_its_place(self):
        done = self.tool("run", "--json", "--", program("crash_before_main"))

        self.check(done, 1)
        failure = done.json()["failure"]
        self.assertEqual((failure["kind"], failure["detail"]), ("signal", "SIGSEGV"))
        self.assertEqual(failure["site"]["function"], "crash")
        self.check(self.tool("replay"), 1, "reproduced")

    def test_a_program_that_closes_every_descriptor_stays_under_control(self):
        done = self.tool("run", "--json", "--runs", "20", "--", program("close_descriptors"))

        self.check(done, 0, "20 runs, no failure\n")
        self.assertEqual(done.json()["threads"], 2)

    def test_a_program_that_drops_the_runtime_does_not_pass_for_controlled(self):
        for how in ("unset", "overwrite"):
            with self.subTest(how=how):
                done = self.tool("run", "--", program("reexec_without_preload"), how)
                self.check(done, 2, "not controlled", "LD_PRELOAD")
                self.assertNotIn("passed", done.err)

    def test_children_that_a_program_leaves_are_ended(self):
        for arguments in ([], ["later"]):
            with self.subTest(arguments=arguments):
                done = self.tool("run", "--runs", "5", "--", program("leave_children"), *arguments)
                self.check(done, 0, "5 runs, no failure\n")
                self.assertEqual(self.wait_until_gone(), {})

    def test_a_stack_overflow_is_a_failure_with_its_stack(self):
        for arguments in ([], ["main"]):
            with self.subTest(arguments=arguments):
                done = self.tool("run", "--json", "--", program("overflow_stack"), *arguments)
                self.check(done, 1)
                failure = done.json()["failure"]
                self.assertEqual((failure["kind"], failure["detail"]), ("signal", "SIGSEGV"))
                self.assertEqual(failure["stack"][0]["function"], "descend")
                self.check(self.tool("replay"), 1, "reproduced")


if __name__ == "__main__":
    unittest.main()
