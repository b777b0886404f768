#include "common/synthetic_trace.hpp"

namespace unravel::bench {
namespace {

using wire::Operation;

constexpr std::uint64_t kMemory = 0x7ffff0000000;
constexpr std::uint64_t kMutexes = 0x555555560000;
constexpr std::uint64_t kSitesOfAVariable = 4;
constexpr std::uint64_t kVariablesWithOwnSites = 500;

// Of 1,000 variables: these are protected by locks, only read, or unprotected; the rest are
// private.
constexpr std::uint64_t kProtected = 900;
constexpr std::uint64_t kReadOnly = 50;
constexpr std::uint64_t kRacy = 2;
constexpr std::uint64_t kPrivate = 1000 - kProtected - kReadOnly - kRacy;

}  // namespace

SyntheticTrace::SyntheticTrace(std::uint64_t variables) : variables_(variables) {}

TraceEvent& SyntheticTrace::add(std::uint32_t thread, Operation operation, std::uint64_t object) {
  TraceEvent& event = events_.emplace_back();
  event.thread = thread;
  event.operation = operation;
  event.object = object;
  wire::Clock& clock = workers_[thread].clock;
  clock = wire::is_hook(operation) ? wire::Clock{clock.operations, clock.hooks + 1}
                                   : wire::Clock{clock.operations + 1, 0};
  event.clock = clock;
  return event;
}

void SyntheticTrace::access(std::uint32_t thread, std::uint64_t variable, bool reads_only) {
  const bool reads = reads_only || random_.below(10) < 7;
  const std::uint64_t which = random_.below(2);
  TraceEvent& event =
      add(thread, reads ? Operation::kLoad : Operation::kStore, kMemory + 8 * variable);
  event.size = !reads && which == 1 ? 4 : 8;
  event.site = static_cast<std::uint32_t>(
      1 + variable % kVariablesWithOwnSites * kSitesOfAVariable + (reads ? 0 : 2) + which);
}

void SyntheticTrace::begin() {
  begun_ = true;
  const std::uint64_t first = variables_ / 1000 * kProtected;
  for (std::uint64_t i = 0; i < variables_ / 1000 * kReadOnly; ++i) {
    add(0, Operation::kStore, kMemory + 8 * (first + i)).size = 8;
  }
  for (std::uint32_t thread = 1; thread <= kThreads; ++thread) {
    add(0, Operation::kCreate, thread);
    add(thread, Operation::kStart, 0);
  }
}

void SyntheticTrace::step(std::uint32_t thread) {
  RunnerLease& worker = workers_[thread];
  const std::uint64_t thousands = variables_ / 1000;
  if (worker.left > 0) {
    --worker.left;
    if (worker.lock < kLocks) {
      const std::uint64_t of_lock = thousands * kProtected / kLocks;
      access(thread, worker.lock * of_lock + random_.below(of_lock), false);
      return;
    }
    const std::uint64_t kind = random_.below(100);
    const std::uint64_t read_only = thousands * kProtected;
    const std::uint64_t racy = read_only + thousands * kReadOnly;
    const std::uint64_t own = racy + thousands * kRacy;
    const std::uint64_t own_count = thousands * kPrivate / kThreads;
    if (kind < 2) {
      access(thread, racy + random_.below(thousands * kRacy), false);
    } else if (kind < 70) {
      access(thread, read_only + random_.below(thousands * kReadOnly), true);
    } else {
      access(thread, own + (thread - 1) * own_count + random_.below(own_count), false);
    }
  } else if (worker.lock < kLocks) {
    add(thread, Operation::kUnlock, kMutexes + 64 * worker.lock);
    locked_[worker.lock] = false;
    worker.lock = kLocks;
    worker.left = random_.below(6);
  } else {
    do worker.lock = random_.below(kLocks);
    while (locked_[worker.lock]);
    locked_[worker.lock] = true;
    add(thread, Operation::kLock, kMutexes + 64 * worker.lock);
    worker.left = 6 + random_.below(7);
  }
}

const std::vector<TraceEvent>& SyntheticTrace::next(std::size_t events) {
  events_.clear();
  if (!begun_) begin();
  while (events_.size() < events) {
    if (turn_left_ == 0) {
      running_ = 1 + static_cast<std::uint32_t>(random_.below(kThreads));
      turn_left_ = 20 + random_.below(40);
    }
    --turn_left_;
    step(running_);
  }
  return events_;
}

}  // namespace unravel::bench
