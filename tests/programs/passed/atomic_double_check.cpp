// Double-checked locking with an atomic pointer, which is set when the object is filled.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct Config {
  int port;
};

static std::mutex lock;
static Config storage;
static std::atomic<Config*> config;

static Config* get() {
  Config* found = config.load(std::memory_order_acquire);
  if (!found) {
    std::lock_guard<std::mutex> guard(lock);
    found = config.load(std::memory_order_relaxed);
    if (!found) {
      found = &storage;
      found->port = 80;
      config.store(found, std::memory_order_release);
    }
  }
  return found;
}

static void use() { assert(get()->port == 80); }

int main() {
  std::thread first(use), second(use);
  first.join();
  second.join();
  puts("ok");
}
