#include "run/channel.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "run/channel_streams.hpp"

namespace unravel {
namespace {

using wire::Layout;

class ChannelTest : public testing::Test {
 protected:
  ChannelTest() : channel_(std::move(*Channel::create())) {
    peer_ = ::mmap(nullptr, Layout::kShared, PROT_READ | PROT_WRITE, MAP_SHARED,
                   channel_.descriptor(), 0);
  }
  ~ChannelTest() override { ::munmap(peer_, Layout::kShared); }

  wire::Control& control() { return *wire::at<wire::Control>(peer_, Layout::kControl); }
  const ChannelReading& reading() const { return channel_.reading(); }

  Channel channel_;
  void* peer_;  // as the runtime sees it
};

TEST_F(ChannelTest, SaysWhatItIs) {
  EXPECT_EQ(control().magic, wire::kMagic);
  EXPECT_EQ(control().version, wire::kVersion);
  EXPECT_EQ(control().size, sizeof(wire::Control));
  EXPECT_EQ(control().state.load(), wire::State::kStarting);
}

TEST_F(ChannelTest, GivesEachStreamAllRoomUpToTheNext) {
  EXPECT_EQ(control().slices.offset, Layout::kSlices);
  EXPECT_EQ(control().slices.capacity, (Layout::kChoices - Layout::kSlices) / sizeof(wire::Slice));
  EXPECT_EQ(control().choices.offset, Layout::kChoices);
  EXPECT_EQ(control().events.capacity, (Layout::kPairs - Layout::kEvents) / sizeof(wire::Event));
}

TEST_F(ChannelTest, LaysSchedulesOneBehindTheOther) {
  Schedule first, second;
  first.slices = {{.thread = {.ordinal = 1}, .until = {.operations = 3}},
                  {.thread = {.ordinal = 0}, .until = {.operations = 9, .hooks = 1}}};
  first.choices = {{.thread = {.ordinal = 1}, .value = 4}};
  first.complete = true;
  second.then.kind = wire::RuleKind::kRandom;
  second.then.seed = 77;
  second.clock_switches = {{.count = 5}};
  const wire::StopAt stops[] = {{.thread = {.ordinal = 2}, .clock = {.operations = 8, .hooks = 1}}};
  const ScheduleInput inputs[] = {{&first, wire::Following::kStrict, stops},
                                  {&second, wire::Following::kNothing, {}}};

  ASSERT_TRUE(channel_.write_schedules(inputs).has_value());

  const auto* header = wire::at<wire::ScheduleHeader>(peer_, Layout::kSchedules);
  EXPECT_EQ(header->slices, 2u);
  EXPECT_EQ(header->choices, 1u);
  EXPECT_EQ(header->stops, 1u);
  EXPECT_EQ(header->following, wire::Following::kStrict);
  EXPECT_EQ(header->complete, 1);
  std::uint64_t offset = Layout::kSchedules + sizeof(wire::ScheduleHeader);
  EXPECT_EQ(*wire::at<wire::Slice>(peer_, offset + sizeof(wire::Slice)), first.slices[1]);
  offset += 2 * sizeof(wire::Slice);
  EXPECT_EQ(*wire::at<wire::Choice>(peer_, offset), first.choices[0]);
  offset += sizeof(wire::Choice);
  EXPECT_EQ(wire::at<wire::StopAt>(peer_, offset)->clock.operations, 8u);
  const auto* next = wire::at<wire::ScheduleHeader>(peer_, Layout::kSchedules + header->bytes);
  EXPECT_EQ(next->then, second.then);
  EXPECT_EQ(next->clock_switches, 1u);
  EXPECT_EQ(next->slices, 0u);
}

TEST_F(ChannelTest, RefusesASchedulesThatDoesNotFit) {
  Schedule large;
  large.slices.resize(1'000'000);
  const std::vector<ScheduleInput> inputs(30, {&large, wire::Following::kStrict, {}});

  const auto written = channel_.write_schedules(inputs);

  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().what, "the schedule is too long");
}

TEST_F(ChannelTest, DrainsWhatWasStreamedAndMakesRoom) {
  auto* slices = wire::at<wire::Slice>(peer_, Layout::kSlices);
  slices[0].thread.ordinal = 5;
  slices[1].thread.ordinal = 6;
  control().slices.count = 2;
  Streamed streamed;

  channel_.drain(streamed);

  ASSERT_EQ(streamed.slices.size(), 2u);
  EXPECT_EQ(streamed.slices[1].thread.ordinal, 6u);
  EXPECT_EQ(control().slices.count, 0u);
}

TEST_F(ChannelTest, BelievesNoCountThatLeadsOutOfItsTable) {
  const std::pair<const char*, std::function<void()>> table[] = {
      {"the length of a stream", [&] { control().events.count = ~std::uint64_t{0}; }},
      {"the length of a stream", [&] { control().slices.count = kSliceStream.capacity + 1; }},
      {"where the streams are", [&] { control().events.offset = ~std::uint64_t{0}; }},
      {"where the streams are", [&] { control().trace.capacity = 0; }},
      {"the number of modules", [&] { control().modules = ~0u; }},
      {"the number of modules", [&] { control().modules = 0; }},
      {"the number of threads", [&] { control().thread_slots = wire::kMostThreads + 1; }},
      {"whose turn it is", [&] { control().current_slot = wire::kMostThreads; }},
      {"the number of runs", [&] { control().runs_ended.store(4); }},
      {"the process of the run", [&] { control().run_process.store(-1); }},
      {"the state of the run", [&] { control().state.store(wire::State{5}); }},
      {"why the run stands still", [&] { control().stop_reason.store(wire::StopReason{7}); }},
      {"how runs are started", [&] { control().mode.store(wire::Mode{3}); }},
      {"what happened before the first thread",
       [&] { control().start.wait_count = wire::kMostStartWaits + 1; }},
      {"the settings", [&] { control().settings.own_processes = 1; }},
      {"what to run", [&] { control().batch.count = 5000; }},
      {"how a run ended",
       [&] { std::memset(control().last_words.text, 'x', sizeof(wire::LastWords::text)); }},
      {"how a run ended", [&] { control().last_words.cycle_length = wire::kMostCycle + 1; }},
      {"how a run ended", [&] { control().last_words.failure = wire::FailureKind{77}; }},
  };
  for (const auto& [what, damage] : table) {
    channel_.reset({});
    channel_.prepare({.count = 3});
    damage();
    Streamed streamed;

    channel_.drain(streamed);
    reading().state(), reading().stop_reason(), reading().mode(), reading().run_process();
    reading().last_words(), reading().current_run(), reading().current_thread(), reading().start();
    EXPECT_TRUE(streamed.events.empty());
    EXPECT_EQ(reading().threads().size(), 0u);
    EXPECT_EQ(reading().modules().ids().size(), 1u);
    reading().site_maps();
    reading().check_own_words();

    EXPECT_EQ(reading().damage(), what);
  }
  channel_.reset({});
  EXPECT_EQ(reading().damage(), "");
}

TEST_F(ChannelTest, NotesEntriesThatNobodyCanHaveWritten) {
  control().modules = 2;
  auto& slice = *wire::at<wire::Slice>(peer_, Layout::kSlices);
  auto& event = *wire::at<wire::Event>(peer_, Layout::kEvents);
  auto& choice = *wire::at<wire::Choice>(peer_, Layout::kChoices);
  auto& record = *wire::at<wire::ThreadRecord>(peer_, Layout::kThreads);
  auto& slot = *wire::at<wire::RunSlot>(peer_, Layout::kRuns);
  auto& module = wire::at<wire::Module>(peer_, Layout::kModules)[1];
  constexpr auto kNoOperation = static_cast<wire::Operation>(wire::kOperationCount);
  const std::pair<const char*, std::function<void()>> table[] = {
      {"a slice of the schedule", [&] { slice.pending = kNoOperation; }},
      {"a slice of the schedule", [&] { slice.end = wire::End{wire::kEndCount}; }},
      {"a slice of the schedule", [&] { slice.site = wire::Site::of(2, 0); }},
      {"a slice of the schedule", [&] { slice.thread.ordinal = ~0u; }},
      {"an event", [&] { event.operation = kNoOperation; }},
      {"an event", [&] { event.site = wire::Site::of(2, 0); }},
      {"a choice of the schedule", [&] { choice.kind = wire::ChoiceKind{wire::kChoiceKindCount}; }},
      {"the state of a thread", [&] { record.state = wire::ThreadState{4}; }},
      {"the state of a thread", [&] { record.pending = kNoOperation; }},
      {"the state of a thread", [&] { record.kernel_id = -5; }},
      {"the numbers of a run", [&] { slot.failure = wire::FailureKind{10}; }},
      {"the numbers of a run", [&] { slot.last_words = wire::LastWords::Kind{5}; }},
      {"the table of modules", [&] { std::memset(module.path, '/', sizeof module.path); }},
      {"the table of modules", [&] { module.build_id_size = 33; }},
  };
  for (const auto& [what, damage] : table) {
    channel_.reset({});
    channel_.prepare({.count = 1});
    slice = {}, event = {}, choice = {};
    control().modules = 2;
    control().thread_slots = 1;
    control().slices.count = control().events.count = control().choices.count = 1;
    damage();
    Streamed streamed;

    channel_.drain(streamed);
    reading().threads(), reading().current_run(), reading().modules().ids();

    EXPECT_EQ(reading().damage(), what);
  }
}

TEST_F(ChannelTest, CannotBeMadeShorter) { EXPECT_NE(::ftruncate(channel_.descriptor(), 4096), 0); }

TEST_F(ChannelTest, PreparesABatchFreeOfTheLastOnesResults) {
  control().last_words.kind = wire::LastWords::Kind::kFailure;
  control().runs_ended.store(3);
  control().slices.count = 9;
  wire::at<wire::RunSlot>(peer_, Layout::kRuns)->steps = 44;

  channel_.prepare({.first_ordinal = 7, .count = 2});

  EXPECT_EQ(control().batch.first_ordinal, 7u);
  EXPECT_EQ(control().last_words.kind, wire::LastWords::Kind::kNothing);
  EXPECT_EQ(control().runs_ended.load(), 0u);
  EXPECT_EQ(control().slices.count, 0u);
  EXPECT_EQ(reading().run(0).steps, 0u);
}

TEST_F(ChannelTest, ARequestHidesTheStateThatItWasMadeIn) {
  control().state.store(wire::State::kServing);

  channel_.ask(wire::Request::kRun);

  EXPECT_EQ(control().state.load(), wire::State::kRunning);
  EXPECT_EQ(control().request.load(), wire::Request::kRun);
}

TEST_F(ChannelTest, NamesModulesAndTheirBuildIds) {
  auto* modules = wire::at<wire::Module>(peer_, Layout::kModules);
  std::strcpy(modules[1].path, "/bin/prog");
  modules[1].build_id[0] = 0xab;
  modules[1].build_id[1] = 0x01;
  modules[1].build_id_size = 2;
  control().modules = 2;

  EXPECT_EQ(reading().modules().ids(), (std::vector<ModuleId>{{}, {"/bin/prog", "ab01"}}));
  EXPECT_EQ(reading().modules().path_of(wire::Site::of(1, 16)), "/bin/prog");
  EXPECT_EQ(reading().modules().path_of(wire::Site::of(2, 16)), "");
}

TEST_F(ChannelTest, IsAsNewAfterAReset) {
  control().thread_slots = 4;
  wire::at<wire::ThreadRecord>(peer_, Layout::kThreads)[3].kernel_id = 9;

  channel_.reset({.cpu_count = 3});

  EXPECT_EQ(control().thread_slots, 0u);
  EXPECT_EQ(control().settings.cpu_count, 3u);
  EXPECT_EQ(reading().thread(3).kernel_id, 0);
}

}  // namespace
}  // namespace unravel
