#include "data/schedule.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/base64.hpp"
#include "base/files.hpp"
#include "data/bytes.hpp"
#include "generators.hpp"
#include "property/property.hpp"

namespace unravel {
namespace {

wire::Slice slice(std::uint32_t thread, std::uint64_t operations, wire::End end) {
  wire::Slice slice;
  slice.thread.ordinal = thread;
  slice.until = {operations, end == wire::End::kPreempted ? 1u : 0u};
  slice.site = wire::Site::of(1, 0x1200 + thread * 0x40);
  slice.end = end;
  slice.pending = wire::Operation::kLock;
  return slice;
}

Schedule small_schedule() {
  Schedule schedule;
  for (std::uint32_t i = 0; i < 6; ++i) {
    schedule.slices.push_back(slice(i % 3, 2 + i, wire::End::kPreempted));
  }
  schedule.modules = {{}, {"/usr/bin/prog", "00112233445566778899aabbccddeeff00112233"}};
  schedule.complete = true;
  schedule.cpu_count = 4;
  return schedule;
}

/// Changes bytes of an encoded schedule and makes its checksum right again.
std::vector<std::byte> changed(std::size_t at, std::uint8_t to) {
  std::vector<std::byte> bytes = encode(small_schedule());
  bytes[at] = std::byte{to};
  const std::uint64_t checksum = XXH64(bytes.data(), bytes.size() - 8, 0);
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>(checksum >> (8 * i));
  }
  return bytes;
}

PROPERTY(Schedule, IsReadAsItWasWritten, ()) {
  const Schedule schedule = any_schedule();

  const Result<Schedule> read = decode_schedule(encode(schedule));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == schedule);
}

PROPERTY(Schedule, IsReadFromItsString, ()) {
  const Schedule schedule = any_schedule();

  const Result<Schedule> read = schedule_from_string(to_string(schedule));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == schedule);
}

PROPERTY(Schedule, ReaderNeverCrashesOnChangedBytes, ()) {
  std::vector<std::byte> bytes = encode(any_schedule());
  const std::size_t at = any_below(bytes.size() - 8);
  bytes[at] ^= static_cast<std::byte>(1 + any_below(255));
  const std::uint64_t checksum = XXH64(bytes.data(), bytes.size() - 8, 0);
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>(checksum >> (8 * i));
  }

  const Result<Schedule> read = decode_schedule(bytes);

  if (read) RC_ASSERT(bool(decode_schedule(encode(*read)) == read));
}

TEST(Schedule, WrittenByVersionOneIsStillRead) {
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "../../golden/schedule_v1.sched";

  const Result<Schedule> read = decode_schedule(read_file(path).value());

  ASSERT_TRUE(read) << read.error().what;
  Schedule expected = small_schedule();
  expected.time_model = wire::TimeModel::kFirst;  // its clocks show what they showed then
  EXPECT_EQ(*read, expected);
}

TEST(Schedule, KeepsItsModelOfTimeAndHowLongWaitsTookBeforeTheFirstThread) {
  Schedule schedule = small_schedule();
  schedule.time_model = wire::TimeModel::kFirst;
  schedule.start = {.clock = {.operations = 7, .hooks = 2},
                    .time = 12'345,
                    .wait_count = 2,
                    .waits = {1, 30'000'000}};

  EXPECT_EQ(decode_schedule(encode(schedule)).value(), schedule);
}

TEST(Schedule, KeepsEachFieldOfARule) {
  const auto read = [](const wire::Rule& rule) {
    Schedule schedule = small_schedule();
    schedule.then = rule;
    return decode_schedule(encode(schedule)).value().then;
  };
  const wire::RuleKind kind = wire::RuleKind::kPriority;
  for (const wire::Rule& rule :
       {wire::Rule{.kind = kind, .drawn_change_points = 3}, wire::Rule{.kind = kind, .redraws = 1},
        wire::Rule{.kind = kind, .length = 1'000'000},
        wire::Rule{.kind = kind, .starving = wire::kCertain / 3},
        wire::Rule{.kind = kind, .change_point_count = 1, .seed = 7}}) {
    EXPECT_EQ(read(rule), rule);
  }
}

