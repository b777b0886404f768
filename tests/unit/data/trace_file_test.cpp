#include "data/trace_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.hpp"
#include "property/property.hpp"
#include "trace_generators.hpp"

namespace unravel {
namespace {

constexpr std::uint32_t kSites = 5;

std::vector<wire::Site> some_sites() {
  std::vector<wire::Site> sites(1);
  for (std::uint32_t i = 1; i < kSites; ++i) sites.push_back(wire::Site::of(1, 0x1000 + 16 * i));
  return sites;
}

const std::vector<ModuleId> kModules = {{}, {.path = "/bin/prog", .build_id = "0123abcd"}};

std::vector<std::byte> written(std::span<const TraceEvent> events) {
  TraceWriter writer;
  writer.take(events);
  return writer.finish(some_sites(), kModules);
}

Result<std::vector<TraceEvent>> read(std::span<const std::byte> bytes) {
  Result<TraceReader> reader = TraceReader::open(bytes);
  if (!reader) return fail(reader.error());
  std::vector<TraceEvent> events;
  for (;;) {
    const auto block = reader->next();
    if (!block) return fail(block.error());
    if (block->empty()) return events;
    events.insert(events.end(), block->begin(), block->end());
  }
}

/// A loop in which two threads take turns, as a kernel makes it.
std::vector<TraceEvent> loop(std::size_t count) {
  std::vector<TraceEvent> events(count);
  wire::Clock clocks[2];
  for (std::size_t i = 0; i < count; ++i) {
    TraceEvent& event = events[i];
    event.thread = static_cast<std::uint32_t>(i / 1000 % 2);
    event.operation = i % 2 ? wire::Operation::kStore : wire::Operation::kLoad;
    event.site = 1 + static_cast<std::uint32_t>(i % 2);
    event.object = 0x7f0000000000 + 8 * i;
    event.size = 8;
    ++clocks[event.thread].hooks;
    event.clock = clocks[event.thread];
  }
  return events;
}

PROPERTY(TraceFile, IsReadAsItWasWritten, ()) {
  const std::vector<TraceEvent> events = any_trace(kSites);

  const auto back = read(written(events));

  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == events);
}

TEST(TraceFile, OfManyBlocksIsReadAsItWasWritten) {
  const std::vector<TraceEvent> events = loop(200'000);

  const auto back = read(written(events));

  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, events);
}

TEST(TraceFile, HasItsSitesAndModules) {
  const std::vector<std::byte> bytes = written(loop(10));
  const Result<TraceReader> reader = TraceReader::open(bytes);

  ASSERT_TRUE(reader.has_value());
  EXPECT_EQ(reader->sites(), some_sites());
  EXPECT_EQ(reader->modules(), kModules);
  EXPECT_EQ(reader->events(), 10u);
}

TEST(TraceFile, OfALoopTakesLessThanABytePerEvent) {
  EXPECT_LT(written(loop(100'000)).size(), 100'000u);
}

TEST(TraceFile, ThatWasCutOffIsRefused) {
  const std::vector<std::byte> bytes = written(loop(50));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(read(std::span(bytes).first(size))) << size;
  }
}

TEST(TraceFile, WithAChangedByteIsRefused) {
  const std::vector<std::byte> bytes = written(loop(50));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::byte> changed = bytes;
    changed[i] ^= std::byte{1};
    EXPECT_FALSE(read(changed)) << i;
  }
}

TEST(TraceFile, OfANewerVersionSaysSo) {
  std::vector<std::byte> bytes = written(loop(5));
  bytes[8] = std::byte{2};  // the version lies behind the magic

  const auto back = read(bytes);

  ASSERT_FALSE(back.has_value());
  EXPECT_EQ(back.error().what, "this trace has format version 2, and this unravel reads version 1");
  EXPECT_EQ(back.error().hint, "update unravel");
}

// A file of each version stays here, and must be read for as long as that version is.
TEST(TraceFile, OfVersionOneIsStillRead) {
  const std::filesystem::path file =
      std::filesystem::path(__FILE__).parent_path() / "../../golden/trace_v1.trace";
  const auto bytes = read_file(file);
  ASSERT_TRUE(bytes.has_value()) << "write it with the bytes of this test's events";

  const auto back = read(*bytes);

  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, loop(3000));
}

}  // namespace
}  // namespace unravel
