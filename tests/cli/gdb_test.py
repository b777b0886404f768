#!/usr/bin/env python3
"""`unravel replay --gdb`: a stored run in a debugger, forwards and backwards."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import support
from support import HANG_SECONDS, UNRAVEL, CommandTest

BIN = pathlib.Path(UNRAVEL).resolve().parent
SCRIPT = BIN.parent / "share" / "unravel" / "gdb" / "unravel.py"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NOBODY = 65534

# Both threads stand between two critical sections when the update of one is lost.
TWO_SECTIONS = """#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static void set(int value) {
  pthread_mutex_lock(&mutex);
  balance = value;
  pthread_mutex_unlock(&mutex);
}
static int get(void) {
  pthread_mutex_lock(&mutex);
  const int value = balance;
  pthread_mutex_unlock(&mutex);
  return value;
}
static void* deposit(void* unused) {
  const int before = get();
  set(before + 1);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, deposit, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(balance == 2);
}
"""
FAILING_LINE = 1 + TWO_SECTIONS.splitlines().index("  assert(balance == 2);")

# A write through a null pointer, after the other thread has cleared it.
CRASH = """#include <pthread.h>
#include <sched.h>
static int value;
static int* volatile pointer = &value;
static void* clear(void* unused) {
  pointer = 0;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, clear, 0);
  pthread_join(thread, 0);
  *pointer = 1;
}
"""

# What cannot be gone to, and words of the refusal.
REFUSED_PLACES = [
    ("goto", "a place is missing"),
    ("goto nowhere", "'nowhere' is not a clock or a count of points", "FILE:LINE#N"),
    ("goto 0", "0 is not a point"),
    ("goto 1000000", "point 1000000 was never reached", "points"),
    ("goto T9:1", "no thread T9"),
    ("goto T1:99", "T1:99 was never reached"),
    ("goto prog.c:9999", "9999"),
    ("goto prog.c:17#99", "only 2 times"),
    ("step x", "unravel step"),
    ("step 1000000", "its last point is"),
    ("back 1000000", "before this one"),
    ("switch +", "takes nothing or a minus sign"),
    ("where now", "takes no argument"),
    ("reverse-continue", "no breakpoint or watchpoint is enabled"),
    ("last-write", "an expression is missing"),
    ("last-write 3", "is not in memory"),
    ("diff", "no passing run is known"),
]


def without_names(text):
    """Ids of runs, folders and addresses differ from one time or machine to the next. How many frames of ours
    are left out depends on how they were compiled."""
    return re.sub(r"\brun [0-9a-f]{6}\b|\bof /\S+|\b0x[0-9a-f]+\b|^#\d+ ", "…", text, flags=re.M)


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Gdb(CommandTest):
    def find(self, text=TWO_SECTIONS, compiler="gcc", *flags):
        self.source("prog.c", text)
        self.build(compiler, "-g", *flags, "prog.c", "-o", "prog", "-pthread")
        done = self.tool("run", "--json", "--seed", "1", "--runs", "300", "--", "./prog")
        self.check(done, 1)
        return done.json()

    def gdb(self, *commands, run=(), options=()):
        words = [word for command in commands for word in ("-ex", command)]
        return self.tool("replay", *run, *options, "--gdb", "--", "-nx", "-batch", *words)

    def session(self, *commands, **more):
        """What gdb printed. It must not have complained."""
        done = self.gdb(*commands, **more)
        self.check(done, 0)
        complaints = [line for line in done.err.splitlines() if "No such file" not in line]
        self.assertEqual(complaints, [], f"\n{done}")
        return done.out

    def places(self, text):
        """Every (clock, step) that was told."""
        return re.findall(r"^at (T\d+:[\d+]+), step (\d+) of", text, re.M)

    def test_forwards_and_backwards(self):
        run = self.find()
        last = run["steps"]
        out = self.session("unravel goto 12", "unravel step", "unravel back 3", "unravel goto end",
                           "unravel goto start", "unravel goto failure", "print balance")
        steps = [int(step) for _, step in self.places(out)]
        self.assertEqual(steps[1:6], [12, 13, 10, last, steps[0]], out)
        self.assertIn(f"step {last} of {last}: assertion failed in T0: balance == 2", out)
        self.assertRegex(out, rf"in main \(\) at prog.c:{FAILING_LINE}\n")
        self.assertIn("$1 = 1", out)

    def test_a_clock_is_where_query_says_it_is(self):
        run = self.find()["run"]
        for at in ("T2:2", "T1:1+1"):
            moment = self.tool("query", "--json", run, "--at", at).json()
            out = self.session(f"unravel goto {at}", f"unravel goto {moment['step']}", "backtrace")
            self.assertEqual(self.places(out)[1:], [(moment["at"], str(moment["step"]))] * 2, out)
            running = next(one for one in moment["threads"] if one["state"] == "running")
            functions = [site["function"] for site in running["stack"]
                         if (site["file"] or "").endswith("prog.c")]
            shown = re.findall(r"^#\d+ .* in (\w+) \(.*prog.c:\d+$", out.split("\n#")[-1], re.M)
            for function in functions:
                self.assertRegex(out, rf"in {function} \(.*at prog.c:\d+", shown)

    def test_the_document_shows_what_is_printed(self):
        page = ROOT / "docs" / "gdb.md"
        shown = re.search(r"<!-- output: gdb -->\n```\n(.*?)```", page.read_text(), re.DOTALL)[1]
        shutil.copy(ROOT / "examples" / "01-lost-update.cpp", self.folder)
        self.build("g++", "-std=c++20", "-g", "-pthread", "01-lost-update.cpp", "-o", "01-lost-update")
        self.check(self.tool("hunt", "--jobs", "1", "--seed", "1", "--", "./01-lost-update"), 1)
        run = next((self.folder / ".unravel" / "runs").glob("*.deciding")).stem
        commands = re.findall(r"^\(gdb\) (.*)$", shown, re.M)
        out = self.session(*(word for command in commands
                             for word in (f"echo (gdb) {command}\\n", command)), run=(run,))
        if os.environ.get("UNRAVEL_ACCEPT"):
            page.write_text(page.read_text().replace(
                shown, out.replace(f"{self.folder}/", "/home/you/")))
        self.assertEqual(without_names(out), without_names(shown))

    def test_switches_show_both_sides(self):
        run = self.find()
        out = self.session("unravel switch", "unravel switch", "unravel switch", "unravel switch -",
                           "unravel switch -", "unravel goto critical")
        told = re.findall(r"^(T\d) is (\w+), (T\d) gets the turn and (?:begins|goes on in (\w+)\(\) prog.c:\d+)$",
                          out, re.M)
        self.assertEqual(len(told), 6, out)
        self.assertEqual(told[3:5], [told[1], told[0]], out)
        self.assertEqual(told[5][1], "preempted", out)
        self.assertIn(f"`unravel isolate {run['run']}` finds out which switch decides", out)

    def test_the_deciding_switch_and_the_passing_run(self):
        self.find()
        isolated = self.tool("isolate", "--json", "--jobs", "1")
        self.check(isolated, 0)
        told = isolated.json()
        failing, passing = told["failing"], told["passing"]
        out = self.session("unravel goto critical", "unravel diff", "unravel goto failure",
                           "unravel diff", run=(failing,))
        self.assertNotIn("finds out which switch decides", out)
        self.assertRegex(out, r"T\d is preempted, T\d gets the turn")
        self.assertIn(f"in run {passing}:\n", out)
        self.assertIn("  balance: 1 here, 2 there\n", out.split("unravel diff")[-1])

    def test_threads_and_table(self):
        self.find()
        out = self.session("unravel goto prog.c:7#1", "unravel step", "unravel threads",
                           "unravel table", "info threads")
        self.assertRegex(out, r"\* T\d at T\d:[\d+]+: running; holds mutex\n")
        self.assertRegex(out, r"  T\d at T\d:[\d+]+: (runnable|blocked in \w+)")
        self.assertRegex(out, r"▸ .*lock mutex")
        self.assertRegex(out, r'Thread 0x\w+ \(LWP \d+\) "T1"')

    def test_breakpoints_do_not_change_the_run(self):
        """As recorded, three times in a row: with a breakpoint, a watchpoint and single steps."""
        self.find()
        once = ["unravel goto start", "continue", "next", "stepi 20", "print balance", "continue",
                "disable", "continue", "continue", "enable"]
        out = self.session("break prog.c:7", "watch balance", *once * 3)
        self.assertEqual(out.count("the run has ended as recorded: failed"), 3, out)
        self.assertGreaterEqual(len(re.findall("hit Breakpoint 1|hit Hardware watchpoint 2", out)), 6,
                                out)

    def test_the_last_writer_is_found(self):
        """Without hooks and with them. Both threads write 1, so that the value changes only once."""
        for compiler, flags in (("gcc", ()), (BIN / "unravel-cc", ("-O1",))):
            with self.subTest(compiler=compiler):
                text = support.LOST_UPDATE if flags else TWO_SECTIONS
                variable = "counter" if flags else "balance"
                line = 1 + next(number for number, line in enumerate(text.splitlines())
                                if f"{variable}++" in line or f"{variable} = value" in line)
                self.find(text, compiler, *flags)
                out = self.session("unravel goto failure", f"watch {variable}",
                                   "unravel reverse-continue", "unravel reverse-continue",
                                   "unravel goto failure", f"unravel last-write {variable}",
                                   f"print {variable}")
                hits = re.findall(r"^in (T\d), after step (\d+) of", out, re.M)
                self.assertEqual(len(hits), 2, out)
                self.assertGreater(int(hits[1][1]), int(hits[0][1]), out)
                self.assertNotEqual(hits[0][0], hits[1][0], out)
                self.assertIn("no breakpoint or watchpoint was hit before", out)
                self.assertIn(f"the last write to {variable}, whose value is 1, was here:", out)
                self.assertIn("$1 = 1", out)
                after = re.search(r"prog.c:(\d+)\n", out.split("the last write")[1])
                self.assertIn(int(after[1]), (line, line + 1), out)

    def test_a_crash_is_shown_where_it_is(self):
        self.find(CRASH)
        out = self.session("unravel goto failure", "unravel last-write pointer")
        self.assertRegex(out, r"step \d+ of \d+: .*SIGSEGV")
        self.assertIn("*pointer = 1;", out)
        self.assertRegex(out, r"the last write to pointer, whose value is 0x0, was here:\nin T1")

    def test_another_way_than_recorded_is_told_at_once(self):
        """A variable is changed by hand, and the run goes back to before that."""
        self.find(CRASH)
        out = self.session("unravel goto end", "set var pointer = &value", "continue",
                           "unravel goto failure")
        self.assertRegex(out, "the run (takes another way here|has ended in another way) than recorded")
        self.assertIn("SIGSEGV in T0", out.split("than recorded")[1])

    def test_jumps_lead_to_the_same_values(self):
        """Back and forth between two places, in a run with many points."""
        self.source("prog.c", """#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long sum;
