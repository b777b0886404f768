#include "investigate/hunt_learner.hpp"

#include "predict/conflicts.hpp"
#include "predict/contention.hpp"

namespace unravel {

namespace {

// The rest of a longer run is ignored: analysing this many takes a second or two. Chosen by hand.
constexpr std::uint64_t kMostEvents = 10'000'000;

// Likewise the rest of a run whose analysis needs more memory. Chosen by hand.
constexpr std::size_t kMostMemory = std::size_t{1} << 30;

/// Which sites are operations, and to which several threads came.
class SitesMet {
 public:
  void take(const TraceEvent& event) {
    if (event.site >= sites_.size()) sites_.resize(event.site + 1);
    Site& site = sites_[event.site];
    site.is_operation |= wire::traits(event.operation).counts == wire::Counts::kOperation;
    site.is_shared |= site.thread && *site.thread != event.thread;
    if (!site.thread) site.thread = event.thread;
  }
  [[nodiscard]] bool is_operation(std::size_t site) const {
    return site < sites_.size() && sites_[site].is_operation;
  }
  [[nodiscard]] bool is_shared(std::size_t site) const {
    return site < sites_.size() && sites_[site].is_shared;
  }
  [[nodiscard]] std::size_t count() const { return sites_.size(); }

 private:
  struct Site {
    std::optional<std::uint32_t> thread;
    bool is_operation = false;
    bool is_shared = false;
  };
  std::vector<Site> sites_;
};

/// Gives a trace to two readers.
class TwoSinks final : public TraceSink {
 public:
  /// `second` may be null.
  TwoSinks(TraceSink& first, TraceSink* second) : first_(first), second_(second) {}

  void begin() override {
    first_.begin();
    goes_on_ = {true, second_ != nullptr};
    if (second_) second_->begin();
  }
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override {
    if (goes_on_[0]) goes_on_[0] = first_.take(words, modules);
    if (goes_on_[1]) goes_on_[1] = second_->take(words, modules);
    return goes_on_[0] || goes_on_[1];
  }
  [[nodiscard]] bool damaged() const override {
    return first_.damaged() || (second_ && second_->damaged());
  }

 private:
  TraceSink& first_;
  TraceSink* const second_;
  std::array<bool, 2> goes_on_{};
};

}  // namespace

HuntLearner::HuntLearner(Pool& pool, PointsFile file, wire::PointSet points, bool predicts)
    : pool_(pool), file_(std::move(file)), learns_points_(points == wire::PointSet::kAuto) {
  if (predicts) predicted_.emplace();
  if (!learns_points_) return;
  if (auto known = file_.read()) points_ = std::move(*known);
  marks_ = std::make_shared<const std::vector<wire::Site>>(points_.sites);
}

Result<Lesson> HuntLearner::learn(const Proposal& proposal) {
  RunAccesses accesses;
  ConflictFinder conflicts(&accesses);
  ContentionFinder contention;
  SitesMet met;
  TraceDecoder decoder(
      [&](std::span<const TraceEvent> events) {
        conflicts.take(events);
        contention.take(events);
        for (const TraceEvent& event : events) met.take(event);
        if (conflicts.shadow_bytes() > kMostMemory) decoder.stop();
      },
      kMostEvents);
  std::unique_ptr<HistorySink> history;
  if (predicted_ && predicted_->wants(proposal)) history = predicted_->sink_for(proposal);
  TwoSinks sinks(decoder, history.get());
  RunRequest request;
  request.schedule = proposal.schedule;
  request.following = proposal.following;
  request.trace = wire::TraceLevel::kMemory;
  request.sink = &sinks;
  request.values = history != nullptr;
  request.marks = marks_;
  request.points = proposal.points;
  Result<Run> run = pool_.submit(std::move(request)).get();
  if (!run) return fail(run.error());

  Lesson lesson;
  const auto add = [&](const SitePairs& pairs) {
    for (std::size_t i = 0; i < pairs.list().size(); ++i) {
      const MetPair& pair = pairs.list()[i];
      lesson.pairs.push_back({.first = decoder.sites()[pair.earlier],
                              .second = decoder.sites()[pair.later],
                              .is_data = !met.is_operation(pair.earlier),
                              .seen_first = true,
                              .seen_second = pair.both,
                              .is_shared = met.is_shared(pair.earlier) && met.is_shared(pair.later),
                              .objects = pairs.objects()[i]});
    }
  };
  add(conflicts.met());
  add(contention.met());
  std::vector<wire::Site> fresh;
  for (const std::uint32_t site : conflicts.sites()) {
    fresh.push_back(decoder.sites()[site]);
    sites_.insert(decoder.sites()[site].packed);
  }
  for (const auto& [one, other] : accesses_.add(accesses, decoder.sites())) {
    lesson.pairs.push_back({.first = one, .second = other, .is_data = true});
    for (const wire::Site site : {one, other}) {
      fresh.push_back(site);
      sites_.insert(site.packed);
    }
  }
  for (std::size_t site = 0; site < met.count(); ++site) {
    if (met.is_operation(site)) sites_.insert(decoder.sites()[site].packed);
  }
  if (learns_points_ && points_.widen(run->schedule.modules, fresh)) {
    file_.keep(points_);
    marks_ = std::make_shared<const std::vector<wire::Site>>(points_.sites);
  }
  lesson.marks = marks_;
  modules_ = run->schedule.modules;
  warnings_ = run->warnings;
  lesson.run = std::move(*run);
  for (std::size_t site = 0; site < met.count(); ++site) {
    lesson.run.maps.add_executed(decoder.sites()[site], wire::kFirstAccess);
    if (!met.is_shared(site)) continue;
    lesson.run.maps.add_executed(decoder.sites()[site], wire::kAccessOfAnotherThread);
  }
  lesson.run.strategy = proposal.strategy;
  if (history) lesson.predicted = predicted_->take(proposal, lesson.run, std::move(history));
  return lesson;
}

}  // namespace unravel
