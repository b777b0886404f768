#include "runtime/core/recorder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "data/trace_decoder.hpp"

namespace unravel {
namespace {

using wire::Operation;

/// Takes words away whenever there is no room, and has the program's memory.
class Room final : public Host {
 public:
  explicit Room(std::size_t words) : words_(words) {
    stream_.capacity = words;
    recorder.use(*this, stream_, words_.data());
    recorder.set({.on = true, .plainly = true});
  }

  std::vector<TraceEvent> events() {
    make_room();
    return std::move(events_);
  }
  int emptied() const { return emptied_; }

  void make_room() override {
    ++emptied_;
    decoder_.take({words_.data(), stream_.count}, {});
    stream_.count = 0;
  }
  void peek(const volatile void* from, unsigned size, std::uint64_t* to) override {
    std::memcpy(to, const_cast<const void*>(from), size);
  }

  wire::Site site_of(const void*) override { return {}; }
  const void* address_of(wire::Site) override { return nullptr; }
  void slice(const wire::Slice&) override {}
  void choice(const wire::Choice&) override {}
  void event(const wire::Event&) override {}
  void clock_switch(const wire::ClockSwitch&) override {}
  void stop(wire::StopReason) override {}
  wire::LastWords& words() override { return last_words_; }
  [[noreturn]] void end() override { std::abort(); }

  Recorder recorder;

 private:
  std::vector<std::uint64_t> words_;
  wire::Stream stream_;
  int emptied_ = 0;
  std::vector<TraceEvent> events_;
  TraceDecoder decoder_{[this](std::span<const TraceEvent> some) {
    events_.insert(events_.end(), some.begin(), some.end());
  }};
  wire::LastWords last_words_;
};

const void* const kSite = reinterpret_cast<const void*>(0x1234);

TEST(Recorder, TellsOfHooksWithTheirSizesAndOrders) {
  Room room(100);
  int memory[4] = {};
  room.recorder.hook(HookKind::of(Operation::kLoad, 4), &memory[1], kSite, 0);
  room.recorder.plain(HookKind::of(Operation::kStore, 8), &memory[2], kSite);
  room.recorder.hook(HookKind::of_range(Operation::kStore), memory, kSite, 13);
  room.recorder.hook(HookKind::of(Operation::kAtomicLoad, 2), memory, kSite, __ATOMIC_ACQUIRE);
  room.recorder.hook(HookKind::of(Operation::kFence), nullptr, kSite, __ATOMIC_SEQ_CST);
  room.recorder.hook(HookKind::of(Operation::kEnter), nullptr, kSite, 0);

  const auto events = room.events();

  ASSERT_EQ(events.size(), 6u);
  const auto address = [&](int i) { return reinterpret_cast<std::uint64_t>(&memory[i]); };
  EXPECT_EQ(events[0].operation, Operation::kLoad);
  EXPECT_EQ(events[0].object, address(1));
  EXPECT_EQ(events[0].size, 4u);
  EXPECT_EQ(events[1].operation, Operation::kStore);
  EXPECT_EQ(events[1].object, address(2));
  EXPECT_EQ(events[1].size, 8u);
  EXPECT_EQ(events[2].size, 13u);
  EXPECT_EQ(events[3].order, wire::MemoryOrder::kAcquire);
  EXPECT_EQ(events[3].size, 2u);
  EXPECT_EQ(events[4].order, wire::MemoryOrder::kSequential);
  EXPECT_EQ(events[5].operation, Operation::kEnter);
  EXPECT_EQ(events[5].clock.hooks, 6u);
}

TEST(Recorder, TellsThatAnExchangeOnlyLoaded) {
  Room room(100);
  std::uint64_t memory = 0;
  room.recorder.hook(HookKind::of(Operation::kAtomicUpdate, 8), &memory, kSite, __ATOMIC_SEQ_CST);
  room.recorder.exchange_failed(__ATOMIC_RELAXED);
  room.recorder.hook(HookKind::of(Operation::kAtomicUpdate, 8), &memory, kSite, __ATOMIC_SEQ_CST);

  const auto events = room.events();

  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].result, wire::EventResult::kFailed);
  EXPECT_EQ(events[0].order, wire::MemoryOrder::kRelaxed);
  EXPECT_EQ(events[0].size, 8u);
  EXPECT_EQ(events[1].result, wire::EventResult::kDone);
  EXPECT_EQ(events[1].order, wire::MemoryOrder::kSequential);
}

