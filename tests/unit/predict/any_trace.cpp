#include "unit/predict/any_trace.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace unravel {
namespace {

constexpr std::uint64_t kVariables = 0x1000;  // some of them atomic at times
constexpr std::uint64_t kBlock = 0x2000;      // allocated and freed; a mutex may lie in it
constexpr std::uint64_t kMutexInBlock = kBlock + 16;
constexpr std::uint64_t kRecursive = 0x3000;
constexpr std::uint64_t kSpin = 0x3100;
constexpr std::uint64_t kStream = 0x3200;
constexpr std::uint64_t kReadWrite = 0x3300;
constexpr std::uint64_t kCondition = 0x3400;
constexpr std::uint64_t kSemaphore = 0x3500;
constexpr std::uint64_t kBarrier = 0x3600;
constexpr std::uint64_t kOnce = 0x3700;
constexpr std::uint64_t kFutex = 0x3800;
constexpr std::uint32_t kMostThreads = 7;

struct LockOperations {
  Operation lock, try_lock, unlock;
  bool recursive;
};

LockOperations operations_of(std::uint64_t lock) {
  if (lock == kSpin) {
    return {Operation::kSpinLock, Operation::kSpinTryLock, Operation::kSpinUnlock, false};
  }
  if (lock == kStream) {
    return {Operation::kStreamLock, Operation::kStreamTryLock, Operation::kStreamUnlock, true};
  }
  return {Operation::kLock, Operation::kTryLock, Operation::kUnlock, lock == kRecursive};
}

class Simulation {
 public:
  explicit Simulation(const std::vector<std::uint16_t>& numbers) : numbers_(numbers) {
    const std::uint32_t spaces[] = {3, 12, 5000};
    sites_ = spaces[draw(3)];
    rounds_of_ = 2 + draw(2);
    units_ = draw(3);
    choose_deeds();
    const std::uint32_t threads = 2 + draw(3);
    trace_.create_up_to(threads);
    states_.resize(threads + 1);
  }

  std::vector<TraceEvent> run() {
    while (next_ < numbers_.size()) step();
    return std::move(trace_.events);
  }

 private:
  enum class Doing { kRuns, kWaits, kRelocks, kInBarrier, kInFutex, kEnded, kJoined };
  struct State {
    Doing doing = Doing::kRuns;
    int depth_before_wait = 0;
  };
  struct Owner {
    std::uint32_t thread = 0;
    int depth = 0;
  };

  // When the numbers are used up, all draws are 0 and the present step ends the trace.
  std::uint32_t draw(std::uint32_t below) {
    return next_ < numbers_.size() ? numbers_[next_++] % below : 0;
  }
  std::uint32_t site() { return 1 + draw(sites_); }
  MemoryOrder order() { return static_cast<MemoryOrder>(draw(wire::kMemoryOrderCount)); }

  void step() {
    const auto thread = draw(static_cast<std::uint32_t>(states_.size()));
    State& state = states_[thread];
    if (state.doing == Doing::kRelocks) relock(thread);
    if (state.doing != Doing::kRuns) return;
    if (draw(2)) {
      access(thread);
    } else {
      (this->*deeds_[draw(static_cast<std::uint32_t>(deeds_.size()))])(thread);
    }
  }

  // Programs that do a little of everything hide what a single primitive gets wrong behind the
  // order that the others make: most do only some things.
  void choose_deeds() {
    using Self = Simulation;
    const std::vector<Deed> all = {
        &Self::atomic,  &Self::atomic,     &Self::fence,         &Self::lock,   &Self::unlock,
        &Self::unlock,  &Self::read_write, &Self::wait,          &Self::signal, &Self::semaphore,
        &Self::arrive,  &Self::once,       &Self::create_or_end, &Self::join,   &Self::memory,
        &Self::publish, &Self::outside,    &Self::forget};
    const std::vector<std::vector<Deed>> some = {
        {&Self::atomic},
        {&Self::atomic, &Self::fence},
        {&Self::atomic, &Self::fence, &Self::publish, &Self::memory},
        {&Self::semaphore},
        {&Self::semaphore, &Self::forget},
        {&Self::lock, &Self::unlock},
        {&Self::lock, &Self::unlock, &Self::wait, &Self::signal},
        {&Self::lock, &Self::unlock, &Self::memory, &Self::forget},
        {&Self::read_write},
        {&Self::arrive},
        {&Self::create_or_end, &Self::join, &Self::once},
        {&Self::outside},
    };
    const std::uint32_t which = draw(static_cast<std::uint32_t>(some.size()) + 4);
    deeds_ = which < some.size() ? some[which] : all;
  }

  void fence(std::uint32_t thread) { trace_.fence(thread, order()); }

  std::uint64_t any_address() {
    return (draw(4) == 0 && allocated_ ? kBlock : kVariables) + draw(14);
  }

