// After the synchronised ArrayList of Sun's JDK 1.4.2: two threads change and compare two lists.
// Defects: contains_all() and equals() lock one list and go through the other one without its lock.
// They race on its size, its elements and its count of modifications, which belong together.
// Shows as: an uncaught exception of the iterator, or a failed assert because of a wrong result.
#include <array>
#include <cassert>
#include <initializer_list>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

constexpr int kRoom = 16;

struct ConcurrentModification : std::runtime_error {
  ConcurrentModification() : std::runtime_error("the list was modified during the iteration") {}
};

/// A list without locks. Its room is fixed, so that elements never move in memory.
class ArrayList {
 public:
  class Iterator {
   public:
    explicit Iterator(const ArrayList& list) : list_(list), expected_(list.modifications_) {}

    bool has_next() const { return next_ < list_.size_; }

    int next() {
      if (list_.modifications_ != expected_) throw ConcurrentModification();
      if (next_ >= list_.size_) throw std::out_of_range("the list has no further element");
      return list_.elements_[next_++];
    }

   private:
    const ArrayList& list_;
    const int expected_;
    int next_ = 0;
  };

  void add(int value) {
    ++modifications_;
    if (size_ == kRoom) throw std::length_error("the list is full");
    elements_[size_++] = value;
  }

  bool remove(int value) {
    const int index = index_of(value);
    if (index < 0) return false;
    ++modifications_;
    for (int i = index; i + 1 < size_; ++i) elements_[i] = elements_[i + 1];
    --size_;
    return true;
  }

  int index_of(int value) const {
    for (int i = 0; i < size_; ++i) {
      if (elements_[i] == value) return i;
    }
    return -1;
  }

 private:
  // volatile: the compiler must not leave out or move an access.
  std::array<volatile int, kRoom> elements_{};
  volatile int size_ = 0;
  volatile int modifications_ = 0;
};

/// A list each of whose methods holds the list's own lock, and no other one.
class SynchronizedList {
 public:
  SynchronizedList(std::initializer_list<int> values) {
    for (const int value : values) list_.add(value);
  }

  void add(int value) {
    std::lock_guard guard(lock_);
    list_.add(value);
  }

  bool remove(int value) {
    std::lock_guard guard(lock_);
    return list_.remove(value);
  }

  bool contains_all(const SynchronizedList& other) {
    std::lock_guard guard(lock_);
    for (ArrayList::Iterator at(other.list_); at.has_next();) {
      if (list_.index_of(at.next()) < 0) return false;
    }
    return true;
  }

  bool equals(const SynchronizedList& other) {
    std::lock_guard guard(lock_);
    ArrayList::Iterator own(list_);
    ArrayList::Iterator others(other.list_);
    while (own.has_next() && others.has_next()) {
      if (own.next() != others.next()) return false;
    }
    return !own.has_next() && !others.has_next();
  }

 private:
  std::mutex lock_;
  ArrayList list_;
};

SynchronizedList large{1, 2, 3, 4, 5, 6, 7};
SynchronizedList small{1, 2, 3, 4, 5};

/// At all times the large list has all elements of the small one.
void use_large() {
  assert(large.contains_all(small));
  large.add(8);
  large.add(9);
}

/// At no time do both lists have the same length.
void use_small() {
  small.add(6);
  small.remove(5);
  assert(!small.equals(large));
}

}  // namespace

int main() {
  std::thread first(use_large);
  std::thread second(use_small);
  first.join();
  second.join();
  assert(large.contains_all(small) && !small.contains_all(large));
}