static void* add(void* unused) {
  for (long i = 0; i < 5000; i++) {
    pthread_mutex_lock(&mutex);
    sum += i;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(sum == 0);
}
""")
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")
        self.check(self.tool("run", "--seed", "1", "--", "./prog"), 1)
        jumps = [word for _ in range(3)
                 for word in ("unravel goto 3000", "print sum", "unravel goto 15000", "print sum")]
        out = self.session(*jumps)
        values = re.findall(r"^\$\d+ = (\d+)$", out, re.M)
        self.assertEqual(len(values), 6, out)
        self.assertEqual((len(set(values[::2])), len(set(values[1::2]))), (1, 1), out)
        self.assertLess(int(values[0]), int(values[1]))

    def test_as_an_ordinary_user(self):
        if os.geteuid() != 0:
            self.skipTest("this is how all tests run here")
        self.find()
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        command = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups",
                   UNRAVEL, "replay", "--gdb", "--", "-nx", "-batch", "-ex", "unravel goto failure",
                   "-ex", "unravel back 2", "-ex", "continue", "-ex", "continue"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=HANG_SECONDS,
                              env={**self.environment, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(f"at prog.c:{FAILING_LINE}\n", done.stdout, done)
        self.assertIn("the run has ended as recorded: failed", done.stdout, done)

    def test_places_that_cannot_be_had_are_refused(self):
        self.find()
        done = self.gdb(*(f"unravel {command}" for command, *_ in REFUSED_PLACES), "unravel where")
        for command, *words in REFUSED_PLACES:
            for word in words:
                self.assertIn(word, done.err, f"{command}\n{done}")
        self.assertNotIn("Traceback", done.err)
        self.assertRegex(done.out, r"step \d+ of \d+, T0 has the turn", "the session goes on")

    def test_options_that_cannot_be_combined_are_refused(self):
        run = self.find()["run"]
        for options, *words in (
                (["--gdb"], "--gdb needs a terminal", "-batch", "-i=mi"),
                (["--gdb", "--lenient"], "--gdb and --lenient cannot be combined"),
                (["--gdb", "--trace"], "--gdb and --trace cannot be combined"),
                (["--gdb", "--wait", "--at", "3"], "--gdb and --wait cannot be combined"),
                (["--wait"], "--wait needs --at"),
                (["--at", "3"], "--at has no effect without --wait"),
                (["--wait", "--at", "T9:1"], "no thread T9"),
                (["--", "-batch"], "takes no program")):
            with self.subTest(options=options):
                self.check(self.tool("replay", run, *options), 2, *words)
        done = self.tool("replay", "--json", run, "--gdb", "--", "-batch")
        self.check(done, 2, "--gdb and --json cannot be combined")
        self.assertTrue(done.json()["error"]["what"])
        self.check(self.tool("replay", "zzz", "--gdb", "--", "-batch"), 2, "zzz")
        self.source("prog.c", TWO_SECTIONS.replace("balance == 2", "balance == 3"))
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")
        self.check(self.tool("replay", run, "--gdb", "--", "-batch"), 2, "prog")

    def test_a_gdb_that_will_not_do_is_refused(self):
        self.find()
        tools = self.folder / "tools"
        tools.mkdir()
        for shell in ("sh", "cat"):
            (tools / shell).symlink_to(shutil.which(shell))
        path = {"PATH": str(tools)}
        batch = ["replay", "--gdb", "--", "-batch"]
        self.check(self.tool(*batch, environment=path), 2, "gdb is not installed", "apt install gdb")
        for text, *words in (
                ('Scripting in the "Python" language is not supported in this copy of GDB.',
                 "this gdb has no Python", "not supported"),
                ("unravel-gdb 7.2", "this gdb is too old: version 7.2", "install a newer one")):
            (tools / "gdb").write_text(f"#!/bin/sh\necho '{text}'\n")
            (tools / "gdb").chmod(0o755)
            self.check(self.tool(*batch, environment=path), 2, *words)

    def test_a_killed_gdb_leaves_nothing(self):
        self.find()
        process = self.start("replay", "--gdb", "--", "-nx", "-i=mi", stdin=subprocess.PIPE)
        told = b""
        while b"step " not in told:
            more = os.read(process.stdout.fileno(), 4096)
            self.assertTrue(more, told)
            told += more
        process.kill()
        self.finish(process)
        self.assertEqual(self.wait_until_gone(), {})
        self.check_store_is_whole()

    def test_an_editor_starts_gdb_itself(self):
        run = self.find()["run"]
        done = subprocess.run(
            ["gdb", "-nx", "-q", "-i=mi"], cwd=self.folder, env=self.environment, text=True,
            capture_output=True, timeout=HANG_SECONDS,
            input=f"1source {SCRIPT}\n2unravel open {run}\n3unravel goto failure\n"
                  "4-stack-list-frames\n5-gdb-exit\n")
        self.assertRegex(done.stdout, rf'4\^done.*func="main".*line="{FAILING_LINE}"', done)
        self.assertEqual(self.wait_until_gone(), {})

    def test_another_debugger_finds_the_run_waiting(self):
        run = self.find()["run"]
        process = self.start("replay", run, "--wait", "--at", "T1:1+1")
        line = process.stderr.readline().decode()
        found = re.search(r"process (\d+) stands at T1:1\+1, step \d+", line)
        self.assertTrue(found, line)
        done = subprocess.run(
            ["gdb", "-nx", "-q", "-batch", "-iex", "set sysroot /", "-p", found[1],
             "-ex", "thread apply all bt", "-ex", "handle SIGABRT nostop noprint pass", "-ex", "continue"],
            env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            timeout=HANG_SECONDS)
        self.assertRegex(done.stdout, r"in deposit \(.*prog.c:\d+", done)
        self.check(self.finish(process), 1, "assertion failed in T0: balance == 2")

    def test_a_run_that_waits_can_be_interrupted(self):
        run = self.find()["run"]
        process = self.start("replay", run, "--wait", "--at", "3")
        self.assertIn("stands at", process.stderr.readline().decode())
        process.send_signal(signal.SIGINT)
        self.check(self.finish(process), 2, "interrupted")


if __name__ == "__main__":
    unittest.main(verbosity=2)