  void access(std::uint32_t thread) {
    const std::uint64_t sizes[] = {1, 2, 4, 8, 16, 23};
    const Operation operation = draw(2) ? Operation::kStore : Operation::kLoad;
    const std::uint64_t address = any_address();
    trace_.memory(thread, operation, address, sizes[draw(6)], site());
  }

  void atomic(std::uint32_t thread) {
    const Operation any[] = {Operation::kAtomicLoad, Operation::kAtomicStore,
                             Operation::kAtomicUpdate};
    const Operation operation = any[draw(3)];
    const std::uint64_t address = (draw(4) == 0 && allocated_ ? kBlock : kVariables) + 8 * draw(2);
    TraceEvent& event = trace_.atomic(thread, operation, address, order(), site());
    if (operation == Operation::kAtomicUpdate && draw(3) == 0) event.result = EventResult::kFailed;
  }

  std::uint64_t any_lock() {
    const std::uint64_t locks[] = {kRecursive, kRecursive, kSpin, kStream, kMutexInBlock};
    const std::uint64_t lock = locks[draw(5)];
    return lock == kMutexInBlock && !allocated_ ? kRecursive : lock;
  }

  void lock(std::uint32_t thread) {
    const std::uint64_t lock = any_lock();
    const LockOperations operations = operations_of(lock);
    Owner& owner = owners_[lock];
    const bool free = owner.depth == 0 || (operations.recursive && owner.thread == thread);
    if (!free) {
      trace_.add(thread, operations.try_lock, lock).result = EventResult::kFailed;
      return;
    }
    trace_.add(thread, draw(3) ? operations.lock : operations.try_lock, lock);
    owner = {thread, owner.depth + 1};
  }

  void unlock(std::uint32_t thread) {
    for (auto& [lock, owner] : owners_) {
      if (owner.depth == 0 || owner.thread != thread) continue;
      trace_.add(thread, operations_of(lock).unlock, lock);
      --owner.depth;
      return;
    }
  }

  void read_write(std::uint32_t thread) {
    if (readers_.count(thread) || writer_ == thread + 1) {
      trace_.add(thread, Operation::kReadWriteUnlock, kReadWrite);
      if (writer_ == thread + 1) {
        writer_ = 0;
      } else {
        readers_.erase(readers_.find(thread));
      }
    } else if (draw(2)) {
      TraceEvent& event =
          trace_.add(thread, draw(2) ? Operation::kReadLock : Operation::kTryReadLock, kReadWrite);
      if (writer_ != 0) {
        event.result = EventResult::kTimedOut;
        return;
      }
      readers_.insert(thread);
      if (draw(4) != 0) return;
      trace_.add(thread, Operation::kReadLock, kReadWrite);
      readers_.insert(thread);
    } else {
      TraceEvent& event = trace_.add(
          thread, draw(2) ? Operation::kWriteLock : Operation::kTryWriteLock, kReadWrite);
      if (writer_ == 0 && readers_.empty()) {
        writer_ = thread + 1;
      } else {
        event.result = EventResult::kFailed;
      }
    }
  }

  void wait(std::uint32_t thread) {
    Owner& owner = owners_[kRecursive];
    if (draw(4) == 0) {
      trace_.add(thread, Operation::kFutexWait, kFutex);
      states_[thread].doing = Doing::kInFutex;
      return;
    }
    if (owner.depth == 0 || owner.thread != thread) return;
    trace_.add(thread, Operation::kGiveUp, kRecursive);
    trace_.add(thread, Operation::kWait, kCondition);
    states_[thread] = {Doing::kWaits, owner.depth};
    owner.depth = 0;
  }

  void signal(std::uint32_t thread) {
    const bool futex = draw(4) == 0;
    const bool all = draw(2) == 0;
    const Doing waiting = futex ? Doing::kInFutex : Doing::kWaits;
    for (std::uint32_t other = 0; other < states_.size(); ++other) {
      if (states_[other].doing != waiting) continue;
      trace_.add(thread, Operation::kWoke, futex ? kFutex : kCondition, other);
      states_[other].doing = futex ? Doing::kRuns : Doing::kRelocks;
      if (!all) break;
    }
    trace_.add(thread,
               futex ? Operation::kFutexWake
               : all ? Operation::kBroadcast
                     : Operation::kSignal,
               futex ? kFutex : kCondition);
  }

  void relock(std::uint32_t thread) {
    Owner& owner = owners_[kRecursive];
    if (owner.depth != 0) return;
    trace_.add(thread, Operation::kLock, kRecursive);
    owner = {thread, states_[thread].depth_before_wait};
    states_[thread].doing = Doing::kRuns;
  }

  void semaphore(std::uint32_t thread) {
    if (draw(2)) {
      trace_.add(thread, Operation::kSemPost, kSemaphore, ++units_);
    } else if (units_ == 0) {
      trace_.add(thread, Operation::kSemTryWait, kSemaphore).result = EventResult::kFailed;
    } else {
      const Operation operation = draw(2) ? Operation::kSemWait : Operation::kSemTryWait;
      trace_.add(thread, operation, kSemaphore, --units_);
    }
  }

