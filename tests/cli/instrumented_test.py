#!/usr/bin/env python3
"""Programs with hooks at memory accesses: three ways to build them, both compilers."""
import pathlib
import shutil
import subprocess
import unittest

from support import BESIDE, LOST_UPDATE, UNRAVEL, CommandTest

BIN = pathlib.Path(UNRAVEL).resolve().parent
PACKAGE = BIN.parent / "lib/cmake/unravel"
COMPILERS = {"gcc": "g++", "clang": "clang++"}

ATOMICS = """
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
std::atomic<int> turn{0};
std::mutex mutex;
std::condition_variable changed;
bool done = false;
int main() {
  std::thread other([] {
    for (int expected = 1; !turn.compare_exchange_weak(expected, 2); expected = 1) {}
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });
  turn.store(1);
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return done; });
  lock.unlock();
  other.join();
  assert(turn == 2);
}
"""
# Each round of each loop is a function entry and a back-edge, however the function is left.
ROUNDS = """
#include <csetjmp>
#include <cstdlib>
#include <thread>
volatile int sum;
std::jmp_buf place;
void add() { sum = sum + 1; }
void deep_throw(int depth) {
  if (depth == 0) throw 1;
  deep_throw(depth - 1);
  sum = sum + 1;
}
void deep_jump(int depth) {
  if (depth == 0) std::longjmp(place, 1);
  deep_jump(depth - 1);
  sum = sum + 1;
}
void catch_one() {
  try { deep_throw(3); } catch (int) { sum = sum + 2; }
}
void jump_back() {
  if (setjmp(place) == 0) deep_jump(3);
}
int main(int, char** arguments) {
  void (*const what[])() = {add, catch_one, jump_back};
  void (*const call)() = what[std::atoi(arguments[1])];
  const int rounds = std::atoi(arguments[2]);
  std::thread([call, rounds] {
    for (int i = 0; i < rounds; i++) call();
  }).join();
}
"""
# The bug is in a library, and only that has hooks.
LIBRARY = "int counter; void add(void) { counter++; }"
PLAIN_MAIN = LOST_UPDATE.replace("int counter;", "extern int counter; void add_one(void);").replace(
    "counter++;", "add_one();")


# What libc has in several versions: asked for without one, its oldest would answer.
MANY_VERSIONS = ("realpath", "regexec", "glob", "glob64", "fmemopen", "posix_spawn",
                 "posix_spawnp", "pthread_kill", "sched_getaffinity", "pthread_cond_init",
                 "pthread_cond_destroy", "pthread_cond_wait", "pthread_cond_timedwait",
                 "pthread_cond_signal", "pthread_cond_broadcast", "pthread_attr_getaffinity_np")


def exported(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                             capture_output=True, text=True, check=True).stdout
    return {line.split()[0].split("@")[0] for line in listing.splitlines()}


