// Two threads write to one string stream, each under a lock.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <cassert>
#include <cstdio>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::ostringstream stream(std::string(100, '.'));
static std::mutex mutex;

static void put(const char* word) {
  const std::lock_guard lock(mutex);
  stream << word;
}

int main() {
  std::thread one(put, "book");
  std::thread other(put, "page");
  one.join();
  other.join();
  const std::string text = stream.str().substr(0, 8);
  assert(text == "bookpage" || text == "pagebook");
  puts("ok");
}