  void arrive(std::uint32_t thread) {
    trace_.add(thread, Operation::kArrive, kBarrier);
    if (in_barrier_.size() + 1 == rounds_of_) {
      for (const std::uint32_t other : in_barrier_) {
        trace_.add(thread, Operation::kWoke, kBarrier, other);
        states_[other].doing = Doing::kRuns;
      }
      in_barrier_.clear();
    } else {
      in_barrier_.push_back(thread);
      states_[thread].doing = Doing::kInBarrier;
    }
    trace_.add(thread, Operation::kBarrierWait, kBarrier);
  }

  void once(std::uint32_t thread) {
    trace_.add(thread, Operation::kOnce, kOnce, once_ ? 0 : 1);
    once_ = true;
  }

  bool holds_nothing(std::uint32_t thread) const {
    return writer_ != thread + 1 && readers_.count(thread) == 0 &&
           std::none_of(owners_.begin(), owners_.end(), [&](const auto& lock) {
             return lock.second.depth != 0 && lock.second.thread == thread;
           });
  }

  void create_or_end(std::uint32_t thread) {
    if (draw(3) && states_.size() < kMostThreads) {
      const auto child = static_cast<std::uint32_t>(states_.size());
      trace_.add(thread, Operation::kCreate, child);
      if (draw(2)) trace_.add(child, Operation::kStart);
      states_.emplace_back();
    } else if (thread != 0 && holds_nothing(thread)) {
      trace_.add(thread, Operation::kExit);
      states_[thread].doing = Doing::kEnded;
    }
  }

  void join(std::uint32_t thread) {
    for (std::uint32_t other = 1; other < states_.size(); ++other) {
      if (states_[other].doing != Doing::kEnded) continue;
      trace_.add(thread, draw(2) ? Operation::kJoin : Operation::kTryJoin, other);
      states_[other].doing = Doing::kJoined;
      return;
    }
    trace_.add(thread, Operation::kTryJoin, 1).result = EventResult::kFailed;
  }

  void memory(std::uint32_t thread) {
    if (draw(4) == 0) {
      trace_.memory(thread, Operation::kFresh, kVariables + draw(14), 1 + draw(10));
    } else if (!allocated_) {
      trace_.memory(thread, draw(4) ? Operation::kAllocate : Operation::kAllocated, kBlock,
                    20 + draw(10));
      allocated_ = true;
    } else if (owners_[kMutexInBlock].depth == 0) {
      trace_.memory(thread, Operation::kFree, kBlock, 0, site());
      allocated_ = false;
    }
  }

  void publish(std::uint32_t thread) {
    trace_.add(thread, draw(2) ? Operation::kPublish : Operation::kObserve, kVariables);
  }

  void outside(std::uint32_t thread) {
    const Operation any[] = {Operation::kWrite,      Operation::kConnect, Operation::kRead,
                             Operation::kAccept,     Operation::kPoll,    Operation::kSendSignal,
                             Operation::kSignalWait, Operation::kHandle,  Operation::kYield,
                             Operation::kClockRead};
    TraceEvent& event = trace_.add(thread, any[draw(10)], 10 + draw(2));
    // That a handler begins is a note: it cannot fail.
    if (event.operation != Operation::kHandle && !draw(4)) event.result = EventResult::kFailed;
  }

  void forget(std::uint32_t thread) {
    const std::uint64_t objects[] = {kRecursive, kSpin, kSemaphore, kVariables, kOnce};
    const std::uint64_t object = objects[draw(5)];
    const bool waited_with = std::any_of(states_.begin(), states_.end(), [](const State& state) {
      return state.doing == Doing::kWaits || state.doing == Doing::kRelocks;
    });
    if (owners_[object].depth != 0 || (object == kRecursive && waited_with)) return;
    trace_.add(thread, draw(2) ? Operation::kInit : Operation::kDestroy, object);
    if (object == kSemaphore) units_ = draw(3);
    if (object == kOnce) once_ = false;
  }

  using Deed = void (Simulation::*)(std::uint32_t thread);

  const std::vector<std::uint16_t>& numbers_;
  std::size_t next_ = 0;
  TraceBuilder trace_;
  std::uint32_t sites_ = 1;
  std::vector<Deed> deeds_;
  std::vector<State> states_;
  std::map<std::uint64_t, Owner> owners_;
  std::multiset<std::uint32_t> readers_;
  std::uint32_t writer_ = 0;  // a thread + 1
  std::vector<std::uint32_t> in_barrier_;
  std::size_t rounds_of_ = 2;  // threads
  std::uint64_t units_ = 0;
  bool once_ = false;
  bool allocated_ = false;
};

}  // namespace

std::vector<TraceEvent> any_trace(const std::vector<std::uint16_t>& numbers) {
  return Simulation(numbers).run();
}

}  // namespace unravel
