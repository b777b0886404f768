#!/usr/bin/env python3
"""What is shown of switches at memory accesses, and what becomes of them in another build."""
import pathlib
import re
import unittest

import support
from support import BESIDE, UNRAVEL, CommandTest

BIN = pathlib.Path(UNRAVEL).resolve().parent

LOST_UPDATE = support.LOST_UPDATE.replace("int counter", "static int counter", 1)
INLINED = LOST_UPDATE.replace("static void* add(void* unused) {\n  counter++;", """
static inline __attribute__((always_inline)) void bump(void) {
  counter++;
}
static void* add(void* unused) {
  bump();""")
LIBRARY = """
int counter;
void add_one(void) {
  counter++;
}
"""
PLAIN_MAIN = LOST_UPDATE.replace("static int counter;", "extern int counter; void add_one(void);"
                                 ).replace("counter++;", "add_one();")
# Between two operations lie accesses in other lines than theirs.
LOCKED_TOO_LATE = LOST_UPDATE.replace("static int counter;", """
static int counter, done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
""").replace("  counter++;", """
  counter++;
  pthread_mutex_lock(&mutex);
  done++;
  pthread_mutex_unlock(&mutex);
""")


def line_of(text, wanted):
    return next(number for number, line in enumerate(text.splitlines(), 1) if wanted in line)


