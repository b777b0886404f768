#!/usr/bin/env python3
"""Command lines that cannot be understood, and some that can."""
import unittest

from support import CommandTest, program

GOOD = program("locks_in_order")

# Command line, and words that must be on standard error.
REFUSED = [
    (["rnu", "--", GOOD], "unknown command 'rnu'", "did you mean 'run'"),
    (["shwo"], "did you mean 'show'"),
    (["frobnicate"], "unknown command 'frobnicate'", "unravel --help"),
    (["run", "--sede", "1", "--", GOOD], "--sede", "did you mean", "--seed"),
    (["run", "--nonsense", "--", GOOD], "--nonsense", "unravel run --help"),
    (["run", GOOD, "--its-option"], "--its-option", "-- "),
    (["run"], "no program was given", "--"),
    (["run", "--"], "no program was given", "--"),
    (["run", "--", ""], "name is empty"),
    (["run", "--seed", "x", "--", GOOD], "--seed", "x"),
    (["run", "--seed", "-1", "--", GOOD], "--seed", "-1"),
    (["run", "--runs", "0", "--", GOOD], "--runs", "above 0"),
    (["run", "--runs", "-3", "--", GOOD], "--runs", "-3"),
    (["run", "--runs", "99999999999999999999", "--", GOOD], "--runs"),
    (["run", "--max-steps", "-1", "--", GOOD], "--max-steps", "-1"),
    (["run", "--rule", "luck", "--", GOOD], "--rule", "luck", "stay", "random", "priority"),
    (["run", "--probability", "2", "--", GOOD], "--probability", "2"),
    (["run", "--rule", "stay", "--probability", "0.5", "--", GOOD], "--probability", "random"),
    (["run", "--timeout", "soon", "--", GOOD], "'soon'", "500ms"),
    (["run", "--timeout", "0", "--", GOOD], "'0'", "above 0"),
    (["run", "--target", "bug", "--", GOOD], "'bug'", "deadlock"),
    (["run", "--color", "blue", "--", GOOD], "--color", "blue", "auto", "always", "never"),
    (["run", "--points", "calls", "--", GOOD], "no hooks", "--points sync"),
    (["run", "--points", "auto", "--", GOOD], "no hooks", "--points sync"),
    (["run", "--tick", "5ms", "--", GOOD], "--tick"),
    (["record"], "no program was given", "unravel record --"),
    (["record", "--tick", "soon", "--", GOOD], "'soon'", "500ms"),
    (["record", "--rule", "random", "--", GOOD], "--rule"),
    (["run", "--points", "dots", "--", GOOD], "dots"),
    (["run", "--strict", "--", GOOD], "--schedule"),
    (["run", "--schedule", "u1.x", "--runs", "2", "--", GOOD], "--runs and --schedule"),
    (["run", "--strict", "--lenient", "--schedule", "u1.x", "--", GOOD], "--strict", "--lenient"),
    (["replay", "--", GOOD], "takes no program", "unravel run"),
    (["list", "surplus"], "surplus"),
    (["show", "--rows", "-1"], "--rows", "-1"),
    (["query"], "--at is missing", "T1:12"),
    (["query", "--", GOOD], "takes no program"),
]

# Every option is also read from the environment.
ENVIRONMENT = [
    ("UNRAVEL_RUNS", "abc", "abc"),
    ("UNRAVEL_TIMEOUT", "soon", "soon"),
    ("UNRAVEL_RULE", "luck", "luck"),
]


class Options(CommandTest):
    def test_a_command_line_that_is_not_understood_is_refused(self):
        for arguments, *words in REFUSED:
            with self.subTest(command=arguments):
                done = self.check_refused(arguments, *words)
                self.assertTrue(all(c.isprintable() or c == "\n" for c in done.err), repr(done.err))

    def test_what_is_refused_leaves_no_store(self):
        for arguments, *_ in REFUSED:
            self.tool(*arguments)

        self.assertFalse((self.folder / ".unravel").exists())

    def test_a_bad_value_in_the_environment_is_refused(self):
        for variable, value, word in ENVIRONMENT:
            with self.subTest(variable=variable):
                done = self.tool("run", "--", GOOD, environment={variable: value})
                self.check(done, 2, word)

    def test_an_option_is_read_from_the_environment(self):
        done = self.tool("run", "--json", "--", GOOD,
                         environment={"UNRAVEL_RUNS": "3", "UNRAVEL_SEED": "1"})

        self.check(done, 0)
        self.assertEqual(done.json()["runs"], 3)

    def test_help_is_asked_for(self):
        for arguments in ([], ["--help"], ["run", "--help"], ["replay", "-h"], ["list", "--help"],
                          ["show", "--help"], ["--version"]):
            with self.subTest(command=arguments):
                done = self.tool(*arguments)
                self.check(done, 0)
                self.assertIn("unravel", done.out)
                self.assertEqual(done.err, "")

    def test_the_program_keeps_its_own_options(self):
        done = self.tool("run", "--", program("end_by"), "--json", "--help")

        self.check(done, 0)
        self.assertEqual(done.out, "before the end\n")

    def test_quiet_is_one_line(self):
        done = self.tool("run", "--quiet", "--", GOOD)

        self.check(done, 0, "passed")
        self.assertEqual((done.out, done.err.count("\n")), ("", 1))


if __name__ == "__main__":
    unittest.main()
