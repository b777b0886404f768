#include "run/channel_reading.hpp"

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "run/channel_checks.hpp"
#include "run/channel_copies.hpp"
#include "run/channel_streams.hpp"

namespace unravel {
namespace {

using wire::Layout;

template <std::size_t size>
std::string text_of(const char (&shared)[size]) {
  char copy[size];
  std::memcpy(copy, shared, size);
  return {copy, ::strnlen(copy, size)};
}

}  // namespace

void ChannelReading::note_damage(std::string_view what) const {
  if (damage_.empty()) damage_ = what;
}

wire::State ChannelReading::state() const {
  const wire::State state = control().state.load();
  if (state <= wire::State::kFull) return state;
  note_damage("the state of the run");
  return wire::State::kRunning;
}

wire::StopReason ChannelReading::stop_reason() const {
  const wire::StopReason reason = control().stop_reason.load();
  if (reason <= wire::StopReason::kDebugger) return reason;
  note_damage("why the run stands still");
  return wire::StopReason::kNot;
}

wire::Mode ChannelReading::mode() const {
  const wire::Mode mode = control().mode.load();
  if (mode <= wire::Mode::kDirect) return mode;
  note_damage("how runs are started");
  return wire::Mode::kNotYet;
}

wire::Client ChannelReading::client() const {
  const wire::Client client = control().client.load();
  if (client <= wire::Client::kRecorded) return client;
  note_damage("the state of the client");
  return wire::Client::kNone;
}

std::int32_t ChannelReading::run_process() const {
  const std::int32_t number = control().run_process.load();
  if (number >= 0) return number;
  note_damage("the process of the run");
  return 0;
}

bool ChannelReading::wrote() const {
  const std::uint32_t wrote = read_once(control().wrote);
  if (wrote > 1) note_damage("whether the run left something behind");
  return wrote != 0;
}

std::uint32_t ChannelReading::runs_ended() const {
  const std::uint32_t ended = control().runs_ended.load();
  if (ended <= batch_.count) return ended;
  note_damage("the number of runs");
  return 0;
}

bool ChannelReading::was_met() const { return read_once(control().thread_slots) != 0; }
std::uint32_t ChannelReading::version() const { return read_once(control().version); }
std::uint32_t ChannelReading::control_size() const { return read_once(control().size); }
std::string ChannelReading::why_direct() const { return text_of(control().why_direct); }
std::string ChannelReading::notes() const {
  return damage_.empty() ? text_of(control().uncontrolled) : "";
}

wire::LastWords ChannelReading::last_words() const {
  const wire::LastWords words = copy_of(control().last_words);
  const std::string_view fault = fault_in(words);
  if (fault.empty()) return words;
  note_damage(fault);
  return {};
}

wire::RunSlot ChannelReading::run(std::uint32_t index) const {
  UNRAVEL_ASSERT(index < wire::kMostRunsInBatch, "a run outside the table of runs");
  const auto slot = copy_of(wire::at<const wire::RunSlot>(memory_, Layout::kRuns)[index]);
  const std::string_view fault = fault_in(slot);
  if (fault.empty()) return slot;
  note_damage(fault);
  return {};
}

wire::RunSlot ChannelReading::current_run() const {
  return run(std::min(runs_ended(), std::max(batch_.count, 1u) - 1));
}

wire::ThreadRecord ChannelReading::thread(std::uint32_t slot) const {
  UNRAVEL_ASSERT(slot < wire::kMostThreads, "a thread outside the table of threads");
  const auto record = copy_of(wire::at<const wire::ThreadRecord>(memory_, Layout::kThreads)[slot]);
  const std::string_view fault = fault_in(record);
  if (fault.empty()) return record;
  note_damage(fault);
  return {};
}

std::uint32_t ChannelReading::current_slot() const {
  const std::uint32_t slot = read_once(control().current_slot);
  if (slot < wire::kMostThreads) return slot;
  note_damage("whose turn it is");
  return 0;
}

std::vector<wire::ThreadRecord> ChannelReading::threads() const {
  std::uint32_t count = read_once(control().thread_slots);
  if (count > wire::kMostThreads) {
    note_damage("the number of threads");
    count = 0;
  }
  std::vector<wire::ThreadRecord> threads;
  threads.reserve(count);
  for (std::uint32_t slot = 0; slot < count; ++slot) threads.push_back(thread(slot));
  return threads;
}

wire::Start ChannelReading::start() const {
  const wire::Start start = copy_of(control().start);
  const std::string_view fault = fault_in(start);
  if (fault.empty()) return start;
  note_damage(fault);
  return {};
}

std::uint64_t ChannelReading::spin_entry() const { return copy_of(control().spin_entry); }

wire::Round ChannelReading::round() const { return copy_of(control().round); }

wire::DebuggerStop ChannelReading::debugger_stop() const {
  wire::DebuggerStop stop = copy_of(control().debugger_stop);
  if (stop.kind <= wire::DebuggerStop::Kind::kSwitchAt && stop.is_before_switch <= 1) return stop;
  note_damage("where the run stops for a debugger");
  return {};
}

std::vector<wire::HeldObject> ChannelReading::held_objects() const {
  const std::uint64_t count = std::min(debugger_stop().held, wire::kMostHeld);
  std::vector<wire::HeldObject> held;
  for (std::uint64_t i = 0; i < count; ++i) {
    held.push_back(copy_of(wire::at<const wire::HeldObject>(memory_, Layout::kHeld)[i]));
  }
  return held;
}

SiteMaps ChannelReading::site_maps() const {
  SiteMaps maps;
  if (!damage_.empty()) return maps;
  const auto copy = [this](std::uint64_t offset) {
    std::vector<std::uint64_t> words(wire::kSiteMapBits / 64);
    std::memcpy(words.data(), wire::at<const std::byte>(memory_, offset), wire::kSiteMapBytes);
    return words;
  };
  maps.met = copy(Layout::kPairs);
  maps.preempted = copy(Layout::kPreempted);
  maps.executed = copy(Layout::kExecuted);
  for (const wire::Module& module : modules().all()) maps.bases.push_back(module.base);
  return maps;
}

void ChannelReading::check_own_words() const {
  const wire::Control& shared = control();
  const auto same = [](const auto& ours, const auto& theirs) {
    return std::memcmp(&ours, &theirs, sizeof ours) == 0;
  };
  const auto same_place = [](const wire::Stream& ours, const wire::Stream& theirs) {
    return ours.offset == theirs.offset && ours.capacity == theirs.capacity;
  };
  if (!same(settings_, shared.settings)) note_damage("the settings");
  if (!same(batch_, shared.batch)) note_damage("what to run");
  const bool has_streams =
      same_place(kSliceStream, shared.slices) && same_place(kChoiceStream, shared.choices) &&
      same_place(kClockSwitchStream, shared.clock_switches) &&
      same_place(kEventStream, shared.events) && same_place(kTraceStream, shared.trace) &&
      same_place(kDecisionStream, shared.decisions);
  if (!has_streams) note_damage("where the streams are");
}

}  // namespace unravel