TEST(Recorder, TellsValuesReadAtOnceAndValuesWrittenAtTheNextRecord) {
  Room room(100);
  room.recorder.set({.on = true, .values = true, .plainly = true});
  EXPECT_FALSE(room.recorder.takes_plain());
  std::uint32_t memory = 7;
  room.recorder.hook(HookKind::of(Operation::kLoad, 4), &memory, kSite, 0);
  room.recorder.hook(HookKind::of(Operation::kStore, 4), &memory, kSite, 0);
  memory = 8;
  room.recorder.hook(HookKind::of(Operation::kLoad, 4), &memory, kSite, 0);
  memory = 9;

  const auto events = room.events();

  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].value, 7u);
  EXPECT_TRUE(events[1].has_value);
  EXPECT_EQ(events[1].value, 8u);
  EXPECT_EQ(events[2].value, 8u);
}

TEST(Recorder, RecordsCallsOnlyInATraceAndIfAsked) {
  Room room(100);
  EXPECT_FALSE(room.recorder.calls());
  room.recorder.set({.on = false, .calls = true});
  EXPECT_FALSE(room.recorder.calls());
  room.recorder.set({.on = true, .calls = true});
  EXPECT_TRUE(room.recorder.calls());
}

TEST(Recorder, CountsNoMarksOfRegionsAndFrames) {
  Room room(100);
  room.recorder.hook(HookKind::of(Operation::kEnter), nullptr, kSite, 0);
  for (const Operation note : {Operation::kAtomicBegin, Operation::kAtomicEnd,
                               Operation::kFunctionEntry, Operation::kFunctionExit}) {
    room.recorder.annotate(note, 0x7000, 0, 0, kSite);
  }
  room.recorder.hook(HookKind::of(Operation::kEnter), nullptr, kSite, 0);

  const auto events = room.events();

  ASSERT_EQ(events.size(), 6u);
  EXPECT_EQ(events[3].operation, Operation::kFunctionEntry);
  EXPECT_EQ(events[3].object, 0x7000u);
  EXPECT_EQ(events[4].clock, events[0].clock);
  EXPECT_EQ(events[5].clock.hooks, events[0].clock.hooks + 1);
}

TEST(Recorder, LosesNothingWhereThereIsNoRoom) {
  Room room(10);
  int memory = 0;
  constexpr int kMany = 1000;
  for (int i = 0; i < kMany; ++i) {
    const HookKind kind = HookKind::of(Operation::kLoad, 4);
    if (room.recorder.takes_plain()) {
      room.recorder.plain(kind, &memory, kSite);
    } else {
      room.recorder.hook(kind, &memory, kSite, 0);
    }
  }
  EXPECT_EQ(room.events().size(), static_cast<std::size_t>(kMany));
  EXPECT_GT(room.emptied(), kMany / 5);
}

TEST(Recorder, CountsTheHookAtWhichAThreadTookOver) {
  Room room(100);
  Thread thread;
  thread.ordinal = 3;
  thread.clock = {.operations = 2, .hooks = 5};
  thread.pending.kind = Operation::kLoad;  // the fifth, about to be made
  int memory = 0;
  room.recorder.turn(thread);
  room.recorder.hook(HookKind::of(Operation::kLoad, 4), &memory, kSite, 0);
  thread.pending.kind = Operation::kLock;
  room.recorder.turn(thread);
  room.recorder.operation({.kind = Operation::kLock, .object = &memory}, wire::EventResult::kDone,
                          0);

  const auto events = room.events();

  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].thread, 3u);
  EXPECT_EQ(events[0].clock, (wire::Clock{2, 5}));
  EXPECT_EQ(events[1].clock, (wire::Clock{3, 0}));
}

}  // namespace
}  // namespace unravel
