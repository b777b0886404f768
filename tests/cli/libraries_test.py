#!/usr/bin/env python3
"""Libraries that are loaded while the program runs, that start threads of their own, and whose
constructors run before main."""
import subprocess
import unittest

from support import CommandTest

LIBRARY = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t helper;
static int served;
static void* serve(void* unused) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&mutex);
    served++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
__attribute__((constructor)) static void begin(void) { pthread_create(&helper, 0, serve, 0); }
int finish(void) {
  pthread_join(helper, 0);
  return served;
}
"""
PROGRAM = """
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
static void* use(void* unused) {
  void* library = dlopen("./libserver.so", RTLD_NOW);
  assert(library);
  int (*finish)(void) = (int (*)(void))dlsym(library, "finish");
  const int served = finish();
  assert(served == EXPECTED);
  assert(dlclose(library) == 0);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  for (int i = 0; i < 5; i++) sched_yield();
  pthread_join(thread, 0);
}
"""

# What glib's allocator does: it notes the time in a constructor and compares with it later.
EARLY_LIBRARY = """
#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
static char early[200];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* serve(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}
__attribute__((constructor)) static void begin(void) {
  struct timespec monotonic;
  struct timeval day;
  unsigned long random;
  for (int i = 0; i < LOCKS; i++) serve(0);
  clock_gettime(CLOCK_MONOTONIC, &monotonic);
  gettimeofday(&day, 0);
  if (getrandom(&random, sizeof random, 0) != sizeof random) return;
  snprintf(early, sizeof early, "%ld.%09ld %ld.%06ld %lx", (long)monotonic.tv_sec,
           monotonic.tv_nsec, (long)day.tv_sec, (long)day.tv_usec, random);
  pthread_t helper;
  if (THREAD && !pthread_create(&helper, 0, serve, 0)) pthread_join(helper, 0);
}
const char* what_was_early(void) { return early; }
"""
EARLY_PROGRAM = """
#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
const char* what_was_early(void);
static void* nothing(void* unused) { return unused; }
int main(void) {
  pthread_t thread;
  struct timespec now;
  unsigned long random;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (getrandom(&random, sizeof random, 0) != sizeof random) return 1;
  printf("%s %ld.%09ld %lx\\n", what_was_early(), (long)now.tv_sec, now.tv_nsec, random);
}
"""


class Libraries(CommandTest):
    def build(self, *command):
        done = subprocess.run(["gcc", "-g", "-pthread", *command], cwd=self.folder, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def setUp(self):
        super().setUp()
        (self.folder / "server.c").write_text(LIBRARY)
        (self.folder / "program.c").write_text(PROGRAM)
        self.build("-shared", "-fPIC", "server.c", "-o", "libserver.so")

    def test_its_threads_are_controlled_and_replayed(self):
        self.build("-DEXPECTED=3", "program.c", "-o", "program")
        done = self.tool("run", "--json", "--seed", "1", "--runs", "50", "--", "./program")
        self.check(done, 0)
        self.assertEqual(done.json()["outcomes"]["passed"], 50)
        run = self.tool("run", "--json", "--seed", "2", "--", "./program").json()
        self.assertEqual(run["threads"], 3)
        for _ in range(3):
            again = self.tool("replay", "--json", run["run"])
            self.check(again, 0)
            self.assertTrue(again.json()["reproduced"])

    def test_a_failure_is_placed_in_the_program_that_loaded_it(self):
        self.build("-DEXPECTED=4", "program.c", "-o", "program")
        done = self.tool("run", "--json", "--seed", "1", "--", "./program")
        self.check(done, 1)
        self.assertEqual(done.json()["failure"]["site"]["function"], "use")
        self.check(self.tool("replay"), 1, "reproduced")

    def build_early(self, **values):
        (self.folder / "early.c").write_text(EARLY_LIBRARY)
        (self.folder / "user.c").write_text(EARLY_PROGRAM)
        definitions = [f"-D{name}={value}" for name, value in values.items()]
        self.build("-shared", "-fPIC", *definitions, "early.c", "-o", "libearly.so")
        self.build("user.c", "-L.", "-learly", "-Wl,-rpath,$ORIGIN", "-o", "user")

    def test_time_and_random_bytes_are_the_same_in_constructors(self):
        for thread in (0, 1):
            with self.subTest(thread=thread):
                self.build_early(LOCKS=0, THREAD=thread)
                first = self.tool("run", "--", "./user")
                self.check(first, 0)
                _, _, early, _, late = first.out.split()
                self.assertNotEqual(early, late)
                run = self.tool("list", "--json").json()["runs"][-1]["run"]
                for _ in range(3):
                    again = self.tool("replay", run)
                    self.check(again, 0, "reproduced")
                    self.assertEqual(again.out, first.out)

    def test_a_thread_of_a_constructor_is_controlled(self):
        self.build_early(LOCKS=0, THREAD=1)
        done = self.tool("run", "--json", "--", "./user")
        self.check(done, 0)
        self.assertEqual(done.json()["threads"], 3)
        self.assertNotIn("not controlled", str(done.json().get("warnings")))

    def test_what_a_constructor_does_is_not_counted(self):
        clocks = []
        for locks in (0, 7):
            self.build_early(LOCKS=locks, THREAD=0)
            run = self.tool("run", "--json", "--", "./user")
            self.check(run, 0)
            table = self.tool("show", "--run", "--rows", "all", run.json()["run"])
            clocks.append([line.split()[0] for line in table.out.splitlines()
                           if line.startswith("  T")])
        self.assertEqual(clocks[0][0], "T0:1")
        self.assertEqual(clocks[0], clocks[1])


if __name__ == "__main__":
    unittest.main()
