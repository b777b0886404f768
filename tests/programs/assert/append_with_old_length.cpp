// A text buffer appends another one, whose length it reads before it locks it: the other one is
// cleared in between. The lock is a flag to spin on.
//
// expect: assert
// within: random, 200 runs
// bug: append, clear
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

class Text {
 public:
  explicit Text(int length) : length_(length) {}

  void append(Text& other) {
    const int length = other.length_;
    other.lock();
    assert(length <= other.length_);
    length_ += length;
    other.unlock();
  }

  void clear() {
    lock();
    length_ = 0;
    unlock();
  }

 private:
  void lock() {
    while (busy_.test_and_set(std::memory_order_acquire)) continue;
  }
  void unlock() { busy_.clear(std::memory_order_release); }

  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::atomic<int> length_;
};

int main() {
  Text all(0), part(3);
  std::thread appender(&Text::append, &all, std::ref(part));
  std::thread cleaner(&Text::clear, &part);
  appender.join();
  cleaner.join();
  puts("ok");
}
