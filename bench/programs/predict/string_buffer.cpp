// After StringBuffer of Sun's JDK 1.4.2: a thread appends the buffer `source` to another one,
// and a second thread shortens and refills `source`. Every method is locked. Defect: append() asks
// for the length of the other buffer and gets its characters in two locked calls (atomicity).
// Shows as: an uncaught std::out_of_range; the characters are gone when append() gets them.
#include <array>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

constexpr int kRoom = 64;

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) { append(text); }

  int length() {
    std::lock_guard guard(lock_);
    return length_;
  }

  void get_characters(int begin, int end, char* to) {
    std::lock_guard guard(lock_);
    if (begin < 0 || begin > end || end > length_) throw std::out_of_range("get_characters");
    for (int i = begin; i < end; ++i) *to++ = characters_[i];
  }

  void append(const char* text) {
    std::lock_guard guard(lock_);
    for (; *text != '\0'; ++text) {
      require_room(length_ + 1);
      characters_[length_++] = *text;
    }
  }

  /// Locks this buffer for the whole time, but the other one only for each of its calls.
  void append(StringBuffer& other) {
    std::lock_guard guard(lock_);
    const int added = other.length();
    require_room(length_ + added);
    other.get_characters(0, added, characters_.data() + length_);
    length_ += added;
  }

  void set_length(int length) {
    std::lock_guard guard(lock_);
    if (length < 0 || length > length_) throw std::out_of_range("set_length");
    length_ = length;
  }

  std::string text() {
    std::lock_guard guard(lock_);
    return std::string(characters_.data(), static_cast<std::size_t>(length_));
  }

 private:
  void require_room(int length) {
    if (length > kRoom) throw std::length_error("append");
  }

  std::mutex lock_;
  std::array<char, kRoom> characters_{};
  int length_ = 0;
};

StringBuffer source("abcdef");
StringBuffer target("-");

void append_twice() {
  target.append(source);
  target.append("+");
  target.append(source);
}

void change_source() {
  source.set_length(3);
  source.append("xy");
  source.set_length(0);
}

}  // namespace

int main() {
  std::thread appending(append_twice);
  std::thread changing(change_source);
  appending.join();
  changing.join();
  const std::string text = target.text();
  assert(text.front() == '-' && text.find('+') != std::string::npos);
  assert(source.length() == 0);
}
