// Family: the bank account that loses a booking (account of the ConTest and SCTBench collections).
//
// Bug: the balance is read under the lock and written under the lock, but not under the same hold
// of it: what another thread books between the two is lost.
//
// Needs: 1 preemption, from one booking between its read and its write to the other one.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int balance = 100;

static int read_balance() {
  std::lock_guard guard(lock);
  return balance;
}

static void book(int amount) {
  const int after = read_balance() + amount;
  std::lock_guard guard(lock);
  balance = after;
}

int main() {
  std::thread deposit(book, 40);
  std::thread withdraw(book, -30);
  deposit.join();
  withdraw.join();
  assert(balance == 110);
}
