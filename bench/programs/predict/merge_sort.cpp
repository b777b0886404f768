// After MergeSort of IBM's ConTest benchmark: threads sort the halves of an array and merge them.
// Defects: threads compare the count of available threads with 0 and then decrement it, without a
// lock: a race, and an atomicity violation. The available and the started threads belong together.
// Shows as: a failed assert; threads were lost from the count, or more than allowed were started.
#include <algorithm>
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

constexpr int kLength = 32;
constexpr int kThreads = 5;
/// A part of this length or more gives one half to another thread. This bounds the threads.
constexpr int kShared = 8;

class Sorter {
 public:
  Sorter() {
    for (int i = 0; i < kLength; ++i) numbers_[i] = i * 13 % kLength;
  }

  void sort() {
    sort_part(0, kLength);
    assert(std::is_sorted(numbers_.begin(), numbers_.end()));
    assert(started_ <= kThreads);
    assert(started_ + available_ == kThreads);
  }

 private:
  void sort_part(int begin, int end) {
    if (end - begin < 2) return;
    const int middle = begin + (end - begin) / 2;
    if (end - begin >= kShared && take_thread()) {
      std::thread other(&Sorter::sort_part, this, begin, middle);
      sort_part(middle, end);
      other.join();
    } else {
      sort_part(begin, middle);
      sort_part(middle, end);
    }
    merge(begin, middle, end);
  }

  /// Whether the caller may start a thread. All threads share the count of available threads.
  bool take_thread() {
    if (available_ <= 0) return false;
    --available_;
    std::lock_guard guard(started_lock_);
    ++started_;
    return true;
  }

  void merge(int begin, int middle, int end) {
    int left = begin;
    int right = middle;
    for (int to = begin; to < end; ++to) {
      const bool take_left = right == end || (left < middle && numbers_[left] <= numbers_[right]);
      merged_[to] = take_left ? numbers_[left++] : numbers_[right++];
    }
    for (int i = begin; i < end; ++i) numbers_[i] = merged_[i];
  }

  std::array<int, kLength> numbers_;
  std::array<int, kLength> merged_{};
  int available_ = kThreads;
  std::mutex started_lock_;
  int started_ = 0;
};

Sorter sorter;

}  // namespace

int main() { sorter.sort(); }
