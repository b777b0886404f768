/// A loop: a strategy's proposals, run by a pool of workers until a bug is found or the budget
/// is used up.
///
/// Proposals are made in rounds whose sizes count runs and steps, and what came of a round is told
/// to the strategy before the next; a round is cut into submissions that workers take. So with one
/// worker a loop repeats exactly, however fast the machine is.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "base/hash_memory.hpp"
#include "data/explored.hpp"
#include "explore/journal.hpp"
#include "explore/knowledge.hpp"
#include "explore/strategy.hpp"
#include "run/pool.hpp"

namespace unravel {

/// What a traced run showed.
struct Lesson {
  Run run;
  std::vector<SitePair> pairs;
  // Points of the set `auto` from now on; null: as before.
  std::shared_ptr<const std::vector<wire::Site>> marks;
};

/// Runs a proposal with a trace and learns from it.
class Learner {
 public:
  virtual ~Learner() = default;
  virtual Result<Lesson> learn(const Proposal& proposal) = 0;
  /// The points of the set `auto` by now; null: there are none to choose.
  [[nodiscard]] virtual std::shared_ptr<const std::vector<wire::Site>> marks() const {
    return nullptr;
  }
};

/// Who is told how it goes, and decides what a failure means.
class Audience {
 public:
  virtual ~Audience() = default;
  /// A failure, whole, and the number of the run, counted from 1. False: enough.
  virtual Result<bool> found(Run run, std::uint64_t at_run) = 0;
  /// After every submitted of work.
  virtual void progress(const Explored& explored) = 0;
};

struct Budget {
  std::uint64_t runs = 0;  // 0: no limit
  std::optional<std::chrono::duration<double>> time;
  std::uint64_t stale = 0;  // runs without anything new; 0: no limit
};

class HuntLoop {
 public:
  enum class End {
    kEnough,
    kRuns,
    kTime,
    kStale,
    kNothingLeft,
    kOneThread,  // there is nothing to interleave: another run would be the same
  };

  HuntLoop(Pool& pool, Strategy& strategy, Learner& learner, Audience& audience, std::uint64_t seed,
           Budget budget);

  /// Before it runs: what it sees is kept there, after what is there of an earlier one with the
  /// same seed and strategy, which took so long.
  void keep_in(Journal& journal, std::chrono::duration<double> so_far);

  /// Until one of its ends, or an error: that of a worker, or a fault of ours in a run.
  Result<End> run();

  [[nodiscard]] const Explored& explored() const { return explored_; }
  [[nodiscard]] const Knowledge& known() const { return known_; }
  [[nodiscard]] const SiteMaps& maps() const { return maps_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct SubmittedRuns {
    std::size_t first = 0;  // its place in the round
    std::size_t count = 0;
    std::future<Result<BatchResult>> result;
  };

  Result<End> run_rounds();
  Result<bool> learn_first();
  Result<bool> run_round();
  Result<bool> learn_more(const std::vector<Proposal>& round,
                          const std::vector<RunSummary>& summaries);
  Result<bool> learn(const Proposal& proposal);
  Result<std::optional<JournalEntry>> recall(bool is_lesson);
  void take_totals(const JournalTotals& totals);
  Result<void> write_down(JournalEntry entry);
  void observe(const Proposal& proposal, const RunSummary& run);
  std::vector<Proposal> propose_round();
  SubmittedRuns submit(const std::vector<Proposal>& round, std::size_t first, std::size_t count);
  Result<bool> take(SubmittedRuns submitted, const std::vector<Proposal>& round, bool judges,
                    std::vector<RunSummary>& summaries);
  Result<bool> judge(Run run, std::uint64_t at_run);
  Observation note(const RunSummary& run);
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
  bool nothing_left_ = false;       // the strategy had none to propose
  std::uint32_t most_threads_ = 0;  // also of runs that say nothing
  Knowledge known_;
  Explored explored_;
  SiteMaps maps_;
  std::shared_ptr<const SiteMaps> round_maps_;  // as it was when the round began
  std::shared_ptr<const std::vector<wire::Site>> marks_;
  HashMemory schedules_;
  HashMemory behaviours_;
  std::uint64_t earlier_schedules_ = 0;            // counted in totals, and remembered no more
  std::uint64_t earlier_behaviours_ = 0;           // likewise
  double busy_seconds_ = 0;                        // of runs
  std::map<std::string, std::uint64_t> failures_;  // since the journal's last entry
};

}  // namespace unravel
