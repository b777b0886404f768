#include "hostile_channel.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "data/print.hpp"
#include "run/failure_stacks.hpp"
#include "run/notes.hpp"
#include "run/outcome.hpp"
#include "run/process_runner.hpp"
#include "run/standstill.hpp"
#include "wire/trace.hpp"

namespace unravel {
namespace {

using wire::Layout;
using Random = std::mt19937_64;

struct Stretch {
  std::uint64_t begin;
  std::uint64_t end;
};

constexpr std::uint64_t kStreamBytes = 64 * wire::kKiB;

// What the driver reads: the tables whole, of the streams and maps the beginning.
constexpr Stretch kRead[] = {{Layout::kControl, Layout::kControl + sizeof(wire::Control)},
                             {Layout::kThreads, Layout::kModules},
                             {Layout::kModules, Layout::kRuns},
                             {Layout::kRuns, Layout::kRuns + kStreamBytes},
                             {Layout::kSlices, Layout::kSlices + kStreamBytes},
                             {Layout::kChoices, Layout::kChoices + kStreamBytes},
                             {Layout::kClockSwitches, Layout::kClockSwitches + kStreamBytes},
                             {Layout::kEvents, Layout::kEvents + kStreamBytes},
                             {Layout::kPairs, Layout::kPairs + kStreamBytes},
                             {Layout::kTrace, Layout::kTrace + kStreamBytes}};

constexpr std::uint32_t kRuns = 16, kThreads = 8, kModules = 5, kEntries = 200;

void write_random(void* memory, Stretch stretch, Random& random) {
  for (std::uint64_t at = stretch.begin; at < stretch.end; at += 8) {
    *wire::at<std::uint64_t>(memory, at) = random();
  }
}

/// Words that are wrong in every way: any number, a small one, one that is nearly right.
std::uint32_t bad_word(Random& random, std::uint32_t before) {
  switch (random() % 4) {
    case 0: return static_cast<std::uint32_t>(random() % 300);
    case 1: return ~static_cast<std::uint32_t>(random() % 3);
    case 2: return before ^ (1u << random() % 32);
    default: return static_cast<std::uint32_t>(random());
  }
}

}  // namespace

HostileChannel::HostileChannel() : channel_(std::move(*Channel::create())) {
  peer_ = ::mmap(nullptr, Layout::kShared, PROT_READ | PROT_WRITE, MAP_SHARED,
                 channel_.descriptor(), 0);
}

HostileChannel::~HostileChannel() { ::munmap(peer_, Layout::kShared); }

/// As a runtime leaves it in the middle of a batch.
void HostileChannel::fill_well() {
  for (const Stretch& stretch : kRead) {
    // A reset leaves what was in the streams, which nobody counts then.
    if (stretch.begin < Layout::kSlices) continue;
    std::memset(wire::at<std::byte>(peer_, stretch.begin), 0, stretch.end - stretch.begin);
  }
  auto& control = *wire::at<wire::Control>(peer_, Layout::kControl);
  control.state.store(wire::State::kStopped);
  control.stop_reason.store(wire::StopReason::kFailure);
  control.mode.store(wire::Mode::kServer);
  control.runs_ended.store(3);
  control.thread_slots = kThreads;
  control.current_slot = 1;
  control.modules = kModules;
  control.last_words.kind = wire::LastWords::Kind::kFailure;
  control.last_words.failure = wire::FailureKind::kDeadlock;
  control.last_words.cycle_length = 2;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    auto& record = wire::at<wire::ThreadRecord>(peer_, Layout::kThreads)[i];
    record.thread.ordinal = i;
    record.state = wire::ThreadState::kBlocked;
    record.pending = wire::Operation::kLock;
  }
  for (std::uint32_t i = 1; i < kModules; ++i) {
    auto& module = wire::at<wire::Module>(peer_, Layout::kModules)[i];
    module.base = i << 20;
    module.end = module.base + 4096;
    std::strcpy(module.path, "/bin/true");
    module.build_id_size = 20;
  }
  for (std::uint32_t i = 0; i < kRuns; ++i) {
    wire::at<wire::RunSlot>(peer_, Layout::kRuns)[i].ended = 1;
  }
  control.slices.count = control.choices.count = control.clock_switches.count = kEntries;
  control.events.count = control.trace.count = kEntries;
  auto* trace = wire::at<std::uint64_t>(peer_, Layout::kTrace);
  for (std::uint32_t i = 0; i < kEntries; i += 2) {
    constexpr auto kLoad = static_cast<std::uint8_t>(wire::Operation::kLoad);
    trace[i] = wire::TraceHead::of(std::uint64_t{1} << 20, kLoad, 0).word;
    trace[i + 1] = 0x1000 + i;
  }
}

