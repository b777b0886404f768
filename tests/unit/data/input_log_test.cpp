#include "data/input_log.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace unravel {
namespace {

void add_entry(std::vector<std::uint64_t>& words, wire::InputKind kind, const std::string& bytes,
               long result) {
  const wire::InputHead head{.size = bytes.size(), .result = result, .kind = kind};
  const std::size_t before = words.size();
  words.resize(before + wire::words_of_input(bytes.size()));
  std::memcpy(&words[before], &head, sizeof(head));
  std::memcpy(reinterpret_cast<char*>(&words[before]) + sizeof(head), bytes.data(), bytes.size());
}

std::vector<std::uint64_t> some_entries() {
  std::vector<std::uint64_t> words;
  add_entry(words, wire::InputKind::kReceived, "hello", 5);
  add_entry(words, wire::InputKind::kSent, "", 3);
  add_entry(words, wire::InputKind::kChild, std::string(4096, 'x'), 17);
  return words;
}

constexpr std::uint64_t kMost = 1 << 20;

TEST(InputLog, HasTheTotalsOfItsEntries) {
  const auto totals = totals_of(some_entries());
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->entries, 3u);
  EXPECT_EQ(totals->bytes, 5u + 4096u);
}

TEST(InputLog, IsNotWholeIfAnEntryIsCutOrUnknown) {
  const std::vector<std::uint64_t> words = some_entries();
  const std::size_t first = wire::words_of_input(5);
  const std::size_t second = first + wire::words_of_input(0);
  for (std::size_t size = 0; size <= words.size(); ++size) {
    const bool is_whole = size == 0 || size == first || size == second || size == words.size();
    EXPECT_EQ(totals_of(std::span(words).first(size)).has_value(), is_whole) << size;
  }
  std::vector<std::uint64_t> unknown;
  add_entry(unknown, static_cast<wire::InputKind>(wire::kInputKindCount), "", 0);
  EXPECT_FALSE(totals_of(unknown));
}

TEST(InputLog, ClaimsNoMoreBytesThanThereAre) {
  std::vector<std::uint64_t> words;
  add_entry(words, wire::InputKind::kReceived, "hello", 5);
  words[0] = ~std::uint64_t{0};  // its size
  EXPECT_FALSE(totals_of(words));
}

TEST(InputLog, IsReadBackAsItWasWritten) {
  InputLog log{.words = some_entries(), .incomplete = {}};
  Result<InputLog> read = decode_input_log(encode(log));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(*read, log);

  // More than a block.
  for (int i = 0; i < 100; ++i) {
    add_entry(log.words, wire::InputKind::kReceived, std::string(100'000, static_cast<char>(i)), i);
  }
  read = decode_input_log(encode(log));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(*read, log);
}

TEST(InputLog, IsRefusedIfItIsCutOrChangedAnywhere) {
  const std::vector<std::byte> bytes = encode({.words = some_entries(), .incomplete = {}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_input_log(std::span(bytes).first(size))) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> changed = bytes;
    changed[at] ^= std::byte{0x40};
    EXPECT_FALSE(decode_input_log(changed)) << at;
  }
}

TEST(InputLog, IsRefusedIfItsEntriesAreNotWhole) {
  InputLog log{.words = some_entries(), .incomplete = {}};
  log.words.pop_back();
  EXPECT_FALSE(decode_input_log(encode(log)));
}

TEST(InputCollector, PutsPortionsTogether) {
  const std::vector<std::uint64_t> words = some_entries();
  InputCollector collector(kMost);
  for (const std::uint64_t word : words) collector.take({&word, 1});
  EXPECT_EQ(collector.finish(), (InputLog{.words = words, .incomplete = {}}));
}

TEST(InputCollector, DropsHalfAnEntryOfARunThatWasKilled) {
  const std::vector<std::uint64_t> words = some_entries();
  InputCollector collector(kMost);
  collector.take(std::span(words).first(words.size() - 1));
  const InputLog log = collector.finish();
  EXPECT_TRUE(log.incomplete.empty());
  ASSERT_TRUE(totals_of(log.words));
  EXPECT_EQ(totals_of(log.words)->entries, 2u);
}

TEST(InputCollector, KeepsTheProgramsStartForAllRuns) {
  std::vector<std::uint64_t> start, first, second;
  add_entry(start, wire::InputKind::kReceived, "start", 5);
  add_entry(first, wire::InputKind::kReceived, "first", 5);
  add_entry(second, wire::InputKind::kReceived, "other", 5);
  InputCollector collector(kMost);
  collector.take(start);
  collector.end_start();
  collector.begin_run();
  collector.take(first);
  std::vector<std::uint64_t> expected = start;
  expected.insert(expected.end(), first.begin(), first.end());
  EXPECT_EQ(collector.finish().words, expected);
  collector.begin_run();
  collector.take(second);
  expected.resize(start.size());
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_EQ(collector.finish().words, expected);
}

TEST(InputCollector, SaysThatThereWasTooMuch) {
  InputCollector collector(1024);
  collector.take(some_entries());
  const InputLog log = collector.finish();
  EXPECT_TRUE(log.words.empty());
  EXPECT_NE(log.incomplete.find("--max-input"), std::string::npos) << log.incomplete;
}

TEST(InputCollector, SaysWhyTheRuntimeGaveUp) {
  std::vector<std::uint64_t> words = some_entries();
  add_entry(words, wire::InputKind::kNone, "a message queue", 0);
  InputCollector collector(kMost);
  collector.take(words);
  EXPECT_EQ(collector.finish(), (InputLog{.words = {}, .incomplete = "a message queue"}));
}

}  // namespace
}  // namespace unravel
