// Both threads find the pointer empty and make an object: one of them is lost.
//
// expect: assert
// within: random, 200 runs
// bug: get, main
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static int objects[2];
static std::atomic<int> made;
static std::atomic<int*> instance;

static int* get() {
  if (!instance) instance = &objects[made++];
  return instance;
}

int main() {
  std::thread other(get);
  get();
  other.join();
  assert(made == 1);
  puts("ok");
}
