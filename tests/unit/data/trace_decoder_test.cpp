#include "data/trace_decoder.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "generators.hpp"
#include "property/property.hpp"

namespace unravel {
namespace {

using wire::Operation;
using wire::TraceHead;

constexpr std::uint64_t kCode = 0x555555555000;

std::uint64_t head(std::uint64_t site, Operation operation, std::uint8_t detail = 0) {
  return TraceHead::of(site, static_cast<std::uint8_t>(operation), detail).word;
}
std::uint64_t turn(std::uint32_t thread) { return TraceHead::of(thread, wire::kTurn, 0).word; }

/// What comes of words, and of the program's one file at kCode.
struct Decoded {
  explicit Decoded(std::vector<std::uint64_t> words) {
    wire::Module modules[2];
    modules[1].base = kCode;
    modules[1].end = kCode + 0x1000;
    TraceDecoder decoder([this](std::span<const TraceEvent> some) {
      events.insert(events.end(), some.begin(), some.end());
    });
    decoder.take(words, modules);
    sites = decoder.sites();
    damaged = decoder.damaged();
  }

  std::vector<TraceEvent> events;
  std::vector<wire::Site> sites;
  bool damaged = false;
};

TEST(TraceDecoder, CountsClocksFromTheTurnOn) {
  const Decoded decoded({turn(3), 5, 7,                                  //
                         head(kCode + 1, Operation::kLoad, 2), 0x1000,   //
                         head(kCode + 2, Operation::kLock), 0x2000, 0,   //
                         head(kCode + 3, Operation::kEnter),             //
                         head(kCode + 4, Operation::kStore, 3), 0x1008,  //
                         head(0, Operation::kWoke), 0x3000, 0, 4});

  ASSERT_EQ(decoded.events.size(), 5u);
  for (const TraceEvent& event : decoded.events) EXPECT_EQ(event.thread, 3u);
  EXPECT_EQ(decoded.events[0].clock, (wire::Clock{5, 8}));
  EXPECT_EQ(decoded.events[1].clock, (wire::Clock{6, 0}));
  EXPECT_EQ(decoded.events[2].clock, (wire::Clock{6, 1}));
  EXPECT_EQ(decoded.events[3].clock, (wire::Clock{6, 2}));
  EXPECT_EQ(decoded.events[4].clock, (wire::Clock{6, 2})) << "a note counts nothing";
}

TEST(TraceDecoder, ReadsSizesOrdersAndResults) {
  const auto failed =
      static_cast<std::uint8_t>(TraceHead::kFailed | 2 << TraceHead::kOrderShift | 2);
  const Decoded decoded({turn(0), 0, 0,                                        //
                         head(kCode, Operation::kLoad, 4), 0x10,               //
                         head(kCode, Operation::kStore, 7), 0x20, 100,         //
                         head(kCode, Operation::kAtomicUpdate, failed), 0x30,  //
                         head(kCode, Operation::kTryLock, 1), 0x40, 16,        //
                         head(kCode, Operation::kLoad, 2 | TraceHead::kValueFollows), 0x50, 9});

  ASSERT_EQ(decoded.events.size(), 5u);
  EXPECT_EQ(decoded.events[0].size, 16u);
  EXPECT_EQ(decoded.events[1].size, 100u);
  EXPECT_EQ(decoded.events[2].size, 4u);
  EXPECT_EQ(decoded.events[2].order, wire::MemoryOrder::kAcquire);
  EXPECT_EQ(decoded.events[2].result, wire::EventResult::kFailed);
  EXPECT_EQ(decoded.events[3].result, wire::EventResult::kFailed);
  EXPECT_EQ(decoded.events[3].value, 16u);
  EXPECT_TRUE(decoded.events[4].has_value);
  EXPECT_EQ(decoded.events[4].value, 9u);
}

TEST(TraceDecoder, NumbersSitesAsTheyAppear) {
  const Decoded decoded({turn(0), 0, 0, head(kCode + 9, Operation::kEnter),
                         head(kCode + 5, Operation::kEnter), head(kCode + 9, Operation::kEnter),
                         head(0x10, Operation::kEnter), head(0, Operation::kEnter)});

  ASSERT_EQ(decoded.events.size(), 5u);
  EXPECT_EQ(decoded.events[0].site, 1u);
  EXPECT_EQ(decoded.events[1].site, 2u);
  EXPECT_EQ(decoded.events[2].site, 1u);
  EXPECT_EQ(decoded.events[4].site, 0u);
  EXPECT_EQ(decoded.sites[1], wire::Site::of(1, 9));
  EXPECT_EQ(decoded.sites[3], wire::Site{}) << "code of no file";
}

TEST(TraceDecoder, StopsWhereTheProgramWroteOverIt) {
  const Decoded decoded({turn(0), 0, 0, head(kCode, Operation::kLoad), 0x10,
                         TraceHead::of(kCode, 200, 0).word, head(kCode, Operation::kLoad), 0x10});

  EXPECT_EQ(decoded.events.size(), 1u);
  EXPECT_TRUE(decoded.damaged);
}

TEST(TraceDecoder, WantsNoMoreThanItWasToldTo) {
  TraceDecoder decoder([](std::span<const TraceEvent>) {}, 2);
  const std::vector<std::uint64_t> one = {head(kCode, Operation::kEnter)};

  EXPECT_TRUE(decoder.take(one, {}));
  EXPECT_FALSE(decoder.take(one, {}));
}

PROPERTY(TraceDecoder, TakesAnyWords, ()) {
  const auto words = *rc::gen::container<std::vector<std::uint64_t>>(
      rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t word) {
        // Mostly heads that there are.
        return word % 4 ? TraceHead::of(word, static_cast<std::uint8_t>(word >> 8) % 80,
                                        static_cast<std::uint8_t>(word >> 16))
                              .word
                        : word;
      }));
  const Decoded decoded(words);
  RC_ASSERT(decoded.events.size() <= words.size());
}

}  // namespace
}  // namespace unravel
