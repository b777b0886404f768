#include "run/channel.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <new>
#include <utility>

#include "base/assert.hpp"
#include "run/channel_streams.hpp"

namespace unravel {
namespace {

using wire::Layout;

// Touched pages stay in memory until they are given back. Up to this size, keeping them is cheaper
// than faulting them in again for the next run. Chosen by hand.
constexpr std::uint64_t kKeptBytes = 4 * wire::kMiB;

long futex(const std::atomic<std::uint32_t>* word, int operation, std::uint32_t value,
           const timespec* timeout) {
  return ::syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

// Requests and bells are 32-bit words, as the futex call needs.
template <class T>
const std::atomic<std::uint32_t>* word_of(const std::atomic<T>& value) {
  static_assert(sizeof(std::atomic<T>) == sizeof(std::uint32_t));
  return reinterpret_cast<const std::atomic<std::uint32_t>*>(&value);
}

template <class T>
void append_bytes(std::byte*& to, std::span<const T> values) {
  if (values.empty()) return;
  std::memcpy(to, values.data(), values.size_bytes());
  to += values.size_bytes();
}

std::uint64_t bytes_of(const ScheduleInput& input) {
  const Schedule& schedule = *input.schedule;
  return sizeof(wire::ScheduleHeader) + schedule.slices.size() * sizeof(wire::Slice) +
         schedule.choices.size() * sizeof(wire::Choice) +
         schedule.constraints.size() * sizeof(wire::Constraint) +
         schedule.clock_switches.size() * sizeof(wire::ClockSwitch) + input.stops.size_bytes();
}

}  // namespace

Result<Channel> Channel::create() {
  UniqueFd descriptor(::memfd_create("unravel", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  // Sealed: if the program could shrink it, reading it here would fault.
  if (!descriptor || ::ftruncate(descriptor.get(), static_cast<off_t>(Layout::kShared)) != 0 ||
      ::fcntl(descriptor.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return environment_error("cannot make the memory shared with the program", std::strerror(errno),
                             "look at the limits that `ulimit -a` shows");
  }
  void* memory = ::mmap(nullptr, Layout::kShared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, descriptor.get(), 0);
  if (memory == MAP_FAILED) {
    return environment_error("cannot map the memory shared with the program", std::strerror(errno),
                             "raise `ulimit -v`: 2 GiB of addresses are needed");
  }
  Channel channel(std::move(descriptor), memory);
  channel.reset({});
  return channel;
}

Channel::Channel(UniqueFd descriptor, void* memory)
    : descriptor_(std::move(descriptor)), memory_(memory), reading_(memory) {}

Channel::Channel(Channel&& other) noexcept { swap(other); }

Channel& Channel::operator=(Channel&& other) noexcept {
  swap(other);
  return *this;
}

void Channel::swap(Channel& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(memory_, other.memory_);
  std::swap(sink_, other.sink_);
  std::swap(decision_sink_, other.decision_sink_);
  std::swap(input_collector_, other.input_collector_);
  std::swap(input_used_, other.input_used_);
  std::swap(streams_used_, other.streams_used_);
  std::swap(reading_, other.reading_);
}

Channel::~Channel() {
  if (memory_) ::munmap(memory_, Layout::kShared);
}

void Channel::reset(const wire::Settings& settings) {
  give_back_memory();
  // A hole reads as zero, and is cheaper than writing zeros to untouched memory.
  if (::fallocate(descriptor_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(Layout::kThreads),
                  static_cast<off_t>(Layout::kSlices - Layout::kThreads)) != 0) {
    std::memset(wire::at<std::byte>(memory_, Layout::kThreads), 0,
                Layout::kSlices - Layout::kThreads);
  }
  if (!reading_.damage_.empty()) {
    // Maps cover all runs so far, but after damage their content is unknown.
    std::memset(wire::at<std::byte>(memory_, Layout::kPairs), 0, Layout::kMarks - Layout::kPairs);
  }
  reading_.damage_.clear();
  auto* fresh = new (memory_) wire::Control;
  fresh->size = sizeof(wire::Control);
  reading_.settings_ = settings;
  reading_.batch_ = fresh->batch;
  std::memcpy(&fresh->settings, &reading_.settings_, sizeof settings);
  fresh->slices = kSliceStream;
  fresh->choices = kChoiceStream;
  fresh->clock_switches = kClockSwitchStream;
  fresh->events = kEventStream;
  fresh->trace = kTraceStream;
  fresh->decisions = kDecisionStream;
  fresh->inputs = kInputStream;
}

void Channel::give_back_memory() {
  if (input_used_ + streams_used_ < kKeptBytes) return;
  // If the kernel refuses, the pages just stay in memory.
  const auto give_back = [this](std::uint64_t begin, std::uint64_t end) {
    ::fallocate(descriptor_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(begin), static_cast<off_t>(end - begin));
  };
  give_back(Layout::kSlices, Layout::kPairs);  // maps cover all runs so far
  give_back(Layout::kMarks, Layout::kSchedules + input_used_);
  input_used_ = streams_used_ = 0;
}

Result<void> Channel::write_inputs(std::span<const std::uint64_t> words) {
  if (words.size() > wire::kMostInputWords) {
    return user_error("the recorded inputs are too large for a replay",
                      std::to_string(words.size() >> 17) + " MiB", "replay it with --inputs live");
  }
  std::copy(words.begin(), words.end(), wire::at<std::uint64_t>(memory_, Layout::kRecordedInputs));
  return {};
}

Result<void> Channel::write_schedules(std::span<const ScheduleInput> schedules) {
  give_back_memory();
  std::uint64_t total = 0;
  for (const ScheduleInput& input : schedules) total += bytes_of(input);
  if (total > Layout::kRecordedInputs - Layout::kSchedules) {
    return user_error("the schedule is too long", std::to_string(total >> 20) + " MiB",
                      "simplify it, or run fewer schedules at a time");
  }

  auto* to = wire::at<std::byte>(memory_, Layout::kSchedules);
  for (const ScheduleInput& input : schedules) {
    const Schedule& schedule = *input.schedule;
    const wire::ScheduleHeader header{.bytes = bytes_of(input),
                                      .slices = schedule.slices.size(),
                                      .choices = schedule.choices.size(),
                                      .constraints = schedule.constraints.size(),
                                      .clock_switches = schedule.clock_switches.size(),
                                      .stops = input.stops.size(),
                                      .then = schedule.then,
                                      .following = input.following,
                                      .complete = schedule.complete};
    append_bytes(to, std::span<const wire::ScheduleHeader>(&header, 1));
    append_bytes(to, std::span<const wire::Slice>(schedule.slices));
    append_bytes(to, std::span<const wire::Choice>(schedule.choices));
    append_bytes(to, std::span<const wire::Constraint>(schedule.constraints));
    append_bytes(to, std::span<const wire::ClockSwitch>(schedule.clock_switches));
    append_bytes(to, input.stops);
  }
  input_used_ = std::max(input_used_, total);
  return {};
}

void Channel::prepare(const wire::Batch& batch) {
  UNRAVEL_ASSERT(batch.count >= 1 && batch.count <= wire::kMostRunsInBatch,
                 "a batch has a number of runs that fits its table");
  wire::Control& shared = control();
  std::memset(wire::at<std::byte>(memory_, Layout::kRuns), 0, batch.count * sizeof(wire::RunSlot));
  std::memcpy(static_cast<void*>(&reading_.batch_), &batch, sizeof batch);
  std::memcpy(static_cast<void*>(&shared.batch), &batch, sizeof batch);
  shared.runs_ended.store(0);
  shared.stop_reason.store(wire::StopReason::kNot);
  shared.last_words = {};
  shared.tick.store(0);
  shared.slices.count = shared.choices.count = 0;
  shared.clock_switches.count = shared.events.count = shared.trace.count = 0;
  shared.decisions.count = 0;
}

void Channel::ask(wire::Request request) {
  wire::Control& shared = control();
  // The answer to this request must not be confused with the current state.
  if (request != wire::Request::kEnd) shared.state.store(wire::State::kRunning);
  shared.request.store(request);
  futex(word_of(shared.request), FUTEX_WAKE, INT_MAX, nullptr);
}

void Channel::wait(std::uint32_t seen, std::chrono::milliseconds most) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const std::chrono::nanoseconds rest = most - seconds;
  const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = rest.count()};
  futex(word_of(control().driver_bell), FUTEX_WAIT, seen, &timeout);
}

void Channel::set_trace(wire::TraceLevel level) {
  reading_.batch_.trace = level;
  control().batch.trace = level;
}

void Channel::stop_for_debugger(const wire::DebuggerStop& place) {
  wire::DebuggerStop& shared = control().debugger_stop;
  shared.count = place.count;
  shared.at = place.at;
  shared.kind = place.kind;
}

std::uint32_t Channel::write_marks(std::span<const wire::Site> sites) {
  const std::size_t count = std::min<std::size_t>(sites.size(), wire::kMostMarks);
  if (count) {
    std::memcpy(wire::at<wire::Site>(memory_, Layout::kMarks), sites.data(),
                count * sizeof(wire::Site));
  }
  return static_cast<std::uint32_t>(count);
}

std::uint32_t Channel::write_wrappers(std::span<const wire::WrapperRow> rows) {
  const std::size_t count = std::min<std::size_t>(rows.size(), wire::kMostWrapperRows);
  std::copy_n(rows.begin(), count, wire::at<wire::WrapperRow>(memory_, Layout::kWrappers));
  return static_cast<std::uint32_t>(count);
}

void Channel::add_site_maps(const SiteMaps& maps) {
  const auto add = [this](std::uint64_t offset, const std::vector<std::uint64_t>& map) {
    auto* to = wire::at<std::uint64_t>(memory_, offset);
    const std::size_t words = std::min<std::size_t>(map.size(), wire::kSiteMapBits / 64);
    for (std::size_t i = 0; i < words; ++i) to[i] |= map[i];
  };
  add(Layout::kPairs, maps.met);
  add(Layout::kExecuted, maps.executed);
}

}  // namespace unravel
