#include "data/input_log.hpp"
#include "store_fixture.hpp"

namespace unravel {
namespace {

class HeldRunTest : public StoreTest {
 protected:
  HeldRun held() {
    HeldRun held;
    held.stored.run = passed_run();
    held.stored.run.id = "failure.unravel";
    held.stored.run.environment =
        std::make_shared<const Environment>(Environment{.variables = {"A=1"}, .limits = {}});
    held.stored.run.inputs = std::make_shared<const InputLog>();
    held.input = "typed";
    return held;
  }
  Store around() { return std::move(Store::around(held(), directory_).value()); }
};

TEST_F(HeldRunTest, IsReadWithoutAStore) {
  const Store store = around();
  EXPECT_EQ(store.find("failure.unravel"), "failure.unravel");
  EXPECT_EQ(store.load("failure.unravel")->run.program, passed_run().program);
  EXPECT_EQ(store.input("failure.unravel"), "typed");
  EXPECT_EQ((*store.environment("failure.unravel"))->variables.front(), "A=1");
  EXPECT_NE(*store.inputs("failure.unravel"), nullptr);
  EXPECT_FALSE(*store.trace("failure.unravel"));
  EXPECT_EQ(store.schedule_file("failure.unravel"), "failure.unravel");
  EXPECT_FALSE(fs::exists(directory_)) << "nothing was written";
  EXPECT_FALSE(store.find("3fa")) << "there is no store";
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(HeldRunTest, OthersAreThoseOfTheStore) {
  const std::string id = open().add(passed_run(), {}, "other").value();
  const Store store = around();
  EXPECT_EQ(store.find(id.substr(0, 4)), id);
  EXPECT_EQ(store.input(id), "other");
  EXPECT_EQ(store.load(id)->run.id, id);
}

TEST_F(HeldRunTest, WhatIsMadeOfItIsStored) {
  Store store = around();
  EXPECT_TRUE(store.add_steps("failure.unravel", passed_run()));
  EXPECT_FALSE(fs::exists(directory_)) << "a table is not kept";
  const std::string id = store.add(passed_run(), {}, "made").value();
  EXPECT_EQ(open().input(id), "made");
  EXPECT_EQ(open().list()->runs.size(), 1u);
}

TEST_F(HeldRunTest, IsStoredOnceWithItsTrace) {
  Store store = around();
  const std::vector<std::byte> trace(10);
  ASSERT_TRUE(store.add_trace("failure.unravel", trace));
  ASSERT_TRUE(store.add_trace("failure.unravel", trace));
  const Store after = open();
  ASSERT_EQ(after.list()->runs.size(), 1u);
  const std::string id = after.list()->runs.front().run.id;
  EXPECT_EQ(after.trace(id).value(), std::optional(trace));
  EXPECT_EQ(after.input(id), "typed");
  EXPECT_EQ((*after.environment(id))->variables.front(), "A=1");
  EXPECT_EQ(store.trace_file("failure.unravel"), after.trace_file(id));
}

}  // namespace
}  // namespace unravel
