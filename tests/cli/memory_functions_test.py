#!/usr/bin/env python3
"""memcpy, strcpy, malloc and their kin: hooks where instrumented code calls them, nowhere else."""
import pathlib
import re
import subprocess
import unittest

from support import UNRAVEL, CommandTest

JEMALLOC = pathlib.Path("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2")

ONE_CALL = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
void copy(char*, const char*, size_t);
// GCC 12's own library does not have them.
#pragma weak __tsan_memcpy
#pragma weak __tsan_memmove
#pragma weak __tsan_memset
void* __tsan_memcpy(void*, const void*, size_t);
void* __tsan_memmove(void*, const void*, size_t);
void* __tsan_memset(void*, int, size_t);
static int which;
static void call(char* to, const char* from, size_t n, void* block) {
  volatile long used;
  switch (which) {
    default: used = labs(n);
    CASES
  }
}
static void* work(void* block) {
  char to[64] = "to";
  call(to, "from", 3, block);
  return 0;
}
int main(int count, char** arguments) {
  pthread_t thread;
  if (count > 1) which = atoi(arguments[1]);
  pthread_create(&thread, 0, work, malloc(100));
  pthread_join(thread, 0);
}
"""
# How many hooks each makes: one for what it reads, one for what it writes, allocates or frees.
HOOKS = {
    "memcpy(to, from, n)": 2, "memcpy(to, from, 0)": 0, "memmove(to, from, n)": 2,
    "memmove(to, from, 0)": 0, "mempcpy(to, from, n)": 2, "bcopy(from, to, n)": 2,
    "memset(to, 0, n)": 1, "memset(to, 0, 0)": 0, "bzero(to, n)": 1, "bzero(to, 0)": 0,
    "memcmp(to, from, n)": 2, "memcmp(to, from, 0)": 0, "bcmp(to, from, n)": 2,
    "memchr(to, 0, n)": 1, "memrchr(to, 0, n)": 1, "memmem(to, n, from, n)": 2,
    "memmem(to, 0, from, n)": 0, "strcpy(to, from)": 2, "strncpy(to, from, n)": 2,
    "strncpy(to, from, 0)": 0, "stpcpy(to, from)": 2, "stpncpy(to, from, n)": 2,
    "strcat(to, from)": 2, "strncat(to, from, n)": 2, "strlen(to)": 1, "strnlen(to, n)": 1,
    "strnlen(to, 0)": 0, "strcmp(to, from)": 2, "strncmp(to, from, n)": 2,
    "strncmp(to, from, 0)": 0, "strcasecmp(to, from)": 2, "strncasecmp(to, from, n)": 2,
    "strchr(to, 0)": 1, "strchrnul(to, 0)": 1, "strrchr(to, 0)": 1, "strstr(to, from)": 2,
    "strcasestr(to, from)": 2, "strspn(to, from)": 2, "strcspn(to, from)": 2,
    "strpbrk(to, from)": 2, "strdup(from)": 2, "strndup(from, n)": 2, "malloc(n)": 1,
    "calloc(n, n)": 1, "realloc(0, n)": 1, "realloc(block, n)": 2, "reallocarray(block, n, n)": 2,
    "free(block)": 1, "free(0)": 0, "posix_memalign((void**)to, 64, n)": 1,
    "aligned_alloc(64, 64)": 1, "memalign(64, n)": 1, "valloc(n)": 1, "pvalloc(n)": 1,
    # What newer compilers make of copies.
    "__tsan_memcpy(to, from, n)": 2, "__tsan_memmove(to, from, n)": 2,
    "__tsan_memset(to, 0, n)": 1, "__tsan_memset(to, 0, 0)": 0,
    # What libc and the loader do for themselves is none of the program's.
    'asprintf((char**)to, "%d", 1)': 0, 'dlopen("libm.so.6", RTLD_NOW)': 0,
}


def used(call):
    """Compilers leave out calls whose result nobody wants."""
    return call if re.match("bcopy|bzero|free", call) else f"used = (long){call}"


CASES = " ".join(f"break; case {i}: {used(call)};" for i, call in enumerate(HOOKS, 1))
EVERY_CALL = "; ".join(used(call) for call in HOOKS if not re.search("block|__tsan", call))

LOCKS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <malloc.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void call(char* to, const char* from, size_t n) {
  volatile long used;
  CALL;
}
static void* work(void* unused) {
  char to[64] = "to";
  for (int i = 0; i < 5; i++) {
    call(to, "from", 3);
    pthread_mutex_lock(&mutex);
    call(to, "from", 3);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
}
"""

