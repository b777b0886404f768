#include "run/late_deadlines.hpp"

#include <algorithm>
#include <cstdio>

#include "run/watchdog.hpp"

namespace unravel {
namespace {

/// The blocked thread whose deadline is next; nullptr if no other thread has one.
const wire::ThreadRecord* next_due(std::span<const wire::ThreadRecord> threads,
                                   std::uint32_t computing) {
  const wire::ThreadRecord* next = nullptr;
  for (const wire::ThreadRecord& thread : threads) {
    if (thread.state != wire::ThreadState::kBlocked || thread.thread.ordinal == computing ||
        thread.deadline == wire::kNoDeadline) {
      continue;
    }
    if (!next || thread.deadline < next->deadline) next = &thread;
  }
  return next;
}

/// "5 ms", "0.2 ms", "3.5 s"
std::string describe_wait(std::chrono::nanoseconds left) {
  const double milliseconds = std::chrono::duration<double, std::milli>(left).count();
  if (milliseconds >= 1000) return describe_seconds(left);
  char text[32];
  std::snprintf(text, sizeof text, milliseconds < 9.95 ? "%.1f" : "%.0f", milliseconds);
  std::string number = text;
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + " ms";
}

}  // namespace

std::string describe(const LateDeadline& late) {
  return "T" + std::to_string(late.computing_thread) + " computed for " +
         describe_seconds(late.computed) + " without a synchronisation operation while T" +
         std::to_string(late.waiting_thread) + " waited for at most " + describe_wait(late.left);
}

bool LateDeadlines::observe(std::uint32_t run, const wire::RunSlot& slot) {
  if (!has_looked_ || run != run_) late_.reset();
  const bool continues = has_looked_ && run == run_ && slot.steps == steps_;
  if (!continues) {
    stretch_.reset();
    time_ = slot.time;
  }
  has_looked_ = true;
  run_ = run;
  steps_ = slot.steps;
  return continues;
}

void LateDeadlines::computes(std::uint32_t thread, std::chrono::milliseconds processor,
                             const ReadThreads& threads) {
  if (!stretch_ || stretch_->thread != thread) stretch_ = {thread, processor};
  const std::chrono::milliseconds computed = processor - stretch_->processor;
  if (computed < kLongComputing || (late_ && computed <= late_->computed)) return;
  const std::vector<wire::ThreadRecord> records = threads();
  const wire::ThreadRecord* next = next_due(records, thread);
  if (!next) return;
  // The program can overwrite these numbers, so they may be anything.
  const std::uint64_t left = next->deadline > time_ ? next->deadline - time_ : 0;
  const std::chrono::nanoseconds most = computed / kTimesLeft;
  if (left > static_cast<std::uint64_t>(most.count())) return;
  late_ = {.computing_thread = thread,
           .computed = computed,
           .waiting_thread = next->thread.ordinal,
           .left = std::chrono::nanoseconds(left)};
}

std::optional<LateDeadline> LateDeadlines::of_run(std::uint32_t run) const {
  return has_looked_ && run == run_ ? late_ : std::nullopt;
}

}  // namespace unravel