void HostileChannel::overwrite_all(std::uint64_t seed) {
  Random random(seed);
  // Filling the tables to their end takes most of the time, and what is there is read one by one.
  const std::uint64_t most = seed % 8 == 0 ? wire::kMiB : 2 * kStreamBytes;
  for (const Stretch& stretch : kRead) {
    write_random(peer_, {stretch.begin, std::min(stretch.end, stretch.begin + most)}, random);
  }
  // Counts that lead nowhere are refused at once: every other time what they count is read.
  if (seed % 2 == 0) return;
  auto& control = *wire::at<wire::Control>(peer_, Layout::kControl);
  control.modules = 1 + static_cast<std::uint32_t>(random() % wire::kMostModules);
  control.thread_slots = static_cast<std::uint32_t>(random() % (wire::kMostThreads + 1));
  control.slices.count = random() % kEntries;
  control.choices.count = random() % kEntries;
  control.clock_switches.count = random() % kEntries;
  control.events.count = random() % kEntries;
  control.trace.count = random() % kEntries;
}

void HostileChannel::overwrite_few(std::uint64_t seed) {
  Random random(seed);
  for (std::uint64_t left = 1 + random() % 8; left > 0; --left) {
    const Stretch& stretch = kRead[random() % std::size(kRead)];
    const std::uint64_t at = stretch.begin + random() % (stretch.end - stretch.begin) / 4 * 4;
    auto* word = wire::at<std::uint32_t>(peer_, at);
    *word = bad_word(random, *word);
  }
}

/// What a session, its runner and its reports read and do with it.
std::string HostileChannel::read_everything() {
  const ChannelReading& reading = channel_.reading();
  reading.state(), reading.stop_reason(), reading.mode(), reading.run_process(), reading.wrote();
  reading.was_met(), reading.version(), reading.control_size(), reading.why_direct();
  const Notes notes = read_notes(reading.notes());
  Ending ending{.slot = reading.current_run(), .words = reading.last_words()};
  for (std::uint32_t i = 0; i < reading.runs_ended(); ++i) ending.slot = reading.run(i);

  StackReader stacks;
  const std::vector<StillThread> threads = stacks.look(reading, /*process=*/0);
  describe(threads);
  describe(Standstill::kOutside, threads);
  every_thread_waits(reading.threads());
  if (Verdict verdict = judge(ending, {}); verdict.failure) {
    place_failure(*verdict.failure, ending.words, threads, reading, stacks);
  }
  ObjectNames names;
  describe_cycle(cycle_of(ending.words), names);

  Streamed streamed;
  std::uint64_t highest = 0;
  TraceDecoder decoder([&](std::span<const TraceEvent> events) {
    for (const TraceEvent& event : events) {
      highest = std::max<std::uint64_t>(highest, wire::traits(event.operation).name[0]);
      highest = std::max<std::uint64_t>(highest, decoder.sites()[event.site].packed);
    }
  });
  channel_.set_sink(&decoder);
  channel_.drain(streamed);
  channel_.set_sink(nullptr);
  for (const wire::Event& event : streamed.events) names.name(event.operation, event.object);

  Schedule schedule;
  schedule.slices = std::move(streamed.slices);
  schedule.choices = std::move(streamed.choices);
  schedule.clock_switches = std::move(streamed.clock_switches);
  schedule.modules = reading.modules().ids();
  close_last_slice(schedule.slices, reading.current_thread());
  for (const wire::Slice& slice : schedule.slices) {
    reading.modules().path_of(slice.site);
    highest = std::max<std::uint64_t>(highest, wire::traits(slice.pending).name[0]);
  }
  to_string(schedule);
  reading.site_maps();
  reading.check_own_words();
  return reading.damage();
}

std::string HostileChannel::attack(Way way, std::uint64_t seed) {
  channel_.reset({.cpu_count = 4});
  channel_.prepare({.count = kRuns});
  fill_well();
  switch (way) {
    case Way::kNoWords: return read_everything();
    case Way::kAllWords: overwrite_all(seed); return read_everything();
    case Way::kFewWords: overwrite_few(seed); return read_everything();
    case Way::kMeanwhile: break;
  }
  std::atomic<bool> over = false;
  std::thread writer([&] {
    for (std::uint64_t round = seed; !over.load(); ++round) overwrite_few(round);
  });
  std::string damage = read_everything();
  over.store(true);
  writer.join();
  return damage;
}

}  // namespace unravel