TEST(Schedule, HasTheBytesOfVersionThree) {
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "../../golden/schedule_v3.sched";
  EXPECT_EQ(encode(small_schedule()), read_file(path).value());
}

TEST(Schedule, WrittenByVersionTwoIsStillRead) {
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "../../golden/schedule_v2.sched";
  Schedule expected = small_schedule();
  expected.start.clock = {};
  expected.start.time = 0;
  EXPECT_EQ(decode_schedule(read_file(path).value()).value(), expected);
}

// What a later version adds to a rule must not be read as if it were not there.
TEST(Schedule, WithAnUnknownRuleIsRefused) {
  Schedule other = small_schedule();
  other.then.kind = wire::RuleKind::kRandom;
  const std::vector<std::byte> stay = encode(small_schedule());
  const std::vector<std::byte> random = encode(other);
  ASSERT_EQ(stay.size(), random.size());
  const auto at = static_cast<std::size_t>(
      std::mismatch(stay.begin(), stay.end(), random.begin()).first - stay.begin());

  for (const unsigned kind : {3u, 4u, 7u, 12u, 16u, 17u, 24u, 127u}) {
    const Result<Schedule> read = decode_schedule(changed(at, static_cast<std::uint8_t>(kind)));
    ASSERT_FALSE(read) << kind;
    EXPECT_EQ(read.error().why, "rule " + std::to_string(kind) + " is not known to this version");
  }
}

// Whoever follows a schedule calculates with what it says.
TEST(Schedule, WithNumbersThatNoRunHasIsRefused) {
  const auto refusal = [](const std::function<void(Schedule&)>& forge) {
    Schedule schedule = small_schedule();
    forge(schedule);
    const Result<Schedule> read = decode_schedule(encode(schedule));
    return read ? std::string("accepted") : read.error().why;
  };
  constexpr std::uint64_t kAbsurd = ~std::uint64_t{0};
  const std::pair<const char*, std::function<void(Schedule&)>> forgeries[] = {
      {"start time", [](Schedule& s) { s.start_realtime = kAbsurd; }},
      {"start time", [](Schedule& s) { s.start_realtime = wire::kMostTime + 1; }},
      {"start time since boot", [](Schedule& s) { s.start_monotonic = kAbsurd; }},
      {"length of a wait",
       [](Schedule& s) { s.start = {.wait_count = 1, .waits = {wire::kMostTime}}; }},
      {"clock at the start", [](Schedule& s) { s.start.clock.hooks = wire::kMostCount + 1; }},
      {"time at the start", [](Schedule& s) { s.start.time = wire::kMostTime + 1; }},
      {"number of CPUs", [](Schedule& s) { s.cpu_count = 0; }},
      {"number of CPUs", [](Schedule& s) { s.cpu_count = wire::kMostCpus + 1; }},
      {"clock", [](Schedule& s) { s.slices[1].until.operations = kAbsurd; }},
      {"clock", [](Schedule& s) { s.slices[1].until.hooks = kAbsurd; }},
      {"clock", [](Schedule& s) { s.choices = {{.clock = {.operations = wire::kMostCount + 1}}}; }},
      {"signal",
       [](Schedule& s) {
         s.choices = {{.value = wire::kMostSignal + 1, .kind = wire::ChoiceKind::kSignal}};
       }},
      {"switch", [](Schedule& s) { s.clock_switches = {{.count = kAbsurd}}; }},
      {"length", [](Schedule& s) { s.then.length = kAbsurd; }},
      {"change point",
       [](Schedule& s) {
         s.then.change_point_count = 1;
         s.then.change_points[0] = kAbsurd;
       }},
      {"constraints", [](Schedule& s) { s.constraints.resize(wire::kMostConstraints + 1); }},
  };
  for (const auto& [word, forge] : forgeries) {
    EXPECT_NE(refusal(forge).find(word), std::string::npos) << word << ": " << refusal(forge);
  }
  EXPECT_EQ(refusal([](Schedule& s) {
              s.start_realtime = s.start_monotonic = wire::kMostTime;
              s.cpu_count = wire::kMostCpus;
              s.slices[1].until = {.operations = wire::kMostCount, .hooks = wire::kMostCount};
            }),
            "accepted");
}

