/// Several runners, each with a CPU and a thread of its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "run/runner.hpp"

namespace unravel {

/// How many of `wanted` workers can run a program at the same time without seeing each other's
/// files: all, or one if the sandbox is refused or switched off.
unsigned workers_at_once(const Program& program, const RunnerOptions& options, unsigned wanted);

/// What runs have cost.
struct Spent {
  std::uint64_t runs = 0;
  double processor_seconds = 0;  // for runs that were ended at their limit: the time until then
};

/// Work starts in the order of submission. To get the results in that order, wait for the futures
/// in that order.
class Pool {
 public:
  using Start = std::function<Result<std::unique_ptr<Runner>>(const RunnerOptions&)>;

  /// Starts at most `workers` runners: not more than there are usable CPUs, and only one if runs
  /// would see each other's files; workers() returns the number. A runner starts with its first
  /// work. If it cannot start, that work gets the error.
  Pool(Program program, RunnerOptions options, unsigned workers);
  Pool(Start start, RunnerOptions options, unsigned workers);

  /// Interrupts all work.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::future<Result<Run>> submit(RunRequest request);
  std::future<Result<BatchResult>> submit(BatchRequest request);

  /// From any thread: all work ends soon; unfinished work fails as "interrupted".
  void interrupt();

  std::size_t workers() const { return threads_.size(); }

  /// The cost of all finished work.
  Spent spent() const;

 private:
  /// Does some work with a runner, or passes on the error.
  using Work = std::function<void(const Result<Runner*>&)>;

  template <class Answer, class Request>
  std::future<Result<Answer>> enqueue(Request request,
                                      Result<Answer> (Runner::*method)(const Request&));
  void work(std::size_t worker, const RunnerOptions& options);
  bool take(Work& work);
  void count(const RunSummary& run);
  void count(const Run& run);
  void count(const BatchResult& result);

  const Start start_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::vector<Runner*> running_;  // one for each worker; nullptr before its first work
  Spent spent_;
  bool interrupted_ = false;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace unravel
