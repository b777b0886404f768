/// A kept run, repeated, with workers for more runs of its program: for `simplify` and `isolate`.
#pragma once

#include "investigate/pool_lease.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

class OpenedFailure {
 public:
  /// Opens a run that failed; an empty name is the latest. It must come out the same once more.
  static Result<std::unique_ptr<OpenedFailure>> into_failure(const std::string& name,
                                                             const std::string& store,
                                                             std::optional<std::uint64_t> jobs,
                                                             Observer& observer);
  /// Likewise, but it may have passed, too: then there is no failing run until one is found.
  static Result<std::unique_ptr<OpenedFailure>> into_run(const std::string& name,
                                                         const std::string& store,
                                                         std::optional<std::uint64_t> jobs,
                                                         Observer& observer);

  /// Another run of the same program, repeated under the same conditions.
  Result<Run> repeat(const Run& kept);

  Pool& pool() { return lease_->pool(); }
  Store& store() { return opened_.store; }
  const StoredRun& stored() const { return opened_.stored; }
  /// As it came out now: with its clock form.
  const Run& run() const { return run_; }
  /// Likewise, of one that failed.
  const Run& failing() const { return failing_ ? *failing_ : run_; }
  void look_into(Run failing) { failing_ = std::move(failing); }

  /// Keeps a run of the same program, judged and fed as the one that is looked into.
  Result<std::string> keep(const Run& run);

 private:
  explicit OpenedFailure(OpenedRun opened) : opened_(std::move(opened)) {}
  static Result<std::unique_ptr<OpenedFailure>> start(OpenedRun opened,
                                                      std::optional<std::uint64_t> jobs,
                                                      Observer& observer);

  OpenedRun opened_;
  std::string input_;
  std::unique_ptr<PoolLease> lease_;
  Run run_;
  std::optional<Run> failing_;  // if it is another
};

}  // namespace unravel
