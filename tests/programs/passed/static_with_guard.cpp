// A static object in a function: the compiler guards its construction, and the first check of
// the guard is without a lock.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <cassert>
#include <cstdio>
#include <thread>

static int constructed;

struct Config {
  int port;
  Config() : port(80) { constructed++; }
};

static Config& config() {
  static Config only;
  return only;
}

static void use() { assert(config().port == 80 && constructed == 1); }

int main() {
  std::thread first(use), second(use);
  first.join();
  second.join();
  puts("ok");
}
