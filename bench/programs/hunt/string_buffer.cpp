// Family: StringBuffer.append of JDK 1.4, known from many collections.
//
// Bug: append() asks the other buffer for its length and then for that many characters. Both take
// the other's lock, but not in one hold: it may be made shorter between the two.
//
// Needs: 1 preemption, from the appending thread between the two calls to the one that erases.
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) { append(text, static_cast<int>(std::strlen(text))); }

  int length() {
    std::lock_guard guard(lock_);
    return length_;
  }
  void copy_to(char* place, int end) {
    std::lock_guard guard(lock_);
    assert(end <= length_);
    std::memcpy(place, text_, static_cast<std::size_t>(end));
  }
  void erase() {
    std::lock_guard guard(lock_);
    length_ = 0;
  }
  void append(const char* text, int length) {
    std::lock_guard guard(lock_);
    std::memcpy(text_ + length_, text, static_cast<std::size_t>(length));
    length_ += length;
  }
  void append(StringBuffer& other) {
    std::lock_guard guard(lock_);
    const int length = other.length();
    other.copy_to(text_ + length_, length);
    length_ += length;
  }

 private:
  std::mutex lock_;
  char text_[64] = {};
  int length_ = 0;
};

static StringBuffer source("some text");
static StringBuffer sink("and ");

int main() {
  std::thread appending([] { sink.append(source); });
  std::thread erasing([] {
    source.erase();
    source.append("more", 4);
  });
  appending.join();
  erasing.join();
}
