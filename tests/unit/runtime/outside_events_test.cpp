#include "runtime/core/outside_events.hpp"

#include "unit/runtime/scheduler_parts.hpp"

namespace unravel {
namespace {

using wire::ChoiceKind;

class OutsideEventsTest : public SchedulerPartsTest {};

TEST_F(OutsideEventsTest, SignalsFromOutsideAreRecordedAndDelivered) {
  Thread& self = make_thread();
  host_.arrived = {12, 10};

  EXPECT_TRUE(outside_.take_signals(self));

  EXPECT_EQ(host_.delivered, (std::vector{10, 12}));
  ASSERT_EQ(host_.choices.size(), 2u);
  EXPECT_EQ(host_.choices[0].kind, ChoiceKind::kSignal);
  EXPECT_EQ(host_.choices[0].value, 10u);
  EXPECT_FALSE(outside_.take_signals(self));
}

TEST_F(OutsideEventsTest, WhatComesFromOutsideIsSampledEveryThousandSteps) {
  Thread& self = make_thread();
  outside_.begin();
  state_.slot->steps = 999;
  EXPECT_FALSE(outside_.is_sample_due());
  state_.slot->steps = 1'234;
  EXPECT_TRUE(outside_.is_sample_due());

  outside_.sample(self);

  EXPECT_FALSE(outside_.is_sample_due());
  state_.slot->steps = 2'000;
  EXPECT_TRUE(outside_.is_sample_due());
}

}  // namespace
}  // namespace unravel