class Instrumented(CommandTest):
    def find(self, program):
        """The lost update is found, at the line that counts, and only with memory points."""
        done = self.tool("run", "--json", "--seed", "1", "--runs", "300", "--", program)
        self.check(done, 1)
        run = done.json()
        self.assertEqual((run["points"], run["failure"]["kind"]), ("auto", "assert"))
        for _ in range(3):
            again = self.tool("replay", "--json", run["run"])
            self.check(again, 1)
            self.assertTrue(again.json()["reproduced"])
        self.check(self.tool("run", "--points", "sync", "--seed", "1", "--runs", "100", "--",
                             program), 0, "no failure")
        return run

    def test_a_thread_sanitizer_build_runs_as_it_is(self):
        self.source("lost.c", LOST_UPDATE)
        for level in ("-O0", "-O1"):
            with self.subTest(level=level):
                self.build("gcc", "-fsanitize=thread", "-g", level, "lost.c", "-o", "lost")
                self.find("./lost")
                shown = self.tool("show")
                self.check(shown, 0)
                self.assertIn("preempted before store", shown.out)

    def test_compiler_drivers_build_for_both_compilers(self):
        self.source("lost.c", LOST_UPDATE)
        self.source("atomics.cpp", ATOMICS)
        for compiler, other in COMPILERS.items():
            with self.subTest(compiler=compiler):
                chosen = {"UNRAVEL_CC": compiler, "UNRAVEL_CXX": other}
                # Compiled and linked apart, as make does it.
                self.build(BIN / "unravel-cc", "-c", "-Werror", "lost.c", **chosen)
                self.build(BIN / "unravel-cc", "lost.o", "-o", "lost", "-pthread", **chosen)
                self.build(BIN / "unravel-c++", "-std=c++20", "-O1", "atomics.cpp", "-o",
                           "atomics", "-pthread", **chosen)
                # They run without us, too.
                self.build("./atomics")
                self.find("./lost")
                done = self.tool("run", "--json", "--seed", "1", "--runs", "200", "--", "./atomics")
                self.check(done, 0)
                self.assertEqual(done.json()["points"], "auto")

    def test_a_library_with_hooks_in_a_program_without(self):
        self.source("library.c", LIBRARY.replace("void add(", "void add_one("))
        self.source("main.c", PLAIN_MAIN)
        self.build(BIN / "unravel-cc", "-shared", "-fPIC", "library.c", "-o", "libcounter.so")
        self.build("gcc", "-g", "main.c", "-o", "mixed", "-L.", "-lcounter", *BESIDE,
                   "-pthread")
        self.find("./mixed")

    def test_cmake_builds_by_toolchain_and_by_package(self):
        if not shutil.which("cmake"):
            self.skipTest("there is no cmake")
        self.source("lost.c", LOST_UPDATE)
        self.source("CMakeLists.txt", """
cmake_minimum_required(VERSION 3.22)
project(sample C)
find_package(Threads REQUIRED)
add_executable(lost lost.c)
target_link_libraries(lost Threads::Threads)
if(WITH_PACKAGE)
  find_package(unravel REQUIRED)
  target_link_libraries(lost unravel::hooks)
endif()
""")
        ways = {"toolchain": [f"--toolchain={PACKAGE / 'toolchain.cmake'}"],
                "package": ["-DWITH_PACKAGE=ON", f"-Dunravel_DIR={PACKAGE}"]}
        for way, options in ways.items():
            for compiler in COMPILERS:
                with self.subTest(way=way, compiler=compiler):
                    folder = f"{way}-{compiler}"
                    own = [f"-DCMAKE_C_COMPILER={compiler}"] if way == "package" else []
                    self.build("cmake", "-B", folder, *options, *own, UNRAVEL_CC=compiler)
                    self.build("cmake", "--build", folder, UNRAVEL_CC=compiler)
                    self.find(f"./{folder}/lost")

    def test_every_name_of_libtsan_that_a_program_may_use_is_there(self):
        asked = subprocess.run(["gcc", "-print-file-name=libtsan.so"], capture_output=True,
                               text=True, check=True).stdout.strip()
        theirs = exported(asked)
        self.assertGreaterEqual(len([name for name in theirs if name.startswith("__tsan_")]), 160)
        for library in ("tsan/libunravel-rt.so", "libunravel-rt.so"):
            ours = exported(BIN.parent / "lib/unravel" / library)
            missing = {name for name in theirs - ours
                       if name.startswith(("__tsan_", "Annotate", "Valgrind", "RunningOn", "Thread"))
                       or name in ("atexit", *MANY_VERSIONS)}
            # Its own tests' barriers, which would have to wait.
            self.assertEqual(missing, {"__tsan_testonly_barrier_init",
                                       "__tsan_testonly_barrier_wait",
                                       "__tsan_testonly_shadow_stack_current_size"})

    def test_a_program_that_talks_to_its_race_detector_runs(self):
        """Linked with the real library, it finds all that it asks for in ours."""
        self.source("talks.c", """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __tsan_acquire(void*);
void __tsan_release(void*);
void* __tsan_get_current_report(void);
int __tsan_get_report_data(void*, const char**, int*, int*, int*, int*, int*, int*, int*, int*,
                           void**, unsigned long);
int __tsan_java_fini(void);
void* __tsan_create_fiber(unsigned);
void AnnotateHappensBefore(const char*, int, const volatile void*);
void AnnotateMemoryIsInitialized(const char*, int, const volatile void*, long);
const char* ThreadSanitizerQuery(const char*);
int RunningOnValgrind(void);
const char* __tsan_default_options(void) { return "halt_on_error=1"; }
static int shared;
static void bye(void) { puts("bye"); }
static void* talk(void* unused) {
  __tsan_acquire(&shared);
  AnnotateHappensBefore(__FILE__, __LINE__, &shared);
  AnnotateMemoryIsInitialized(__FILE__, __LINE__, &shared, sizeof shared);
  __tsan_release(&shared);
  assert(!__tsan_get_current_report());
  return unused;
}
int main(void) {
  atexit(bye);
  pthread_t thread;
  pthread_create(&thread, 0, talk, 0);
  pthread_join(thread, 0);
  assert(strcmp(ThreadSanitizerQuery("pure_happens_before"), "0") == 0);
  assert(!RunningOnValgrind() && !__tsan_java_fini());
}
""")
        self.build("gcc", "-fsanitize=thread", "-g", "talks.c", "-o", "talks")
        self.build("gcc", "-fsanitize=thread", "-g", "-Wl,-z,now", "talks.c", "-o", "talks-now")
        for name in ("talks", "talks-now"):
            done = self.tool("run", "--", f"./{name}")
            self.check(done, 0)
            self.assertEqual(done.out, "bye\n")

    def test_what_cannot_be_replaced_is_refused(self):
        self.source("lost.c", LOST_UPDATE)
        self.build("gcc", "-fsanitize=thread", "-static-libtsan", "lost.c", "-o", "inside")
        self.build("clang", "-fsanitize=thread", "-g", "lost.c", "-o", "clang-inside")
        for name in ("inside", "clang-inside"):
            with self.subTest(name=name):
                self.check_refused(["run", "--", f"./{name}"], "ThreadSanitizer", "relink")
        done = subprocess.run([BIN / "unravel-cc", "-static", "lost.c"], cwd=self.folder,
                              env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("statically", done.stderr)

    def test_memory_points_need_hooks(self):
        self.source("lost.c", LOST_UPDATE)
        self.build("gcc", "lost.c", "-o", "plain", "-pthread")
        self.check_refused(["run", "--points", "memory", "--", "./plain"], "no hooks",
                           "unravel-c++")

    def test_calls_are_function_entries_and_loops(self):
        self.source("rounds.cpp", ROUNDS)

        def steps(points, what, rounds):
            done = self.tool("run", "--json", "--rule", "stay", "--points", points, "--",
                             "./rounds", str(what), str(rounds))
            self.check(done, 0)
            self.assertNotIn("-fsanitize-coverage", done.err)
            return done.json()["steps"]

        def calls(what, rounds):
            # To throw an exception synchronises, too.
            return steps("calls", what, rounds) - steps("sync", what, rounds)

        for compiler in COMPILERS.values():
            for level in ("-O0", "-O1"):
                self.build(BIN / "unravel-c++", level, "-fno-inline", "rounds.cpp", "-o", "rounds",
                           "-pthread", UNRAVEL_CXX=compiler)
                # A jump goes back, too; and a handler may lie behind what follows it.
                for what, expected in (("add", {2}), ("catch_one", {6, 7}), ("jump_back", {7})):
                    with self.subTest(compiler=compiler, level=level, what=what):
                        which = ["add", "catch_one", "jump_back"].index(what)
                        more = calls(which, 40) - calls(which, 20)
                        self.assertEqual(more % 20, 0, "every round is the same")
                        self.assertIn(more // 20, expected)

    def test_calls_without_coverage_are_entries_and_that_is_told(self):
        self.source("rounds.cpp", ROUNDS)
        self.build("g++", "-fsanitize=thread", "-O0", "rounds.cpp", "-o", "rounds", "-pthread")

        def run(rounds):
            done = self.tool("run", "--json", "--rule", "stay", "--points", "calls", "--",
                             "./rounds", "0", str(rounds))
            self.check(done, 0, "-fsanitize-coverage", "but loops are not")
            return done.json()

        self.assertEqual(run(40)["steps"] - run(20)["steps"], 20)
        self.assertEqual(run(40)["points"], "calls")

    def test_runs_with_calls_replay(self):
        self.source("lost.c", LOST_UPDATE.replace("counter++;", "int was = read(); counter = was + 1;")
                    .replace("static void* add", "static int read(void) { return counter; }\n"
                             "static void note(void) {}\nstatic void* add")
                    .replace("counter = was", "note(); counter = was"))
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.build(BIN / "unravel-cc", "lost.c", "-o", "lost", "-pthread",
                           UNRAVEL_CC=compiler)
                done = self.tool("run", "--json", "--points", "calls", "--seed", "1", "--runs",
                                 "300", "--", "./lost")
                self.check(done, 1)
                run = done.json()
                self.assertEqual(run["points"], "calls")
                for _ in range(3):
                    again = self.tool("replay", "--json", run["run"])
                    self.check(again, 1)
                    self.assertTrue(again.json()["reproduced"])
                    self.assertEqual(again.json()["steps"], run["steps"])

    def test_a_schedule_of_another_build_is_not_followed_strictly(self):
        self.source("lost.c", LOST_UPDATE)
        self.build("gcc", "-fsanitize=thread", "-g", "lost.c", "-o", "lost")
        run = self.find("./lost")
        self.source("lost.c", "int more = 1;\n" + LOST_UPDATE)
        self.build("gcc", "-fsanitize=thread", "-g", "lost.c", "-o", "lost")
        done = self.tool("replay", run["run"])
        self.assertEqual(done.status, 2, f"\n{done}")
        self.assertIn("was rebuilt", done.err)


if __name__ == "__main__":
    unittest.main()
