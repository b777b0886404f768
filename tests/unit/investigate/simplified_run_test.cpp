#include "investigate/simplified_run.hpp"

#include <fstream>

#include "investigated.hpp"

namespace unravel {
namespace {

class SimplifiedRunTest : public Investigated {
 protected:
  SimplifyRequest request(const std::string& run) {
    SimplifyRequest request;
    request.run = run;
    request.store = store_.path();
    request.jobs = 1;
    return request;
  }

  /// A failure with more switches than it needs: every step is a coin toss.
  std::string keep_restless_failure() {
    RunsRequest restless = runs_of("account_anew");
    restless.runs = 500;
    restless.probability = 0.5;
    const auto ran = run(restless);
    EXPECT_TRUE(ran && ran->run && ran->run->failure);
    return ran->run->id;
  }
};

TEST_F(SimplifiedRunTest, FailsAlikeWithFewerSwitchesAndIsKept) {
  const std::string id = keep_restless_failure();

  const auto kept = simplify_kept(request(id), observer_);

  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_FALSE(kept->why_unkept);
  const Simplification& told = kept->simple.told;
  EXPECT_EQ(told.from, id);
  EXPECT_LT(told.after, told.before);
  EXPECT_EQ(told.after.preemptions, 1u) << "a lost update needs one";
  ASSERT_EQ(told.preemptions.size(), 1u);
  ASSERT_FALSE(told.preemptions[0].place.stack.empty());
  ASSERT_NE(told.run, id);
  const unravel::Run simple = store_.open().load(told.run)->run;
  EXPECT_EQ(simple.failure->key, store_.open().load(id)->run.failure->key);
  EXPECT_EQ(simple.strategy, "simplify");
  EXPECT_FALSE(simple.steps.empty());
}

TEST_F(SimplifiedRunTest, IsTheSameRunIfNothingIsSimpler) {
  const auto first = simplify_kept(request(keep_restless_failure()), observer_);
  ASSERT_TRUE(first) << first.error().what;
  const std::string id = first->simple.told.run;
  const std::size_t runs = store_.runs().size();

  const auto again = simplify_kept(request(id), observer_);

  ASSERT_TRUE(again) << again.error().what;
  EXPECT_EQ(again->simple.told.run, id);
  EXPECT_EQ(again->simple.told.from, id);
  EXPECT_EQ(store_.runs().size(), runs) << "nothing is kept twice";
}

TEST_F(SimplifiedRunTest, MakesNoMoreRunsThanItMay) {
  SimplifyRequest limited = request(keep_restless_failure());
  limited.effort.runs = 1;

  const auto kept = simplify_kept(limited, observer_);

  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_FALSE(kept->simple.told.complete);
}

TEST_F(SimplifiedRunTest, IsTheSameRunIfThereIsNoTime) {
  const std::string id = keep_restless_failure();
  SimplifyRequest limited = request(id);
  limited.effort.time = std::chrono::milliseconds(0);

  const auto kept = simplify_kept(limited, observer_);

  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_EQ(kept->simple.told.run, id);
  EXPECT_FALSE(kept->simple.told.complete);
}

TEST_F(SimplifiedRunTest, NeedsAFailureOfSeveralThreadsThatComesBack) {
  const std::string passed = keep_plain_run_of("account");
  const std::string alone = keep_plain_run_of("alone");
  Store store = store_.open();
  StoredRun one_thread = store.load(keep_failure_of("account")).value();
  one_thread.run.summary.threads = 1;
  const std::string one = store.add(one_thread.run, one_thread.settings).value();
  const std::string failed = keep_failure_of("account");
  std::ofstream(store_.home() / "careful") << "";

  EXPECT_EQ(simplify_kept(request(passed), observer_).error().what,
            "run " + passed + " did not fail");
  EXPECT_EQ(simplify_kept(request(one), observer_).error().what, "run " + one + " had one thread");
  EXPECT_EQ(simplify_kept(request(failed), observer_).error().what,
            "run " + failed + " could not be repeated");
  install("account_mended");
  EXPECT_EQ(simplify_kept(request(failed), observer_).error().what,
            file().string() + " was rebuilt since the schedule was recorded");
  EXPECT_FALSE(simplify_kept(request("ffffffffffff"), observer_));
}

}  // namespace
}  // namespace unravel
