#include "run/table.hpp"

#include <gtest/gtest.h>

#include "data/print.hpp"

namespace unravel {
namespace {

wire::Event event(std::uint32_t thread, std::uint64_t operations, wire::Operation operation,
                  std::uint64_t object = 0x10) {
  return {.thread = {.ordinal = thread},
          .clock = {.operations = operations},
          .object = object,
          .operation = operation};
}

wire::Slice slice(std::uint32_t thread, std::uint64_t operations, std::uint64_t hooks,
                  wire::Operation pending = wire::Operation::kNone) {
  return {.thread = {.ordinal = thread},
          .until = {.operations = operations, .hooks = hooks},
          .pending = pending};
}

/// `T1 before 2`: before its second operation; `T1:1+4`: at a hook.
std::vector<std::string> described(const std::vector<wire::StopAt>& stops) {
  std::vector<std::string> texts;
  for (const auto& [thread, clock] : stops) {
    texts.push_back(clock.hooks == wire::kBeforeNext
                        ? print(thread) + " before " + std::to_string(clock.operations + 1)
                        : print(thread, clock));
  }
  return texts;
}

/// `T1:1+4 store memory 1: not yet (f)`.
std::vector<std::string> described(const std::vector<Step>& steps) {
  std::vector<std::string> texts;
  for (const Step& step : steps) {
    std::string text =
        print(step.event.thread, step.event.clock) + " " + wire::traits(step.event.operation).name;
    if (!step.object.empty()) text += " " + step.object;
    if (step.event.result == wire::EventResult::kNotYet) text += ": not yet";
    if (!step.stack.empty()) text += " (" + step.stack.front().function + ")";
    texts.push_back(text);
  }
  return texts;
}

StoppedThreadView held(std::uint32_t thread, wire::Clock clock, wire::Operation pending,
                       const char* function, const char* variable = "") {
  StoppedThreadView held{.record = {}, .stack = {Frame{.function = function}}, .variable = {}};
  if (*variable != '\0') {
    held.variable =
        Variable{.name = {.expression = variable, .type = "int"}, .shape = ValueShape{.size = 1}};
  }
  held.record.thread.ordinal = thread;
  held.record.clock = clock;
  held.record.pending = pending;
  held.record.object = 0x40;
  return held;
}

TEST(Table, IsHeldWhereOperationsAreReachedWhichMayBeLongBeforeTheyHappen) {
  // T1 stands before its second operation, a lock, while T2 has it.
  const wire::Event events[] = {
      event(1, 1, wire::Operation::kLock, 0x20), event(2, 1, wire::Operation::kLock),
      event(2, 2, wire::Operation::kUnlock), event(1, 2, wire::Operation::kLock)};
  const wire::Slice slices[] = {slice(2, 0, 1), slice(1, 1, 1), slice(2, 2, 0), slice(1, 2, 0)};

  const Table table(events, slices);

  EXPECT_EQ(described(table.stops()),
            (std::vector<std::string>{"T2 before 1", "T1 before 1", "T1 before 2", "T2 before 2"}));
}

TEST(Table, IsNotHeldWhereThereIsNoPoint) {
  const wire::Event events[] = {event(1, 1, wire::Operation::kStart),
                                event(1, 1, wire::Operation::kClockRead),
                                event(1, 2, wire::Operation::kLock)};
  const wire::Slice slices[] = {slice(1, 2, 0)};

  const Table table(events, slices);

  EXPECT_EQ(described(table.stops()), std::vector<std::string>{"T1 before 2"});
}

TEST(Table, PutsStacksIntoTheRowsOfTheirOperations) {
  const wire::Event events[] = {event(1, 5, wire::Operation::kLock),
                                event(2, 5, wire::Operation::kLock)};
  Table table(events, {});

  // After however many hooks.
  table.add(held(2, {.operations = 4, .hooks = 37}, wire::Operation::kLock, "two"));
  table.add(held(3, {.operations = 4, .hooks = 1}, wire::Operation::kLock, "stranger"));

  const std::vector<Step> steps = table.take_steps();
  EXPECT_TRUE(steps[0].stack.empty());
  ASSERT_EQ(steps[1].stack.size(), 1u);
  EXPECT_EQ(steps[1].stack[0].function, "two");
}

TEST(Table, ShowsTheAccessAtWhichAThreadWasLeftTwice) {
  // T1 is left between two operations, at its fourth hook; T2 locks and unlocks; T1 goes on.
  const wire::Event events[] = {
      event(1, 2, wire::Operation::kLock), event(2, 1, wire::Operation::kLock, 0x20),
      event(2, 2, wire::Operation::kUnlock, 0x20), event(1, 3, wire::Operation::kUnlock)};
  const wire::Slice slices[] = {slice(1, 2, 4, wire::Operation::kStore),
                                slice(2, 2, 1, wire::Operation::kEnter), slice(1, 3, 0)};
  Table table(events, slices);

  EXPECT_EQ(described(table.stops()),
            (std::vector<std::string>{"T1 before 2", "T1:2+4", "T2 before 1", "T2 before 2",
                                      "T2:2+1", "T1 before 3"}));

  table.add(held(1, {2, 4}, wire::Operation::kStore, "count", "counter"));
  table.add(held(2, {2, 1}, wire::Operation::kEnter, "entered"));
  EXPECT_EQ(described(table.take_steps()),
            (std::vector<std::string>{"T1:2 lock mutex 1", "T1:2+4 store counter: not yet (count)",
                                      "T2:1 lock mutex 2", "T2:2 unlock mutex 2",
                                      "T2:2+1 enter function: not yet (entered)",
                                      "T1:2+4 store counter (count)", "T1:3 unlock mutex 1"}));
}

/// T1 is left before its store at 1+3; T2 makes hooks 1 to 4 between its operations 1 and 2; T1
/// goes on with its hooks 4 and 5.
class ProbedTable : public ::testing::Test {
 protected:
  ProbedTable() {
    table_.add(held(1, {1, 3}, wire::Operation::kStore, "count", "counter"));
    table_.add(held(2, {1, 5}, wire::Operation::kLock, "two"));
    table_.add(held(1, {1, 6}, wire::Operation::kLock, "one"));
  }

