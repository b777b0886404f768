// An object with virtual functions is published when its constructor is through.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

struct Shape {
  virtual int corners() { return 0; }
};

struct Square : Shape {
  int corners() override { return 4; }
};

static std::atomic<Shape*> published;

static void use() {
  while (!published) continue;
  assert(published.load()->corners() == 4);
}

int main() {
  std::thread user(use);
  Square square;
  published = &square;
  user.join();
  puts("ok");
}