# Called while the library is relocated, when the runtime is loaded but not relocated itself.
EARLY = """
#include <stdlib.h>
#include <string.h>
static char copied[16], text[32];
static volatile unsigned long size = 6;
static int right(int value) { return value + 1; }
static int wrong(int value) { return value; }
static int (*choose(void))(int) {
  memset(copied, 'x', size + 1);
  memcpy(copied, "early", size);
  memmove(copied + 1, copied, size);
  return strlen(copied) == 6 && strcmp(copied, "eearly") == 0 ? right : wrong;
}
static int add_one(int value) __attribute__((ifunc("choose")));
__attribute__((constructor)) static void begin(void) {
  char* copy = strdup("constructed");
  copy = realloc(copy, 100);
  strcpy(text, copy);
  strcat(text, " early");
  free(copy);
}
int answer(void) { return add_one(strcmp(text, "constructed early") == 0); }
"""
USE_EARLY = """
#include <assert.h>
#include <pthread.h>
int answer(void);
static void* use(void* unused) {
  assert(answer() == 2);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  pthread_join(thread, 0);
}
"""

LIBRARY = """
#include <string.h>
void NAME(char* to, const char* from, size_t size) {
  for (int i = 0; i < TIMES; i++) memcpy(to, from, size);
}
"""
LOADER = """
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
static void call(const char* path, const char* name) {
  char to[8];
  void* library = dlopen(path, RTLD_NOW);
  assert(library);
  void (*copy)(char*, const char*, size_t);
  *(void**)&copy = dlsym(library, name);
  copy(to, "text", 5);
  assert(strcmp(to, "text") == 0);
  assert(dlclose(library) == 0);
}
static void* work(void* unused) {
  for (int i = 0; i < 2; i++) {
    call("./libhooked.so", "hooked");
    call("./libplain.so", "plain");
  }
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
}
"""

