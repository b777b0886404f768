// The part of the channel that returns what the runtime wrote: copied first, then checked.

#include <algorithm>
#include <cstring>

#include "base/assert.hpp"
#include "run/channel.hpp"
#include "run/channel_checks.hpp"
#include "run/channel_streams.hpp"

namespace unravel {
namespace {

using wire::Layout;

/// Reads a non-atomic word of shared memory exactly once.
template <class T>
T read_once(const T& word) {
  return *static_cast<const volatile T*>(&word);
}

/// A copy of shared memory, byte for byte.
template <class T>
T copy_of(const T& shared) {
  T copy;
  std::memcpy(static_cast<void*>(&copy), &shared, sizeof copy);
  return copy;
}

template <std::size_t size>
std::string text_of(const char (&shared)[size]) {
  char copy[size];
  std::memcpy(copy, shared, size);
  return {copy, ::strnlen(copy, size)};
}

std::string hexadecimal(const std::uint8_t* bytes, std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

}  // namespace

void Channel::note_damage(std::string_view what) const {
  if (damage_.empty()) damage_ = what;
}

wire::State Channel::state() const {
  const wire::State state = control().state.load();
  if (state <= wire::State::kFull) return state;
  note_damage("the state of the run");
  return wire::State::kRunning;
}

wire::StopReason Channel::stop_reason() const {
  const wire::StopReason reason = control().stop_reason.load();
  if (reason <= wire::StopReason::kRound) return reason;
  note_damage("why the run stands still");
  return wire::StopReason::kNot;
}

wire::Mode Channel::mode() const {
  const wire::Mode mode = control().mode.load();
  if (mode <= wire::Mode::kDirect) return mode;
  note_damage("how runs are started");
  return wire::Mode::kNotYet;
}

std::int32_t Channel::run_process() const {
  const std::int32_t number = control().run_process.load();
  if (number >= 0) return number;
  note_damage("the process of the run");
  return 0;
}

bool Channel::wrote() const {
  const std::uint32_t wrote = read_once(control().wrote);
  if (wrote > 1) note_damage("whether the run left something behind");
  return wrote != 0;
}

std::uint32_t Channel::runs_ended() const {
  const std::uint32_t ended = control().runs_ended.load();
  if (ended <= batch_.count) return ended;
  note_damage("the number of runs");
  return 0;
}

bool Channel::was_met() const { return read_once(control().thread_slots) != 0; }
std::uint32_t Channel::version() const { return read_once(control().version); }
std::uint32_t Channel::control_size() const { return read_once(control().size); }
std::string Channel::why_direct() const { return text_of(control().why_direct); }
std::string Channel::notes() const {
  return damage_.empty() ? text_of(control().uncontrolled) : "";
}

wire::LastWords Channel::last_words() const {
  const wire::LastWords words = copy_of(control().last_words);
  const std::string_view fault = fault_in(words);
  if (fault.empty()) return words;
  note_damage(fault);
  return {};
}

wire::RunSlot Channel::run(std::uint32_t index) const {
  UNRAVEL_ASSERT(index < wire::kMostRunsInBatch, "a run outside the table of runs");
  const auto slot = copy_of(wire::at<const wire::RunSlot>(memory_, Layout::kRuns)[index]);
  const std::string_view fault = fault_in(slot);
  if (fault.empty()) return slot;
  note_damage(fault);
  return {};
}

wire::RunSlot Channel::current_run() const {
  return run(std::min(runs_ended(), std::max(batch_.count, 1u) - 1));
}

wire::ThreadRecord Channel::thread(std::uint32_t slot) const {
  UNRAVEL_ASSERT(slot < wire::kMostThreads, "a thread outside the table of threads");
  const auto record = copy_of(wire::at<const wire::ThreadRecord>(memory_, Layout::kThreads)[slot]);
  const std::string_view fault = fault_in(record);
  if (fault.empty()) return record;
  note_damage(fault);
  return {};
}

std::uint32_t Channel::current_slot() const {
  const std::uint32_t slot = read_once(control().current_slot);
  if (slot < wire::kMostThreads) return slot;
  note_damage("whose turn it is");
  return 0;
}

std::vector<wire::ThreadRecord> Channel::threads() const {
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

std::uint32_t Channel::module_count() const {
  const std::uint32_t count = read_once(control().modules);
  if (count >= 1 && count <= wire::kMostModules) return count;
  note_damage("the number of modules");
  return 1;
}

wire::Module Channel::module(std::uint32_t index) const {
  const auto module = copy_of(wire::at<const wire::Module>(memory_, Layout::kModules)[index]);
  const std::string_view fault = fault_in(module);
  if (fault.empty()) return module;
  note_damage(fault);
  return {};
}

std::vector<std::uint64_t> Channel::start_waits() const {
  const std::uint32_t count = copy_of(control().start_wait_count);
  if (count > wire::kMostStartWaits) {
    note_damage("the number of waits for a child");
    return {};
  }
  std::vector<std::uint64_t> waits;
  for (std::uint32_t i = 0; i < count; ++i) waits.push_back(copy_of(control().start_waits[i]));
  return waits;
}

wire::Start Channel::start() const {
  const wire::Start start = copy_of(control().start);
  const std::string_view fault = fault_in(start);
  if (fault.empty()) return start;
  note_damage(fault);
  return {};
}

std::uint64_t Channel::spin_entry() const { return copy_of(control().spin_entry); }

wire::Round Channel::round() const { return copy_of(control().round); }

std::vector<ModuleId> Channel::modules() const {
  const std::uint32_t count = module_count();
  std::vector<ModuleId> named(1);
  for (std::uint32_t i = 1; i < count; ++i) {
    const wire::Module found = module(i);
    named.push_back(
        {.path = found.path, .build_id = hexadecimal(found.build_id, found.build_id_size)});
  }
  return named;
}

std::vector<LoadedModule> Channel::loaded_modules() const {
  const std::uint32_t count = module_count();
  std::vector<LoadedModule> loaded;
  for (std::uint32_t i = 1; i < count; ++i) {
    const wire::Module found = module(i);
    if (found.end <= found.base) continue;
    loaded.push_back(
        {.id = {.path = found.path, .build_id = hexadecimal(found.build_id, found.build_id_size)},
         .base = found.base,
         .end = found.end});
  }
  return loaded;
}

SiteMaps Channel::site_maps() const {
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
  const std::uint32_t count = module_count();
  for (std::uint32_t i = 0; i < count; ++i) maps.bases.push_back(module(i).base);
  return maps;
}

std::string Channel::module_path(wire::Site site) const {
  if (site.module() == wire::kNoModule || site.module() >= module_count()) return {};
  return module(site.module()).path;
}

namespace {

/// Takes the valid entries, and returns what is wrong with the first invalid one, if any.
template <class T, class Check>
std::string_view take_stream(const void* memory, std::uint64_t count, const wire::Stream& stream,
                             std::vector<T>& into, Check fault_of) {
  if (count > stream.capacity) return "the length of a stream";
  const std::size_t before = into.size();
  into.resize(before + count);
  if (count == 0) return {};
  std::memcpy(static_cast<void*>(&into[before]),
              static_cast<const std::byte*>(memory) + stream.offset, count * sizeof(T));
  for (std::size_t i = before; i < into.size(); ++i) {
    const std::string_view fault = fault_of(into[i]);
    if (fault.empty()) continue;
    into.resize(i);
    return fault;
  }
  return {};
}

}  // namespace

void Channel::drain(Streamed& into) {
  wire::Control& shared = control();
  const auto drain_stream = [&](wire::Stream& counted, const wire::Stream& stream, auto& to,
                                auto fault_of) {
    const std::size_t before = to.size();
    const std::uint64_t count = read_once(counted.count);
    const std::string_view fault = take_stream(memory_, count, stream, to, fault_of);
    if (!fault.empty()) note_damage(fault);
    counted.count = 0;
    return (to.size() - before) * sizeof(to[0]);
  };
  const std::uint32_t modules = module_count();
  const std::uint64_t used =
      drain_stream(shared.slices, kSliceStream, into.slices,
                   [&](const wire::Slice& slice) { return fault_in(slice, modules); }) +
      drain_stream(shared.choices, kChoiceStream, into.choices,
                   [](const wire::Choice& choice) { return fault_in(choice); }) +
      drain_stream(shared.clock_switches, kClockSwitchStream, into.clock_switches,
                   [](const wire::ClockSwitch& one) { return fault_in(one); }) +
      drain_stream(shared.events, kEventStream, into.events,
                   [&](const wire::Event& event) { return fault_in(event, modules); });
  streams_used_ = std::max(streams_used_, used);
  drain_trace();
  drain_decisions();
}

std::vector<wire::Module> Channel::all_modules() const {
  std::vector<wire::Module> modules(module_count());
  for (std::uint32_t i = 1; i < modules.size(); ++i) modules[i] = module(i);
  return modules;
}

void Channel::drain_decisions() {
  wire::Control& shared = control();
  const std::uint64_t count = read_once(shared.decisions.count);
  shared.decisions.count = 0;
  if (!decision_sink_ || count == 0) return;
  std::vector<std::uint64_t> words;
  const std::string_view fault = take_stream(memory_, count, kDecisionStream, words,
                                             [](std::uint64_t) { return std::string_view(); });
  if (!fault.empty()) return note_damage(fault);
  decision_sink_->take(words, all_modules());
  if (decision_sink_->damaged()) note_damage("the decisions");
}

void Channel::drain_trace() {
  wire::Control& shared = control();
  const std::uint64_t count = read_once(shared.trace.count);
  // The memory of the trace is kept: the next portion needs it again.
  shared.trace.count = 0;
  if (!sink_ || count == 0) return;
  std::vector<std::uint64_t> words;
  const std::string_view fault = take_stream(memory_, count, kTraceStream, words,
                                             [](std::uint64_t) { return std::string_view(); });
  if (!fault.empty()) return note_damage(fault);
  if (!sink_->take(words, all_modules())) set_trace(wire::TraceLevel::kSync);
  if (sink_->damaged()) note_damage("the trace");
}

void Channel::check_own_words() const {
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
