/// Waiting for several descriptors, for poll, select and epoll.
#pragma once

#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/descriptor.hpp"

namespace unravel {

/// `length` in nanoseconds; kNever: for ever.
inline std::uint64_t deadline_in(std::uint64_t length) {
  const std::uint64_t now = scheduler().time().now();
  return length >= kNever - now ? kNever : now + length;
}

inline std::uint64_t milliseconds(int length) {
  return length < 0 ? kNever : static_cast<std::uint64_t>(length) * 1'000'000;
}

/// The descriptors that were ready when a wait ended: one bit each, for the first ones.
using Ready = std::uint64_t;
inline constexpr nfds_t kMostNoted = 62;
inline constexpr Ready kNothing = 0;
inline constexpr Ready kAll = ~Ready{0};

inline Ready ready_bit(nfds_t index) {
  return Ready{1} << (index < kMostNoted ? index : kMostNoted);
}

/// Which of `wishes` are ready now.
inline Ready look(const Thread& self, const pollfd* wishes, nfds_t count) {
  Ready ready = kNothing;
  for (nfds_t i = 0; i < count; ++i) {
    if (wishes[i].fd >= 0 && is_ready_now(self, &wishes[i], 1)) ready |= ready_bit(i);
  }
  return ready;
}

/// In a replay: blocks until all of `wanted` are ready.
void await_ready(Thread& self, const Op& op, const Outside& outside, Ready wanted);

/// A call that fills no buffers.
inline constexpr auto kNoParts = [](long, auto) {};

/// Blocks until one of `wishes` is ready, then calls `collect` for the answer, which must name only
/// members of the given set. An epoll descriptor is one wish, whatever is in it.
/// `for_each_part` calls its argument with each buffer that the call fills, given its answer.
template <class Collect, class ForEachPart>
int wait_for(Thread& self, pollfd* wishes, nfds_t count, int shown, std::uint64_t length,
             const sigset_t* mask, const void* site, Collect collect, ForEachPart for_each_part) {
  ErrnoKeeper keeper;
  const Outside outside{.descriptors = wishes, .count = count, .never_restarts = true};
  bool inside = true;
  const bool serves = runtime().inputs().serves();  // then nothing depends on the outside
  for (nfds_t i = 0; i < count && !serves; ++i) {
    inside = inside && (wishes[i].fd < 0 || runtime().outsiders().is_inside(wishes[i].fd));
  }
  const Op op{.kind = wire::Operation::kPoll,
              .object = scheduler().outside().object(),
              .site = site,
              .can = length == 0 ? nullptr : can_proceed,
              .deadline = deadline_in(length),
              .number = static_cast<std::uint64_t>(shown),
              .interruptible = true,
              .cancellable = true};
  const std::uint64_t mask_before = self.signals.mask;
  if (mask) runtime().signals().set_mask(self, SIG_SETMASK, mask, nullptr);
  self.wish = &outside;
  self.outside = inside ? nullptr : &outside;
  if (length == 0) {
    scheduler().reach_attempt(self, op);
  } else {
    scheduler().reach(self, op);
  }
  if (mask) runtime().signals().replace_mask(self, mask_before);
  cancellation_point(self);

  const wire::Choice* recorded = inside ? nullptr : scheduler().outside().recorded_answer(self);
  const bool interrupted = recorded
                               ? recorded->value == static_cast<Ready>(-EINTR)
                               : self.signals.interrupted && !is_ready_now(self, wishes, count);
  Ready ready = kAll;
  Inputs& inputs = runtime().inputs();
  const bool from_record = !inside && inputs.replays();
  const InputCall call{.kind = wire::InputKind::kReady, .operation = op.kind, .descriptor = shown};
  // A recorded error is no set: no descriptor has the last bit.
  const bool failed = recorded && static_cast<std::int64_t>(recorded->value) < 0;
  if (recorded && !failed) {
    ready = recorded->value;
    if (!from_record) await_ready(self, op, outside, ready);
  } else if (!inside && !failed && !from_record) {
    ready = look(self, wishes, count);
  }
  self.wish = self.outside = nullptr;
  long result = 0;
  if (from_record) {
    take_recorded_signals(self);
    RecordedInput input = inputs.take(self, call);
    result = input.result();
    for_each_part(result, [&](void* part, std::size_t size) {
      if (!input.read(part, size)) inputs.diverge(self, kOtherRoom);
    });
  } else {
    if (serves) take_recorded_signals(self);
    result = interrupted ? -EINTR : ready == kNothing ? 0 : collect(ready);
  }
  if (serves && result == 0 && runtime().outsiders().waits_outside(outside)) {
    note_nothing_served(self);
  }
  if (!inside && inputs.records()) {
    std::size_t size = 0;
    for_each_part(result, [&](void*, std::size_t more) { size += more; });
    inputs.begin(self, call, result, size);
    for_each_part(result, [&](void* part, std::size_t more) { inputs.add(part, more); });
    inputs.end();
  }
  if (!inside) {
    const Ready noted = result < 0 ? static_cast<Ready>(result) : result == 0 ? kNothing : ready;
    scheduler().outside().answered(self, recorded, noted);
    if (result == 0) runtime().host().call_client();
  }
  if (result == 0 && length == 0) scheduler().failed_attempt(self, op);
  scheduler().did(self, op,
                  result < 0    ? wire::EventResult::kFailed
                  : result == 0 ? wire::EventResult::kTimedOut
                                : wire::EventResult::kDone,
                  static_cast<std::uint64_t>(result));
  return result < 0 ? keeper.fail(static_cast<int>(-result)) : static_cast<int>(result);
}

inline std::uint64_t length_of(const timespec* length) {
  return length ? nanoseconds(*length) : kNever;
}

/// Whether the kernel would accept it as a duration.
inline bool is_length(const timespec* length) {
  return !length || (length->tv_sec >= 0 && is_valid(*length));
}

}  // namespace unravel