class Accesses(CommandTest):
    def compile(self, compiler, *arguments):
        self.build(BIN / "unravel-cc", *arguments, "-pthread", UNRAVEL_CC=compiler)

    def find(self, program):
        done = self.tool("run", "--json", "--seed", "1", "--runs", "300", "--", program)
        self.check(done, 1)
        return done.json()

    def show(self):
        shown = self.tool("show", environment={"COLUMNS": "180"})
        self.check(shown, 0)
        return shown.out

    def check_rows(self, name, text, function):
        """A thread stood before its store to the counter, and made it when it went on."""
        place = rf"{name}:{line_of(text, 'counter++')} {function}\(\) +counter\+\+;"
        table = self.show()
        left = re.search(rf"(T\d:\d+\+\d+) .*before store counter .*{place}", table)
        self.assertTrue(left, table)
        self.assertIn("preempted before store counter", table)
        self.assertRegex(table[left.end():], rf"{re.escape(left[1])} .*  store counter .*{place}")
        shown = self.tool("show", "--json").json()["operations"]
        for result in ("not yet", "done"):
            sites = [step["site"] for step in shown
                     if step["operation"] == "store" and step["result"] == result]
            self.assertTrue(sites, shown)
            for site in sites:
                self.assertEqual((site["file"].split("/")[-1], site["line"], site["function"]),
                                 (name, line_of(text, "counter++"), function))

    def test_an_access_has_its_line_in_every_kind_of_build(self):
        self.source("lost.c", LOST_UPDATE)
        builds = [("gcc",), ("gcc", "-no-pie", "-fno-pie"), ("clang",),
                  ("clang", "-no-pie", "-fno-pie"), ("clang", "-gdwarf-aranges")]
        for compiler, *options in builds:
            with self.subTest(compiler=compiler, options=options):
                self.compile(compiler, "-g", *options, "lost.c", "-o", "lost")
                self.find("./lost")
                self.check_rows("lost.c", LOST_UPDATE, "add")

    def test_an_access_of_an_inlined_function_is_shown_there(self):
        self.source("inlined.c", INLINED)
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                self.compile(compiler, "-g", "-O1", "inlined.c", "-o", "inlined")
                self.find("./inlined")
                self.check_rows("inlined.c", INLINED, "bump")

    def test_an_access_in_a_library_is_shown_there(self):
        self.source("library.c", LIBRARY)
        self.source("main.c", PLAIN_MAIN)
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                self.compile(compiler, "-g", "-shared", "-fPIC", "library.c", "-o",
                             "libcounter.so")
                self.build("gcc", "-g", "main.c", "-o", "mixed", "-L.", "-lcounter",
                           *BESIDE, "-pthread")
                self.find("./mixed")
                self.check_rows("library.c", LIBRARY, "add_one")

    def test_what_another_thread_did_to_the_variable_is_shown(self):
        """Both halves of each update, although at most some of them were switched at."""
        self.source("lost.c", LOST_UPDATE)
        self.compile("gcc", "-g", "lost.c", "-o", "lost")
        for seed in range(1, 6):
            done = self.tool("run", "--quiet", "--seed", str(seed), "--runs", "300", "--", "./lost")
            self.check(done, 1)
            made = [(step["thread"], step["operation"])
                    for step in self.tool("show", "--json").json()["operations"]
                    if step["object"] == "counter" and step["result"] == "done"]
            # Two loads come before the second store: that is what a lost update is.
            # And what the assertion saw.
            self.assertEqual(made.pop(), (0, "load"))
            self.assertEqual(sorted(made), [(1, "load"), (1, "store"), (2, "load"), (2, "store")])
            self.assertEqual([operation for _, operation in made[:2]], ["load", "load"])

    def test_operations_keep_their_own_lines_among_accesses(self):
        text = LOCKED_TOO_LATE
        self.source("late.c", text)
        self.compile("gcc", "-g", "late.c", "-o", "late")
        self.find("./late")
        table = self.show()
        for operation in ("lock", "unlock"):
            line = line_of(text, f"pthread_mutex_{operation}(")
            rows = re.findall(rf" {operation} mutex .*late.c:(\d+) add\(\)", table)
            self.assertEqual(rows, [str(line)] * 2, table)

    def test_a_rebuilt_program_is_followed_between_its_operations(self):
        self.source("late.c", LOCKED_TOO_LATE)
        self.compile("gcc", "-g", "late.c", "-o", "late")
        run = self.find("./late")
        # More accesses, and the same operations.
        self.source("late.c", LOCKED_TOO_LATE.replace("counter++;", "done += 2; counter++;"))
        self.compile("gcc", "-g", "late.c", "-o", "late")

        self.check_refused(["replay", "--strict", run["run"]], "was rebuilt", "--lenient")
        self.check_refused(["run", "--schedule", run["schedule"], "--", "./late"], "was rebuilt")
        moved = (r"late was rebuilt since the schedule was recorded: \d+ switch(es)? at memory "
                 r"accesses (was|were) moved to the synchronisation operation before (it|them)")
        # Each update is whole now: no switch lies within one any more.
        done = self.tool("run", "--lenient", "--schedule", run["schedule"], "--", "./late")
        self.check(done, 0, "passed")
        self.assertRegex(done.err, moved)
        # What a kept run has besides its schedule brings the failure back.
        done = self.tool("replay", "--lenient", run["run"])
        self.check(done, 1, "reproduced", "its schedule alone did not reproduce it")
        self.assertRegex(done.err, moved)
        self.assertRegex(done.err, r"\d+ more runs? with the recorded order of accesses and "
                         r"locks did\n")
        told = self.tool("replay", "--lenient", "--json", run["run"])
        self.check(told, 1)
        self.assertEqual((told.json()["reproduced"], told.json()["reproduced_by"]),
                         (True, "constraints"))

        # Without the bug nothing brings it back.
        fixed = LOCKED_TOO_LATE.replace("\n  counter++;\n  pthread_mutex_lock(&mutex);\n",
                                        "\n  pthread_mutex_lock(&mutex);\n  counter++;\n")
        self.source("late.c", fixed)
        self.compile("gcc", "-g", "late.c", "-o", "late")
        done = self.tool("replay", "--lenient", run["run"])
        self.check(done, 2, "not reproduced", "did not reproduce it", "unravel check " + run["run"])
        self.assertIsNone(self.tool("replay", "--lenient", "--json",
                                    run["run"]).json()["reproduced_by"])

    def test_doctor_says_whether_there_are_hooks(self):
        self.source("lost.c", LOST_UPDATE)
        self.compile("gcc", "-g", "lost.c", "-o", "hooked")
        self.build("gcc", "-g", "lost.c", "-o", "plain", "-pthread")
        for name, has, word in (("hooked", True, "hooks: yes"), ("plain", False, "hooks: no")):
            with self.subTest(name=name):
                self.assertIn(word, self.tool("doctor", "--", f"./{name}").out)
                done = self.tool("doctor", "--json", "--", f"./{name}")
                self.assertEqual(done.json()["hooks"], has)

    def test_the_same_build_is_followed_to_the_access(self):
        self.source("late.c", LOCKED_TOO_LATE)
        self.compile("gcc", "-g", "late.c", "-o", "late")
        run = self.find("./late")
        done = self.tool("replay", "--lenient", run["run"])
        self.check(done, 1, "reproduced")
        self.assertNotIn("moved", done.err)


if __name__ == "__main__":
    unittest.main()
