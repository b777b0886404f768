// Two threads write to one string stream. The C++ library finds the place, copies and moves on: if
// both find the same place, one writes over the other.
//
// expect: assert
// within: random, 600 runs
// bug: put
// flags: -fsanitize=thread
// points: memory; the C++ library shares a position that has no hooks
#include <cassert>
#include <cstdio>
#include <sstream>
#include <string>
#include <thread>

static std::ostringstream stream(std::string(100, '.'));

static void put(const char* word) { stream << word; }

int main() {
  std::thread one(put, "book");
  std::thread other(put, "page");
  one.join();
  other.join();
  const std::string text = stream.str().substr(0, 8);
  assert(text == "bookpage" || text == "pagebook");
  puts("ok");
}
