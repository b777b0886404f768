/// Several runners at work, each on a CPU and a thread of its own.
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

/// How many of `wanted` workers may run a program at the same time without seeing what the others
/// write: all, or one where sandbox is refused or switched off.
unsigned workers_at_once(const Program& program, const RunnerOptions& options, unsigned wanted);

/// What runs have cost.
struct Spent {
  std::uint64_t runs = 0;
  double processor_seconds = 0;  // of runs that were ended at their limit: the time until then
};

/// Work is taken up in the order of submission; wait for the futures in that order to see results
/// in it too, however the workers overtake each other.
class Pool {
 public:
  using Start = std::function<Result<std::unique_ptr<Runner>>(const RunnerOptions&)>;

  /// `workers` runners, but not more than there are usable CPUs, and one where runs would see each
  /// other's files: workers() tells. A runner starts at its first
  /// piece of work; if it cannot, that work gets the error.
  Pool(Program program, RunnerOptions options, unsigned workers);
  Pool(Start start, RunnerOptions options, unsigned workers);

  /// Interrupts what is going on.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::future<Result<Run>> submit(RunRequest request);
  std::future<Result<BatchResult>> submit(BatchRequest request);

  /// From any thread: all work, done or not, ends soon; what is not done fails as "interrupted".
  void interrupt();

  std::size_t workers() const { return threads_.size(); }

  /// By all work that is done.
  Spent spent() const;

 private:
  /// Does a piece of work with a runner, or answers it with the error.
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
  std::vector<Runner*> running_;  // one for each worker, nullptr before its first work
  Spent spent_;
  bool interrupted_ = false;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace unravel
