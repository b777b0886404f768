#!/usr/bin/env python3
"""`unravel races`: which accesses nothing orders, and which are ordered by what."""
import pathlib
import re
import unittest

import support
from support import UNRAVEL, CommandTest, program

BIN = pathlib.Path(UNRAVEL).resolve().parent
SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "race_cases.cpp"

# By case, what the race is on and what both sides do. Lines are marked in the source.
RACES = {
    "counter": ("counter", {"load", "store"}),
    "read_locked": ("counter", {"load", "store"}),
    "relaxed": ("data", {"store"}),
    "copied": (None, {"load", "store"}),
    "freed": ("*block", {"store", "free"}),
    "hidden": ("byte 8 of the 16 allocated at race_cases.cpp:LINE", {"store", "free"}),
}
ORDERED = ("locked", "write_locked", "semaphore", "condition", "barrier", "pipe", "call_once",
           "static", "retried", "acquired", "annotated", "released", "reused", "detached")

BAD_SUPPRESSIONS = [
    ("function:add\nthread:T1\n", "known:2: ", "`thread` is nothing", "`function`, `file` or `variable`"),
    ("# all of it\n\nadd\n", "known:3: ", "`add` is no suppression"),
    ("variable:\n", "known:1: ", "nothing after `variable:`"),
]


def marked_lines(case):
    return sorted(number for number, line in enumerate(SOURCE.read_text().splitlines(), 1)
                  if line.endswith(f"// race: {case}"))


def line_with(text):
    return str(1 + next(number for number, line in enumerate(SOURCE.read_text().splitlines())
                        if text in line))


class RacesOfCases(CommandTest):
    """The same program as two ways of building make it."""

    def build_by_us(self):
        self.build(BIN / "unravel-c++", "-std=c++20", "-O0", "-g", "-pthread", SOURCE,
                   "-o", "race_cases")
        return "./race_cases"

    def races(self, binary, case, status):
        done = self.tool("races", "--json", "--runs", "10", "--", binary, case)
        self.assertEqual(done.status, status, f"\n{done}")
        self.assertEqual(done.err, "", f"\n{done}")
        answer = done.json()
        self.assertEqual(answer["runs"], 10)
        return answer["races"]

    def check_races(self, binary):
        for case, (variable, kinds) in RACES.items():
            with self.subTest(case):
                lines = marked_lines(case)
                self.assertIn(len(lines), (1, 2))
                (race,) = self.races(binary, case, 1)
                self.assertEqual(sorted({site["line"] for site in race["sites"]}), lines, race)
                self.assertEqual(set(race["kinds"]), kinds, race)
                if variable:
                    allocated = line_with("hidden = ~")
                    self.assertEqual(race["variable"], variable.replace("LINE", allocated))
        for case in ORDERED:
            with self.subTest(case):
                self.assertEqual(marked_lines(case), [])
                self.assertEqual(self.races(binary, case, 0), [])

    def check_reuse(self, binary):
        """What is not to race for being other memory is at the same place."""
        for case in ("reused", "detached"):
            done = self.tool("run", "--rule", "stay", "--", binary, case)
            self.assertEqual((done.status, done.out), (0, "same memory\n"), done)

    def test_built_for_thread_sanitizer_by_gcc(self):
        if not pathlib.Path(program("race_cases")).exists():
            self.skipTest("only GCC's ThreadSanitizer can be replaced")
        self.check_races(program("race_cases"))
        self.check_reuse(program("race_cases"))

    def test_built_by_our_driver(self):
        binary = self.build_by_us()
        self.check_races(binary)
        self.check_reuse(binary)


