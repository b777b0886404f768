#!/usr/bin/env python3
"""What is to be atomic for `unravel predict`: regions that the program marks, and functions that the user names."""
import unittest

from predict_test import BIN, ROOT, PredictTest, line_of

INCLUDE = ROOT / "include"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")

# Each access is under a lock, but the two of a thread are not one critical section. No run of it fails.
TRANSFER = """
#include <pthread.h>
#ifdef MARKED
#include <unravel/atomic.h>
#else
#define unravel_atomic_begin()
#define unravel_atomic_end()
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int from = 100, to;
static void change(int* account, int by) {
  pthread_mutex_lock(&mutex);
  *account += by;
  pthread_mutex_unlock(&mutex);
}
static int read_one(int* account) {
  pthread_mutex_lock(&mutex);
  const int now = *account;
  pthread_mutex_unlock(&mutex);
  return now;
}
static void* transfer(void* unused) {
  unravel_atomic_begin();
  change(&from, -1);
  change(&to, 1);
  unravel_atomic_end();
  return unused;
}
static void* audit(void* unused) {
  unravel_atomic_begin();
  const int sum = read_one(&from) + read_one(&to);
  unravel_atomic_end();
  return sum == 0 ? &from : unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, transfer, 0);
  pthread_create(&threads[1], 0, audit, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

# All accesses are atomic by themselves.
ATOMIC_ACCESSES = """
#include <pthread.h>
#include <stdatomic.h>
#include <unravel/atomic.h>
static atomic_int x;
static void* look_twice(void* unused) {
  if (MARKED) unravel_atomic_begin();
  const int first = atomic_load(&x);
  const int second = atomic_load(&x);
  if (MARKED) unravel_atomic_end();
  return first == second ? unused : (void*)&x;
}
static void* set(void* unused) {
  atomic_store(&x, 1);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, look_twice, 0);
  pthread_create(&threads[1], 0, set, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

# The region is left by an exception, or by a jump. TWICE: both reads are in it.
THROWN = """
#include <pthread.h>
#include <unravel/atomic.h>
static int x;
static volatile int sink;
namespace shop {
template <class Problem>
struct Order {
  void look(int times) {
    GUARD
    for (int i = 0; i < times; i++) sink = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    throw Problem();
  }
};
}
static void* reader(void* unused) {
  shop::Order<int> order;
  try {
    order.look(TWICE ? 2 : 1);
  } catch (int) {
    sink = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  }
  return unused;
}
static void* writer(void* unused) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}
int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

JUMPED = """
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
static atomic_int x;
static jmp_buf out;
static volatile int sink;
static void look(int times) {
  for (int i = 0; i < times; i++) sink = atomic_load(&x);
  longjmp(out, 1);
}
static void* reader(void* unused) {
  if (setjmp(out) == 0) look(TWICE ? 2 : 1);
  sink = atomic_load(&x);
  return unused;
}
static void* writer(void* unused) {
  atomic_store(&x, 1);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

# The region begins before the first thread does, and every run shows that it is not atomic.
AROUND_A_JOIN = """
#include <pthread.h>
#include <stdatomic.h>
#include <unravel/atomic.h>
static atomic_int x;
static void* set(void* unused) {
  atomic_store(&x, 2);
  return unused;
}
int main(void) {
  pthread_t thread;
  unravel_atomic_begin();
  pthread_create(&thread, 0, set, 0);
  atomic_store(&x, 1);
  pthread_join(thread, 0);
  const int seen = atomic_load(&x);
  unravel_atomic_end();
  return seen == 0;
}
"""

UNBALANCED = """
#include <pthread.h>
#include <unravel/atomic.h>
static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* add(void* unused) {
  pthread_mutex_lock(&mutex);
  if (BEGINS) unravel_atomic_begin();
  x++;
  if (ENDS) unravel_atomic_end();
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

IN_C = """
#include <unravel/atomic.h>
static int counter;
static void add(int to) {
  unravel_atomic_begin();
  unravel_atomic_begin();
  counter += to;
  unravel_atomic_end();
  unravel_atomic_end();
}
int main(void) {
  add(1);
  add(2);
  unravel_atomic_end(); /* one too many does no harm */
  return counter == 3 ? 0 : 1;
}
"""
IN_CPP = """
#include <unravel/atomic.h>
static int add(int to) {
  unravel::atomic_region whole;
  {
    unravel::atomic_region inner;
    if (to > 2) throw to;
  }
  ::unravel_atomic_begin();
  ::unravel_atomic_end();
  return to;
}
int main() {
  int sum = add(1) + add(2);
  try {
    sum += add(3);
  } catch (int thrown) {
    sum += thrown;
  }
  return sum == 6 ? 0 : 1;
}
"""


def marked(source, **values):
    return "".join(f"#define {name} {value}\n" for name, value in values.items()) + source


class AtomicRegionsTest(PredictTest):
    def make_cpp(self, source):
        self.source("prog.cpp", source)
        self.build(BIN / "unravel-c++", "-std=c++11", "-g", "prog.cpp", "-o", "prog", "-pthread")
        return "./prog"

    def told_anomalies(self, answer):
        return [one for one in answer["anomalies"] if one["status"] == "confirmed"]


class Marks(AtomicRegionsTest):
    def test_two_variables_that_only_the_marks_keep_together(self):
        plain = self.predict(0, "--", self.make(TRANSFER))
        self.assertEqual((plain["predicted"]["asv"], self.told_anomalies(plain)), (0, []))

        source = marked(TRANSFER, MARKED=1)
        answer = self.predict(1, "--", self.make(source))
        self.assertEqual(answer["failures"], 0)
        written = line_of(source, "*account += by;")
        read = line_of(source, "now = *account;")
        anomaly = self.only_anomaly({"anomalies": [
            one for one in answer["anomalies"] if one["pattern"] == "Wx-R'x-R'y-Wy"]}, "asv")
        self.assertEqual((anomaly["status"], anomaly["threads"]), ("confirmed", [1, 2, 2, 1]))
        self.assertEqual(self.lines(anomaly), [written, read, read, written])
        self.assertIn("marked as atomic", anomaly["why"])
        self.assertIsNone(anomaly["failure"])
        self.check_replays(anomaly["run"], status=0)

    def test_atomic_accesses(self):
        unmarked = self.predict(0, "--only", "atomicity", "--", self.make(marked(ATOMIC_ACCESSES, MARKED=0)))
        self.assertEqual(self.only_anomaly(unmarked, "atomicity")["status"], "looks benign")
        answer = self.predict(1, "--only", "atomicity", "--", self.make(marked(ATOMIC_ACCESSES, MARKED=1)))
        anomaly = self.only_anomaly(answer, "atomicity")
        self.assertEqual((anomaly["pattern"], anomaly["status"]), ("RWR", "confirmed"))
        told = self.tool("predict", "--jobs", "1", "--only", "atomicity", "--", "./prog")
        self.check(told, 1)
        self.assertRegex(told.out, r"anomaly 1: atomicity violation on x \(RWR\)")

    def test_an_exception_ends_a_region_of_a_guard(self):
        for twice, status in ((0, 0), (1, 1)):
            with self.subTest(twice):
                prog = self.make_cpp(marked(THROWN, TWICE=twice, GUARD="unravel::atomic_region whole;"))
                self.predict(status, "--only", "atomicity", "--", prog)
                self.assertNotIn("atomic region", self.told)

    def test_a_region_that_begins_before_the_first_thread(self):
        answer = self.predict(1, "--only", "atomicity", "--", self.make(AROUND_A_JOIN))
        anomaly = self.only_anomaly(answer, "atomicity")
        self.assertEqual((anomaly["pattern"], anomaly["status"]), ("WWR", "confirmed"))
        self.assertNotIn("atomic region", self.told)

    def test_marks_without_their_counterpart(self):
        source = marked(UNBALANCED, BEGINS=0, ENDS=1)
        self.predict(0, "--", self.make(source))
        for thread in (1, 2):
            self.assertIn(f"T{thread} ends an atomic region at prog.c:{line_of(source, 'atomic_end')} that it has "
                          "not begun", self.told)
        source = marked(UNBALANCED, BEGINS=1, ENDS=0)
        self.predict(0, "--", self.make(source))
        self.assertIn(f"T1 ended inside the atomic region that it began at prog.c:{line_of(source, 'atomic_begin')}",
                      self.told)
        self.predict(0, "--", self.make(marked(UNBALANCED, BEGINS=1, ENDS=1)))
        self.assertNotIn("atomic region", self.told)

    def test_marks_change_no_run(self):
        """A run that was stored without a trace is repeated with one."""
        prog = self.make(marked(TRANSFER, MARKED=1))
        run = self.passing_run(prog)
        self.assertEqual(self.check_replays(run, status=0)["outcome"], "passed")
        self.predict(1, run)
        # Every hook is a step here, and no mark is.
        steps = []
        for flags in ((), ("-DUNRAVEL_DISABLE",)):
            self.build(BIN / "unravel-cc", "-g", *flags, "prog.c", "-o", "prog", "-pthread")
            done = self.tool("run", "--rule", "stay", "--points", "memory", "--json", "--", "./prog")
            self.check(done, 0)
            steps.append(done.json()["steps"])
        self.assertEqual(*steps)


class NamedFunctions(AtomicRegionsTest):
    def test_two_variables_that_only_the_names_keep_together(self):
        prog = self.make(TRANSFER)
        for globs in (("transfer", "audit"), ("*t*",), ("tr*er", "*dit", "main")):
            with self.subTest(globs):
                options = [word for glob in globs for word in ("--atomic", glob)]
                answer = self.predict(1, "--only", "asv", *options, "--", prog)
                self.assertIn("Wx-R'x-R'y-Wy", [one["pattern"] for one in self.told_anomalies(answer)])
                self.assertEqual(answer["failures"], 0)
        # The other one is no unit.
        answer = self.predict(0, "--only", "asv", "--atomic", "transfer", "--", prog)
        self.assertEqual(answer["predicted"]["asv"], 0)
        self.assertNotIn("matches", self.told)

    def test_with_optimisation_and_both_compilers(self):
        self.source("prog.c", TRANSFER)
        for compiler in ("gcc", "clang"):
            for level in ("-O0", "-O2"):
                with self.subTest((compiler, level)):
                    self.build(BIN / "unravel-cc", "-g", level, "prog.c", "-o", "prog", "-pthread",
                               UNRAVEL_CC=compiler)
                    answer = self.predict(1, "--only", "asv", "--atomic", "transfer", "--atomic", "audit", "--",
                                          "./prog")
                    self.assertGreater(answer["confirmed"]["asv"], 0)

    def test_a_stored_run(self):
        run = self.passing_run(self.make(TRANSFER))
        self.predict(0, "--only", "asv", run)
        self.predict(1, "--only", "asv", "--atomic", "transfer", "--atomic", "audit", run)

    def test_names_of_cpp(self):
        prog = self.make_cpp(marked(THROWN, TWICE=1, GUARD=""))
        self.predict(0, "--only", "atomicity", "--", prog)
        for glob in ("shop::Order<int>::look", "shop::*", "*look", "_ZN4shop5OrderIiE4lookEi"):
            with self.subTest(glob):
                self.predict(1, "--only", "atomicity", "--atomic", glob, "--", prog)

    def test_a_function_that_is_left_without_its_exit(self):
        for twice, status in ((0, 0), (1, 1)):
            with self.subTest(("jump", twice)):
                self.predict(status, "--only", "atomicity", "--atomic", "look", "--",
                             self.make(marked(JUMPED, TWICE=twice)))
            with self.subTest(("exception", twice)):
                self.predict(status, "--only", "atomicity", "--atomic", "*::look", "--",
                             self.make_cpp(marked(THROWN, TWICE=twice, GUARD="")))

    def test_names_that_match_nothing(self):
        prog = self.make(TRANSFER)
        self.predict(0, "--only", "asv", "--atomic", "foo*", "--atomic", "transfer", "--", prog)
        self.assertIn("no function of the program matches 'foo*'", self.told)
        self.assertIn("'Account::*'", self.told)
        self.assertNotIn("'transfer'", self.told)
        # There is such a function, but threads do not call it.
        self.predict(0, "--only", "asv", "--atomic", "_start", "--atomic", "frame_dummy", "--", prog)
        self.assertIn("no function that matches '_start' was seen", self.told)
        self.predict(0, "--atomic", "transfer", "--", self.make(TRANSFER, hooks=False))
        self.assertIn("no function that matches 'transfer' was seen", self.told)

    def test_empty_names(self):
        prog = self.make(TRANSFER)
        for options in (["--atomic", ""], ["--atomic", "main", "--atomic", ""]):
            with self.subTest(options):
                self.check_refused(["predict", *options, "--", prog], "--atomic '' names no function",
                                   "without parameters")
        self.check_refused(["predict", "--atomic"], "--atomic")

    def test_the_help_names_it(self):
        self.assertRegex(self.tool("predict", "--help").out, r"--atomic GLOB")


class TheHeader(AtomicRegionsTest):
    def check_natively(self, compiler, source, standard, *flags):
        with self.subTest((compiler, standard, flags)):
            self.build(compiler, f"-std={standard}", *STRICT, "-I", INCLUDE, *flags, source, "-o", "native")
            self.build("./native")

    def test_it_is_c99_and_cpp11_and_does_nothing_natively(self):
        self.source("in_c.c", IN_C)
        self.source("in_cpp.cpp", IN_CPP)
        for flags in ((), ("-O2",), ("-O2", "-fno-pie", "-no-pie"), ("-DUNRAVEL_DISABLE",),
                      ("-O2", "-DUNRAVEL_DISABLE")):
            for compiler in ("gcc", "clang"):
                self.check_natively(compiler, "in_c.c", "c99", *flags)
            for compiler in ("g++", "clang++"):
                self.check_natively(compiler, "in_cpp.cpp", "c++11", *flags)
        self.check_natively("gcc", "in_c.c", "c99", "-static")

    def test_it_stands_alone(self):
        text = (INCLUDE / "unravel/atomic.h").read_text()
        self.assertNotIn("#include", text)
        self.source("in_c.c", IN_C)
        self.build("gcc", "-c", "-I", INCLUDE, "-DUNRAVEL_DISABLE", "in_c.c")
        self.assertNotIn("unravel", self.build("nm", "in_c.o"))

    def test_the_drivers_find_it(self):
        self.source("in_c.c", IN_C)
        self.source("in_cpp.cpp", IN_CPP)
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler):
                self.build(BIN / "unravel-cc", *STRICT, "-c", "in_c.c", UNRAVEL_CC=compiler)
                self.build(BIN / "unravel-cc", "in_c.o", "-o", "in_c", UNRAVEL_CC=compiler)
                self.build("./in_c")
        self.build(BIN / "unravel-c++", "-std=c++11", *STRICT, "in_cpp.cpp", "-o", "in_cpp")
        self.build("./in_cpp")

    def test_fixed_addresses_find_the_runtime(self):
        """Linkers take a weak function for missing where it is called plainly."""
        self.source("prog.c", marked(ATOMIC_ACCESSES, MARKED=1))
        for position in (("-fno-pie", "-no-pie"), ("-fPIE", "-pie")):
            with self.subTest(position):
                self.build("gcc", "-g", "-fsanitize=thread", "-I", INCLUDE, *position, "prog.c", "-o", "prog", "-pthread")
                self.predict(1, "--only", "atomicity", "--", "./prog")


if __name__ == "__main__":
    unittest.main()
