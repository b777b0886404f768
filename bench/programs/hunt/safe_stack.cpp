// Family: Dmitry Vyukov's SafeStack: a free list in an array, with a head that is changed by
// compare and swap and a count that is to keep its last element in, against the ABA problem. Three
// threads.
//
// Bug: the count does not keep that problem out: an element can be given to two threads at once.
//
// Needs: 8 preemptions in one order, as a search through all states of a model of this program
// says.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

constexpr int kElements = 3;
constexpr int kThreads = 3;
constexpr int kRounds = 2;

class SafeStack {
 public:
  SafeStack() {
    for (int i = 0; i < kElements; ++i) next_[i].store(i + 1 < kElements ? i + 1 : -1);
  }

  /// An element that is the caller's until it is pushed again; -1 if there is but one.
  int pop() {
    while (count_.load() > 1) {
      const int head = head_.load();
      const int next = next_[head].exchange(-1);
      if (next < 0) continue;
      int expected = head;
      if (head_.compare_exchange_strong(expected, next)) {
        count_.fetch_sub(1);
        return head;
      }
      next_[head].exchange(next);
    }
    return -1;
  }

  void push(int element) {
    int head = head_.load();
    do {
      next_[element].store(head);
    } while (!head_.compare_exchange_strong(head, element));
    count_.fetch_add(1);
  }

 private:
  std::atomic<int> count_ = kElements;
  std::atomic<int> head_ = 0;
  std::atomic<int> next_[kElements];
};

static SafeStack stack;
static volatile int owner_of[kElements];

static void use(int self) {
  for (int i = 0; i < kRounds; ++i) {
    int element = stack.pop();
    while (element < 0) element = stack.pop();
    owner_of[element] = self;
    assert(owner_of[element] == self);
    stack.push(element);
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(use, i);
  for (std::thread& thread : threads) thread.join();
}
