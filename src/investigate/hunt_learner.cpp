#include "investigate/hunt_learner.hpp"

#include "predict/conflicts.hpp"
#include "predict/contention.hpp"

namespace unravel {

namespace {

// The rest of a longer run is ignored: analysing this many takes a second or two. Chosen by hand.
constexpr std::uint64_t kMostEvents = 10'000'000;

// Likewise the rest of a run whose analysis needs more memory. Chosen by hand.
constexpr std::size_t kMostMemory = std::size_t{1} << 30;

}  // namespace

HuntLearner::HuntLearner(Pool& pool, PointsFile file, wire::PointSet points)
    : pool_(pool), file_(std::move(file)), learns_points_(points == wire::PointSet::kAuto) {
  if (!learns_points_) return;
  if (auto known = file_.read()) points_ = std::move(*known);
  marks_ = std::make_shared<const std::vector<wire::Site>>(points_.sites);
}

Result<Lesson> HuntLearner::learn(const Proposal& proposal) {
  ConflictFinder conflicts;
  ContentionFinder contention;
  std::vector<bool> is_operation;  // by site
  TraceDecoder decoder(
      [&](std::span<const TraceEvent> events) {
        conflicts.take(events);
        contention.take(events);
        for (const TraceEvent& event : events) {
          if (wire::traits(event.operation).counts != wire::Counts::kOperation) continue;
          if (event.site >= is_operation.size()) is_operation.resize(event.site + 1);
          is_operation[event.site] = true;
        }
        if (conflicts.shadow_bytes() > kMostMemory) decoder.stop();
      },
      kMostEvents);
  RunRequest request;
  request.schedule = proposal.schedule;
  request.following = proposal.following;
  request.trace = wire::TraceLevel::kMemory;
  request.sink = &decoder;
  request.marks = marks_;
  Result<Run> run = pool_.submit(std::move(request)).get();
  if (!run) return fail(run.error());

  Lesson lesson;
  const auto add = [&](const std::vector<MetPair>& pairs) {
    for (const MetPair& pair : pairs) {
      const bool is_data = pair.earlier >= is_operation.size() || !is_operation[pair.earlier];
      lesson.pairs.push_back({.first = decoder.sites()[pair.earlier],
                              .second = decoder.sites()[pair.later],
                              .is_data = is_data,
                              .seen_first = true,
                              .seen_second = pair.both});
    }
  };
  add(conflicts.pairs());
  add(contention.pairs());
  std::vector<wire::Site> fresh;
  for (const std::uint32_t site : conflicts.sites()) {
    fresh.push_back(decoder.sites()[site]);
    sites_.insert(decoder.sites()[site].packed);
  }
  for (std::size_t site = 0; site < is_operation.size(); ++site) {
    if (is_operation[site]) sites_.insert(decoder.sites()[site].packed);
  }
  if (learns_points_ && points_.widen(run->schedule.modules, fresh)) {
    file_.keep(points_);
    marks_ = std::make_shared<const std::vector<wire::Site>>(points_.sites);
  }
  lesson.marks = marks_;
  modules_ = run->schedule.modules;
  warnings_ = run->warnings;
  lesson.run = std::move(*run);
  lesson.run.strategy = proposal.strategy;
  return lesson;
}

}  // namespace unravel
