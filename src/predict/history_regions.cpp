/// Which events of a thread are one unit: critical sections, and what the user marks.
#include <algorithm>

#include "predict/history_builder.hpp"

namespace unravel {

using wire::Effect;

/// A critical section's region begins with the first lock, and ends with the last; what orders
/// threads ends it, too.
void HistoryBuilder::update_region(Thread& thread, EventIndex event, bool is_boundary) {
  const bool is_inside = !thread.open.empty();
  if (thread.region != kNoEvent && (!is_inside || is_boundary)) {
    regions_.push_back({.first = thread.region,
                        .last = event,
                        .thread = static_cast<std::uint16_t>(thread.ordinal)});
    thread.region = kNoEvent;
    if (is_inside) thread.region = event + 1;
    return;
  }
  if (thread.region == kNoEvent && is_inside) thread.region = event;
}

void HistoryBuilder::take_mark(const TraceEvent& event, Thread& thread) {
  if (wire::has_effect(event.operation, Effect::kBeginUnit)) {
    if (thread.marks++ == 0) thread.marked_at = event.site;
  } else if (thread.marks > 0) {
    --thread.marks;
  } else {
    const StrayMark stray{thread.ordinal, event.site};
    std::vector<StrayMark>& known = history_.stray_ends;
    if (std::find(known.begin(), known.end(), stray) == known.end()) known.push_back(stray);
  }
  update_marked_region(thread);
}

/// Exceptions and jumps may skip exits. Stacks grow down, so a call from a higher address shows
/// that the frames below it are gone. A function that takes memory from its stack leaves it from a
/// lower address than it entered.
void HistoryBuilder::take_frame(const TraceEvent& event, Thread& thread, bool is_entry) {
  std::vector<std::uint64_t>& frames = thread.frames;
  const auto is_gone = [&](std::uint64_t frame) {
    return is_entry ? frame <= event.object : frame < event.object;
  };
  while (!frames.empty() && is_gone(frames.back())) frames.pop_back();
  // What comes next is another region, even if its function is atomic, too.
  update_marked_region(thread);
  if (event.site == 0 || !is_atomic_(event.site)) return;
  if (is_entry) {
    frames.push_back(event.object);
  } else if (!frames.empty()) {
    frames.pop_back();
  }
  update_marked_region(thread);
}

/// Marked regions begin with the outermost mark or atomic function, and end with it: nothing that
/// the thread does in between ends them.
void HistoryBuilder::update_marked_region(Thread& thread) {
  const bool is_inside = thread.marks > 0 || !thread.frames.empty();
  const bool was_inside = thread.marked_region != kNoEvent;
  if (is_inside == was_inside) return;
  if (is_inside) {
    thread.marked_region = static_cast<EventIndex>(history_.events.size());
    return;
  }
  if (thread.last != kNoEvent && thread.last >= thread.marked_region) {
    regions_.push_back({.first = thread.marked_region,
                        .last = thread.last,
                        .thread = static_cast<std::uint16_t>(thread.ordinal),
                        .kind = RegionKind::kMarked});
  }
  thread.marked_region = kNoEvent;
}

/// Those that are open at the end of the run.
void HistoryBuilder::end_regions() {
  for (const auto& thread : threads_) {
    if (!thread) continue;
    if (thread->region != kNoEvent && thread->region <= thread->last) {
      regions_.push_back({.first = thread->region,
                          .last = thread->last,
                          .thread = static_cast<std::uint16_t>(thread->ordinal)});
    }
    thread->marks = 0;
    thread->frames.clear();
    update_marked_region(*thread);
  }
}

}  // namespace unravel
