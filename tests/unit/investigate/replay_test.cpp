#include "investigate/replay.hpp"

#include <fstream>

#include "investigate/kept_trace.hpp"
#include "investigated.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class ReplayTest : public Investigated {
 protected:
  ReplayRequest request_of(const std::string& id) {
    ReplayRequest request;
    request.run = id;
    request.store = store_.path();
    return request;
  }

  Result<Replayed> replay(const ReplayRequest& request) {
    const auto replay = Replay::prepare(request, observer_);
    if (!replay) return fail(replay.error());
    Result<Replayed> replayed = (*replay)->perform();
    if (!replayed) return replayed;
    const Result<void> traced = (*replay)->keep_trace(*replayed);
    if (!traced) return fail(traced.error());
    return replayed;
  }

  OpenedRun opened(const std::string& id) { return std::move(*open_run(id, store_.path())); }
};

TEST_F(ReplayTest, OfTheSameBuildComesOutTheSame) {
  const std::string id = keep_failure_of("account");

  const auto replayed = replay(request_of(""));

  ASSERT_TRUE(replayed) << replayed.error().what;
  EXPECT_EQ(replayed->run, id) << "the latest failure";
  EXPECT_TRUE(replayed->reproduced()) << replayed->differs;
  EXPECT_TRUE(replayed->had_failed);
  EXPECT_FALSE(replayed->is_other_build);
  EXPECT_FALSE(replayed->reproduced_by);
  EXPECT_EQ(replayed->now.id, id);
  EXPECT_EQ(replayed->now.steps.size(), opened(id).stored.run.steps.size());
  EXPECT_TRUE(fs::exists(replayed->schedule_file));
  EXPECT_FALSE(replayed->traced_events);
}

TEST_F(ReplayTest, OfADeadlockHasTheCycleByItsNames) {
  const std::string id = keep_failure_of("crossed");

  const auto replayed = replay(request_of(id));

  ASSERT_TRUE(replayed) << replayed.error().what;
  ASSERT_TRUE(replayed->reproduced()) << replayed->differs;
  EXPECT_EQ(replayed->now.failure->kind, FailureKind::kDeadlock);
  EXPECT_EQ(replayed->now.failure->detail, opened(id).stored.run.failure->detail);
}

TEST_F(ReplayTest, MakesATableOfARunThatHasNone) {
  const std::string id = keep_plain_run_of("account");
  ReplayRequest request = request_of(id);
  request.wants_table = true;

  const auto replayed = replay(request);

  ASSERT_TRUE(replayed) << replayed.error().what;
  EXPECT_TRUE(replayed->reproduced()) << replayed->differs;
  EXPECT_FALSE(replayed->had_failed);
  EXPECT_FALSE(replayed->now.steps.empty());
}

TEST_F(ReplayTest, OfAnotherBuildIsRefusedIfItIsToBeStrict) {
  const std::string id = keep_failure_of("account");
  install("account_anew");

  const auto replayed = replay(request_of(id));

  ASSERT_FALSE(replayed);
  EXPECT_EQ(replayed.error().what,
            file().string() + " was rebuilt since the schedule was recorded");
}

TEST_F(ReplayTest, OfAnotherBuildBringsTheFailureBack) {
  const std::string id = keep_failure_of("account");
  install("account_anew");
  ReplayRequest request = request_of(id);
  request.following = wire::Following::kLenient;

  const auto replayed = replay(request);

  ASSERT_TRUE(replayed) << replayed.error().what;
  EXPECT_TRUE(replayed->is_other_build);
  EXPECT_TRUE(replayed->reproduced()) << replayed->differs;
  EXPECT_NE(replayed->reproduced_by, ReproducedBy::kNothing);
  EXPECT_EQ(replayed->now.failure->kind, FailureKind::kAssert);
  EXPECT_EQ(replayed->now.id, id);
}

TEST_F(ReplayTest, OfAnotherBuildTriesItsConstraints) {
  // As if the schedule of an older build said nothing to this one.
  Store store = store_.open();
  StoredRun kept = store.load(keep_failure_of("account")).value();
  Schedule& schedule = kept.run.schedule;
  schedule.modules.at(1).build_id = "abcd";
  schedule.slices.clear();
  schedule.choices.clear();
  schedule.then.kind = wire::RuleKind::kStay;
  schedule.complete = false;
  ReplayRequest request = request_of(store.add(kept.run, kept.settings).value());
  request.following = wire::Following::kLenient;

  const auto replayed = replay(request);

  ASSERT_TRUE(replayed) << replayed.error().what;
  EXPECT_TRUE(replayed->reproduced()) << replayed->differs;
  EXPECT_EQ(replayed->reproduced_by, ReproducedBy::kConstraints);
  ASSERT_TRUE(replayed->with_constraints);
  EXPECT_GT(replayed->with_constraints->constraints, 0u);
  EXPECT_GT(replayed->with_constraints->tries, 0u);
}

