// After the synchronised TreeSet of Sun's JDK 1.4.2: two threads change and compare two sets.
// Defects: add_all() and equals() lock one set and go through the other one without its lock. They
// race on its nodes, its size and its count of modifications, which belong together.
// Shows as: an uncaught exception of the iterator, or a failed assert because of a wrong result.
#include <array>
#include <cassert>
#include <climits>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

namespace {

constexpr int kRoom = 24;

struct ConcurrentModification : std::runtime_error {
  ConcurrentModification() : std::runtime_error("the set was modified during the iteration") {}
};

/// volatile: the compiler must not leave out or move an access.
using Link = struct Node* volatile;

struct Node {
  volatile int value = 0;
  Link left = nullptr;
  Link right = nullptr;
};

/// A search tree without locks and without balance. No node is used twice or freed: a link always
/// goes to a newer node, so that every walk ends, even while another thread changes the tree.
class TreeSet {
 public:
  class Iterator {
   public:
    explicit Iterator(const TreeSet& set) : set_(set), expected_(set.modifications_) {}

    bool has_next() const { return returned_ < set_.size_; }

    int next() {
      if (set_.modifications_ != expected_) throw ConcurrentModification();
      const std::optional<int> next = set_.next_above(last_);
      if (!next) throw std::out_of_range("the set has no further element");
      ++returned_;
      last_ = *next;
      return last_;
    }

   private:
    const TreeSet& set_;
    const int expected_;
    int last_ = INT_MIN;
    int returned_ = 0;
  };

  bool add(int value) {
    Link* link = find(value);
    if (*link != nullptr) return false;
    ++modifications_;
    ++size_;
    Node* node = &nodes_.at(used_++);
    node->value = value;
    *link = node;
    return true;
  }

  bool remove(int value) {
    Link* link = find(value);
    Node* node = *link;
    if (node == nullptr) return false;
    ++modifications_;
    --size_;
    if (node->left != nullptr && node->right != nullptr) {
      // The next greater value takes the place of the value, and its node is taken out instead.
      for (link = &node->right; (*link)->left != nullptr;) link = &(*link)->left;
      node->value = (*link)->value;
      node = *link;
    }
    *link = node->left != nullptr ? node->left : node->right;
    return true;
  }

  bool contains(int value) { return *find(value) != nullptr; }

  int size() const { return size_; }

 private:
  /// The link to the node with this value, or the empty link where it belongs.
  Link* find(int value) {
    Link* link = &root_;
    while (*link != nullptr && (*link)->value != value) {
      link = value < (*link)->value ? &(*link)->left : &(*link)->right;
    }
    return link;
  }

  /// The least value above this one, if there is one.
  std::optional<int> next_above(int value) const {
    std::optional<int> above;
    for (const Node* node = root_; node != nullptr;) {
      const int here = node->value;
      if (here > value) {
        above = here;
        node = node->left;
      } else {
        node = node->right;
      }
    }
    return above;
  }

  Link root_ = nullptr;
  std::array<Node, kRoom> nodes_;
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

  void add_all(const SynchronizedSet& other) {
    std::lock_guard guard(lock_);
    for (TreeSet::Iterator at(other.set_); at.has_next();) set_.add(at.next());
  }

  bool equals(const SynchronizedSet& other) {
    std::lock_guard guard(lock_);
    if (set_.size() != other.set_.size()) return false;
    for (TreeSet::Iterator at(other.set_); at.has_next();) {
      if (!set_.contains(at.next())) return false;
    }
    return true;
  }

 private:
  std::mutex lock_;
  TreeSet set_;
};

SynchronizedSet first_set{5, 2, 8, 1, 3, 7};
SynchronizedSet second_set{5, 2, 8, 1, 3, 9};

/// At all times one of the sets has an element that the other one does not have.
void use_first_set() {
  assert(!first_set.equals(second_set));
  first_set.add_all(second_set);
}

void use_second_set() {
  second_set.remove(2);
  second_set.add(4);
  second_set.remove(5);
  assert(!second_set.equals(first_set));
}

}  // namespace

int main() {
  std::thread first(use_first_set);
  std::thread second(use_second_set);
  first.join();
  second.join();
  assert(!first_set.equals(second_set) && !second_set.equals(first_set));
}
