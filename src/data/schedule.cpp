#include "data/schedule.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/assert.hpp"
#include "base/base64.hpp"
#include "data/bytes.hpp"
#include "data/bytes_constraints.hpp"
#include "data/bytes_modules.hpp"
#include "wire/version.hpp"

namespace unravel {

namespace {

constexpr Format kFormat = {.magic = "UNRAVSCH",
                            .noun = "schedule",
                            .version = 3,
                            .operation_table = wire::kOperationTableVersion,
                            .oldest = 1};

// Since this version, schedules name their model of time.
constexpr std::uint32_t kWithTimeModel = 2;
// Since this version, they say where the program was when it created its first thread.
constexpr std::uint32_t kWithStart = 3;

constexpr std::string_view kStringPrefix = "u1.";

// About four million slices; no bug report has more.
constexpr std::size_t kMostBytesOfString = std::size_t{64} << 20;

constexpr std::uint64_t kPointSetCount = 4;
constexpr std::uint64_t kTimeoutsCount = 3;

constexpr std::uint64_t number_of(auto enumerator) {
  return static_cast<std::uint64_t>(enumerator);
}

/// Reads an untrusted number that later calculations use.
std::uint64_t number_up_to(FieldReader& in, std::uint64_t most, std::string_view what) {
  const std::uint64_t value = in.number();
  if (value <= most) return value;
  in.refuse("its " + std::string(what) + " " + std::to_string(value) +
            " is out of range: it can be " + std::to_string(most) + " at the most");
  return 0;
}

// --- Shared shapes: what the encoder and the decoder both keep while they go along -----------

/// The last clock of each thread: clocks of a thread grow in small steps.
using LastClocks = std::unordered_map<std::uint64_t, wire::Clock>;

wire::Clock& last_clock(LastClocks& last, wire::ThreadId thread) {
  return last[std::uint64_t{thread.process} << 32 | thread.ordinal];
}

void write(FieldWriter& out, wire::ThreadId thread) {
  out.number(thread.ordinal);
  out.number(thread.process);
}

wire::ThreadId read_thread(FieldReader& in) {
  wire::ThreadId thread;
  thread.ordinal = in.integer<std::uint32_t>("thread");
  thread.process = in.integer<std::uint16_t>("process");
  return thread;
}

void write(FieldWriter& out, wire::ThreadId thread, wire::Clock clock, LastClocks& last) {
  write(out, thread);
  wire::Clock& before = last_clock(last, thread);
  out.difference(clock.operations, before.operations);
  out.number(clock.hooks);
  before = clock;
}

wire::Clock read_clock(FieldReader& in, wire::ThreadId thread, LastClocks& last) {
  wire::Clock& before = last_clock(last, thread);
  before.operations = in.difference(before.operations);
  if (before.operations > wire::kMostCount) {
    in.refuse("its clock " + std::to_string(before.operations) + " is out of range");
    before.operations = 0;
  }
  before.hooks = number_up_to(in, wire::kMostCount, "clock");
  return before;
}

// --- Slices ----------------------------------------------------------------------------------

/// Threads are switched at the same few places again and again. Sites are written once, sorted, and
/// slices refer to them by number.
void write_slices(FieldWriter& out, const std::vector<wire::Slice>& slices) {
  std::map<std::uint64_t, std::uint64_t> numbers;
  for (const wire::Slice& slice : slices) numbers.emplace(slice.site.packed, 0);
  out.number(numbers.size());
  std::uint64_t before = 0;
  std::uint64_t next = 0;
  for (auto& [site, number] : numbers) {
    out.number(site - before);
    before = site;
    number = next++;
  }

  LastClocks last;
  out.number(slices.size());
  for (const wire::Slice& slice : slices) {
    write(out, slice.thread, slice.until, last);
    out.number(numbers[slice.site.packed]);
    out.number(number_of(slice.end));
    out.number(number_of(slice.pending));
  }
}

std::vector<wire::Slice> read_slices(FieldReader& in) {
  std::vector<std::uint64_t> sites(in.count(1));
  std::uint64_t before = 0;
  for (std::uint64_t& site : sites) site = before += in.number();

  LastClocks last;
  std::vector<wire::Slice> slices(in.count(7));
  for (wire::Slice& slice : slices) {
    slice.thread = read_thread(in);
    slice.until = read_clock(in, slice.thread, last);
    const std::uint64_t site = in.number_below(sites.size(), "site");
    slice.end = in.enumerator<wire::End>(wire::kEndCount, "end of a slice");
    slice.pending = in.enumerator<wire::Operation>(wire::kOperationCount, "operation");
    if (!in.good()) return {};
    slice.site.packed = sites[site];
  }
  return slices;
}

// --- Choices, constraints, clock form, rule --------------------------------------------------

void write_choices(FieldWriter& out, const std::vector<wire::Choice>& choices) {
  LastClocks last;
  out.number(choices.size());
  for (const wire::Choice& choice : choices) {
    write(out, choice.thread, choice.clock, last);
    out.number(number_of(choice.kind));
    out.number(choice.value);
  }
}

std::vector<wire::Choice> read_choices(FieldReader& in) {
  LastClocks last;
  std::vector<wire::Choice> choices(in.count(6));
  for (wire::Choice& choice : choices) {
    choice.thread = read_thread(in);
    choice.clock = read_clock(in, choice.thread, last);
    choice.kind = static_cast<wire::ChoiceKind>(in.integer<std::uint8_t>("kind of choice"));
    choice.value = choice.kind == wire::ChoiceKind::kSignal
                       ? number_up_to(in, wire::kMostSignal, "signal")
                       : in.number();
    if (in.good() && !wire::executed(choice.kind)) {
      in.refuse("kind of choice " + std::to_string(number_of(choice.kind)) +
                " is not known to this version");
    }
    const bool is_time =
        choice.kind == wire::ChoiceKind::kTimePassed || choice.kind == wire::ChoiceKind::kTimeJump;
    if (in.good() && is_time && choice.value > wire::kMostTime) in.refuse("a time is too long");
    if (!in.good()) return {};
  }
  return choices;
}

void write_clock_switches(FieldWriter& out, const std::vector<wire::ClockSwitch>& switches) {
  std::uint64_t before = 0;
  out.number(switches.size());
  for (const wire::ClockSwitch& one : switches) {
    out.difference(one.count, before);
    before = one.count;
    write(out, one.receiver);
    out.flag(one.has_receiver != 0);
  }
}

std::vector<wire::ClockSwitch> read_clock_switches(FieldReader& in) {
  std::uint64_t before = 0;
  std::vector<wire::ClockSwitch> switches(in.count(4));
  for (wire::ClockSwitch& one : switches) {
    one.count = before = in.difference(before);
    if (in.good() && one.count > wire::kMostCount) {
      in.refuse("its switch after " + std::to_string(one.count) + " points is out of range");
    }
    one.receiver = read_thread(in);
    one.has_receiver = in.flag() ? 1 : 0;
    if (!in.good()) return {};
  }
  return switches;
}

// In version 1 a rule is only its kind. This is added to the kind if more fields follow.
constexpr std::uint64_t kHasMore = 8;
static_assert(wire::kRuleKindCount <= kHasMore);

void write(FieldWriter& out, const wire::Rule& rule) {
  const bool more =
      rule.drawn_change_points || rule.redraws || rule.length || rule.starving || rule.watches;
  out.number(number_of(rule.kind) + (more ? kHasMore : 0));
  if (more) {
    out.number(rule.drawn_change_points);
    out.number(rule.redraws + 2 * rule.watches);
    out.number(rule.length);
    out.number(rule.starving);
  }
  out.number(rule.switch_probability);
  out.number(rule.seed);
  out.number(rule.change_point_count);
  for (std::size_t i = 0; i < rule.change_point_count; ++i) out.number(rule.change_points[i]);
}

wire::Rule read_rule(FieldReader& in) {
  wire::Rule rule;
  const std::uint64_t kind = in.number();
  if (in.good() && (kind >= 2 * kHasMore || kind % kHasMore >= wire::kRuleKindCount)) {
    in.refuse("rule " + std::to_string(kind) + " is not known to this version");
  }
  rule.kind = static_cast<wire::RuleKind>(kind % kHasMore);
  if (kind >= kHasMore) {
    rule.drawn_change_points = static_cast<std::uint8_t>(
        in.number_below(wire::kMostChangePoints + 1, "number of change points"));
    const std::uint64_t kind_of_rule = in.number_below(4, "kind of priorities");
    rule.redraws = static_cast<std::uint8_t>(kind_of_rule % 2);
    rule.watches = static_cast<std::uint32_t>(kind_of_rule / 2);
    rule.length = number_up_to(in, wire::kMostCount, "length of a run");
    rule.starving = static_cast<std::uint32_t>(in.number_below(wire::kCertain + 1, "probability"));
  }
  rule.switch_probability =
      static_cast<std::uint32_t>(in.number_below(wire::kCertain + 1, "probability"));
  rule.seed = in.number();
  rule.change_point_count = static_cast<std::uint8_t>(
      in.number_below(wire::kMostChangePoints + 1, "number of change points"));
  for (std::size_t i = 0; i < rule.change_point_count; ++i) {
    rule.change_points[i] = number_up_to(in, wire::kMostCount, "change point");
  }
  return rule;
}

// --- Under what it was recorded --------------------------------------------------------------

}  // namespace

std::vector<std::byte> encode(const Schedule& schedule) {
  FieldWriter out(kFormat);
  write_slices(out, schedule.slices);
  write_choices(out, schedule.choices);
  write_constraints(out, schedule.constraints);
  write_clock_switches(out, schedule.clock_switches);
  write(out, schedule.then);
  out.flag(schedule.complete);
  out.number(number_of(schedule.points));
  out.number(number_of(schedule.timeouts));
  write_modules(out, schedule.modules);
  out.number(schedule.cpu_count);
  out.number(schedule.start_realtime);
  out.number(schedule.start_monotonic);
  out.flag(schedule.addresses_fixed);
  out.flag(schedule.sandboxed);
  if (schedule.points == wire::PointSet::kAuto) write_sites(out, schedule.marks);
  out.number(number_of(schedule.time_model));
  out.number(schedule.start.wait_count);
  for (std::uint32_t i = 0; i < schedule.start.wait_count; ++i) {
    out.number(schedule.start.waits[i]);
  }
  out.number(schedule.start.clock.operations);
  out.number(schedule.start.clock.hooks);
  out.number(schedule.start.time);
  return out.seal();
}

Result<Schedule> decode_schedule(std::span<const std::byte> bytes) {
  Result<FieldReader> opened = FieldReader::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;
  Schedule schedule;
  schedule.slices = read_slices(in);
  schedule.choices = read_choices(in);
  schedule.constraints = read_constraints(in);
  schedule.clock_switches = read_clock_switches(in);
  schedule.then = read_rule(in);
  schedule.complete = in.flag();
  schedule.points = in.enumerator<wire::PointSet>(kPointSetCount, "point set");
  schedule.timeouts = in.enumerator<wire::Timeouts>(kTimeoutsCount, "kind of timeouts");
  schedule.modules = read_modules(in);
  schedule.cpu_count =
      static_cast<std::uint32_t>(number_up_to(in, wire::kMostCpus, "number of CPUs"));
  if (in.good() && schedule.cpu_count == 0) in.refuse("its number of CPUs is 0");
  schedule.start_realtime = number_up_to(in, wire::kMostTime, "start time");
  schedule.start_monotonic = number_up_to(in, wire::kMostTime, "start time since boot");
  schedule.addresses_fixed = in.flag();
  schedule.sandboxed = in.flag();
  if (schedule.points == wire::PointSet::kAuto) schedule.marks = read_sites(in);
  if (in.version() >= kWithTimeModel) {
    schedule.time_model = in.enumerator<wire::TimeModel>(wire::kTimeModelCount, "model of time");
    wire::Start& start = schedule.start;
    start.wait_count =
        static_cast<std::uint32_t>(in.number_below(wire::kMostStartWaits + 1, "number of waits"));
    for (std::uint32_t i = 0; i < start.wait_count && in.good(); ++i) {
      // The sum of all is added to the start time.
      start.waits[i] =
          number_up_to(in, wire::kMostTime / wire::kMostStartWaits, "length of a wait");
    }
  } else {
    schedule.time_model = wire::TimeModel::kFirst;
  }
  if (in.version() >= kWithStart) {
    schedule.start.clock.operations = number_up_to(in, wire::kMostCount, "clock at the start");
    schedule.start.clock.hooks = number_up_to(in, wire::kMostCount, "clock at the start");
    schedule.start.time = number_up_to(in, wire::kMostTime, "time at the start");
  }
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return schedule;
}

std::string to_string(const Schedule& schedule) {
  return std::string(kStringPrefix) + encode_base64(compress(encode(schedule)));
}

Result<Schedule> schedule_from_string(std::string_view text) {
  // Mail programs and terminals break long lines.
  std::string joined;
  std::copy_if(text.begin(), text.end(), std::back_inserter(joined),
               [](char c) { return c != ' ' && c != '\n' && c != '\r' && c != '\t'; });

  const std::size_t dot = joined.find('.');
  const bool versioned = dot != joined.npos && dot > 1 && dot <= 6 && joined[0] == 'u' &&
                         joined.find_first_not_of("0123456789", 1) == dot;
  if (!versioned) {
    return user_error("this is not a schedule of unravel", "a schedule's string begins with u1.");
  }
  if (!joined.starts_with(kStringPrefix)) {
    return user_error("this schedule string has version " + joined.substr(1, dot - 1) +
                          ", and this unravel reads version 1",
                      "it was written by another unravel", "update unravel");
  }
  const auto compressed = decode_base64(std::string_view(joined).substr(kStringPrefix.size()));
  if (!compressed) {
    return user_error("this schedule string is damaged", compressed.error().why,
                      "copy it again, from u1. to its end");
  }
  const auto bytes = decompress(*compressed, kMostBytesOfString, "schedule string");
  if (!bytes) return fail(bytes.error());
  return decode_schedule(*bytes);
}

wire::Following following_for(const Schedule& schedule) {
  if (!schedule.clock_switches.empty()) return wire::Following::kClockForm;
  return schedule.complete ? wire::Following::kStrict : wire::Following::kLenient;
}

}  // namespace unravel
