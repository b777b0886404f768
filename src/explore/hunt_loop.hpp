/// The loop of a hunt: a pool of workers runs a strategy's proposals until a bug is found or the
/// budget is used up.
///
/// Proposals are made in rounds. The strategy sees the results of a round before it proposes the
/// next, and those of a lesson that it proposes before the rest of the round. A round is cut into
/// batches, which workers take. Round sizes depend on runs and steps,
/// never on time, so with one worker a hunt repeats exactly on any machine.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "base/hash_memory.hpp"
#include "data/explored.hpp"
#include "explore/journal.hpp"
#include "explore/knowledge.hpp"
#include "explore/lesson_choice.hpp"
#include "explore/strategy.hpp"
#include "run/pool.hpp"

namespace unravel {

/// The result of a traced run.
struct Lesson {
  Run run;
  std::vector<SitePair> pairs;
  std::vector<PredictedRun> predicted;  // runs that its trace suggests
  // The points of the set `auto` from now on; null: unchanged.
  std::shared_ptr<const std::vector<wire::Site>> marks;
};

/// Runs a proposal with a trace and learns from it.
class Learner {
 public:
  virtual ~Learner() = default;
  virtual Result<Lesson> learn(const Proposal& proposal) = 0;
  /// The current points of the set `auto`; null: there are none to choose.
  [[nodiscard]] virtual std::shared_ptr<const std::vector<wire::Site>> marks() const {
    return nullptr;
  }
};

/// Receives progress, and decides what a failure means.
class Audience {
 public:
  virtual ~Audience() = default;
  /// A whole failing run, and its number in the hunt, counted from 1. Returns false to end the
  /// hunt.
  virtual Result<bool> found(Run run, std::uint64_t at_run) = 0;
  /// Called after every batch.
  virtual void progress(const Explored& explored) = 0;
};

struct Budget {
  std::uint64_t runs = 0;  // 0: no limit
  std::optional<std::chrono::duration<double>> time;
  std::uint64_t stale = 0;  // end after this many runs without anything new; 0: no limit
};

class HuntLoop {
 public:
  enum class End {
    kEnough,
    kRuns,
    kTime,
    kStale,
    kNothingLeft,
    kOneThread,  // there is nothing to interleave: every run would be the same
  };

  HuntLoop(Pool& pool, Strategy& strategy, Learner& learner, Audience& audience, std::uint64_t seed,
           Budget budget);

  /// Call before run(). The loop first takes the entries of `journal`, from an earlier hunt with
  /// the same seed and strategy that took `so_far`, then appends its own.
  void keep_in(Journal& journal, std::chrono::duration<double> so_far);

  /// Runs until one of the ends, or an error: a worker's, or an internal error in a run.
  Result<End> run();

  [[nodiscard]] const Explored& explored() const { return explored_; }
  [[nodiscard]] const Knowledge& known() const { return known_; }
  [[nodiscard]] const SiteMaps& maps() const { return maps_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// Runs of a round that are proposed together: a batch, and then perhaps a lesson.
  struct PartOfRound {
    std::vector<Proposal> batch;
    std::optional<Proposal> lesson;

    [[nodiscard]] std::size_t size() const { return batch.size() + (lesson ? 1 : 0); }
  };

  struct SubmittedRuns {
    std::size_t first = 0;  // index in the round
    std::size_t count = 0;
    std::future<Result<BatchResult>> result;
  };

  Result<End> run_rounds();
  Result<bool> learn_first();
  Result<bool> run_round();
  Result<bool> run_batch(const std::vector<Proposal>& batch,
                         const std::optional<JournalEntry>& seen);
  Result<bool> learn_more();
  Result<bool> learn(const Proposal& proposal);
  Result<bool> learn(const Proposal& proposal, const std::optional<JournalEntry>& seen);
  Result<std::optional<JournalEntry>> recall();
  static tl::unexpected<Error> another_unravel();
  void take_totals(const JournalTotals& totals);
  Result<void> write_down(JournalEntry entry);
  Observation observe(const Proposal& proposal, const RunSummary& run);
  void observe_in_round(const Proposal& proposal, const RunSummary& run);
  void observe_lesson(const Proposal& proposal, const RunSummary& run);
  [[nodiscard]] std::size_t next_round_size() const;
  PartOfRound propose_part(std::size_t made, std::size_t size);
  SubmittedRuns submit(const std::vector<Proposal>& batch, std::size_t first, std::size_t count);
  Result<bool> take(SubmittedRuns submitted, const std::vector<Proposal>& batch, bool judges,
                    std::vector<RunSummary>& summaries);
  Result<bool> judge(Run run, std::uint64_t at_run);
  Observation note(const RunSummary& run, bool has_other_points);
  [[nodiscard]] std::size_t runs_at_all_accesses(std::size_t round) const;
  void count_coverage();
  [[nodiscard]] std::optional<End> over() const;
  [[nodiscard]] bool has_one_thread() const;
  [[nodiscard]] std::size_t submission_size(std::size_t left) const;

  Pool& pool_;
  Strategy& strategy_;
  Learner& learner_;
  Audience& audience_;
  const std::uint64_t seed_;
  const Budget budget_;
  Journal* journal_ = nullptr;
  Clock::time_point began_ = Clock::now();
  std::uint64_t ordinal_ = 0;  // of the next run
  std::size_t round_size_;
  bool nothing_left_ = false;       // the strategy had nothing to propose
  std::uint32_t most_threads_ = 0;  // including unresolved runs
  Knowledge known_;
  Explored explored_;
  SiteMaps maps_;
  std::shared_ptr<const SiteMaps> round_maps_;  // as it was when the round began
  std::uint64_t steps_at_all_accesses_ = 0;
  bool all_accesses_too_long_ = false;  // a run that could switch at every access did not end
  std::vector<Proposal> round_;         // what was made of this round, but for lessons
  std::vector<Observation> observed_;   // what came of it, in the same order
  LessonChoice lessons_;
  std::shared_ptr<const std::vector<wire::Site>> marks_;
  HashMemory schedules_;
  HashMemory behaviours_;
  std::uint64_t earlier_schedules_ = 0;            // in totals only; their hashes are not known
  std::uint64_t earlier_behaviours_ = 0;           // the same for behaviours
  double busy_seconds_ = 0;                        // total time of all runs
  std::map<std::string, std::uint64_t> failures_;  // since the journal's last entry
};

}  // namespace unravel
