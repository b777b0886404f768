#!/usr/bin/env python3
"""Libraries that are loaded while the program runs, and that start threads of their own."""
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


if __name__ == "__main__":
    unittest.main()
