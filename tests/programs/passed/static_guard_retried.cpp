// A static object in a function whose first construction throws: whoever comes next tries again,
// after whoever failed.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <cassert>
#include <cstdio>
#include <thread>

static int attempts;

struct Connection {
  int number;
  Connection() : number(++attempts) {
    if (number == 1) throw number;
  }
};

static int connect() {
  for (;;) {
    try {
      static Connection only;
      return only.number;
    } catch (int) {
    }
  }
}

static void use() { assert(connect() == 2 && attempts == 2); }

int main() {
  std::thread first(use), second(use);
  first.join();
  second.join();
  puts("ok");
}
