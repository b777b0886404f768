#include "investigate/kept_failure.hpp"

#include <algorithm>
#include <filesystem>

#include "base/stand_ins.hpp"
#include "data/failure_match.hpp"
#include "explore/near_failure.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/hunt_learner.hpp"
#include "investigate/lease.hpp"
#include "investigate/named_sites.hpp"
#include "investigate/repetition.hpp"
#include "investigate/run_on_record.hpp"
#include "investigate/verification.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

// The number of random runs that follow all constraints. Chosen by hand.
constexpr std::uint64_t kConstrainedRuns = 8;

bool is_same(const Run& before, const Run& now) {
  return before.failure && now.failure && is_same_failure(*before.failure, *now.failure);
}

std::vector<wire::Site> sites_of(const std::vector<wire::Constraint>& constraints) {
  std::vector<wire::Site> sites;
  for (const wire::Constraint& one : constraints) {
    for (const wire::Site site : {one.first.site, one.then.site}) {
      if (std::find(sites.begin(), sites.end(), site) == sites.end()) sites.push_back(site);
    }
  }
  return sites;
}

/// Ends a hunt loop when the failure has been reproduced.
class Watcher final : public Audience {
 public:
  explicit Watcher(const Run& wanted) : wanted_(wanted) {}

  Result<bool> found(Run run, std::uint64_t at_run) override {
    if (!is_same(wanted_, run)) {
      others_.push_back(std::move(run));
      return true;
    }
    at_run_ = at_run;
    strategy_ = run.strategy;
    run_ = std::move(run);
    return false;
  }
  void progress(const Explored&) override {}

  [[nodiscard]] std::uint64_t at_run() const { return at_run_; }  // 0: not reproduced
  [[nodiscard]] const std::string& strategy() const { return strategy_; }
  [[nodiscard]] std::optional<Run>& run() { return run_; }
  [[nodiscard]] std::vector<Run>& others() { return others_; }

 private:
  const Run& wanted_;
  std::uint64_t at_run_ = 0;
  std::string strategy_;
  std::optional<Run> run_;
  std::vector<Run> others_;  // one for each key
};

/// Learns like a hunt, and adds the sites of the constraints: as points, and as pairs whose order
/// may matter.
class ConstraintLearner final : public Learner {
 public:
  ConstraintLearner(HuntLearner& hunt, const std::vector<wire::Constraint>& constraints)
      : hunt_(hunt), constraints_(constraints) {}

  Result<Lesson> learn(const Proposal& proposal) override {
    Result<Lesson> lesson = hunt_.learn(proposal);
    if (!lesson) return lesson;
    for (const wire::Constraint& one : constraints_) {
      const bool is_data = wire::is_access(one.first.operation);
      lesson->pairs.push_back(
          {.first = one.first.site, .second = one.then.site, .is_data = is_data});
    }
    if (!lesson->marks) return lesson;
    std::vector<wire::Site> marks = *lesson->marks;
    for (const wire::Site site : sites_of(constraints_)) {
      if (std::find(marks.begin(), marks.end(), site) == marks.end()) marks.push_back(site);
    }
    lesson->marks = std::make_shared<const std::vector<wire::Site>>(std::move(marks));
    return lesson;
  }

 private:
  HuntLearner& hunt_;
  const std::vector<wire::Constraint>& constraints_;
};

class Check {
 public:
  Check(OpenedRun& opened, const Judging& judge, EnvironmentOf environment, Observer& observer)
      : opened_(opened),
        judge_(judge),
        environment_(environment),
        before_(opened.stored.run),
        observer_(observer) {
    checked_.run = before_.id;
    if (before_.failure) checked_.key = before_.failure->key;
  }

  Result<Checked> perform(std::uint64_t neighbours) {
    const Result<void> there = find();
    if (!there) return not_applicable(there.error().what);
    const Result<void> same = check_same_build(opened_);
    if (same) {
      const Result<bool> settled = follow_strictly();
      if (!settled) return trouble(settled.error());
      if (*settled) return checked_;
    }
    const Result<void> tried = try_other_build(neighbours);
    if (!tried) return trouble(tried.error());
    return checked_;
  }

  Result<BroughtBack> bring_back() {
    only_constraints_ = true;
    const Result<void> tried = try_other_build(kConstrainedRuns);
    if (!tried) return fail(tried.error());
    return BroughtBack{
        .run = std::move(back_), .tries = checked_.neighbours, .constraints = constraints_found_};
  }

 private:
  Result<Checked> not_applicable(std::string why) {
    checked_.verdict = CheckVerdict::kNotApplicable;
    checked_.reason = std::move(why);
    return checked_;
  }

