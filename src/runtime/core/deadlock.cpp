#include "runtime/core/deadlock.hpp"

#include "runtime/core/run_state.hpp"

namespace unravel {

using wire::Operation;

// A thread in a cycle waits for another one to release something or to end. A wait with a deadline,
// or for a signal, may end by itself.
bool Deadlock::waits_for_lock(const Thread& thread) const {
  if (thread.ended || thread.waiting || thread.timed_out) return false;
  if (thread.pending.deadline != kNever || !thread.pending.can) return false;
  const bool may_be_cancelled = thread.pending.cancellable && !thread.cancel.disabled;
  if (how_ == For::kGood && (may_be_cancelled || thread.cancel.can_come_anywhere())) return false;
  const Operation kind = thread.pending.kind;
  const bool has_holder = wire::acquires(kind) || wire::has_effect(kind, wire::Effect::kJoin) ||
                          wire::has_effect(kind, wire::Effect::kOnce);
  return has_holder && blocks(thread);
}

bool Deadlock::closed_by(Thread& start) {
  start_ = &start;
  if (!waits_for_lock(start) || !search(start, 0)) return false;
  if (how_ == For::kGood && length_ == 1 && start.pending.kind != Operation::kOnce) return false;

  wire::LastWords& words = host_.words();
  words.cycle_length = length_;
  for (std::uint32_t i = 0; i < length_; ++i) {
    wire::CycleEdge edge = path_[i];
    // This thread holds what the one before it wants; visit() recorded it there.
    const wire::CycleEdge& before = path_[(i + length_ - 1) % length_];
    edge.held = before.wanted;
    edge.held_site = before.held_site;
    edge.held_operation = before.held_operation;
    words.cycle[i] = edge;
  }
  return true;
}

bool Deadlock::search(Thread& thread, std::uint32_t depth) {
  if (depth == wire::kMostCycle) return false;
  if (thread.pending.kind == Operation::kJoin) {
    auto* target = static_cast<Thread*>(const_cast<void*>(thread.pending.object));
    return visit(*target, nullptr, thread, depth);
  }
  const Object* object = objects_.find(thread.pending.object);
  if (!object) return false;
  for (const Holder* holder = object->holders; holder; holder = holder->next) {
    if (holder->ordinal != holder->thread->ordinal || !holder->thread->in_use) continue;
    if (visit(*holder->thread, holder, thread, depth)) return true;
  }
  return false;
}

bool Deadlock::visit(Thread& holder, const Holder* hold, Thread& thread, std::uint32_t depth) {
  wire::CycleEdge& edge = path_[depth];
  edge = {};
  edge.thread = {.ordinal = thread.ordinal};
  edge.wanted = thread.pending.reported_object();
  edge.wanted_site = host_.site_of(thread.pending.site);
  edge.wanted_operation = thread.pending.kind;
  edge.held_operation = hold ? hold->operation : Operation::kJoin;
  if (hold) edge.held_site = host_.site_of(hold->site);

  if (&holder == start_) {
    length_ = depth + 1;
    return true;
  }
  for (std::uint32_t i = 0; i < depth; ++i) {
    if (path_[i].thread.ordinal == holder.ordinal) return false;  // a cycle without `start`
  }
  return waits_for_lock(holder) && search(holder, depth + 1);
}

}  // namespace unravel
