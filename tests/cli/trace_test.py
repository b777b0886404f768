#!/usr/bin/env python3
"""Traces of kept runs: `unravel replay --trace`, and what `unravel show --format std` makes of them."""
import pathlib
import re
import unittest

from support import UNRAVEL, CommandTest

BIN = pathlib.Path(UNRAVEL).resolve().parent

# A bit of everything that has a meaning of its own in the export: locks, a wait, readers, atomics.
ORDERED = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int number;
static int ready, total;
static void* wait_and_read(void* unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&rwlock);
  int* copy = malloc(sizeof *copy);
  *copy = total;
  pthread_rwlock_unlock(&rwlock);
  number += *copy;
  free(copy);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, wait_and_read, 0);
  pthread_rwlock_wrlock(&rwlock);
  total = 7;
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return number != 14;
}
"""

REFUSED = [
    (["--window", "T1:1..T1:2"], "--window has no effect without --trace", "add --trace"),
    (["--values"], "--values has no effect without --trace", "add --trace"),
    (["--trace", "--lenient"], "--lenient"),
    (["--trace", "--window", "T1:3"], "'T1:3' is not a window of clocks", "T1:3..T1:20"),
    (["--trace", "--window", "T1:3..T2:20"], "is not a window", "of the same thread"),
    (["--trace", "--window", "T1:20..T1:3"], "is not a window", "to a later clock"),
    (["--trace", "--window", "T1:3..T1:3"], "is not a window"),
    (["--trace", "--window", "T1:3..x"], "'x' is not a clock"),
]

LINE = re.compile(r"T(\d+)\|(\w+)\((\w+)\)\|(\d+)")


class Trace(CommandTest):
    def setUp(self):
        super().setUp()
        self.source("prog.c", ORDERED)
        self.build(BIN / "unravel-cc", "-g", "prog.c", "-o", "prog", "-pthread")
        run = self.tool("run", "--json", "--seed", "3", "--", "./prog").json()
        self.assertEqual(run["outcome"], "passed")
        self.run_id = run["run"]

    def replay(self, *options):
        """How many events were kept, and the file."""
        done = self.tool("replay", "--trace", *options, self.run_id)
        self.check(done, 0)
        events, file = re.search(r"a trace of (\d+) events? was stored: (\S+)", done.err).groups()
        return int(events), self.folder / file

    def exported(self):
        done = self.tool("show", "--run", "--format", "std", self.run_id)
        self.check(done, 0)
        return done.out

    def events(self, text):
        found = [LINE.fullmatch(line) for line in text.splitlines()]
        self.assertTrue(all(found), text)
        return [(int(line[1]), line[2], line[3]) for line in found]

    def test_an_exported_trace_is_well_formed(self):
        events = self.events(self.exported())
        holders, forked, joined = {}, {0}, set()
        for thread, what, target in events:
            self.assertIn(thread, forked, "it acts before it is forked")
            self.assertNotIn(thread, joined, "it acts after it was joined")
            if what == "acq":
                self.assertNotIn(target, holders, "it is taken while another has it")
                holders[target] = thread
            elif what == "rel":
                self.assertEqual(holders.pop(target, None), thread, f"{target} was not its own")
            elif what == "fork":
                forked.add(int(target.removeprefix("T")))
            elif what == "join":
                joined.add(int(target.removeprefix("T")))
            else:
                self.assertIn(what, ("r", "w"))
        self.assertEqual(holders, {})
        self.assertEqual((forked, joined), ({0, 1, 2}, {1, 2}))

    def test_an_exported_trace_tells_who_wrote_what(self):
        """The variable that main writes under the rwlock is read by both others under theirs."""
        events = self.events(self.exported())
        held = {0: set(), 1: set(), 2: set()}
        accesses = {}
        for thread, what, target in events:
            if what == "acq":
                held[thread].add(target)
            elif what == "rel":
                held[thread].discard(target)
            elif what in ("r", "w"):
                accesses.setdefault(target, []).append((thread, what, frozenset(held[thread])))
        totals = [found for found in accesses.values()
                  if {(0, "w"), (1, "r"), (2, "r")} == {(thread, what) for thread, what, _ in found}
                  and len(found) == 3]
        self.assertEqual(len(totals), 1, accesses)
        ((written, readers),) = [({locks for thread, what, locks in totals[0] if what == "w"}.pop(),
                                  [locks for thread, what, locks in totals[0] if what == "r"])]
        for locks in readers:
            self.assertTrue(locks & written, totals)
        self.assertFalse(readers[0] & readers[1], "readers do not exclude each other")

    def test_a_kept_trace_is_what_the_export_reads(self):
        without = self.exported()
        count, file = self.replay()
        self.assertTrue(file.is_file())
        self.assertGreater(count, len(without.splitlines()) // 4)
        self.assertEqual(self.exported(), without)
        # It is read, not made again.
        (self.folder / "prog").unlink()
        self.assertEqual(self.exported(), without)

    def test_values_can_be_kept(self):
        without, file = self.replay()
        size = file.stat().st_size
        with_values, again = self.replay("--values")
        self.assertEqual((with_values, again), (without, file))
        self.assertGreater(file.stat().st_size, size)

    def test_a_window_has_fewer_events(self):
        whole, _ = self.replay()
        full = self.exported()
        few, _ = self.replay("--window", "T1:2..T1:4")
        self.assertLess(few, whole)
        accesses = [event for event in self.events(self.exported()) if event[1] in ("r", "w")]
        self.assertTrue(accesses)
        self.assertLess(len(accesses),
                        len([event for event in self.events(full) if event[1] in ("r", "w")]))

    def test_what_makes_no_sense_is_refused(self):
        for options, *words in REFUSED:
            with self.subTest(options):
                self.check_refused(["replay", *options, self.run_id], *words)

    def test_a_damaged_file_is_refused(self):
        _, file = self.replay()
        whole = file.read_bytes()
        for damaged in (b"", b"no trace at all", whole[:len(whole) // 2], whole[:-1],
                        whole[:len(whole) // 2] + b"\xff" * 8 + whole[len(whole) // 2 + 8:]):
            with self.subTest(size=len(damaged)):
                file.write_bytes(damaged)
                done = self.tool("show", "--run", "--format", "std", self.run_id)
                self.check(done, 2, "unravel: ", "trace", "unravel replay --trace")
        self.replay()
        self.assertTrue(self.exported())


if __name__ == "__main__":
    unittest.main()
