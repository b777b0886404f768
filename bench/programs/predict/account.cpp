// After account of IBM's ConTest benchmark: two tellers book money on two bank accounts.
// Defects: transfer() locks only the account that pays. It races on the balance and on the sum of
// bookings of the other account and loses updates there; these two variables belong together.
// Shows as: an uncaught exception of a wrong statement, or exit status 1 because of a wrong total.
#include <array>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

constexpr long kOpening = 1000;
constexpr int kRounds = 2;

class Account {
 public:
  void deposit(long amount) {
    std::lock_guard guard(lock_);
    book(amount);
  }

  void withdraw(long amount) {
    std::lock_guard guard(lock_);
    book(-amount);
  }

  /// Does not lock the account that receives the money.
  void transfer(Account& receiver, long amount) {
    std::lock_guard guard(lock_);
    book(-amount);
    receiver.book(amount);
  }

  /// The balance. Throws if it does not agree with the bookings.
  long statement() {
    std::lock_guard guard(lock_);
    const long balance = balance_;
    if (balance != kOpening + booked_) throw std::logic_error("balance and bookings disagree");
    return balance;
  }

 private:
  void book(long amount) {
    balance_ += amount;
    booked_ += amount;
  }

  std::mutex lock_;
  long balance_ = kOpening;
  long booked_ = 0;
};

std::array<Account, 2> accounts;

void serve(std::size_t number) {
  Account& own = accounts[number];
  Account& other = accounts[1 - number];
  for (int round = 0; round < kRounds; ++round) {
    own.deposit(300);
    own.withdraw(100);
    own.transfer(other, 99);
  }
  own.statement();
}

}  // namespace

int main() {
  std::thread first(serve, 0);
  std::thread second(serve, 1);
  first.join();
  second.join();
  const long total = accounts[0].statement() + accounts[1].statement();
  const long expected = 2 * (kOpening + kRounds * (300 - 100));
  std::printf("total %ld, expected %ld\n", total, expected);
  return total == expected ? 0 : 1;
}
