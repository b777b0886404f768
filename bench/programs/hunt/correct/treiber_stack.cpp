// A Treiber stack over an array; its head has a tag that grows with every change, against ABA.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

constexpr std::uint32_t kNone = 0xffffffff;
constexpr int kElements = 3;

class Stack {
 public:
  void push(std::uint32_t element) {
    std::uint64_t head = head_.load();
    do {
      next_[element].store(element_of(head));
    } while (!head_.compare_exchange_strong(head, with_new_tag(head, element)));
  }

  std::uint32_t pop() {
    std::uint64_t head = head_.load();
    for (;;) {
      if (element_of(head) == kNone) return kNone;
      const std::uint32_t next = next_[element_of(head)].load();
      if (head_.compare_exchange_strong(head, with_new_tag(head, next))) return element_of(head);
    }
  }

 private:
  static std::uint32_t element_of(std::uint64_t head) { return static_cast<std::uint32_t>(head); }
  static std::uint64_t with_new_tag(std::uint64_t head, std::uint32_t element) {
    return ((head >> 32) + 1) << 32 | element;
  }

  std::atomic<std::uint64_t> head_ = kNone;
  std::atomic<std::uint32_t> next_[kElements];
};

static Stack stack;
static std::atomic<int> users[kElements];

static void use() {
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t element = stack.pop();
    if (element == kNone) continue;
    assert(users[element].fetch_add(1) == 0);
    users[element].fetch_sub(1);
    stack.push(element);
  }
}

int main() {
  for (std::uint32_t i = 0; i < kElements; ++i) stack.push(i);
  std::thread first(use);
  std::thread second(use);
  std::thread third(use);
  first.join();
  second.join();
  third.join();
}
