#include "run/checkup.hpp"

#include <elf.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

#include "run/object_names.hpp"

namespace unravel {
namespace {

using wire::Event;
using wire::Operation;

/// Objects that moved as a whole have the same offset in their page.
constexpr std::uint64_t kPage = 4096;

/// Whether the thread's next steps may depend on what this operation brought from outside.
bool brings_input(Operation operation) {
  return wire::traits(operation).outside == wire::Outside::kBrings;
}

// A read that decides a thread's path is among its last operations. Chosen by hand.
constexpr std::size_t kRecently = 16;

bool read_recently(std::span<const Event> events, std::size_t end, wire::ThreadId thread) {
  std::size_t left = kRecently;
  for (std::size_t i = end; i > 0 && left > 0; --i) {
    const Event& event = events[i - 1];
    if (event.thread != thread) continue;
    if (brings_input(event.operation)) return true;
    --left;
  }
  return false;
}

bool differ_in_object_only(Event before, const Event& now) {
  before.object = now.object;
  return before == now;
}

bool differ_in_value_only(Event before, const Event& now) {
  before.value = now.value;
  return before == now;
}

bool has_moved(const Event& before, const Event& now) {
  return differ_in_object_only(before, now) && !acts_on_thread(before.operation) &&
         before.object % kPage == now.object % kPage;
}

Source source_of(const Run& before, const Run& now, std::size_t at) {
  const bool both = at < before.events.size() && at < now.events.size();
  if (both && has_moved(before.events[at], now.events[at])) return Source::kAddress;
  if (both && before.events[at].operation == Operation::kClockRead &&
      differ_in_value_only(before.events[at], now.events[at])) {
    return Source::kTime;
  }
  const std::span<const Event> events = before.events;
  const Event* event = at < events.size() ? &events[at] : nullptr;
  if (event && read_recently(events, at, event->thread)) return Source::kInput;
  if (!now.schedule.addresses_fixed) return Source::kAddress;
  const std::vector<Concern> escapes = concerns_about_escapes(now);
  const bool is_certain = std::any_of(escapes.begin(), escapes.end(), [](const Concern& escape) {
    return escape.weight == Concern::Weight::kCertain;
  });
  if (is_certain) return Source::kUncontrolledThread;
  return Source::kUnknown;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The word around the first difference of two lines.
std::string_view differing_word(std::string_view line, std::string_view other) {
  const auto [at, ignored] = std::mismatch(line.begin(), line.end(), other.begin(), other.end());
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::size_t begin = static_cast<std::size_t>(at - line.begin());
  std::size_t end = begin;
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  while (end < line.size() && is_word(line[end])) ++end;
  return line.substr(begin, end - begin);
}

bool is_address(std::string_view word) {
  // Shorter ones may be ordinary hexadecimal numbers.
  return word.starts_with("0x") && word.size() >= 2 + 8;
}

/// A number with all its digits that contains, or ends before, `at`.
struct Number {
  double value = 0;
  double step = 1;  // the value of one unit in its last digit
};

std::optional<Number> number_around(std::string_view line, std::size_t at) {
  const auto is_part = [&](std::size_t i) {
    return std::isdigit(static_cast<unsigned char>(line[i])) || line[i] == '.';
  };
  std::size_t begin = at;
  std::size_t end = at;
  while (begin > 0 && is_part(begin - 1)) --begin;
  while (end < line.size() && is_part(end)) ++end;
  Number number;
  const auto [rest, error] = std::from_chars(line.data() + begin, line.data() + end, number.value);
  if (error != std::errc{} || rest != line.data() + end) return std::nullopt;
  const std::size_t point = line.substr(begin, end - begin).find('.');
  if (point != std::string_view::npos) {
    number.step = std::pow(10.0, -static_cast<double>(end - begin - point - 1));
  }
  return number;
}

/// Whether the first number that differs advanced by as much as the real time did, in one of the
/// usual units of clocks. Few numbers do so by chance.
bool is_clock(std::string_view before, std::string_view now, double seconds) {
  constexpr double kFewest = 1000;
  const auto at = static_cast<std::size_t>(
      std::mismatch(before.begin(), before.end(), now.begin(), now.end()).first - before.begin());
  const auto first = number_around(before, at);
  const auto second = number_around(now, at);
  if (!first || !second || second->value - first->value < kFewest * first->step) return false;
  for (const double unit : {1.0, 1e-3, 1e-6, 1e-9}) {
    const double passed = (second->value - first->value) * unit;
    // A busy machine starts programs late, by a fraction of the time in between, or by a constant.
    if (std::abs(passed - seconds) < 0.25 * seconds + 0.02) return true;
  }
  return false;
}

Difference output_difference(Difference::In in, const std::string& before, const std::string& now,
                             double seconds) {
  Difference difference;
  difference.in = in;
  const auto lines_before = lines_of(before);
  const auto lines_now = lines_of(now);
  std::size_t line = 0;
  while (line < lines_before.size() && line < lines_now.size() &&
         lines_before[line] == lines_now[line]) {
    ++line;
  }
  const auto text_at = [line](const std::vector<std::string_view>& lines) {
    return line < lines.size() ? lines[line] : std::string_view();
  };
  difference.position = line + 1;
  difference.before = text_at(lines_before);
  difference.now = text_at(lines_now);
  const bool moved = is_address(differing_word(difference.before, difference.now)) &&
                     is_address(differing_word(difference.now, difference.before));
  const bool clock = seconds > 0 && is_clock(difference.before, difference.now, seconds);
  difference.source = moved ? Source::kAddress : clock ? Source::kTime : Source::kUnknown;
  return difference;
}

std::string described(const Run& run) {
  std::string text(name(run.summary.outcome));
  if (run.failure) text += ": " + std::string(name(run.failure->kind)) + ", " + run.failure->detail;
  if (!run.explanation.empty()) text += ": " + run.explanation;
  return text;
}

bool ended_alike(const Run& before, const Run& now) {
  if (before.summary.outcome != now.summary.outcome) return false;
  if (before.failure.has_value() != now.failure.has_value()) return false;
  return !before.failure ||
         (before.failure->kind == now.failure->kind && before.failure->key == now.failure->key);
}

std::optional<Difference> event_difference(const Run& before, const Run& now) {
  const auto [first, second] = std::mismatch(before.events.begin(), before.events.end(),
                                             now.events.begin(), now.events.end());
  if (first == before.events.end() && second == now.events.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(first - before.events.begin());
  Difference difference;
  difference.in = Difference::In::kEvent;
  difference.position = at + 1;
  if (first != before.events.end()) difference.event_before = *first;
  if (second != now.events.end()) difference.event_now = *second;
  difference.source = source_of(before, now, at);
  // A run that left its schedule says why, if it has no event there.
  if (!difference.event_before) difference.before = described(before);
  if (!difference.event_now) difference.now = described(now);
  return difference;
}

Concern concern_about_escape(std::string what) {
  if (what.starts_with("io_uring")) {
    return {.name = "io_uring",
            .weight = Concern::Weight::kCertain,
            .evidence = std::move(what),
            .meaning =
                "The kernel completes its requests whenever it likes, and they are not recorded: "
                "what the program finds done differs from run to run.",
            .advice =
                "Let the program use read and write while it is tested, if it has a setting for "
                "that."};
  }
  if (what.starts_with("a process")) {
    return {.name = "a process that outlives the run",
            .weight = Concern::Weight::kPossible,
            .evidence = std::move(what),
            .meaning =
                "Processes that the program starts are not controlled. If it puts itself into the "
                "background, as daemons do, its run is over by then, and what it does there is not "
                "tested. Whatever is left is ended with the run.",
            .advice = "Run it in the foreground; most such programs have an option for that."};
  }
  return {.name = "a thread that is not scheduled",
          .weight = Concern::Weight::kCertain,
          .evidence = std::move(what),
          .meaning =
              "It runs beside the one thread whose turn it is, whenever the kernel likes, and "
              "so what the program does can differ from run to run.",
          .advice =
              "Let the program do this in a thread that it creates with pthread_create or "
              "std::thread while it is tested."};
}

}  // namespace

std::optional<Difference> first_difference(const Run& before, const Run& now, double seconds) {
  if (auto difference = event_difference(before, now)) return difference;
  if (!ended_alike(before, now)) {
    Difference difference;
    difference.in = Difference::In::kOutcome;
    difference.before = described(before);
    difference.now = described(now);
    return difference;
  }
  if (before.output != now.output) {
    return output_difference(Difference::In::kOutput, before.output, now.output, seconds);
  }
  if (before.error_output != now.error_output) {
    return output_difference(Difference::In::kErrorOutput, before.error_output, now.error_output,
                             seconds);
  }
  if (before.summary.schedule_hash != now.summary.schedule_hash) {
    Difference difference;
    difference.in = Difference::In::kSchedule;
    difference.before = std::to_string(before.summary.steps) + " steps";
    difference.now = std::to_string(now.summary.steps) + " steps";
    return difference;
  }
  return std::nullopt;
}

std::vector<Source> varying_instructions(std::span<const std::byte> bytes, std::uint64_t offset) {
  // About the length of a function to both sides. Two bytes match by chance in one of sixteen such
  // ranges, so a match is likely, not certain.
  constexpr std::uint64_t kNear = 2048;

  // Code has the same offsets in the file as in memory, except for a shift by whole pages in the
  // output of some linkers; then nothing is found.
  const std::uint64_t begin = offset < kNear ? 0 : offset - kNear;
  const std::uint64_t end = std::min<std::uint64_t>(offset + kNear, bytes.size());
  const auto at = [&](std::uint64_t i) { return std::to_integer<unsigned>(bytes[i]); };
  bool time = false;
  bool random = false;
  bool clock_call = false;
  for (std::uint64_t i = begin; i + 2 < end; ++i) {
    // mov $SYS_clock_gettime, %eax or similar, then a syscall outside libc.
    if (at(i) == 0xb8 && i + 4 < end) {
      const unsigned number = at(i + 1) | at(i + 2) << 8 | at(i + 3) << 16 | at(i + 4) << 24;
      clock_call = number == SYS_clock_gettime || number == SYS_gettimeofday || number == SYS_time;
    }
    if (at(i) != 0x0f) continue;
    if (at(i + 1) == 0x05 && clock_call) time = true;
    // rdrand and rdseed of any register, the register form of group 9: 0f c7 /6 and /7.
    if (at(i + 1) == 0xc7 && at(i + 2) >= 0xf0) random = true;
    const bool is_rdtsc = at(i + 1) == 0x31;
    const bool is_rdtscp = at(i + 1) == 0x01 && at(i + 2) == 0xf9;
    if (is_rdtsc || is_rdtscp) time = true;
  }
  std::vector<Source> found;
  if (time) found.push_back(Source::kTime);
  if (random) found.push_back(Source::kRandom);
  return found;
}

std::vector<Concern> concerns_about_escapes(const Run& run) {
  std::vector<Concern> concerns;
  if (run.explanation.starts_with("the run ended behind the C library's back")) {
    concerns.push_back(
        {.name = "an end that is not seen",
         .weight = Concern::Weight::kCertain,
         .evidence = run.explanation,
         .meaning = "The program ends by a system call of its own. What it said by its exit status "
                    "cannot be told from what another program says that it became.",
         .advice = "Let it end by exit, _exit or a return from main while it is tested."});
  }
  if (run.explanation.starts_with("the run went on as another program")) {
    concerns.push_back(
        {.name = "another program",
         .weight = Concern::Weight::kCertain,
         .evidence = run.explanation,
         .meaning =
             "Once the program has threads it cannot be followed into the one that replaces it: "
             "what happens from there on is not scheduled, and how it ends says nothing.",
         .advice = "Run the other program itself. Where exec comes before the first thread, as in "
                   "a wrapper script, it is followed."});
  }
  for (const std::string& warning : run.warnings) {
    if (!warning.starts_with(kNotControlled)) continue;
    concerns.push_back(concern_about_escape(warning.substr(kNotControlled.size())));
  }
  return concerns;
}

}  // namespace unravel