  Result<Checked> trouble(const Error& error) {
    if (observer_.interrupted()) return fail(error);
    checked_.is_trouble = true;
    return not_applicable(error.what + (error.why.empty() ? "" : ": " + error.why));
  }

  void still_fails(ReproducedBy means) {
    checked_.verdict = CheckVerdict::kStillFails;
    checked_.reproduced_by = means;
  }

  /// An error if the program does not exist or cannot be controlled.
  Result<void> find() {
    const Program& program = before_.program;
    std::error_code ignored;
    if (!fs::exists(file_for(program.path), ignored)) {
      return user_error(program.arguments.front() + " is not there any more");
    }
    if (!opened_.is_packed && !fs::is_directory(program.directory, ignored)) {
      return user_error("its directory " + program.directory + " is not there any more");
    }
    std::vector<std::string> arguments = program.arguments;
    arguments.front() = program.path;
    const Result<Program> found = find_program(arguments);
    if (!found) return fail(found.error());
    return {};
  }

  // --- The same build -------------------------------------------------------------------------

  /// Returns false if the program has no build id: it may be another build after all.
  Result<bool> follow_strictly() {
    // A failure may be mended by a file, so files are as they are now.
    const InputsOf inputs = needs_record(opened_) ? InputsOf::kRecording : InputsOf::kLive;
    Result<std::unique_ptr<RunnerLease>> lease =
        start_like(opened_, judge_, observer_, environment_, inputs);
    if (!lease) return fail(lease.error());
    RunRequest request;
    request.schedule = before_.schedule;
    request.following = wire::Following::kStrict;
    const Result<Run> now = (*lease)->get().run(request);
    if (!now) return fail(now.error());
    if (is_same(before_, *now)) {
      still_fails(ReproducedBy::kSchedule);
      return true;
    }
    const std::vector<ModuleId>& modules = before_.schedule.modules;
    if (modules.size() < 2 || modules[1].build_id.empty()) return false;
    checked_.is_trouble = true;
    not_applicable("the build is the same, but the run differs: " + difference(before_, *now) +
                   "; its input, its files or the machine changed: see `unravel doctor`");
    return true;
  }

  // --- Another build --------------------------------------------------------------------------

  Result<wire::PointSet> points() const {
    const wire::PointSet recorded = before_.schedule.points;
    Judging judge;
    if (recorded != wire::PointSet::kAuto) judge.points = recorded;
    const Instrumentation built = instrumentation_of(before_.program);
    if (!built.has_hooks && !built.loads_libraries) judge.points.reset();
    return points_for(before_.program, judge, observer_);
  }

  Result<void> try_other_build(std::uint64_t neighbours) {
    Result<RunnerRequest> like = request_like(opened_, judge_, environment_);
    if (!like) return fail(like.error());
    const Result<wire::PointSet> points = this->points();
    if (!points) return fail(points.error());
    like->points = *points;
    if (needs_record(opened_)) like->inputs = inputs_ = inputs_by_stream(opened_, observer_);
    input_ = like->input;
    // One worker makes checks repeatable.
    Result<std::unique_ptr<PoolLease>> lease = lease_pool(*like, 1, observer_);
    if (!lease) return fail(lease.error());
    Pool& pool = (*lease)->get();

    Schedule schedule = before_.schedule;
    fit_to_other_build(schedule);
    if (*points == wire::PointSet::kSync) schedule.points = *points;
    SiteCollector collector;
    RunRequest lenient;
    lenient.schedule = schedule;
    lenient.following = wire::Following::kLenient;
    Result<bool> back = try_run(pool, std::move(lenient), collector, ReproducedBy::kSchedule);
    if (back && !*back) back = find_sites(pool, collector);
    if (!back) return fail(back.error());
    if (*back) return {};
    const std::vector<wire::Constraint> constraints =
        find_constraints(before_.constraints, collector.sites(), Likeness::kNearest);
    constraints_found_ = constraints.size();
    if (only_constraints_ && constraints.empty()) return {};
    return try_neighbours(pool, *points, std::move(schedule), constraints, neighbours);
  }