  void probe(std::uint32_t thread, std::uint64_t hooks, wire::Operation operation) {
    const StoppedThreadView at = held(thread, {1, hooks}, operation, "f");
    ASSERT_TRUE(table_.wants(at.record));
    table_.add_probed(at);
  }

  /// The value of the counter while a thread stands somewhere.
  void see(std::uint32_t thread, std::uint64_t hooks, wire::Operation pending, int value) {
    const auto read = [&](std::uint64_t address, std::size_t size) {
      EXPECT_EQ(address, 0x40u);
      EXPECT_EQ(size, 1u);
      return std::vector{static_cast<std::byte>(value)};
    };
    table_.add_values(held(thread, {1, hooks}, pending, "").record,
                      {.read = read, .global_at = {}});
  }

  std::vector<std::string> values() {
    std::vector<std::string> texts;
    for (const Step& step : table_.take_steps()) {
      texts.push_back(print(step.event.thread, step.event.clock) + "=" + step.value);
    }
    return texts;
  }

  const wire::Event events_[2] = {event(2, 2, wire::Operation::kLock),
                                  event(1, 2, wire::Operation::kLock)};
  const wire::Slice slices_[3] = {slice(1, 1, 3, wire::Operation::kStore), slice(2, 2, 0),
                                  slice(1, 2, 0)};
  Table table_{events_, slices_};
};

TEST_F(ProbedTable, LooksAtAllHooks) {
  EXPECT_EQ(described(table_.probes()),
            (std::vector<std::string>{"T1:1+1", "T1:1+2", "T1:1+3", "T2:1+1", "T2:1+2", "T2:1+3",
                                      "T2:1+4", "T2 before 2", "T1:1+4", "T1:1+5", "T1 before 2"}))
      << "and at the others again, for the values there";
}

TEST_F(ProbedTable, HasTheValuesThatWereReadAndWritten) {
  probe(1, 2, wire::Operation::kLoad);
  see(1, 2, wire::Operation::kLoad, 5);
  see(1, 3, wire::Operation::kStore, 5);
  probe(2, 3, wire::Operation::kLoad);
  see(2, 3, wire::Operation::kLoad, 5);
  probe(2, 4, wire::Operation::kStore);
  see(2, 4, wire::Operation::kStore, 5);
  see(2, 5, wire::Operation::kLock, 7);
  // T1 goes on with its store.
  see(1, 4, wire::Operation::kLoad, 6);

  EXPECT_EQ(values(), (std::vector<std::string>{"T1:1+2=5", "T1:1+3=", "T2:1+3=5", "T2:1+4=7",
                                                "T2:2=", "T1:1+3=6", "T1:2="}));
}

TEST_F(ProbedTable, HasNoValueThatSomebodyElseMayHaveWrittenMeanwhile) {
  probe(2, 4, wire::Operation::kStore);
  see(2, 4, wire::Operation::kStore, 5);
  // T1 stored too before anybody looked again.
  see(1, 4, wire::Operation::kLoad, 6);

  EXPECT_EQ(values(),
            (std::vector<std::string>{"T1:1+3=", "T2:1+4=", "T2:2=", "T1:1+3=6", "T1:2="}));
}

TEST_F(ProbedTable, HasNoValueThatCouldNotBeRead) {
  const Table::Memory unreadable{
      .read = [](std::uint64_t, std::size_t) { return std::vector<std::byte>(); }, .global_at = {}};
  table_.add_values(held(1, {1, 3}, wire::Operation::kStore, "").record, unreadable);
  table_.add_values(held(1, {1, 4}, wire::Operation::kStore, "").record, unreadable);

  EXPECT_EQ(values(), (std::vector<std::string>{"T1:1+3=", "T2:2=", "T1:1+3=", "T1:2="}));
}

TEST(Table, HasWhatALoadReadsThatAThreadWasLeftBefore) {
  const wire::Slice slices[] = {slice(1, 0, 1, wire::Operation::kLoad),
                                slice(2, 0, 3, wire::Operation::kStore),
                                slice(1, 0, 2, wire::Operation::kLoad)};
  for (const bool looked : {true, false}) {
    Table table({}, slices);
    const StoppedThreadView first = held(1, {0, 1}, wire::Operation::kLoad, "f", "flag");
    const StoppedThreadView last = held(2, {0, 3}, wire::Operation::kStore, "f", "flag");
    table.add(first);
    table.add(last);
    const auto reads = [](int value) {
      return Table::Memory{
          .read = [=](std::uint64_t,
                      std::size_t) { return std::vector{static_cast<std::byte>(value)}; },
          .global_at = {}};
    };
    table.add_values(first.record, reads(0));
    // T2 writes before it is left; unless somebody looks there, nobody knows what.
    if (looked) table.add_values(last.record, reads(1));

    const std::vector<Step> steps = table.take_steps();

    ASSERT_EQ(steps[2].event.result, wire::EventResult::kDone);
    EXPECT_EQ(steps[2].value, looked ? "1" : "");
  }
}

TEST(Table, SaysToWhichGlobalAPointerPoints) {
  const wire::Slice slices[] = {slice(1, 0, 1, wire::Operation::kLoad), slice(1, 0, 2)};
  for (const auto& [word, told] :
       {std::pair<unsigned char, const char*>{0, "null"}, {0x20, "&objects[1]"}, {0x30, "0x30"}}) {
    Table table({}, slices);
    StoppedThreadView at = held(1, {0, 1}, wire::Operation::kLoad, "f", "instance");
    at.variable->shape = ValueShape{.kind = ValueShape::Kind::kPointer, .size = 8};
    table.add(at);
    const auto read = [word = word](std::uint64_t, std::size_t size) {
      std::vector<std::byte> bytes(size);
      bytes[0] = std::byte{word};
      return bytes;
    };
    const auto global_at = [](std::uint64_t address) {
      return address == 0x20 ? std::string("objects[1]") : std::string();
    };
    table.add_values(at.record, {.read = read, .global_at = global_at});

    EXPECT_EQ(table.take_steps().at(1).value, told);
  }
}

TEST_F(ProbedTable, WantsWhatThreadsWereLeftAt) {
  StoppedThreadView other = held(2, {1, 2}, wire::Operation::kLoad, "f");
  EXPECT_TRUE(table_.wants(other.record));
  other.record.pending = wire::Operation::kEnter;
  EXPECT_FALSE(table_.wants(other.record));
  other = held(2, {1, 2}, wire::Operation::kLoad, "f");
  other.record.object = 0x44;
  EXPECT_FALSE(table_.wants(other.record));
}

TEST_F(ProbedTable, ShowsTheAccessesOfTwoThreadsThatFollowEachOther) {
  probe(1, 1, wire::Operation::kLoad);
  probe(1, 2, wire::Operation::kLoad);
  for (std::uint64_t hooks = 1; hooks <= 4; ++hooks) probe(2, hooks, wire::Operation::kStore);
  probe(1, 5, wire::Operation::kLoad);

  EXPECT_EQ(described(table_.take_steps()),
            (std::vector<std::string>{
                "T1:1+2 load counter (f)", "T1:1+3 store counter: not yet (count)",
                "T2:1+1 store counter (f)", "T2:1+4 store counter (f)", "T2:2 lock mutex 1 (two)",
                "T1:1+3 store counter (count)", "T1:2 lock mutex 1 (one)"}));
}

/// T2 ends in a failure in line 9, after `hooks` hooks behind its first operation.
class FailedTable : public ::testing::Test {
 protected:
  FailedTable() {
    failure_.thread = 2;
    failure_.site = Frame{.function = "check", .file = "a.c", .line = 9, .module = "/a"};
  }

