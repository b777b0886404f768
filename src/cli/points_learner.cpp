#include "cli/points_learner.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "cli/build_ids.hpp"
#include "predict/conflicts.hpp"

namespace unravel {

namespace {

// In a batch of runs most of what is new comes early; so many are looked at.
constexpr std::size_t kMostLooks = 8;

// A run of more events is looked at no further: two seconds or so.
constexpr std::uint64_t kMostEvents = 20'000'000;

// Nor is one that takes more of our memory: what is learnt by then has to do.
constexpr std::size_t kMostMemory = std::size_t{1} << 30;

/// One file for each build of a program; what has no build id goes by its name.
std::string file_name(const Program& program) {
  if (const auto id = build_id_of(program.path)) return *id;
  std::string name = program.path;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace

PointsLearner::PointsLearner(Runner& runner, const Program& program, std::filesystem::path store,
                             const Console& console)
    : runner_(runner), file_(std::move(store) / "points" / file_name(program)), console_(console) {}

Result<void> PointsLearner::begin() {
  if (read()) {
    runner_.set_marks(points_.sites);
    return {};
  }
  RunRequest request;
  request.schedule.then.kind = wire::RuleKind::kStay;
  const Result<void> learnt = learn(std::move(request));
  if (!learnt) return learnt;
  if (points_.sites.empty()) keep();  // that there is nothing is worth knowing, too
  runner_.set_marks(points_.sites);
  return {};
}

Result<void> PointsLearner::look_again(const BatchRequest& batch,
                                       const std::vector<RunSummary>& runs) {
  std::size_t looks = 0;
  for (const RunSummary& run : runs) {
    if (run.new_pairs == 0) continue;
    if (++looks > kMostLooks) break;
    // The same run again: a trace changes nothing that it decides. Its points must be the same, so
    // that what is learnt here counts from the next batch on.
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
  ConflictFinder finder;
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
  if (run->summary.outcome == Outcome::kError) return {};  // the next run will say it again
  std::vector<wire::Site> sites;
  for (const std::uint32_t site : finder.sites()) sites.push_back(decoder.sites()[site]);
  if (points_.widen(run->schedule.modules, sites)) keep();
  return {};
}

bool PointsLearner::read() {
  std::error_code none;
  if (!std::filesystem::exists(file_, none)) return false;
  const auto bytes = read_file(file_);
  if (!bytes) return false;
  Result<LearntPoints> points = decode_learnt_points(*bytes);
  if (!points) {
    console_.warn("what was learnt of the program is learnt again: " + points.error().what);
    return false;
  }
  Schedule of_then;
  of_then.modules = points->modules;
  if (!check_same_build(of_then)) return false;  // a library is another one by now
  points_ = std::move(*points);
  return true;
}

/// Nothing is lost but time if that is not possible.
void PointsLearner::keep() const {
  std::error_code none;
  std::filesystem::create_directories(file_.parent_path(), none);
  const Result<void> written = write_file_atomically(file_, encode(points_));
  if (!written)
    console_.warn("what was learnt of the program was not kept: " + written.error().what);
}

}  // namespace unravel
