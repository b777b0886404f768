// Both threads may make an object, but only one is set; the other thread throws its own away.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int*> instance;

static void get(int** got) {
  *got = instance.load();
  if (*got) return;
  int* made = new int(42);
  if (instance.compare_exchange_strong(*got, made)) {
    *got = made;
  } else {
    delete made;
  }
}

int main() {
  int* got[2];
  std::thread first(get, &got[0]), second(get, &got[1]);
  first.join();
  second.join();
  assert(got[0] == got[1] && *got[0] == 42);
  delete got[0];
  puts("ok");
}
