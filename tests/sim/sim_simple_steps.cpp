/// Steps that never block, and hooks.
#include "sim/sim_machine.hpp"

namespace unravel::sim {

using wire::Operation;

// As instrumented code makes them.
void SimMachine::make_hook(Live& self, Operation kind, SimObject* object) {
  --countdowns_.hooks.left;
  if (kind == Operation::kEnter) --countdowns_.calls.left;
  bool is_due = countdowns_.hooks.is_due() || countdowns_.calls.is_due();
  // Every other object is one whose sites are marked.
  const bool marked =
      limits_.points == wire::PointSet::kAuto && object && (object - objects_.data()) % 2 == 0;
  if (marked && --countdowns_.marked.left < 0) is_due = true;
  Op op = op_of(self, kind, object);
  if (object) op.also = sizeof(object->value);
  const bool spins = marked && scheduler_.hooks().goes_round(*self.thread, op);
  if (is_due || spins) scheduler_.inspect_hook(*self.thread, op, marked, spins);
  if (!marked) return;
  scheduler_.pairs().record(reinterpret_cast<std::uint64_t>(op.object),
                            reinterpret_cast<std::uint64_t>(op.site), self.thread->ordinal,
                            kind != Operation::kLoad, scheduler_.run());
}

void SimMachine::simple(Live& self, const Code& code) {
  Thread& thread = *self.thread;
  SimObject* object = code.object < objects_.size() ? &objects_[code.object] : nullptr;
  switch (code.verb) {
    case Verb::kPost: {
      const Op op = op_of(self, Operation::kSemPost, object);
      scheduler_.reach(thread, op);
      ++object->value;
      scheduler_.objects().changed_at(object);
      return scheduler_.did(thread, op);
    }
    case Verb::kStep:
    case Verb::kRead:
    case Verb::kWrite: {
      const Op op = op_of(self, Operation::kOnce, code.verb == Verb::kStep ? nullptr : object);
      scheduler_.reach(thread, op);
      if (code.verb == Verb::kRead) self.own[0] = object->value;
      if (code.verb == Verb::kWrite) object->value = value_of(&self, code.value);
      return scheduler_.did(thread, op);
    }
    case Verb::kYield: {
      const Op op = op_of(self, Operation::kYield, nullptr);
      scheduler_.reach(thread, op, Leave::kYields);
      return scheduler_.did(thread, op);
    }
    case Verb::kDetach: {
      Live* target = by_code_[code.object];
      Op op = op_of(self, Operation::kDetach, target->thread);
      op.number = target->thread->ordinal;
      scheduler_.reach(thread, op);
      target->gone = true;
      target->thread->detached = true;
      if (target->ended) scheduler_.threads().forget(*target->thread);
      return scheduler_.did(thread, op);
    }
    case Verb::kClock:
      self.own[0] = static_cast<std::int64_t>(scheduler_.deadlines().read_clock(thread, 0));
      return;
    case Verb::kHook: return scheduler_.hook(thread);
    case Verb::kAccess: return make_hook(self, Operation::kLoad, object);
    case Verb::kLoad:
      make_hook(self, Operation::kLoad, object);
      self.own[0] = object->value;
      return;
    case Verb::kStore: {
      // What is stored was worked out before the hook, as in compiled code.
      const std::int64_t value = value_of(&self, code.value);
      make_hook(self, Operation::kStore, object);
      object->value = value;
      return;
    }
    case Verb::kCall: return make_hook(self, Operation::kEnter, nullptr);
    case Verb::kSet: {
      const std::int64_t value = value_of(&self, code.value);
      (code.own ? self.own[code.object] : object->value) = value;
      return;
    }
    case Verb::kAssert:
      if (holds(&self, code.comparison)) return;
      fail(self, wire::FailureKind::kAssert, code.text);
      end();
    case Verb::kUnless:
      if (!holds(&self, code.comparison)) self.next_step = code.target;
      return;
    case Verb::kJump: self.next_step = code.target; return;
    default: __builtin_unreachable();
  }
}

}  // namespace unravel::sim
