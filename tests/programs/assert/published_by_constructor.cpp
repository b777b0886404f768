// A base class publishes the object while it is still being constructed: a call goes to the
// function of the base class.
//
// expect: assert
// within: random, 200 runs
// bug: Shape, use, main
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

struct Shape;
static std::atomic<Shape*> published;

struct Shape {
  Shape() { published = this; }
  virtual int corners() { return 0; }
};

struct Square : Shape {
  int corners() override { return 4; }
};

static void use() {
  if (Shape* shape = published) assert(shape->corners() == 4);
}

int main() {
  std::thread user(use);
  Square square;
  user.join();
  puts("ok");
}
