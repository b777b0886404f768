/// Barriers, fully modelled: no thread waits on the real one, so we know which threads wait. A
/// barrier that is shared with other processes is also counted in its own memory, as glibc does.
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>

#include "runtime/core/check.hpp"
#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/elsewhere.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

/// glibc's layout (struct pthread_barrier). Each arrival gets the next number from `in`; all
/// numbers up to `current_round` may leave. `out` counts those that have left. All counters start
/// again when everybody has left, before `in` would overflow and before the barrier is destroyed.
struct BarrierMemory {
  std::atomic<unsigned> in, current_round;
  unsigned count;
  int shared;
  std::atomic<unsigned> out;

  [[nodiscard]] unsigned most() const { return UINT_MAX / 2 - UINT_MAX / 2 % count; }
};

BarrierMemory& memory_of(pthread_barrier_t* barrier) {
  return *reinterpret_cast<BarrierMemory*>(barrier);
}

void wake_elsewhere(std::atomic<unsigned>& word) {
  os::call(SYS_futex, os::as_argument(&word), FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

/// `count` of our threads have left.
void leave(BarrierMemory& memory, unsigned count) {
  if (memory.out.fetch_add(count) + count != memory.most()) return;
  memory.current_round.store(0);
  memory.out.store(0);
  memory.in.store(0);
  wake_elsewhere(memory.in);
}

/// The caller has arrived as number `own`. If it completes the round, lets everybody go, including
/// threads of other processes. Returns whether the round is complete.
bool fills_round(BarrierMemory& memory, unsigned own) {
  unsigned current = memory.current_round.load();
  while (own - current >= memory.count) {
    if (!memory.current_round.compare_exchange_strong(current, own - own % memory.count)) continue;
    wake_elsewhere(memory.current_round);
    break;
  }
  return memory.current_round.load() >= own;
}

struct Arrival {
  BarrierMemory* shared = nullptr;  // null: only our threads use it
  unsigned number = 0;
  bool is_last = false;  // it completes the round
  bool is_serial = false;

  [[nodiscard]] bool may_leave() const { return shared->current_round.load() >= number; }
};

/// Blocks until `can` is true of `wanted`. In a replay, the recorded event comes again.
void await_elsewhere(Thread& self, const Op& op, const void* wanted, Op::Can can) {
  const Elsewhere elsewhere(self, /*shared=*/true);
  self.wanted = wanted;
  while (!can(op, self)) {
    self.pending = op;
    self.pending.can = can;
    scheduler().block(self);
  }
}

/// Arrives at a barrier where another process may already wait. What it finds there is recorded.
Arrival arrive_with_others(Thread& self, BarrierMemory& memory, const Op& op) {
  const bool has_child = runtime().outsiders().has_child();
  constexpr std::uint64_t kLast = 1;
  constexpr std::uint64_t kSerial = 2;
  const wire::Choice* recorded = has_child ? scheduler().outside().recorded_answer(self) : nullptr;
  if (recorded && (recorded->value & kLast)) {
    await_elsewhere(self, op, &memory, [](const Op&, const Thread& thread) {
      const auto& wanted = *static_cast<const BarrierMemory*>(thread.wanted);
      return (wanted.in.load() + 1) % wanted.count == 0;
    });
  }
  Arrival arrival{.shared = &memory, .number = memory.in.fetch_add(1) + 1};
  UNRAVEL_CHECK(arrival.number <= memory.most(),
                "too many threads have waited at a shared barrier");
  arrival.is_last = fills_round(memory, arrival.number);
  arrival.is_serial = arrival.number % memory.count == 0;
  if (recorded) {
    arrival.is_last = recorded->value & kLast;
    arrival.is_serial = recorded->value & kSerial;
  }
  if (has_child) {
    scheduler().outside().answered(
        self, recorded, (arrival.is_last ? kLast : 0) | (arrival.is_serial ? kSerial : 0));
  }
  return arrival;
}

/// Whether the thread may leave because another process completed the round.
bool leaves_by_itself(Thread& self, const Arrival& arrival, const Op& op) {
  const bool has_child = runtime().outsiders().has_child();
  const wire::Choice* recorded = has_child ? scheduler().outside().recorded_answer(self) : nullptr;
  if (recorded && recorded->value) {
    await_elsewhere(self, op, &arrival, [](const Op&, const Thread& thread) {
      return static_cast<const Arrival*>(thread.wanted)->may_leave();
    });
  }
  const bool leaves = recorded ? recorded->value != 0 : arrival.may_leave();
  if (has_child) scheduler().outside().answered(self, recorded, leaves ? 1 : 0);
  return leaves;
}

/// Waits for others. None of our threads has completed the round.
void await_others(Thread& self, pthread_barrier_t* barrier, const Arrival& arrival, const Op& op) {
  Object& object = scheduler().objects().at(barrier);
  const std::uint64_t round = object.rounds;
  const auto wait_with = [&](auto wait) {
    const Elsewhere elsewhere(self, arrival.shared != nullptr);
    return wait();
  };
  auto woken = wait_with([&] { return scheduler().waiting().wait(self, object, op); });
  while (woken == Waiting::Woken::kBySignal) {
    Object& now = scheduler().objects().at(barrier);
    if (arrival.shared && leaves_by_itself(self, arrival, op)) return leave(*arrival.shared, 1);
    if (!arrival.shared && now.rounds != round) return;  // completed while a handler ran
    woken = wait_with([&] { return scheduler().waiting().wait_again(self, now, op); });
  }
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::pthread_barrier_wait, barrier);
  const Op op{.kind = wire::Operation::kBarrierWait, .object = barrier, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  if (recorder.on()) {
    recorder.annotate(wire::Operation::kArrive, reinterpret_cast<std::uint64_t>(barrier), 0, 0,
                      op.site);
  }
  BarrierMemory& memory = memory_of(barrier);
  Arrival arrival;
  if (memory.shared) {
    arrival = arrive_with_others(*self, memory, op);
  } else {
    arrival.is_last = ++scheduler().objects().at(barrier).arrived >= memory.count;
    arrival.is_serial = arrival.is_last;
  }
  if (arrival.is_last) {
    Object& object = scheduler().objects().at(barrier);
    object.arrived = 0;
    ++object.rounds;
    const std::uint32_t woken = scheduler().waiting().wake(*self, object, ~0u);
    if (arrival.shared) leave(memory, woken + 1);
    scheduler().did(*self, op, wire::EventResult::kDone, woken);
  } else {
    await_others(*self, barrier, arrival, op);
  }
  return arrival.is_serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

UNRAVEL_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier,
                                        const pthread_barrierattr_t* attributes,
                                        unsigned count) noexcept {
  forget(barrier);
  return real::pthread_barrier_init(barrier, attributes, count);
}

UNRAVEL_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  Thread* self = controlled_thread();
  Object* object = self ? scheduler().objects().find(barrier) : nullptr;
  if (object && object->waiters.size && memory_of(barrier).shared) {
    // Another process completed the round: these threads may leave, but have not checked yet.
    leave(memory_of(barrier), scheduler().waiting().wake(*self, *object, ~0u));
  }
  forget(barrier);
  return real::pthread_barrier_destroy(barrier);
}
