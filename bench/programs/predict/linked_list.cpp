// After the synchronised LinkedList of Sun's JDK 1.4.2: two threads change and compare two lists.
// Defects: contains_all() goes through the other list without its lock: it races on links, size and
// modifications, which belong together. append_all() gets each element in a locked call of its own.
// Shows as: an uncaught exception of the iterator or of get(), or a failed assert.
#include <array>
#include <cassert>
#include <initializer_list>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

constexpr int kRoom = 24;

struct ConcurrentModification : std::runtime_error {
  ConcurrentModification() : std::runtime_error("the list was modified during the iteration") {}
};

/// volatile: the compiler must not leave out or move an access.
struct Node {
  volatile int value = 0;
  Node* volatile next = this;
  Node* volatile previous = this;
};

/// A ring of nodes without locks. No node is used twice or freed, so that old links stay valid.
class LinkedList {
 public:
  class Iterator {
   public:
    explicit Iterator(const LinkedList& list)
        : list_(list), expected_(list.modifications_), at_(list.head_.next) {}

    bool has_next() const { return index_ < list_.size_; }

    int next() {
      if (list_.modifications_ != expected_) throw ConcurrentModification();
      if (index_ >= list_.size_) throw std::out_of_range("the list has no further element");
      const int value = at_->value;
      at_ = at_->next;
      ++index_;
      return value;
    }

   private:
    const LinkedList& list_;
    const int expected_;
    const Node* at_;
    int index_ = 0;
  };

  void add(int value) {
    Node* node = &nodes_.at(used_++);
    node->value = value;
    node->next = &head_;
    node->previous = head_.previous;
    node->previous->next = node;
    head_.previous = node;
    ++size_;
    ++modifications_;
  }

  bool remove(int value) {
    for (Node* node = head_.next; node != &head_; node = node->next) {
      if (node->value != value) continue;
      node->previous->next = node->next;
      node->next->previous = node->previous;
      --size_;
      ++modifications_;
      return true;
    }
    return false;
  }

  bool contains(int value) const {
    for (const Node* node = head_.next; node != &head_; node = node->next) {
      if (node->value == value) return true;
    }
    return false;
  }

  int get(int index) const {
    if (index < 0 || index >= size_) throw std::out_of_range("the list has no such index");
    const Node* node = head_.next;
    for (int i = 0; i < index; ++i) node = node->next;
    return node->value;
  }

  int size() const { return size_; }

 private:
  Node head_;
  std::array<Node, kRoom> nodes_;
  std::size_t used_ = 0;
  volatile int size_ = 0;
  volatile int modifications_ = 0;
};

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

  int get(int index) {
    std::lock_guard guard(lock_);
    return list_.get(index);
  }

  int size() {
    std::lock_guard guard(lock_);
    return list_.size();
  }

  /// Does not lock the other list at all.
  bool contains_all(const SynchronizedList& other) {
    std::lock_guard guard(lock_);
    for (LinkedList::Iterator at(other.list_); at.has_next();) {
      if (!list_.contains(at.next())) return false;
    }
    return true;
  }

  /// Locks the other list for each call, but not from one call to the next.
  void append_all(SynchronizedList& other) {
    std::lock_guard guard(lock_);
    const int count = other.size();
    for (int i = 0; i < count; ++i) list_.add(other.get(i));
  }

 private:
  std::mutex lock_;
  LinkedList list_;
};

SynchronizedList large{1, 2, 3, 4, 5, 6};
SynchronizedList small{1, 2, 3, 4};

/// At all times the large list has all elements of the small one.
void use_large() {
  assert(large.contains_all(small));
  large.append_all(small);
}

void use_small() {
  small.remove(2);
  small.remove(4);
  small.add(5);
  assert(!small.contains_all(large));
}

}  // namespace

int main() {
  std::thread first(use_large);
  std::thread second(use_small);
  first.join();
  second.join();
  assert(large.contains_all(small) && small.size() == 3);
}