  /// Makes a run and collects the sites that it reaches. Returns whether the failure came back.
  Result<bool> try_run(Pool& pool, RunRequest request, SiteCollector& collector,
                       ReproducedBy means) {
    request.trace = wire::TraceLevel::kMemory;
    request.sink = &collector;
    Result<Run> now = pool.submit(std::move(request)).get();
    if (!now) return fail(now.error());
    collector.finish(now->schedule.modules);
    if (means != ReproducedBy::kSchedule) ++checked_.neighbours;
    const bool back = is_same(before_, *now);
    if (back) {
      still_fails(means);
      back_ = std::move(*now);
    } else if (now->failure) {
      const Result<void> kept = keep_other(pool, std::move(*now));
      if (!kept) return fail(kept.error());
    }
    return back;
  }

  /// Verifies and stores a failure other than the expected one.
  Result<void> keep_other(Pool& pool, Run run) {
    if (only_constraints_) return {};  // other failures do not matter then
    const std::string key = run.failure ? run.failure->key : std::string();
    for (const OtherFailure& known : checked_.others) {
      if (known.key == key) return {};
    }
    const Result<Verification> verification =
        verify(run, [&](RunRequest request) { return pool.submit(std::move(request)).get(); });
    if (!verification) return fail(verification.error());
    run.inputs = inputs_;
    const Result<std::string> id = opened_.store.add(run, opened_.stored.settings, input_);
    if (!id) return fail(id.error());
    checked_.others.push_back({.key = key, .run = *id, .verified = verification->verified()});
    return {};
  }

  /// Finds the sites of the constraints. Some sites are reached only if other constraints hold, so
  /// each run follows the constraints found so far, until no more are found.
  Result<bool> find_sites(Pool& pool, SiteCollector& collector) {
    for (std::size_t found = 0, round = 0;; ++round) {
      const auto constraints =
          find_constraints(before_.constraints, collector.sites(), Likeness::kSame);
      if (constraints.size() == before_.constraints.size()) return false;
      if (round > 1 && constraints.size() == found) return false;
      found = constraints.size();
      RunRequest request;
      request.schedule.then.kind = wire::RuleKind::kStay;
      request.schedule.then.seed = before_.summary.seed;
      if (round > 0) {
        request.schedule.constraints = constraints;
        request.marks = std::make_shared<const std::vector<wire::Site>>(sites_of(constraints));
      }
      const Result<bool> back =
          try_run(pool, std::move(request), collector,
                  round > 0 ? ReproducedBy::kConstraints : ReproducedBy::kNeighbours);
      if (!back || *back) return back;
    }
  }

  Result<void> try_neighbours(Pool& pool, wire::PointSet points, Schedule schedule,
                              const std::vector<wire::Constraint>& constraints,
                              std::uint64_t count) {
    HuntLearner hunt(pool, PointsFile(before_.program, opened_.store.directory(), observer_),
                     points);
    ConstraintLearner learner(hunt, constraints);
    NearFailure strategy(std::move(schedule), constraints);
    Watcher watcher(before_);
    HuntLoop loop(pool, strategy, learner, watcher, before_.summary.seed, {.runs = count});
    const Result<HuntLoop::End> end = loop.run();
    if (!end) return fail(end.error());
    const Explored& explored = loop.explored();
    checked_.unresolved = explored.unresolved;
    for (Run& other : watcher.others()) {
      const Result<void> kept = keep_other(pool, std::move(other));
      if (!kept) return kept;
    }
    if (watcher.at_run()) {
      back_ = std::move(watcher.run());
      checked_.neighbours += watcher.at_run();
      still_fails(watcher.strategy() == NearFailure::kAllConstraints ? ReproducedBy::kConstraints
                                                                     : ReproducedBy::kNeighbours);
      return {};
    }
    checked_.neighbours = explored.runs;  // runs that only collected sites do not count
    if (!explored.tested()) {
      return environment_error("nothing was tested", explored.why_unresolved);
    }
    checked_.verdict = CheckVerdict::kFixed;
    return {};
  }

  OpenedRun& opened_;
  const Judging& judge_;
  const EnvironmentOf environment_;
  const Run& before_;
  Observer& observer_;
  Checked checked_;
  std::string input_;
  std::shared_ptr<const InputLog> inputs_;  // null: they come from outside
  bool only_constraints_ = false;
  std::size_t constraints_found_ = 0;
  std::optional<Run> back_;  // the run that reproduced the failure
};

}  // namespace

Result<Checked> try_again(OpenedRun& opened, std::uint64_t neighbours, Observer& observer) {
  const Judging as_recorded;
  return Check(opened, as_recorded, EnvironmentOf::kRecording, observer).perform(neighbours);
}

Result<BroughtBack> try_constraints(OpenedRun& opened, const Judging& judge,
                                    EnvironmentOf environment, Observer& observer) {
  return Check(opened, judge, environment, observer).bring_back();
}

}  // namespace unravel