class Races(CommandTest):
    def setUp(self):
        super().setUp()
        self.source("prog.c", support.LOST_UPDATE)
        self.build(BIN / "unravel-cc", "-g", "prog.c", "-o", "prog", "-pthread")
        self.line = 1 + support.LOST_UPDATE.splitlines().index("  counter++;")
        self.key = f"race: add {self.folder}/prog.c:{self.line}; add {self.folder}/prog.c:{self.line}"

    def check_the_race(self, race):
        self.assertEqual(set(race), {"key", "variable", "sites", "stacks", "kinds", "accesses",
                                     "count"})
        self.assertEqual((race["key"], race["variable"]), (self.key, "counter"))
        self.assertGreater(race["count"], 0)
        self.assertEqual(len(race["sites"]), 2)
        self.assertIn("store", race["kinds"])
        for site, stack in zip(race["sites"], race["stacks"], strict=True):
            self.assertEqual(set(site), {"file", "line", "function", "module", "offset"})
            self.assertEqual((site["function"], site["line"]), ("add", self.line))
            self.assertEqual(site["module"], str(self.folder / "prog"))
            self.assertEqual(stack[0], site)
            self.assertIn("start_thread", [frame["function"] for frame in stack])
        threads = {access.split(":")[0] for access in race["accesses"]}
        self.assertEqual(threads, {"T1", "T2"})

    def test_json_has_what_is_promised(self):
        done = self.tool("races", "--json", "--runs", "3", "--", "./prog")
        self.assertEqual(done.status, 1, done)
        answer = done.json()
        self.assertEqual(set(answer), {"version", "events", "seconds", "runs", "suppressed",
                                       "races"})
        self.assertEqual((answer["version"], answer["runs"], answer["suppressed"]), (1, 3, 0))
        self.assertGreater(answer["events"], 10)
        self.check_the_race(*answer["races"])

    def test_it_is_told_in_words(self):
        done = self.tool("races", "--runs", "3", "--", "./prog")
        self.assertEqual(done.status, 1, done)
        self.assertIn("race 1 on counter: these two accesses are not ordered\n", done.out)
        side = (rf"  T[12]:\S+ (reads|writes) counter \(4 bytes\) at .*prog\.c:{self.line}.*\n"
                rf" +{self.line} │ +counter\+\+;\n")
        self.assertEqual(len(re.findall(side, done.out)), 2, done.out)
        self.assertRegex(done.out, r"\n1 race in 3 runs \(\d+ events, \d+\.\d+ s\)\n$")

        quiet = self.tool("races", "--quiet", "--runs", "3", "--", "./prog")
        self.assertEqual(quiet.status, 1, quiet)
        self.assertRegex(quiet.out, r"^1 race in 3 runs \(.*\)\n$")

    def test_the_same_seed_finds_the_same(self):
        def found(*seed):
            answer = self.tool("races", "--json", "--runs", "5", *seed, "--", "./prog").json()
            return answer["events"], answer["races"]
        self.assertEqual(found(), found("--seed", "1"))
        self.assertEqual(found("--seed", "9"), found("--seed", "9"))

    def test_a_kept_run(self):
        run = self.tool("run", "--json", "--seed", "1", "--runs", "300", "--", "./prog").json()
        self.assertEqual(run["outcome"], "failed")
        for which in ([run["run"]], []):
            done = self.tool("races", "--json", *which)
            self.assertEqual(done.status, 1, done)
            self.assertEqual(done.json()["runs"], 1)
            self.check_the_race(*done.json()["races"])
        self.source("prog.c", support.LOST_UPDATE.replace("== 2", "!= 1"))
        self.build(BIN / "unravel-cc", "-g", "prog.c", "-o", "prog", "-pthread")
        self.check_refused(["races", run["run"]], "was rebuilt")

    def test_known_races_are_suppressed(self):
        for known in ("function:add", "file:prog.c", "variable:counter", "file:*/prog.*",
                      "# more\n\nfunction:other\nvariable:count*"):
            with self.subTest(known):
                self.source("known", known + "\n")
                done = self.tool("races", "--json", "--runs", "3", "--suppressions", "known", "--",
                                 "./prog")
                self.assertEqual(done.status, 0, done)
                answer = done.json()
                self.assertEqual(answer["races"], [])
                self.assertGreaterEqual(answer["suppressed"], 1)
        self.source("known", "function:ad\nfile:rog.c\nvariable:ounter\n")
        done = self.tool("races", "--json", "--runs", "3", "--suppressions", "known", "--", "./prog")
        self.assertEqual(done.status, 1, done)
        self.assertEqual(done.json()["suppressed"], 0)

    def test_bad_suppressions_are_refused(self):
        for text, *words in BAD_SUPPRESSIONS:
            with self.subTest(text):
                self.source("known", text)
                self.check_refused(["races", "--suppressions", "known", "--", "./prog"], *words)
        self.check_refused(["races", "--suppressions", "none", "--", "./prog"], "none")

    def test_what_has_no_hooks_is_refused(self):
        self.build("gcc", "-g", "prog.c", "-o", "plain", "-pthread")
        self.check_refused(["races", "--", "./plain"], "has no hooks at memory accesses",
                           "unravel-cc or unravel-c++")
        run = self.tool("run", "--json", "--", "./plain").json()["run"]
        self.check_refused(["races", run], "has no hooks at memory accesses")

    def test_a_run_or_a_program_not_both(self):
        self.check_refused(["races", "3fa", "--", "./prog"], "a stored run or a program, not both",
                           "'3fa'")
        self.check_refused(["races"], "there is no store")
        self.check_refused(["races", "--", "./nothing"], "nothing' was not found")


if __name__ == "__main__":
    unittest.main()
