// After the synchronised HashSet of Sun's JDK 1.4.2: two threads change and compare two sets.
// Defects: add_all() and contains_all() lock one set and go through the other one without its lock.
// They race on its buckets, its size and its count of modifications, which belong together.
// Shows as: an uncaught exception of the iterator, which finds another count of modifications.
#include <array>
#include <cassert>
#include <initializer_list>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

constexpr int kBuckets = 5;
constexpr int kRoom = 24;

struct ConcurrentModification : std::runtime_error {
  ConcurrentModification() : std::runtime_error("the set was modified during the iteration") {}
};

/// volatile: the compiler must not leave out or move an access.
using Link = struct Entry* volatile;

struct Entry {
  volatile int value = 0;
  Link next = nullptr;
};

/// A set without locks. No entry is used twice or freed, so that old links stay valid.
class HashSet {
 public:
  class Iterator {
   public:
    explicit Iterator(const HashSet& set) : set_(set), expected_(set.modifications_) {
      if (set.size_ > 0) skip_empty_buckets();
    }

    bool has_next() const { return next_ != nullptr; }

    int next() {
      if (set_.modifications_ != expected_) throw ConcurrentModification();
      if (next_ == nullptr) throw std::out_of_range("the set has no further element");
      const int value = next_->value;
      next_ = next_->next;
      skip_empty_buckets();
      return value;
    }

   private:
    void skip_empty_buckets() {
      while (next_ == nullptr && bucket_ > 0) next_ = set_.buckets_[--bucket_];
    }

    const HashSet& set_;
    const int expected_;
    int bucket_ = kBuckets;
    const Entry* next_ = nullptr;
  };

  bool add(int value) {
    if (contains(value)) return false;
    ++modifications_;
    Entry* entry = &entries_.at(used_++);
    entry->value = value;
    entry->next = buckets_[value % kBuckets];
    buckets_[value % kBuckets] = entry;
    ++size_;
    return true;
  }

  bool remove(int value) {
    Link* link = &buckets_[value % kBuckets];
    while (*link != nullptr && (*link)->value != value) link = &(*link)->next;
    if (*link == nullptr) return false;
    ++modifications_;
    --size_;
    *link = (*link)->next;
    return true;
  }

  bool contains(int value) const {
    for (const Entry* at = buckets_[value % kBuckets]; at != nullptr; at = at->next) {
      if (at->value == value) return true;
    }
    return false;
  }

  int size() const { return size_; }

 private:
  std::array<Link, kBuckets> buckets_{};
  std::array<Entry, kRoom> entries_;
  std::size_t used_ = 0;
  volatile int size_ = 0;
  volatile int modifications_ = 0;
};

/// A set each of whose methods holds the set's own lock, and no other one.
class SynchronizedSet {
 public:
  SynchronizedSet(std::initializer_list<int> values) {
    for (const int value : values) set_.add(value);
  }

  bool add(int value) {
    std::lock_guard guard(lock_);
    return set_.add(value);
  }

  bool remove(int value) {
    std::lock_guard guard(lock_);
    return set_.remove(value);
  }

  int size() {
    std::lock_guard guard(lock_);
    return set_.size();
  }

  void add_all(const SynchronizedSet& other) {
    std::lock_guard guard(lock_);
    for (HashSet::Iterator at(other.set_); at.has_next();) set_.add(at.next());
  }

  bool contains_all(const SynchronizedSet& other) {
    std::lock_guard guard(lock_);
    for (HashSet::Iterator at(other.set_); at.has_next();) {
      if (!set_.contains(at.next())) return false;
    }
    return true;
  }

 private:
  std::mutex lock_;
  HashSet set_;
};

SynchronizedSet large{1, 2, 3, 4, 5, 6, 7, 8};
SynchronizedSet small{1, 3, 6, 8};

/// At all times the large set has all elements of the small one.
void use_large() {
  assert(large.contains_all(small));
  large.add(9);
  large.add_all(small);
}

void use_small() {
  small.remove(3);
  small.add(5);
  small.remove(6);
  assert(!small.contains_all(large));
}

}  // namespace

int main() {
  std::thread first(use_large);
  std::thread second(use_small);
  first.join();
  second.join();
  assert(large.contains_all(small));
  assert(large.size() == 9 && small.size() == 3);
}
