// Family: the stack of the SCTBench collection: one pushes, one pops, a flag says that there is
// something.
//
// Bug: the flag is set by the first push and never taken back, and it is read without the lock.
// The popping thread believes it and pops from an empty stack.
//
// Needs: 1 preemption, from the pushing thread before its last push to the popping one.
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kElements = 4;

static std::mutex lock;
static bool has_elements;
static int elements[kElements];
static int top;

static void push_all() {
  for (int i = 0; i < kElements; ++i) {
    std::lock_guard guard(lock);
    assert(top < kElements);
    elements[top++] = i;
    has_elements = true;
  }
}

static int pop() {
  std::lock_guard guard(lock);
  assert(top > 0);
  return elements[--top];
}

static void pop_all() {
  for (int i = 0; i < kElements; ++i) {
    if (has_elements) pop();
  }
}

int main() {
  std::thread pushing(push_all);
  std::thread popping(pop_all);
  pushing.join();
  popping.join();
}