TEST(Schedule, OfEveryShorterLengthIsRefused) {
  const std::vector<std::byte> bytes = encode(small_schedule());

  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_schedule(std::span(bytes).first(size))) << size;
  }
}

TEST(Schedule, WithAnyChangedByteIsRefused) {
  const std::vector<std::byte> whole = encode(small_schedule());

  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::byte> bytes = whole;
    bytes[at] ^= std::byte{0x10};
    EXPECT_FALSE(decode_schedule(bytes)) << at;
  }
}

TEST(Schedule, OfANewerVersionIsRefusedWithBothVersions) {
  const Result<Schedule> read = decode_schedule(changed(8, 9));

  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what,
            "this schedule has format version 9, and this unravel reads version 3");
  EXPECT_EQ(read.error().hint, "update unravel");
}

TEST(Schedule, OfAnotherOperationTableIsRefusedWithBothVersions) {
  const Result<Schedule> read = decode_schedule(changed(12, 7));

  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what,
            "this schedule has operation table version 7, and this unravel reads version 1");
}

TEST(Schedule, ThatIsAnotherKindOfFileIsRefused) {
  const std::string text = "#!/bin/sh\necho hello\n";

  const Result<Schedule> read = decode_schedule(std::as_bytes(std::span(text)));

  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "this is not a schedule of unravel");
}

TEST(Schedule, WithAnUnknownChoiceIsRefused) {
  Schedule schedule = small_schedule();
  schedule.choices.push_back({.kind = wire::ChoiceKind::kBufferFlush});

  const Result<Schedule> read = decode_schedule(encode(schedule));

  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().why, "kind of choice 7 is not known to this version");
}

TEST(Schedule, ThatClaimsMoreElementsThanItHasBytesIsRefusedBeforeTheyAreAllocated) {
  FieldWriter out({.magic = "UNRAVSCH", .noun = "", .version = 1, .operation_table = 1});
  out.number(std::uint64_t{1} << 60);

  const Result<Schedule> read = decode_schedule(out.seal());

  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().why, "it claims 1152921504606846976 elements and has room for 0");
}

TEST(ScheduleString, MayBeBrokenIntoLines) {
  std::string text = to_string(small_schedule());
  text.insert(text.size() / 2, "\r\n    ");

  EXPECT_EQ(schedule_from_string(text).value(), small_schedule());
}

TEST(ScheduleString, OfAFewHundredSlicesFitsIntoABugReport) {
  Schedule schedule = small_schedule();
  for (std::uint32_t i = 0; i < 300; ++i) {
    schedule.slices.push_back(slice(i * i % 7, i, static_cast<wire::End>(i % 3)));
  }

  EXPECT_LE(to_string(schedule).size(), kLongestScheduleString);
}

TEST(ScheduleString, ThatIsWrongIsRefused) {
  const std::string good = to_string(small_schedule());
  const std::vector<std::byte> nonsense(50, std::byte{0x5a});
  for (const std::string& text :
       {std::string(), std::string("u1."), std::string("hello"), good.substr(3),
        good.substr(0, good.size() - 5), "u1.!" + good.substr(3), "u1." + encode_base64(nonsense),
        "u1." + encode_base64(compress(nonsense))}) {
    EXPECT_FALSE(schedule_from_string(text)) << text;
  }
}

TEST(ScheduleString, OfANewerVersionIsRefusedWithBothVersions) {
  const Result<Schedule> read = schedule_from_string("u2.AAAA");

  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what,
            "this schedule string has version 2, and this unravel reads version 1");
}

}  // namespace
}  // namespace unravel
