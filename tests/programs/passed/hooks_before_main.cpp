// Memory is accessed before anybody could prepare for it: by the loader's first call into the
// program, by an early constructor and by static objects, one of which starts a thread.
//
// expect: passed
// within: random, 40 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static int order[4];
static int calls;
static std::atomic<int> counter;

static void note(int who) { order[calls++] = who; }

static void first(int, char**, char**) { note(1); }
// The loader calls it before the constructors of every library.
__attribute__((section(".preinit_array"), used)) static void (*at_preinit)(int, char**,
                                                                           char**) = first;

__attribute__((constructor(101))) static void early() { note(2); }

static void count() {
  for (int i = 0; i < 5; i++) counter++;
}

struct Helper {
  std::thread thread;
  Helper() : thread([] { count(); }) {
    note(3);
    count();
  }
  ~Helper() { assert(counter == 10); }
};
static Helper worker;

int main() {
  note(4);
  for (int i = 0; i < 4; i++) assert(order[i] == i + 1);
  worker.thread.join();
  assert(counter == 10);
  std::puts("ok");
}