  StoppedThreadView at(std::uint64_t hooks, int line) const {
    StoppedThreadView thread = held(2, {1, hooks}, wire::Operation::kLoad, "check", "counter");
    thread.stack = {*failure_.site};
    thread.stack[0].line = line;
    return thread;
  }

  Failure failure_;
  const wire::Event events_[1] = {event(2, 1, wire::Operation::kLock)};
};

TEST_F(FailedTable, HasTheAccessesOfTheLineThatFailed) {
  const wire::Slice slices[] = {slice(1, 3, 0), slice(2, 1, 2)};
  Table table(events_, slices, failure_);

  EXPECT_EQ(described(table.stops()).front(), "T2 before 1");
  EXPECT_EQ(described(table.stops())[1], "T2:1+1");
  EXPECT_EQ(table.stops().size(), 1 + 2 + kHooksBeforeFailure);
  table.add(at(1, 8));
  table.add(at(2, 9));
  EXPECT_TRUE(table.wants(at(1, 8).record)) << "the same variable, used before";
  EXPECT_FALSE(table.wants(at(2, 9).record)) << "has its row";

  EXPECT_EQ(described(table.take_steps()),
            (std::vector<std::string>{"T2:1 lock mutex 1", "T2:1+2 load counter (check)"}));
}

TEST_F(FailedTable, LooksNoFurtherBackThanTheLastSlice) {
  const wire::Slice slices[] = {slice(2, 1, 5, wire::Operation::kEnter), slice(1, 3, 0),
                                slice(2, 1, 7)};
  const std::vector<std::string> stops = described(Table(events_, slices, failure_).stops());

  EXPECT_EQ(stops[2], "T2:1+6") << "after that before the operation, and that where it was left";
}

TEST_F(FailedTable, LooksAtNothingIfSomebodyElseHadTheTurn) {
  const wire::Slice slices[] = {slice(2, 1, 2), slice(1, 3, 0)};

  EXPECT_EQ(Table(events_, slices, failure_).stops().size(), 1u);
}

TEST(Table, LooksAtNoHookUnlessAThreadWasLeftAtOne) {
  const wire::Event events[] = {event(1, 1, wire::Operation::kLock)};
  const wire::Slice slices[] = {slice(1, 1, 4, wire::Operation::kLock)};
  Table table(events, slices);

  table.add(held(1, {0, 7}, wire::Operation::kLock, "f"));

  EXPECT_TRUE(table.probes().empty());
}

TEST(Table, LooksAtTheLastHooksOfALongStretch) {
  const wire::Slice slices[] = {slice(1, 1, std::uint64_t{1} << 40, wire::Operation::kStore)};
  Table table({}, slices);
  table.add(held(1, slices[0].until, wire::Operation::kStore, "f"));

  const std::vector<wire::StopAt> probes = table.probes();

  ASSERT_EQ(probes.size(), kMostProbes + 1);
  EXPECT_EQ(probes.back().clock.hooks, slices[0].until.hooks);
  EXPECT_EQ(probes.front().clock.hooks, slices[0].until.hooks - kMostProbes);
}

TEST(Table, NumbersTheMemoryThatHasNoName) {
  const wire::Slice slices[] = {slice(1, 0, 4, wire::Operation::kLoad), slice(2, 1, 0)};
  Table table({}, slices);

  table.add(held(1, {0, 4}, wire::Operation::kLoad, "read"));

  EXPECT_EQ(described(table.take_steps()),
            std::vector<std::string>{"T1:0+4 load memory 1: not yet (read)"})
      << "T1 never went on";
}

TEST(Table, ShowsTheEndOfARunThatWasSwitchedAtMoreAccessesThanItShows) {
  std::vector<wire::Slice> slices;
  for (std::uint64_t i = 1; i <= kLongestClip; ++i) {
    slices.push_back(slice(1 + i % 2, 1, i, wire::Operation::kLoad));
  }

  Table table({}, slices);

  EXPECT_EQ(table.stops().size(), kLongestClip / 2 + 2)
      << "two rows each, but for the first two and the last two";
  const std::vector<Step> steps = table.take_steps();
  ASSERT_EQ(steps.size(), kLongestClip);
  EXPECT_EQ(steps.back().event.clock.hooks, kLongestClip);
}

TEST(Table, ShowsTheEndOfALongRunUnderTheNamesOfTheWhole) {
  std::vector<wire::Event> events;
  for (std::uint64_t i = 1; i <= kLongestClip + 2; ++i) {
    events.push_back(event(0, i, wire::Operation::kLock, i));
  }
  const wire::Slice slices[] = {slice(0, kLongestClip + 2, 0)};

  Table table(events, slices);

  EXPECT_EQ(table.stops().size(), kLongestClip);
  const std::vector<Step> steps = table.take_steps();
  ASSERT_EQ(steps.size(), kLongestClip);
  EXPECT_EQ(steps[0].object, "mutex 3");
}

}  // namespace
}  // namespace unravel
