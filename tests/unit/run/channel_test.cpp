#include "run/channel.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

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
  const wire::Hold holds[] = {{.thread = {.ordinal = 2}, .clock = {.operations = 8, .hooks = 1}}};
  const ScheduleInput inputs[] = {{&first, wire::Following::kStrict, holds},
                                  {&second, wire::Following::kNothing, {}}};

  ASSERT_TRUE(channel_.write_schedules(inputs).has_value());

  const auto* header = wire::at<wire::ScheduleHeader>(peer_, Layout::kInput);
  EXPECT_EQ(header->slices, 2u);
  EXPECT_EQ(header->choices, 1u);
  EXPECT_EQ(header->holds, 1u);
  EXPECT_EQ(header->following, wire::Following::kStrict);
  EXPECT_EQ(header->complete, 1);
  std::uint64_t offset = Layout::kInput + sizeof(wire::ScheduleHeader);
  EXPECT_EQ(*wire::at<wire::Slice>(peer_, offset + sizeof(wire::Slice)), first.slices[1]);
  offset += 2 * sizeof(wire::Slice);
  EXPECT_EQ(*wire::at<wire::Choice>(peer_, offset), first.choices[0]);
  offset += sizeof(wire::Choice);
  EXPECT_EQ(wire::at<wire::Hold>(peer_, offset)->clock.operations, 8u);
  const auto* next = wire::at<wire::ScheduleHeader>(peer_, Layout::kInput + header->bytes);
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

TEST_F(ChannelTest, BelievesNoCountThatLeadsOutOfItsStream) {
  control().events.count = ~std::uint64_t{0};
  control().events.offset = ~std::uint64_t{0};
  control().modules = ~0u;
  control().thread_slots = ~0u;
  Streamed streamed;

  channel_.drain(streamed);

  EXPECT_EQ(streamed.events.size(), (Layout::kPairs - Layout::kEvents) / sizeof(wire::Event));
  EXPECT_EQ(channel_.modules().size(), wire::kMostModules);
  EXPECT_EQ(channel_.threads().size(), wire::kMostThreads);
}

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
  EXPECT_EQ(channel_.run(0).steps, 0u);
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

  EXPECT_EQ(channel_.modules(), (std::vector<ModuleId>{{}, {"/bin/prog", "ab01"}}));
  EXPECT_EQ(channel_.module_path(wire::Site::of(1, 16)), "/bin/prog");
  EXPECT_EQ(channel_.module_path(wire::Site::of(2, 16)), "");
}

TEST_F(ChannelTest, IsAsNewAfterAReset) {
  control().thread_slots = 4;
  wire::at<wire::ThreadRecord>(peer_, Layout::kThreads)[3].kernel_id = 9;

  channel_.reset({.cpu_count = 3});

  EXPECT_EQ(control().thread_slots, 0u);
  EXPECT_EQ(control().settings.cpu_count, 3u);
  EXPECT_EQ(channel_.thread(3).kernel_id, 0);
}

}  // namespace
}  // namespace unravel
