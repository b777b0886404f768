#include "run/pool_laboratory.hpp"

#include <unordered_map>

namespace unravel {

namespace {

// All acts of a run are in memory at once: some tens of megabytes at most.
constexpr std::uint64_t kMostActs = 500'000;

/// Records the acts of threads. The clock before an operation is one after the thread's last hook.
class ActSink final : public TraceSink {
 public:
  ActSink()
      : decoder_([this](std::span<const TraceEvent> events) { note(events); }, kMostActs + 1) {}

  void begin() override {
    acts_.clear();
    last_.clear();
    decoder_.begin();
  }
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override {
    return decoder_.take(words, modules);
  }
  [[nodiscard]] bool damaged() const override { return decoder_.damaged(); }

  std::vector<Act> acts() {
    const bool is_whole = !decoder_.damaged() && decoder_.events() <= kMostActs;
    return is_whole ? std::move(acts_) : std::vector<Act>();
  }

 private:
  void note(std::span<const TraceEvent> events) {
    for (const TraceEvent& event : events) {
      const wire::Counts counts = wire::traits(event.operation).counts;
      if (counts == wire::Counts::kNothing) continue;
      wire::Clock& last = last_[event.thread];
      Act act{.thread = {.ordinal = event.thread},
              .before = event.clock,
              .after = {},
              .site = decoder_.sites()[event.site],
              .operation = event.operation};
      if (counts == wire::Counts::kOperation) {
        act.before = {last.operations, last.hooks + 1};
        act.after = event.clock;
      }
      last = event.clock;
      acts_.push_back(act);
    }
  }

  TraceDecoder decoder_;
  std::vector<Act> acts_;
  std::unordered_map<std::uint32_t, wire::Clock> last_;  // by thread
};

RunRequest request_of(const Proposal& proposal) {
  RunRequest request;
  request.schedule = proposal.schedule;
  request.following = proposal.following;
  request.pairs = false;
  if (proposal.following == wire::Following::kNothing) {
    request.marks = std::make_shared<const std::vector<wire::Site>>(proposal.schedule.marks);
    const bool has_other_points = proposal.schedule.points == wire::PointSet::kMemory;
    if (has_other_points) request.points = proposal.schedule.points;
  }
  return request;
}

Result<Attempt> attempt_of(Result<Run> run, const std::string& key) {
  if (!run) return fail(run.error());
  if (run->summary.outcome == Outcome::kError) return internal_error(run->explanation);
  const Shown shown = shown_by(*run, key);
  return Attempt{.shown = shown, .run = std::move(*run)};
}

}  // namespace

Shown shown_by(const Run& run, const std::string& key) {
  if (run.summary.outcome == Outcome::kPassed) return Shown::kPasses;
  const bool is_it =
      run.summary.outcome == Outcome::kFailed && run.failure && run.failure->key == key;
  return is_it ? Shown::kFails : Shown::kOther;
}

Result<std::vector<Attempt>> PoolLaboratory::perform(const std::vector<Proposal>& proposals) {
  std::vector<std::future<Result<Run>>> going_on;
  for (const Proposal& proposal : proposals) going_on.push_back(pool_.submit(request_of(proposal)));
  std::vector<Attempt> attempts;
  for (auto& future : going_on) {
    Result<Attempt> attempt = attempt_of(future.get(), key_);
    if (!attempt) return fail(attempt.error());
    attempts.push_back(std::move(*attempt));
  }
  return attempts;
}

Result<Observed> PoolLaboratory::observe(const Proposal& proposal) {
  ActSink sink;
  RunRequest request = request_of(proposal);
  request.trace = wire::TraceLevel::kMemory;
  request.sink = &sink;
  Result<Attempt> attempt = attempt_of(pool_.submit(std::move(request)).get(), key_);
  if (!attempt) return fail(attempt.error());
  return Observed{.attempt = std::move(*attempt), .acts = sink.acts()};
}

}  // namespace unravel
