#include "runtime/core/hook_watch.hpp"

#include "runtime/core/marks.hpp"

namespace unravel {

namespace {

// This many reads of the same few variables in a row, with no other read and no store between them,
// are taken for a loop that waits for another thread. A wrong guess costs one hand-over. After
// kReadsOfLongLoop reads the loop is left less often. Chosen by hand.
constexpr std::uint32_t kReadsOfLoop = 12;
constexpr std::uint32_t kReadsOfLongLoop = 1000;

// A frame and what it calls: what lies nearer to the stack pointer is the thread's own. Chosen by
// hand.
constexpr std::uint64_t kNearStack = 64 * 1024;

/// Without optimisation compilers keep what a loop reads in the thread's own frame.
bool is_on_own_stack(const void* object) {
  const auto frame = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  return reinterpret_cast<std::uint64_t>(object) - frame < kNearStack;
}

}  // namespace

bool HookWatch::goes_round(Thread& self, const Op& op) const {
  if (!state_.plan.may_call_it_spin()) return false;
  const wire::Effect effect = wire::traits(op.kind).effect;
  const bool is_read = effect == wire::Effect::kRead || effect == wire::Effect::kUpdate;
  if (effect == wire::Effect::kPassCode) return false;
  if (effect == wire::Effect::kWrite && is_on_own_stack(op.object)) return false;
  const std::uint64_t read = reinterpret_cast<std::uint64_t>(op.object) ^
                             wire::spread_site(reinterpret_cast<std::uint64_t>(op.site));
  MemoryReads& reads = self.reads;
  bool again = false;
  for (std::uint64_t& known : reads.recent) {
    again = again || (is_read && known == read);
    if (!is_read) known = 0;
  }
  if (again) {
    const bool is_long = ++reads.repeated > kReadsOfLongLoop;
    return reads.repeated % (is_long ? kReadsOfLongLoop : kReadsOfLoop) == 0;
  }
  if (is_read) reads.recent[reads.next++ % MemoryReads::kRecent] = read;
  reads.repeated = 0;
  return false;
}

void HookWatch::set_countdowns(const Thread& self) {
  const Distance far = state_.plan.distance(self, state_.slot->steps, state_.threads.alive() > 1);
  countdowns_.hooks.set(far.hooks);
  countdowns_.calls.set(far.calls);
  countdowns_.marked.set(far.marked);
  countdowns_.thread_tag = Marks::tag_of(self.ordinal);
}

}  // namespace unravel
