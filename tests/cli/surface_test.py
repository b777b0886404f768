#!/usr/bin/env python3
"""The tables of what libc and the kernel offer: they have everything, and say what is so."""
import pathlib
import subprocess
import sys
import unittest

from support import UNRAVEL, CommandTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import surface

RUNTIME = pathlib.Path(UNRAVEL).resolve().parents[1] / "lib/unravel/libunravel-rt.so"

# The thread that looks a name up is libc's own; then main waits for a lock that nobody gives back.
STANDS_STILL = """
#define _GNU_SOURCE
#include <netdb.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* keep(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}
int main(void) {
  pthread_t keeper;
  struct gaicb request;
  struct gaicb* requests[] = {&request};
  memset(&request, 0, sizeof request);
  request.ar_name = "127.0.0.1";
  if (LOOKS_UP && getaddrinfo_a(GAI_WAIT, requests, 1, 0) != 0) return 1;
  pthread_create(&keeper, 0, keep, 0);
  pthread_join(keeper, 0);
  pthread_mutex_lock(&mutex);
}
"""


def without(text, line):
    lines = text.splitlines(keepends=True)
    return "".join(lines[:line] + lines[line + 1:])


def rows(text):
    return [number for number, line in enumerate(text.splitlines()) if line.strip() and not line.startswith("#")]


class Surface(unittest.TestCase):
    def test_tables_are_complete_and_true(self):
        done = subprocess.run([ROOT / "tools/surface.py", "check", RUNTIME], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def is_noticed(self, check, *arguments):
        try:
            return any(check(*arguments))
        except surface.Wrong:
            return True

    @unittest.skipIf(surface.glibc_version() != surface.GLIBC, f"the tables are for glibc {surface.GLIBC}")
    def test_a_row_that_is_gone_is_noticed(self):
        tables = {
            "functions.txt": (surface.check_functions, surface.exported(surface.libc()), surface.exported(RUNTIME)),
            "system_calls.txt": (surface.check_system_calls, surface.system_calls()),
        }
        for name, (check, *known) in tables.items():
            text = surface.table(name)
            self.assertFalse(self.is_noticed(check, text, *known))
            for line in rows(text):
                self.assertTrue(self.is_noticed(check, without(text, line), *known), f"{name}:{line + 1}")

    def test_names_in_two_groups_are_noticed(self):
        groups = surface.parse("passed One.\n  a*\n\npassed Two.\n  ab\n")
        _, wrong, _, _ = surface.assign(groups, {"ab", "ac"})
        self.assertTrue(wrong)

    def test_another_libc_is_told_what_is_new(self):
        groups = surface.parse("passed One.\n  a*\n")
        _, wrong, new, gone = surface.assign(groups, {"ab", "b"})
        self.assertEqual((wrong, new, gone), ([], ["b"], []))


class Warned(CommandTest):
    def standstill(self, looks_up):
        self.source("program.c", STANDS_STILL)
        self.build("gcc", "-g", "-pthread", f"-DLOOKS_UP={looks_up}", "program.c", "-o", "program")
        return self.tool("run", "--json", "--", "./program")

    def test_a_run_that_uses_what_is_not_controlled_cannot_fail_by_standing_still(self):
        self.assertEqual(self.standstill(looks_up=0).json()["outcome"], "failed")
        done = self.standstill(looks_up=1)
        self.assertEqual((done.status, done.json()["outcome"]), (2, "unresolved"))
        self.assertIn("getaddrinfo_a", done.out)


if __name__ == "__main__":
    unittest.main()