TEST_F(ReplayTest, OfAMendedProgramSaysThatNothingBroughtTheFailureBack) {
  const std::string id = keep_failure_of("account");
  install("account_mended");
  ReplayRequest request = request_of(id);
  request.following = wire::Following::kLenient;

  const auto replayed = replay(request);

  ASSERT_TRUE(replayed) << replayed.error().what;
  EXPECT_FALSE(replayed->reproduced());
  EXPECT_EQ(replayed->reproduced_by, ReproducedBy::kNothing);
  EXPECT_EQ(replayed->now.summary.outcome, Outcome::kPassed);
  EXPECT_EQ(store_.runs().size(), 1u) << "a replay keeps nothing";
}

TEST_F(ReplayTest, IsMadeInTheEnvironmentOfTheRecording) {
  const std::string id = keep_failure_of("account");
  ::setenv("CAREFUL", "1", 1);

  const auto replayed = replay(request_of(id));

  ::unsetenv("CAREFUL");
  ASSERT_TRUE(replayed) << replayed.error().what;
  EXPECT_TRUE(replayed->reproduced()) << replayed->differs;
}

TEST_F(ReplayTest, InAnotherEnvironmentNamesTheVariablesThatChanged) {
  const std::string id = keep_failure_of("account");
  ReplayRequest request = request_of(id);
  request.environment = EnvironmentOf::kNow;
  ::setenv("CAREFUL", "1", 1);

  const auto replayed = replay(request);

  ::unsetenv("CAREFUL");
  ASSERT_TRUE(replayed) << replayed.error().what;
  EXPECT_FALSE(replayed->reproduced());
  EXPECT_EQ(replayed->now.summary.outcome, Outcome::kDiverged);
  EXPECT_EQ(replayed->changed_variables, (std::vector<std::string>{"CAREFUL"}));
}

TEST_F(ReplayTest, KeepsATraceThatCanBeReadBack) {
  const std::string id = keep_failure_of("account");
  ReplayRequest request = request_of(id);
  request.trace = TraceRequest{};

  const auto replayed = replay(request);

  ASSERT_TRUE(replayed) << replayed.error().what;
  ASSERT_TRUE(replayed->traced_events);
  EXPECT_GT(*replayed->traced_events, 0u);
  EXPECT_TRUE(fs::exists(replayed->trace_file));
  const auto kept = trace_of(opened(id), /*may_run=*/false, observer_);
  ASSERT_TRUE(kept) << kept.error().what;
  EXPECT_EQ(kept->events.size(), *replayed->traced_events);
}

TEST_F(ReplayTest, KeepsATraceOfAPartOnlyIfThatIsAskedFor) {
  const std::string id = keep_failure_of("counter");
  ReplayRequest request = request_of(id);
  request.trace = TraceRequest{.values = true, .window = {}};
  const auto whole = replay(request);
  request.trace->window =
      TraceWindow{.thread = {.ordinal = 0}, .from = {.operations = 1}, .to = {.operations = 2}};
  const auto part = replay(request);

  ASSERT_TRUE(whole && part);
  EXPECT_LT(*part->traced_events, *whole->traced_events);
}

TEST_F(ReplayTest, OfARunThatIsNotThereIsRefused) {
  keep_plain_run_of("account");

  EXPECT_FALSE(replay(request_of("ffffffffffff")));
}

using KeptTraceTest = ReplayTest;

TEST_F(KeptTraceTest, IsMadeOnceMoreIfTheProgramMayBeRun) {
  const std::string id = keep_failure_of("account");

  const auto refused = trace_of(opened(id), /*may_run=*/false, observer_);
  const auto made = trace_of(opened(id), /*may_run=*/true, observer_);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "no trace of run " + id + " was stored");
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_FALSE(made->events.empty());
  EXPECT_FALSE(made->sites.empty());
}

TEST_F(KeptTraceTest, OfAnotherBuildIsRefused) {
  const std::string id = keep_failure_of("account");
  install("account_mended");

  EXPECT_FALSE(trace_of(opened(id), /*may_run=*/true, observer_));
}

TEST_F(KeptTraceTest, OfARunThatComesOutOtherwiseIsRefused) {
  const std::string id = keep_failure_of("account");
  std::ofstream(store_.home() / "careful") << "";

  const auto refused = trace_of(opened(id), /*may_run=*/true, observer_);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "run " + id + " could not be repeated for its trace");
  EXPECT_NE(refused.error().why.find("recorded: failed (assert)"), std::string::npos);
}

TEST_F(KeptTraceTest, ThatIsDamagedSaysHowToMakeItAgain) {
  const std::string id = keep_failure_of("account");
  const std::vector<std::byte> nonsense(100);
  ASSERT_TRUE(store_.open().add_trace(id, nonsense));

  const auto refused = trace_of(opened(id), /*may_run=*/true, observer_);

  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().hint.find("unravel replay --trace " + id), std::string::npos);
}

}  // namespace
}  // namespace unravel
