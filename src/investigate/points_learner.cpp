#include "investigate/points_learner.hpp"

#include "predict/conflicts.hpp"

namespace unravel {

namespace {

// How many runs of a batch are traced again: most new behaviour comes early. Chosen by hand.
constexpr std::size_t kMostTraced = 8;

// The rest of a longer run is ignored: analysing this many takes about two seconds. Chosen by hand.
constexpr std::uint64_t kMostEvents = 20'000'000;

// Likewise the rest of a run whose analysis needs more memory. Chosen by hand.
constexpr std::size_t kMostMemory = std::size_t{1} << 30;

}  // namespace

PointsLearner::PointsLearner(Runner& runner, const Program& program,
                             const std::filesystem::path& store, Observer& observer)
    : runner_(runner), file_(program, store, observer) {}

Result<void> PointsLearner::begin() {
  if (auto known = file_.read()) {
    points_ = std::move(*known);
    runner_.set_marks(points_.sites);
    return {};
  }
  RunRequest request;
  request.schedule.then.kind = wire::RuleKind::kStay;
  const Result<void> learnt = learn(std::move(request));
  if (!learnt) return learnt;
  if (points_.sites.empty()) file_.keep(points_);  // it is worth knowing that there are none
  runner_.set_marks(points_.sites);
  return {};
}

Result<void> PointsLearner::learn_from(const BatchRequest& batch,
                                       const std::vector<RunSummary>& runs) {
  std::size_t traced = 0;
  for (const RunSummary& run : runs) {
    if (run.new_pairs == 0 && run.new_sites == 0) continue;
    if (++traced > kMostTraced) break;
    // Repeats the run with a trace, which does not change its decisions. The points must not change
    // either, so what is learnt here counts from the next batch on.
    RunRequest request;
    request.schedule.then = batch.rule;
    request.schedule.then.seed = run.seed;
    const Result<void> learnt = learn(std::move(request));
    if (!learnt) return learnt;
  }
  runner_.set_marks(points_.sites);
  return {};
}

Result<void> PointsLearner::learn(RunRequest request) {
  RunAccesses accesses;
  ConflictFinder finder(&accesses);
  TraceDecoder decoder(
      [&](std::span<const TraceEvent> events) {
        finder.take(events);
        if (finder.shadow_bytes() > kMostMemory) decoder.stop();
      },
      kMostEvents);
  request.trace = wire::TraceLevel::kMemory;
  request.sink = &decoder;
  const Result<Run> run = runner_.run(request);
  if (!run) return fail(run.error());
  if (run->summary.outcome == Outcome::kError) return {};  // the next run will report it
  std::vector<wire::Site> sites;
  for (const std::uint32_t site : finder.sites()) sites.push_back(decoder.sites()[site]);
  for (const auto& [one, other] : accesses_.add(accesses, decoder.sites())) {
    sites.insert(sites.end(), {one, other});
  }
  if (points_.widen(run->schedule.modules, sites)) file_.keep(points_);
  return {};
}

}  // namespace unravel
