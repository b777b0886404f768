// After shop of IBM's ConTest benchmark: a supplier fills the shelves, two customers buy, and a
// clerk clears the shelves in the end. Defects: a customer asks whether a product is there and
// takes it in a second locked call (atomicity). The count of visits is a plain counter (races).
// Shows as: an uncaught exception; a customer takes a product from an empty shelf.
#include <array>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

constexpr int kProducts = 6;
constexpr int kDelivered = 3;

class Shop {
 public:
  void deliver(int product) {
    std::lock_guard guard(lock_);
    ++shelves_[product];
  }

  bool has(int product) {
    ++visits_;
    std::lock_guard guard(lock_);
    return shelves_[product] > 0;
  }

  void take(int product) {
    std::lock_guard guard(lock_);
    if (shelves_[product] == 0) throw std::runtime_error("the shelf is empty");
    --shelves_[product];
    ++sold_;
  }

  /// Clears a shelf. This looks and takes under one hold of the lock, as it should be.
  void clear(int product) {
    std::lock_guard guard(lock_);
    while (shelves_[product] > 0) {
      --shelves_[product];
      ++cleared_;
    }
  }

  int gone() {
    std::lock_guard guard(lock_);
    return sold_ + cleared_;
  }

  int left() {
    std::lock_guard guard(lock_);
    int left = 0;
    for (const int products : shelves_) left += products;
    return left;
  }

 private:
  std::mutex lock_;
  std::array<int, kProducts> shelves_{};
  int sold_ = 0;
  int cleared_ = 0;
  int visits_ = 0;  // Nobody needs the exact count.
};

Shop shop;

void supply() {
  for (int i = 0; i < kDelivered; ++i) {
    for (int product = 0; product < kProducts; ++product) shop.deliver(product);
  }
}

/// Buys one of each product. Does without it if the shelf is empty.
void buy() {
  for (int product = 0; product < kProducts; ++product) {
    if (shop.has(product)) shop.take(product);
  }
}

void clear() {
  for (int product = 0; product < kProducts; ++product) shop.clear(product);
}

}  // namespace

int main() {
  std::thread supplier(supply);
  std::thread first_customer(buy);
  std::thread second_customer(buy);
  std::thread clerk(clear);
  supplier.join();
  first_customer.join();
  second_customer.join();
  clerk.join();
  if (shop.gone() + shop.left() != kDelivered * kProducts) return 1;
  std::printf("%d products were delivered\n", kDelivered * kProducts);
}
