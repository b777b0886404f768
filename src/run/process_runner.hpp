/// A runner over one program process: makes runs out of what the process reported.
#pragma once

#include <memory>
#include <string>

#include "run/notes.hpp"
#include "run/program_process.hpp"
#include "run/runner.hpp"

namespace unravel {

class ProcessRunner final : public Runner {
 public:
  ProcessRunner(Program program, RunnerOptions options, std::unique_ptr<ProgramProcess> session);

  Result<Run> run(const RunRequest& request) override;
  Result<BatchResult> run_batch(const BatchRequest& request) override;
  void interrupt() override { process_->interrupt(); }
  bool forks() const override;
  std::string why_not_forking() const override;
  bool sandboxed() const override { return process_->sandboxed(); }
  std::string why_not_sandboxed() const override { return process_->why_not_sandboxed(); }
  std::vector<std::string> warnings() const override;
  Result<std::uint64_t> keep_files(const std::string& directory) override;
  void set_marks(std::vector<wire::Site> marks) override { marks_ = std::move(marks); }

 private:
  wire::Batch batch_of(const RunRequest& request) const;
  Result<Run> perform_one(const RunRequest& request, std::span<const wire::StopAt> stops,
                          std::function<void(pid_t)> at_stop, ObjectNames& names);
  Result<Run> run_with_table(const RunRequest& request);
  Result<std::optional<Run>> try_table(const RunRequest& again, const Run& first, std::string& why);
  Result<Run> run_with_window(const RunRequest& request);
  Snapshot take_snapshot(pid_t process);
  CountedStop count_stop();
  Probe probe_turn(pid_t process);

  /// The last run of `performed`, with all its data.
  Result<Run> whole_run(Performed& performed, const wire::Rule& rule, const wire::Batch& batch);
  Result<Verdict> verdict_of(const Performed& performed);
  Result<Verdict> client_verdict(const ClientEnd& end) const;
  void explain_place(const Performed& performed, const Verdict& verdict, Run& run);
  Divergence divergence_of(const wire::LastWords& words);
  Schedule realised(Performed& performed, const wire::Rule& rule, const wire::Batch& batch) const;
  Notes notes() const;

  const Program program_;
  const RunnerOptions options_;
  std::vector<wire::Site> marks_;
  std::unique_ptr<ProgramProcess> process_;
  const std::vector<std::string> about_program_;  // warnings that apply to all its runs
};

/// The summary of a run with a known outcome.
RunSummary summary_of(const wire::RunSlot& slot, Outcome outcome,
                      std::optional<FailureKind> failure);

/// Closes the last slice of a run that did not close it itself; `current` had the turn.
void close_last_slice(std::vector<wire::Slice>& slices, const wire::ThreadRecord& current);

}  // namespace unravel
