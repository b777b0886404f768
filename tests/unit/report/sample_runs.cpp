#include "sample_runs.hpp"

#include <cerrno>

namespace unravel {

namespace {

using wire::End;
using wire::Operation;

Frame frame(const char* function, const char* file, int line) {
  return {
      .function = function, .file = file, .line = line, .module = "/home/me/prog", .offset = 64};
}

const Frame kStart = {.function = "start_thread",
                      .file = "",
                      .line = 0,
                      .module = "/usr/lib/x86_64-linux-gnu/libc.so.6",
                      .offset = 0x891f4,
                      .inlined = false};

Step step(std::uint32_t thread, std::uint64_t clock, Operation operation, const char* object,
          Stack stack) {
  Step step;
  step.event.thread.ordinal = thread;
  step.event.clock.operations = clock;
  step.event.operation = operation;
  step.object = object;
  step.stack = std::move(stack);
  return step;
}

wire::Slice slice(std::uint32_t thread, std::uint64_t operations, std::uint64_t hooks, End end,
                  Operation pending) {
  wire::Slice slice;
  slice.thread.ordinal = thread;
  slice.until = {operations, hooks};
  slice.end = end;
  slice.pending = pending;
  return slice;
}

Run run_of(Failure failure) {
  Run run;
  run.id = "3fa9c1";
  run.program = {{"./bank", "2"}, "/home/me/bank", "/home/me"};
  run.strategy = "random";
  run.summary = {.outcome = Outcome::kFailed,
                 .failure = failure.kind,
                 .seed = 17,
                 .steps = 41,
                 .switches = 3,
                 .preemptions = 1,
                 .operations = 9,
                 .threads = 3,
                 .seconds = 0.0123};
  run.failure = std::move(failure);
  run.schedule.complete = true;
  return run;
}

}  // namespace

Run deadlocked_run() {
  const Frame main = frame("main", "/home/me/bank.c", 40);
  const Frame take = frame("transfer(account*, account*)", "/home/me/bank.c", 21);
  const Frame wait = frame("transfer(account*, account*)", "/home/me/bank.c", 22);
  const Frame worker = frame("worker", "/home/me/bank.c", 33);
  const Stack taking = {take, worker, kStart};
  const Stack waiting = {wait, worker, kStart};
  const Stack joining = {frame("main", "/home/me/bank.c", 44)};

  Failure failure;
  failure.kind = FailureKind::kDeadlock;
  failure.detail = "T1→mutex 2→T2→mutex 1→T1";
  failure.thread = 2;
  failure.site = wait;
  failure.stack = waiting;
  failure.threads = {{0, "blocked in join", joining},
                     {1, "blocked in lock", waiting},
                     {2, "blocked in lock", waiting}};
  failure.key = "deadlock transfer bank.c:21 transfer bank.c:22";
  Run run = run_of(failure);
  run.steps = {step(0, 1, Operation::kCreate, "T1", {main}),
               step(0, 2, Operation::kCreate, "T2", {frame("main", "/home/me/bank.c", 41)}),
               step(1, 1, Operation::kStart, "", {worker, kStart}),
               step(1, 2, Operation::kLock, "mutex 1", taking),
               step(2, 1, Operation::kStart, "", {worker, kStart}),
               step(2, 2, Operation::kLock, "mutex 2", taking)};
  run.schedule.slices = {slice(0, 2, 1, End::kBlocked, Operation::kJoin),
                         slice(1, 2, 1, End::kPreempted, Operation::kLock),
                         slice(2, 2, 1, End::kBlocked, Operation::kLock),
                         slice(1, 2, 1, End::kBlocked, Operation::kLock)};
  return run;
}

Run lost_update_run() {
  const Stack first = {frame("deposit", "/home/me/lost.c", 15), kStart};
  const Stack second = {frame("deposit", "/home/me/lost.c", 19), kStart};
  Failure failure;
  failure.kind = FailureKind::kAssert;
  failure.detail = "balance == 2";
  failure.site = frame("main", "/home/me/lost.c", 29);
  failure.stack = {{.function = "abort", .module = "/usr/lib/x86_64-linux-gnu/libc.so.6"},
                   *failure.site};
  failure.threads = {{0, "running", failure.stack}};
  failure.key = "assert main lost.c:29";
  Run run = run_of(failure);
  run.steps = {step(1, 2, Operation::kLock, "mutex 1", first),
               step(1, 3, Operation::kUnlock, "mutex 1", first),
               step(2, 2, Operation::kLock, "mutex 1", first),
               step(2, 3, Operation::kUnlock, "mutex 1", first),
               step(2, 4, Operation::kLock, "mutex 1", second),
               step(2, 5, Operation::kUnlock, "mutex 1", second),
               step(2, 6, Operation::kExit, "", {}),
               step(1, 4, Operation::kLock, "mutex 1", second),
               step(1, 5, Operation::kUnlock, "mutex 1", second),
               step(1, 6, Operation::kExit, "", {}),
               step(0, 3, Operation::kJoin, "T1", {frame("main", "/home/me/lost.c", 28)}),
               step(0, 4, Operation::kJoin, "T2", {frame("main", "/home/me/lost.c", 28)})};
  run.summary.operations = 16;
  run.schedule.slices = {slice(1, 3, 0, End::kPreempted, Operation::kNone),
                         slice(2, 6, 0, End::kEnded, Operation::kNone),
                         slice(1, 6, 0, End::kEnded, Operation::kNone),
                         slice(0, 4, 0, End::kEnded, Operation::kNone)};
  return run;
}

Run plain_counter_run() {
  const Frame entry = frame("count", "/home/me/plain.c", 12);
  const Stack counting = {frame("count", "/home/me/plain.c", 13), kStart};
  const auto access = [&](std::uint32_t thread, std::uint64_t hooks, Operation operation,
                          wire::EventResult result) {
    Step at = step(thread, 1, operation, operation == Operation::kEnter ? "" : "counter",
                   operation == Operation::kEnter ? Stack{entry, kStart} : counting);
    at.event.clock.hooks = hooks;
    at.event.result = result;
    return at;
  };
  Failure failure;
  failure.kind = FailureKind::kAssert;
  failure.detail = "counter == 2";
  failure.site = frame("main", "/home/me/plain.c", 21);
  Run run = run_of(failure);
  run.steps = {step(1, 1, Operation::kStart, "", {entry, kStart}),
               access(1, 3, Operation::kStore, wire::EventResult::kNotYet),
               step(2, 1, Operation::kStart, "", {entry, kStart}),
               access(2, 1, Operation::kEnter, wire::EventResult::kNotYet),
               access(1, 3, Operation::kStore, wire::EventResult::kDone),
               access(1, 4, Operation::kLoad, wire::EventResult::kNotYet),
               step(2, 2, Operation::kExit, "", {}),
               step(0, 3, Operation::kJoin, "T2", {frame("main", "/home/me/plain.c", 20)})};
  run.summary.operations = 6;
  // T1 is left twice: it goes on from the first, and never from the second. The slice of T3 in
  // between has nothing to show.
  run.schedule.slices = {slice(1, 1, 3, End::kPreempted, Operation::kStore),
                         slice(3, 0, 1, End::kPreempted, Operation::kNone),
                         slice(2, 1, 1, End::kPreempted, Operation::kEnter),
                         slice(1, 1, 4, End::kPreempted, Operation::kLoad),
                         slice(2, 2, 0, End::kEnded, Operation::kNone),
                         slice(0, 3, 0, End::kEnded, Operation::kNone)};
  return run;
}

Run run_of_many_threads(std::uint32_t threads) {
  Run run = run_of({.kind = FailureKind::kExit, .detail = "exit status 1"});
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    const Stack stack = {frame("work", "/home/me/many.c", 12)};
    run.steps.push_back(step(thread, 1, Operation::kLock, "mutex 1", stack));
    run.steps.push_back(step(thread, 2, Operation::kUnlock, "mutex 1", stack));
    run.schedule.slices.push_back(slice(thread, 2, 0, End::kYielded, Operation::kNone));
  }
  return run;
}

Run run_with_odd_names() {
  Run run = run_of({.kind = FailureKind::kSignal, .detail = "SIGSEGV", .thread = 1});
  Step busy = step(1, 3, Operation::kTryWriteLock, "rwlock 12",
                   {frame("Cache<std::basic_string<char>, std::vector<int>>::get(int) const",
                          "/home/me/a_rather_long_file_name_for_a_cache.cpp", 1234)});
  busy.event.result = wire::EventResult::kFailed;
  busy.event.value = EBUSY;
  Step late = step(1, 4, Operation::kWait, "condition 3",
                   {{.function = "", .file = "", .module = "/opt/x/libthing.so", .offset = 0xabc}});
  late.event.result = wire::EventResult::kTimedOut;
  run.steps = {busy, late,
               step(0, 9, Operation::kReadLock, "\033[31mred\xff\n",
                    {frame("(anonymous namespace)::f(int)", "b.c", 1)})};
  run.failure->site = frame("(anonymous namespace)::Visitor::operator()(int) const", "b.c", 7);
  return run;
}

}  // namespace unravel
