// A static object in a function, compiled so that nothing guards its construction.
//
// expect: assert
// within: random, 200 runs
// bug: Config, config, use, main
// flags: -fsanitize=thread -fno-threadsafe-statics
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static std::atomic<int> constructed;

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
  std::thread other(use);
  use();
  other.join();
  puts("ok");
}
