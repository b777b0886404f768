#include "run/watched_process.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>

#include "run/activity.hpp"

namespace unravel {

namespace {

/// Whether it has ended, though its parent does not know yet. If only the first thread has ended,
/// others are there.
bool is_dead(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  const char state = status_of(folder).state;
  if (state == 0 || state == 'X') return true;
  if (state != 'Z') return false;
  std::error_code error;
  std::size_t threads = 0;
  for (std::filesystem::directory_iterator at(folder + "/task", error), end; !error && at != end;
       at.increment(error)) {
    ++threads;
  }
  return threads <= 1;
}

}  // namespace

pid_t WatchedProcess::process() const {
  if (process_.channel().runs_ended() > 0) return 0;
  const pid_t process = process_.run_process(is_starting_);
  return process > 0 && !is_dead(process) ? process : 0;
}

/// How many hooks the runtime has let pass since it last counted them.
std::uint64_t WatchedProcess::uncounted(std::uint64_t words) const {
  const pid_t process = this->process();
  if (process <= 0 || words == 0) return 0;
  std::int64_t left_and_from[2] = {};
  const std::vector<std::byte> bytes = StackReader::read(process, words, sizeof left_and_from);
  if (bytes.size() != sizeof left_and_from) return 0;
  std::memcpy(left_and_from, bytes.data(), sizeof left_and_from);
  // The program can overwrite these words.
  const std::int64_t made = left_and_from[1] - left_and_from[0];
  return made > 0 && made < static_cast<std::int64_t>(wire::kMostCount)
             ? static_cast<std::uint64_t>(made)
             : 0;
}

wire::RunSlot WatchedProcess::counters() const {
  wire::RunSlot slot = process_.channel().current_run();
  slot.steps += uncounted(process_.channel().debugger_stop().points);
  return slot;
}

wire::ThreadRecord WatchedProcess::current() const {
  wire::ThreadRecord record = process_.channel().current_thread();
  record.clock.hooks += uncounted(process_.channel().debugger_stop().hooks);
  return record;
}

std::vector<WatchedThread> WatchedProcess::threads() const {
  const pid_t process = this->process();
  const ChannelReading& channel = process_.channel();
  const std::uint32_t current = channel.current_slot();
  const std::vector<wire::ThreadRecord> records = channel.threads();
  const std::vector<wire::HeldObject> held = channel.held_objects();
  std::vector<WatchedThread> threads;
  for (std::uint32_t slot = 0; slot < records.size(); ++slot) {
    const wire::ThreadRecord& record = records[slot];
    const bool is_live =
        record.state == wire::ThreadState::kRunnable || record.state == wire::ThreadState::kBlocked;
    if (!is_live) continue;
    const StillThread still{.record = record, .has_turn = slot == current, .stack = {}};
    threads.push_back({.record = record,
                       .kernel_thread = process_.kernel_thread(process, record),
                       .has_turn = still.has_turn,
                       .state = describe_state(still),
                       .held = {}});
    for (const wire::HeldObject& one : held) {
      if (one.thread == record.thread) threads.back().held.push_back(one.object);
    }
  }
  std::sort(threads.begin(), threads.end(), [](const WatchedThread& a, const WatchedThread& b) {
    return a.record.thread.ordinal < b.record.thread.ordinal;
  });
  return threads;
}

wire::LastWords WatchedProcess::last_words() const { return process_.channel().last_words(); }

wire::DebuggerStop WatchedProcess::stop() const { return process_.channel().debugger_stop(); }

void WatchedProcess::stop_next(const wire::DebuggerStop& place) {
  process_.stop_for_debugger(place);
}

}  // namespace unravel
