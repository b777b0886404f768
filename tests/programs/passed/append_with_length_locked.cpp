// A text buffer appends another one and holds its lock, a flag to spin on, from reading the
// length to the end.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

class Text {
 public:
  explicit Text(int length) : length_(length) {}

  void append(Text& other) {
    other.lock();
    const int length = other.length_;
    length_ += length;
    assert(length == other.length_);
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
  int length_;
};

int main() {
  Text all(0), part(3);
  std::thread appender(&Text::append, &all, std::ref(part));
  std::thread cleaner(&Text::clear, &part);
  appender.join();
  cleaner.join();
  puts("ok");
}
