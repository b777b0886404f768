/// A stored run that was reproduced, with a pool for more runs: for `simplify` and `isolate`.
#pragma once

#include "investigate/lease.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

class OpenedFailure {
 public:
  /// Opens a failing run; an empty name means the latest. Its replay must reproduce it.
  static Result<std::unique_ptr<OpenedFailure>> into_failure(const RunName& name,
                                                             const std::string& store,
                                                             std::optional<std::uint64_t> jobs,
                                                             Observer& observer);
  /// Likewise, but the run may have passed. Then look_into() must set a failing run.
  static Result<std::unique_ptr<OpenedFailure>> into_run(const RunName& name,
                                                         const std::string& store,
                                                         std::optional<std::uint64_t> jobs,
                                                         Observer& observer);

  /// Repeats another run of the same program under the same conditions.
  Result<Run> repeat(const Run& kept);
  /// The same for a run that this pool made: its schedule is followed strictly.
  Result<Run> repeat_strictly(const Run& kept);

  Pool& pool() { return lease_->get(); }
  Store& store() { return opened_.store; }
  const StoredRun& stored() const { return opened_.stored; }
  /// The reproduced run, with its clock form.
  const Run& run() const { return run_; }
  /// The failing run: the reproduced run, or the one that look_into() set.
  const Run& failing() const { return failing_ ? *failing_ : run_; }
  void look_into(Run failing) { failing_ = std::move(failing); }

  /// Whether the runs get the recorded inputs.
  bool has_recorded_inputs() const { return inputs_ != nullptr; }

  /// Stores a run of the same program, with the settings and input of the opened run.
  Result<std::string> keep(const Run& run);

 private:
  explicit OpenedFailure(OpenedRun opened) : opened_(std::move(opened)) {}
  static Result<std::unique_ptr<OpenedFailure>> start(OpenedRun opened,
                                                      std::optional<std::uint64_t> jobs,
                                                      Observer& observer);
  Result<void> start_live(const RunnerRequest& request, std::optional<std::uint64_t> jobs,
                          Observer& observer);
  Result<bool> start_on_record(RunnerRequest request, std::optional<std::uint64_t> jobs,
                               Observer& observer);

  OpenedRun opened_;
  std::string input_;
  std::shared_ptr<const InputLog> inputs_;  // null: they come from outside
  std::unique_ptr<PoolLease> lease_;
  Run run_;
  std::optional<Run> failing_;  // if it is another run
};

}  // namespace unravel
