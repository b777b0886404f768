#include "runtime/core/constraints.hpp"

#include <algorithm>
#include <bit>

namespace unravel {

namespace {

bool matches(const wire::EventPattern& pattern, const void* site, const Op& op) {
  if (op.kind == wire::Operation::kNone) return false;
  const bool names_site = pattern.site != wire::Site{};
  const bool names_operation = pattern.operation != wire::Operation::kNone;
  if (!names_site && !names_operation && !pattern.object) return false;
  if (names_site && (!site || site != op.site)) return false;
  if (names_operation && pattern.operation != op.kind) return false;
  return !pattern.object || pattern.object == op.reported_object();
}

/// Whether a pattern means `thread`, which has reached its event. `came` remembers whether the
/// thread came there before, and whether it is the one that is meant.
bool is_meant(const wire::EventPattern& pattern, const Thread& thread, std::uint32_t& arrivals,
              ConstraintArrival& came, std::uint32_t bit) {
  switch (pattern.whose) {
    case wire::Whose::kAny: return true;
    case wire::Whose::kThread: return pattern.thread == thread.ordinal;
    case wire::Whose::kArrival: break;
  }
  if (!(came.came & bit)) {
    came.came |= bit;
    if (++arrivals == pattern.thread) came.meant |= bit;
  }
  return came.meant & bit;
}

/// A wait that ends in a queue counts as made when it begins: what is pending afterwards is its
/// wake.
bool is_made(const Thread& thread) {
  const wire::Operation kind = thread.pending.kind;
  const bool queues = wire::waits_for_wake(kind) || wire::has_effect(kind, wire::Effect::kMeet);
  return queues && (thread.waiting || thread.timed_out);
}

template <class Visit>
void for_each_bit(std::uint32_t bits, Visit visit) {
  for (; bits; bits &= bits - 1) visit(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

}  // namespace

void Constraints::use(const wire::Constraint* list, std::uint32_t count) {
  list_ = list;
  count_ = std::min(count, wire::kMostConstraints);
  active_ = count_ == 32 ? ~0u : (1u << count_) - 1;
}

void Constraints::reached(Thread& thread) {
  RuleState& rule = thread.rule;
  rule.is_first = rule.is_then = 0;
  if (is_made(thread)) return;
  for_each_bit(active_, [&](std::uint32_t i) {
    const std::uint32_t bit = 1u << i;
    const wire::Constraint& one = list_[i];
    Kept& kept = kept_[i];
    if (matches(one.first, kept.first, thread.pending) &&
        is_meant(one.first, thread, kept.first_arrivals, rule.at_first, bit)) {
      rule.is_first |= bit;
    }
    if (matches(one.then, kept.then, thread.pending) &&
        is_meant(one.then, thread, kept.then_arrivals, rule.at_then, bit)) {
      rule.is_then |= bit;
    }
  });
}

void Constraints::keep(std::uint32_t bit) {
  if (run_ && !(run_->given_up & bit)) run_->kept |= bit;
}

void Constraints::give_up(std::uint32_t bit) {
  active_ &= ~bit;
  if (run_ && !(run_->kept & bit)) run_->given_up |= bit;
}

/// The constraints whose next `then` a thread is waiting to make.
std::uint32_t Constraints::holding() const {
  std::uint32_t holding = 0;
  for_each_bit(active_, [&](std::uint32_t i) {
    if (kept_[i].thens + 1 >= list_[i].then.occurrence) holding |= 1u << i;
  });
  return holding;
}

const ThreadSet& Constraints::allowed(const ThreadSet& runnable, const ThreadSet& others,
                                      Thread* const* by_slot, std::uint64_t step) {
  for_each_bit(active_, [&](std::uint32_t i) {
    const bool too_long =
        list_[i].give_up && kept_[i].since && step - kept_[i].since > list_[i].give_up;
    if (too_long) give_up(1u << i);
  });
  for (;;) {
    const std::uint32_t holding = this->holding();
    std::uint32_t used = 0;
    bool somebody = false;
    allowed_ = runnable;
    for (std::uint32_t slot = runnable.first_from(0); slot != ThreadSet::kNone;
         slot = runnable.first_from(slot + 1)) {
      const std::uint32_t waits_for = by_slot[slot]->rule.is_then & holding;
      if (!waits_for) {
        somebody = somebody || !by_slot[slot]->rule.spun;
        continue;
      }
      used |= waits_for;
      allowed_.remove(slot);
    }
    for_each_bit(used, [&](std::uint32_t i) {
      if (!kept_[i].since) kept_[i].since = step;
    });
    if (!used || somebody || (allowed_.empty() && !others.empty())) return allowed_;
    std::uint32_t oldest = static_cast<std::uint32_t>(std::countr_zero(used));
    for_each_bit(used, [&](std::uint32_t i) {
      if (kept_[i].since < kept_[oldest].since) oldest = i;
    });
    give_up(1u << oldest);
  }
}

void Constraints::passes(const Thread& thread) {
  for_each_bit(thread.rule.is_first & active_, [&](std::uint32_t i) {
    ++kept_[i].firsts;
    const std::uint64_t wanted = list_[i].first.occurrence;
    if (kept_[i].firsts >= wanted) keep(1u << i);
    if (wanted && kept_[i].firsts >= wanted) active_ &= ~(1u << i);
  });
  for_each_bit(thread.rule.is_then & active_, [&](std::uint32_t i) {
    ++kept_[i].thens;
    if (kept_[i].thens >= list_[i].then.occurrence) give_up(1u << i);
  });
}

}  // namespace unravel
