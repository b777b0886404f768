#!/usr/bin/env python3
"""Libraries with hooks: loaded and unloaded while threads race, and begun before anything else."""
import pathlib
import unittest

from support import BESIDE, UNRAVEL, CommandTest

BIN = pathlib.Path(UNRAVEL).resolve().parent

# Counts what its constructor and destructor did, by itself and for whoever loads it.
COUNTER = """
#include <assert.h>
static int begun;
static int total;
__attribute__((constructor(101))) static void begin(void) { begun = total + 1; }
__attribute__((destructor)) static void end(void) { begun = 0; }
int add(int* counter) {
  assert(begun == 1);
  total++;
  ADD;
  return total;
}
"""
WHOLE = "__atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST)"
IN_TWO = "(*counter)++"
LOADS = """
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static int counter;
static void* use(void* name) {
  for (int round = 0; round < 2; round++) {
    void* library = dlopen(name, RTLD_NOW);
    assert(library);
    int (*add)(int*) = (int (*)(int*))dlsym(library, "add");
    assert(add(&counter) >= 1);
    assert(dlclose(library) == 0);
  }
  return 0;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, use, (void*)"./libcounter.so");
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 4);
  assert(!dlopen("./libcounter.so", RTLD_NOW | RTLD_NOLOAD));
  puts("ok");
}
"""
# It is initialised with the program, and starts a thread before main.
EARLY = """
#include <pthread.h>
static int begun[64];
static int counter;
static pthread_t helper;
static void* count(void* unused) {
  for (int i = 0; i < 5; i++) __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
  return unused;
}
__attribute__((constructor(101))) static void begin(void) {
  for (int i = 0; i < 64; i++) begun[i] = i;
  pthread_create(&helper, 0, count, 0);
  count(0);
}
int finish(void) {
  pthread_join(helper, 0);
  for (int i = 0; i < 64; i++) if (begun[i] != i) return -1;
  return counter;
}
"""
USES_EARLY = """
#include <assert.h>
#include <stdio.h>
int finish(void);
int main(void) {
  assert(finish() == 10);
  puts("ok");
}
"""
# A plugin in C++, for a program that has no C++ library of its own.
IN_CXX = """
#include <memory>
#include <string>
#include <vector>
static const std::string& name() {
  static const std::string once = std::string(100, 'n');
  return once;
}
struct alignas(64) Wide { int value = 1; };
extern "C" int work() {
  auto wide = std::make_unique<Wide>();
  std::vector<std::string> names(10, name());
  return static_cast<int>(names.size()) + wide->value + (name().size() == 100);
}
"""
LOADS_CXX = """
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static int (*work)(void);
static void* run(void* unused) {
  assert(work() == 12);
  return unused;
}
int main(void) {
  void* library = dlopen("./libcxx_plugin.so", RTLD_NOW | RTLD_LOCAL);
  assert(library);
  work = (int (*)(void))dlsym(library, "work");
  pthread_t one, other;
  pthread_create(&one, 0, run, 0);
  pthread_create(&other, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  puts("ok");
}
"""


class HookedLibraries(CommandTest):
    def library(self, name, text):
        (self.folder / f"{name}.c").write_text(text)
        self.build(BIN / "unravel-cc", "-g", "-shared", "-fPIC", f"{name}.c", "-o",
                   f"lib{name}.so", "-pthread")

    def programs(self, text, *options):
        """Built without hooks and with them."""
        (self.folder / "program.c").write_text(text)
        self.build("gcc", "-g", "program.c", "-o", "plain", "-pthread", *options)
        self.build(BIN / "unravel-cc", "-g", "program.c", "-o", "hooked", "-pthread", *options)
        return "plain", "hooked"

    def check_passes(self, program, *options):
        """All runs pass, and what one of them did is done again."""
        done = self.tool("run", "--json", "--seed", "1", "--runs", "60", *options, "--", program)
        self.check(done, 0)
        self.assertEqual(done.json()["outcomes"]["passed"], 60, f"\n{done}")
        switched = 0
        for seed in range(3):
            run = self.tool("run", "--json", "--seed", str(seed), *options, "--", program).json()
            switched += run["preemptions"]
            again = self.tool("replay", "--json", run["run"])
            self.check(again, 0)
            self.assertTrue(again.json()["reproduced"], f"\n{again}")
        self.assertGreater(switched, 0)

    def test_may_be_loaded_and_unloaded_by_threads_that_race(self):
        self.library("counter", COUNTER.replace("ADD", WHOLE))
        for program in self.programs(LOADS):
            with self.subTest(program=program):
                self.check_passes(f"./{program}", "--points", "memory")

    def test_may_bring_the_cxx_library_along(self):
        """Nobody but the plugin finds its functions, and ours stand in front of some of them."""
        self.source("cxx_plugin.cpp", IN_CXX)
        self.source("program.c", LOADS_CXX)
        self.build("gcc", "-g", "program.c", "-o", "program", "-pthread")
        for compiler in ("g++", BIN / "unravel-c++"):
            for how in ((), ("-static-libstdc++",)):
                with self.subTest(compiler=compiler, how=how):
                    self.build(compiler, "-g", "-std=c++17", "-shared", "-fPIC", "cxx_plugin.cpp",
                               "-o", "libcxx_plugin.so", *how)
                    self.check(self.tool("run", "--runs", "20", "--", "./program"), 0)

    def test_are_looked_for_where_the_caller_says(self):
        """The loader goes by who calls it, which must not be us."""
        (self.folder / "plugins").mkdir()
        self.library("counter", COUNTER.replace("ADD", WHOLE))
        (self.folder / "libcounter.so").rename(self.folder / "plugins/libcounter.so")
        for program in self.programs(LOADS.replace("./libcounter", "libcounter"),
                                     "-Wl,--enable-new-dtags,-rpath,$ORIGIN/plugins"):
            with self.subTest(program=program):
                self.check(self.tool("run", "--", f"./{program}"), 0)

    def test_bugs_of_a_loaded_library_are_found_and_shown(self):
        self.library("counter", COUNTER.replace("ADD", IN_TWO))
        for program in self.programs(LOADS):
            with self.subTest(program=program):
                done = self.tool("run", "--json", "--points", "memory", "--seed", "1", "--runs",
                                 "500", "--", f"./{program}")
                self.check(done, 1)
                again = self.tool("replay", "--json", done.json()["run"])
                self.check(again, 1)
                self.assertTrue(again.json()["reproduced"], f"\n{again}")
                shown = self.tool("show", environment={"COLUMNS": "160"})
                self.assertRegex(shown.out, r"before store counter .*counter.c:10 add\(\)")

    def test_may_access_memory_before_the_program_has_begun(self):
        self.library("early", EARLY)
        for program in self.programs(USES_EARLY, "-L.", "-learly", *BESIDE):
            with self.subTest(program=program):
                self.check_passes(f"./{program}")


if __name__ == "__main__":
    unittest.main()
