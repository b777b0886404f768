#include "run/pool.hpp"

#include <time.h>

#include <algorithm>

#include "run/launch.hpp"
#include "run/sandbox.hpp"
#include "run/wrapper_table.hpp"

namespace unravel {
namespace {

// All workers use one start time. Otherwise the program would see different clocks, and one worker
// could not replay a failure of another.
void fix_start(RunnerOptions& options) {
  const auto now = [](clockid_t clock) {
    timespec time = {};
    ::clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_nsec);
  };
  if (!options.start_realtime) options.start_realtime = now(CLOCK_REALTIME);
  if (!options.start_monotonic) options.start_monotonic = now(CLOCK_MONOTONIC);
  if (!options.cpu_count) options.cpu_count = static_cast<std::uint32_t>(usable_cpus().size());
}

}  // namespace

unsigned workers_at_once(const Program& program, const RunnerOptions& options, unsigned wanted) {
  if (wanted <= 1) return 1;
  const bool sandboxed = options.sandbox && !why_not_sandboxed({.directory = program.directory,
                                                                .needed = {program.path}});
  return sandboxed ? wanted : 1;
}

Pool::Pool(Program program, RunnerOptions options, unsigned workers)
    : Pool([program](const RunnerOptions& each) { return Runner::start(program, each); }, options,
           workers_at_once(program, options, workers)) {}

Pool::Pool(Start start, RunnerOptions options, unsigned workers) : start_(std::move(start)) {
  if (!options.wrappers) options.wrappers = std::make_shared<WrapperTable>();
  fix_start(options);
  const std::vector<int> cpus = usable_cpus();
  const std::size_t count = std::clamp<std::size_t>(workers, 1, cpus.size());
  running_.resize(count, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    if (count > 1 || !options.cpu) options.cpu = count > 1 ? cpus[i] : choose_cpu();
    threads_.emplace_back([this, i, options] { work(i, options); });
  }
}

Pool::~Pool() {
  interrupt();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

template <class Answer, class Request>
std::future<Result<Answer>> Pool::enqueue(Request request,
                                          Result<Answer> (Runner::*method)(const Request&)) {
  auto promise = std::make_shared<std::promise<Result<Answer>>>();
  auto future = promise->get_future();
  Work task = [this, promise, request = std::move(request), method](const Result<Runner*>& runner) {
    Result<Answer> answer =
        runner ? ((*runner)->*method)(request) : Result<Answer>(tl::unexpect, runner.error());
    // Counted before the result is delivered, so a caller that waits for it sees it counted.
    if (answer) count(*answer);
    promise->set_value(std::move(answer));
  };
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
  return future;
}

std::future<Result<Run>> Pool::submit(RunRequest request) {
  return enqueue<Run>(std::move(request), &Runner::run);
}

std::future<Result<BatchResult>> Pool::submit(BatchRequest request) {
  return enqueue<BatchResult>(std::move(request), &Runner::run_batch);
}

void Pool::count(const RunSummary& run) {
  ++spent_.runs;
  // A run that stood still until its limit used no processor time, but it occupied its worker.
  spent_.processor_seconds += run.reason == Reason::kLimit
                                  ? std::max(run.seconds, run.processor_seconds)
                                  : run.processor_seconds;
}

void Pool::count(const Run& run) {
  const std::lock_guard lock(mutex_);
  count(run.summary);
}

void Pool::count(const BatchResult& result) {
  const std::lock_guard lock(mutex_);
  for (const RunSummary& run : result.runs) count(run);
}

Spent Pool::spent() const {
  const std::lock_guard lock(mutex_);
  return spent_;
}

void Pool::interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  for (Runner* runner : running_) {
    if (runner) runner->interrupt();
  }
  changed_.notify_all();
}

bool Pool::take(Work& task) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
  if (waiting_.empty()) return false;
  task = std::move(waiting_.front());
  waiting_.pop_front();
  return true;
}

void Pool::work(std::size_t worker, const RunnerOptions& options) {
  // Started in this thread: the program dies with the thread that starts it.
  std::unique_ptr<Runner> runner;
  for (Work task; take(task);) {
    Result<Runner*> ready = runner.get();
    if (!runner) {
      auto started = start_(options);
      const std::lock_guard lock(mutex_);
      if (started) {
        runner = std::move(*started);
        running_[worker] = runner.get();
        if (interrupted_) runner->interrupt();
        ready = runner.get();
      } else {
        ready = fail(started.error());
      }
    }
    task(ready);
  }
  const std::lock_guard lock(mutex_);
  running_[worker] = nullptr;
}

}  // namespace unravel