ALLOCATED = """
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int mallctl(const char*, void*, size_t*, void*, size_t) __attribute__((weak));
static uint64_t allocated(void) {
  uint64_t bytes = 0;
  size_t size = sizeof(bytes);
  assert(mallctl && mallctl("thread.allocated", &bytes, &size, 0, 0) == 0);
  return bytes;
}
static void* work(void* unused) {
  const uint64_t before = allocated();
  char* block = malloc(10000);
  memset(block, 'x', 9999);
  block[9999] = 0;
  char* copy = strdup(block);
  block = realloc(block, 20000);
  assert(allocated() - before >= 40000);
  free(copy);
  free(block);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""

FOUND = """
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
static void* work(void* unused) {
  free(malloc(1 << 20));
  return unused;
}
static void* audit(void* unused) {
  assert(mallinfo2().hblks == 0);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, work, 0);
  pthread_create(&threads[1], 0, audit, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
"""


TORN = """
#include <assert.h>
#include <pthread.h>
#include <string.h>
static char name[16] = "old", address[16] = "old";
__attribute__((noinline)) static void set(const char* text, size_t size) {
  memcpy(name, text, size);
  memcpy(address, text, size);
}
static void* write_both(void* text) {
  set(text, strlen(text) + 1);
  return 0;
}
static void* compare(void* unused) {
  assert(strcmp(name, address) == 0);
  return unused;
}
int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_both, "new");
  pthread_create(&reader, 0, compare, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
}
"""


class MemoryFunctions(CommandTest):
    def build(self, text, name, *flags):
        (self.folder / f"{name}.c").write_text(text)
        done = subprocess.run(["gcc", "-g", "-w", "-fno-builtin", "-pthread", f"{name}.c", "-o",
                               name, *flags], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return f"./{name}"

    def steps(self, *program, points="memory"):
        done = self.tool("run", "--json", "--points", points, "--rule", "stay", "--", *program)
        self.check(done, 0)
        return done.json()["steps"]

    def table(self, program, seed, points="memory"):
        run = self.tool("run", "--json", "--points", points, "--rule", "random", "--seed", seed,
                        "--", program).json()
        shown = self.tool("show", "--run", run["run"], "--rows", "all")
        self.check(shown, 0)
        return shown.out.split("\n\n", 1)[1]

    def check_hooks(self, *flags):
        program = self.build(ONE_CALL, "one", "-fsanitize=thread", f"-DCASES={CASES}", *flags)
        none = self.steps(program, "0")
        for i, (call, hooks) in enumerate(HOOKS.items(), 1):
            with self.subTest(call=call):
                self.assertEqual(self.steps(program, str(i)) - none, hooks)

    def test_each_call_makes_its_hooks(self):
        self.check_hooks()

    def test_each_call_makes_its_hooks_in_optimised_code(self):
        # The constructor that announces hooks is a jump there, and seems to come from the loader.
        self.check_hooks("-O2")

    def test_a_torn_copy_is_found_with_both_compilers(self):
        (self.folder / "torn.c").write_text(TORN)
        for compiler in ("gcc", "clang"):
            for level in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, level=level):
                    subprocess.run(
                        [pathlib.Path(UNRAVEL).parent / "unravel-cc", level, "-pthread", "torn.c",
                         "-o", "torn"], cwd=self.folder, check=True,
                        env={**self.environment, "UNRAVEL_CC": compiler})
                    done = self.tool("run", "--json", "--seed", "1", "--runs", "200", "--", "./torn")
                    self.check(done, 1)
                    again = self.tool("replay", "--json", done.json()["run"])
                    self.assertTrue(again.json()["reproduced"])

    def test_calls_of_a_program_without_hooks_change_no_clock(self):
        without = self.build(LOCKS, "without", "-DCALL=(void)0")
        calling = self.build(LOCKS, "calling", f"-DCALL={EVERY_CALL}")
        self.assertEqual(self.steps(without, points="sync"), self.steps(calling, points="sync"))
        for seed in ("1", "2", "3"):
            # Clocks and switches, without what the source looks like.
            rows = [re.findall(r"T\d+:[\d+]+|── [^─]+ ──", self.table(program, seed, "sync"))
                    for program in (without, calling)]
            self.assertGreater(len(rows[0]), 30)
            self.assertEqual(*rows)

    def test_calls_of_a_plain_library_change_no_clock(self):
        steps = {}
        for times in (0, 20):
            self.build(LIBRARY, "libplain.so", "-shared", "-fPIC", "-DNAME=copy",
                       f"-DTIMES={times}")
            steps[times] = self.steps(self.build(
                ONE_CALL, "user", "-fsanitize=thread", "-DCASES=break; case 1: copy(to, from, n);",
                "-L.", "-l:libplain.so", "-Wl,-rpath,$ORIGIN"), "1")
        self.assertEqual(steps[0], steps[20])

    def test_a_switch_before_free_and_allocate_is_shown_as_such(self):
        program = self.build(FOUND, "found", "-fsanitize=thread")
        self.check(self.tool("run", "--points", "memory", "--seed", "1", "--runs", "200", "--",
                             program), 1)
        self.assertIn("preempted before free", self.tool("show").out)
        self.assertTrue(any("preempted before allocate" in self.table(program, str(seed))
                            for seed in range(1, 50)))

    def test_they_work_before_the_runtime_does(self):
        for flags in ((), ("-fsanitize=thread",)):
            with self.subTest(flags=flags):
                # The resolver itself has no hooks in either: those are for relocated code.
                self.build(EARLY, "libearly.so", "-shared", "-fPIC", "-Wl,-z,now")
                program = self.build(USE_EARLY, "early", "-L.", "-l:libearly.so",
                                     "-Wl,-rpath,$ORIGIN", *flags)
                done = self.tool("run", "--json", "--seed", "1", "--runs", "20", "--", program)
                self.check(done, 0)
                self.assertEqual(done.json()["outcomes"]["passed"], 20)

    def test_a_constructor_with_hooks(self):
        text = EARLY.replace('__attribute__((ifunc("choose")))', "{ return value + 1; }").replace(
            "static int add_one(int value) { return value + 1; };",
            "static int add_one(int value) { return value + 1; }")
        self.build(text, "libearly.so", "-shared", "-fPIC", "-fsanitize=thread")
        program = self.build(USE_EARLY, "early", "-L.", "-l:libearly.so", "-Wl,-rpath,$ORIGIN",
                             "-fsanitize=thread")
        self.check(self.tool("run", "--seed", "1", "--runs", "20", "--", program), 0)

    def test_a_library_that_takes_the_place_of_one_with_hooks_has_none(self):
        program = self.build(LOADER, "loader", "-fsanitize=thread")
        steps = {}
        for hooked, plain in ((5, 5), (5, 50), (50, 5)):
            for name, times, flags in (("hooked", hooked, ["-fsanitize=thread"]),
                                       ("plain", plain, [])):
                self.build(LIBRARY, f"lib{name}.so", "-shared", "-fPIC", f"-DNAME={name}",
                           f"-DTIMES={times}", *flags)
            steps[hooked, plain] = self.steps(program)
        self.assertEqual(steps[5, 5], steps[5, 50])
        self.assertEqual(steps[50, 5] - steps[5, 5], 2 * 45 * 2)

    def test_a_program_keeps_its_own_allocator(self):
        if not JEMALLOC.exists():
            self.skipTest(f"there is no {JEMALLOC}")
        for flags in ((), ("-fsanitize=thread",)):
            with self.subTest(flags=flags):
                linked = self.build(ALLOCATED, "linked", *flags, "-Wl,--no-as-needed", str(JEMALLOC))
                self.check(self.tool("run", "--seed", "1", "--runs", "20", "--", linked), 0)
                preloaded = self.build(ALLOCATED, "preloaded", *flags)
                self.check(self.tool("run", "--seed", "1", "--runs", "20", "--", preloaded,
                                     environment={"LD_PRELOAD": str(JEMALLOC)}), 0)
                # It is the test's own: without jemalloc it fails.
                self.check(self.tool("run", "--seed", "1", "--", preloaded), 1)


if __name__ == "__main__":
    unittest.main()
