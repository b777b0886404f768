// std::call_once and a static variable of a function: made once, and seen whole by everybody.
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int times;
static int value;

static int made_once() {
  static const int made = ++value;
  return made;
}

static void use() {
  std::call_once(flag, [] { ++times; });
  assert(times == 1);
  assert(made_once() == 1);
}

int main() {
  std::thread first(use);
  std::thread second(use);
  std::thread third(use);
  first.join();
  second.join();
  third.join();
  assert(times == 1 && value == 1);
}
