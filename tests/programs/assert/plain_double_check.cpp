// Double-checked locking with a plain pointer, which is set before the object is filled: the
// check without the lock finds an object that is not ready.
//
// expect: assert
// within: random, 200 runs
// bug: get, use, main
// flags: -fsanitize=thread -O1
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct Config {
  int host, port, retries;
};

static std::mutex lock;
static Config storage;
static Config* config;

static Config* get() {
  if (!config) {
    std::lock_guard<std::mutex> guard(lock);
    if (!config) {
      config = &storage;
      config->host = 7;
      config->port = 80;
      config->retries = 3;
    }
  }
  return config;
}

static void use() { assert(get()->retries == 3); }

int main() {
  std::thread other(use);
  use();
  other.join();
  puts("ok");
}
