// Does a schedule replay the same way every time?
//
// For every program under tests/programs/, those with hooks by both compilers at two levels: finds
// a schedule by the random rule, one that fails where the program is expected to fail, records it,
// and replays it strictly many times, in more than one fork server: half of them at once, and half
// when all programs were recorded and 30 seconds are over, so that a real clock shows. Outcome,
// failure and its key, hash and slices of the realised schedule, the program's output and the whole
// trace at level sync are compared with the recording. Exit status 1 if anything ever differed.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"
#include "common/subjects.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace fs = std::filesystem;

namespace {

// Every so many replays the program is started anew: what differs between processes, such as
// addresses, must not matter either.
constexpr std::uint64_t kReplaysPerServer = 250;
constexpr std::uint64_t kRunsToFail = 2000;
// A program that passes is replayed under the schedule of this run, not the first: any will do.
constexpr std::uint64_t kOrdinalOfPassing = 3;
// More than the spans of time that programs were seen to compare clocks with: 15 seconds.
constexpr std::chrono::seconds kLater{30};

struct Soak {
  std::string name;
  std::string outcome;  // or failure kind
  std::uint64_t points = 0, switches = 0, events = 0;
  std::uint64_t replays = 0;                   // at once and later
  std::uint64_t later = 0;                     // of them later
  std::uint64_t different = 0;                 // replays with any difference
  std::uint64_t different_later = 0;           // of them later
  std::map<std::string, std::uint64_t> kinds;  // of difference
  std::string first;                           // what the first one looked like
  std::string trouble;                         // why it was not replayed at all
  bool forks = true;
  double seconds = 0;
  std::optional<Run> recorded;  // what there is to replay
};

std::unique_ptr<Runner> start(const Subject& subject, const fs::path& scratch, int cpu,
                              const Schedule* like) {
  RunnerOptions options;
  options.cpu = cpu;
  options.scratch_directory = scratch.string();
  if (like) {
    options.start = like->start;
    options.start_realtime = like->start_realtime;
    options.start_monotonic = like->start_monotonic;
    options.cpu_count = like->cpu_count;
    options.time_model = like->time_model;
  }
  const Program program = must(find_program({subject.binary.string()}));
  if (instrumentation_of(program).has_hooks) options.points = wire::PointSet::kMemory;
  return must(Runner::start(program, options));
}

/// A run by the random rule, with its trace: a failing one if one is expected.
Result<Run> record(Runner& runner, const Subject& subject, std::uint64_t master_seed) {
  BatchRequest batch;
  batch.count = subject.expected_to_fail ? kRunsToFail : 1;
  batch.first_ordinal = subject.expected_to_fail ? 0 : kOrdinalOfPassing;
  batch.master_seed = master_seed;
  batch.rule.kind = wire::RuleKind::kRandom;
  const auto found = runner.run_batch(batch);
  if (!found) return fail(found.error());
  if (subject.expected_to_fail && found->failures.empty()) {
    return user_error(fmt::format("no failure in {} runs", found->runs.size()));
  }
  RunRequest request;
  request.schedule.then = batch.rule;
  request.schedule.then.seed = found->runs.back().seed;
  request.trace = wire::TraceLevel::kSync;
  return runner.run(request);
}

std::string first_event_that_differs(const Run& recorded, const Run& replayed) {
  const auto at = std::mismatch(recorded.events.begin(), recorded.events.end(),
                                replayed.events.begin(), replayed.events.end());
  const auto index = at.first - recorded.events.begin();
  if (at.first == recorded.events.end() || at.second == replayed.events.end()) {
    return fmt::format("{} events instead of {}", replayed.events.size(), recorded.events.size());
  }
  return fmt::format("event {}: T{}:{} instead of T{}:{}, value {} instead of {}", index,
                     at.second->thread.ordinal, at.second->clock.operations,
                     at.first->thread.ordinal, at.first->clock.operations, at.second->value,
                     at.first->value);
}

std::string first_slice_that_differs(const Schedule& recorded, const Schedule& replayed) {
  const auto at = std::mismatch(recorded.slices.begin(), recorded.slices.end(),
                                replayed.slices.begin(), replayed.slices.end());
  if (at.first == recorded.slices.end() || at.second == replayed.slices.end()) {
    return fmt::format("{} slices instead of {}", replayed.slices.size(), recorded.slices.size());
  }
  const auto describe = [](const wire::Slice& slice) {
    return fmt::format("T{} until {}+{}, end {}, operation {}, site {:x}", slice.thread.ordinal,
                       slice.until.operations, slice.until.hooks, static_cast<int>(slice.end),
                       static_cast<int>(slice.pending), slice.site.packed);
  };
  return fmt::format("slice {}: {} instead of {}", at.first - recorded.slices.begin(),
                     describe(*at.second), describe(*at.first));
}

void compare(const Run& recorded, const Run& replayed, Soak& soak) {
  bool differs = false;
  const auto differ = [&](const char* kind, const std::string& how) {
    ++soak.kinds[kind];
    if (soak.first.empty()) soak.first = fmt::format("{}: {}", kind, how);
    differs = true;
  };
  if (replayed.summary.outcome != recorded.summary.outcome) {
    differ("outcome", fmt::format("{} instead of {}: {}", name(replayed.summary.outcome),
                                  name(recorded.summary.outcome), replayed.explanation));
  }
  if (replayed.summary.failure != recorded.summary.failure) differ("failure", "another kind");
  const auto key = [](const Run& run) { return run.failure ? run.failure->key : std::string(); };
  if (key(replayed) != key(recorded)) differ("key", key(replayed));
  if (replayed.summary.schedule_hash != recorded.summary.schedule_hash) {
    differ("hash",
           fmt::format("{} steps instead of {}", replayed.summary.steps, recorded.summary.steps));
  }
  if (replayed.schedule.slices != recorded.schedule.slices) {
    differ("slices", first_slice_that_differs(recorded.schedule, replayed.schedule));
  }
  if (replayed.schedule.choices != recorded.schedule.choices) differ("choices", "others were made");
  if (replayed.events != recorded.events) {
    differ("trace", first_event_that_differs(recorded, replayed));
  }
  if (replayed.output != recorded.output) differ("output", replayed.output);
  soak.different += differs;
}

void replay(const Subject& subject, std::uint64_t replays, const fs::path& scratch, int cpu,
            Soak& soak) {
  const Run& recorded = *soak.recorded;
  const RunRequest request{.schedule = recorded.schedule,
                           .following = wire::Following::kStrict,
                           .trace = wire::TraceLevel::kSync};
  std::unique_ptr<Runner> runner;
  for (std::uint64_t i = 0; i < replays; ++i, ++soak.replays) {
    if (i % kReplaysPerServer == 0) {
      runner.reset();
      runner = start(subject, scratch, cpu, &recorded.schedule);
    }
    const auto replayed = runner->run(request);
    if (!replayed) {
      soak.trouble = replayed.error().what + ": " + replayed.error().why;
      return;
    }
    compare(recorded, *replayed, soak);
  }
  soak.forks = runner && runner->forks();
}

/// Of those that are made at once; as many are made later.
std::uint64_t replays_at_once(const Arguments& arguments) {
  const std::uint64_t replays = arguments.quick ? arguments.replays / 50 : arguments.replays;
  return std::max<std::uint64_t>(replays / 2, 1);
}

Soak soak_one(const Subject& subject, const Arguments& arguments, const fs::path& scratch,
              int cpu) {
  Soak soak{.name = subject.name};
  const double took = nanoseconds_of([&] {
    const auto runner = start(subject, scratch, cpu, nullptr);
    auto recorded = record(*runner, subject, arguments.seed);
    if (!recorded) {
      soak.trouble = recorded.error().what;
      return;
    }
    const RunSummary& summary = recorded->summary;
    soak.outcome =
        std::string(recorded->failure ? name(recorded->failure->kind) : name(summary.outcome));
    soak.points = summary.steps;
    soak.switches = summary.switches;
    soak.events = recorded->events.size();
    const bool decided = summary.outcome == Outcome::kPassed || summary.outcome == Outcome::kFailed;
    if (!decided) {
      soak.trouble = recorded->explanation;
      return;
    }
    soak.recorded = std::move(*recorded);
    replay(subject, replays_at_once(arguments), scratch, cpu, soak);
  });
  soak.seconds = took * 1e-9;
  return soak;
}

/// Once more as many replays, some time after the recording.
void soak_later(const Subject& subject, const Arguments& arguments, const fs::path& scratch,
                int cpu, Soak& soak) {
  if (!soak.recorded || !soak.trouble.empty()) return;
  const std::uint64_t replays_before = soak.replays;
  const std::uint64_t different_before = soak.different;
  soak.seconds += 1e-9 * nanoseconds_of([&] {
                    replay(subject, replays_at_once(arguments), scratch, cpu, soak);
                  });
  soak.later = soak.replays - replays_before;
  soak.different_later = soak.different - different_before;
}

void print_row(const Soak& soak) {
  fmt::print("{:<44} {:<11} {:7} {:8} {:7} {:8} {:6} {:6} {:6} {:7.1f}{}\n", soak.name,
             soak.outcome.empty() ? "-" : soak.outcome, soak.points, soak.switches, soak.events,
             soak.replays, soak.different, soak.later, soak.different_later, soak.seconds,
             soak.forks ? "" : "  (exec)");
  for (const auto& [kind, count] : soak.kinds) fmt::print("    {}: {} times\n", kind, count);
  if (!soak.first.empty()) fmt::print("    first: {}\n", soak.first);
  if (!soak.trouble.empty()) fmt::print("    not replayed: {}\n", soak.trouble);
  std::fflush(stdout);
}

Json json_of(const Soak& soak) {
  return {{"program", soak.name},        {"outcome", soak.outcome},
          {"points", soak.points},       {"switches", soak.switches},
          {"events", soak.events},       {"replays", soak.replays},
          {"different", soak.different}, {"kinds", soak.kinds},
          {"first", soak.first},         {"trouble", soak.trouble},
          {"forks", soak.forks},         {"seconds", soak.seconds},
          {"later", soak.later},         {"different_later", soak.different_later}};
}

/// Has `work` done for every index below `count`, on as many threads and CPUs as there may be.
template <class Work>
void in_parallel(unsigned jobs, std::size_t count, Work work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1u, jobs); ++i) {
    workers.emplace_back([&, i] {
      const auto cpus = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
      for (std::size_t at; (at = next++) < count;) work(at, static_cast<int>(i) % cpus);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

std::vector<Soak> soak_all(std::vector<Subject>& subjects, const Arguments& arguments,
                           const TemporaryDirectory& scratch) {
  std::vector<Soak> soaks(subjects.size());
  in_parallel(arguments.jobs, subjects.size(), [&](std::size_t at, int cpu) {
    if (compile(subjects[at], scratch.path())) {
      soaks[at] = soak_one(subjects[at], arguments, scratch.path(), cpu);
    } else {
      soaks[at].name = subjects[at].name;
      soaks[at].trouble = "it does not compile";
    }
  });
  if (!arguments.quick) std::this_thread::sleep_for(kLater);
  std::mutex mutex;
  in_parallel(arguments.jobs, subjects.size(), [&](std::size_t at, int cpu) {
    soak_later(subjects[at], arguments, scratch.path(), cpu, soaks[at]);
    soaks[at].recorded.reset();
    const std::lock_guard lock(mutex);
    print_row(soaks[at]);
  });
  return soaks;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments =
      parse_arguments(argc, argv, "Does a schedule replay the same way every time?", Kind::kSoak);
  const fs::path programs = fs::path(UNRAVEL_SOURCE_DIRECTORY) / "tests" / "programs";
  std::vector<Subject> subjects = find_subjects(programs, arguments.only);
  const TemporaryDirectory scratch;
  fmt::print("{}\n\n", describe_machine());
  fmt::print("{:<44} {:<11} {:>7} {:>8} {:>7} {:>8} {:>6} {:>6} {:>6} {:>7}\n", "program",
             "outcome", "points", "switches", "events", "replays", "differ", "later", "differ",
             "s");
  const std::vector<Soak> soaks = soak_all(subjects, arguments, scratch);

  std::uint64_t replays = 0, different = 0, later = 0, different_later = 0, troubled = 0;
  Json rows = Json::array();
  for (const Soak& soak : soaks) {
    replays += soak.replays;
    different += soak.different;
    later += soak.later;
    different_later += soak.different_later;
    troubled += !soak.trouble.empty();
    rows.push_back(json_of(soak));
  }
  fmt::print(
      "\n{} programs, {} replays, {} different, {} of the replays later, {} of them different, {} "
      "programs not replayed\n",
      soaks.size(), replays, different, later, different_later, troubled);
  write_json(arguments, "replay_soak",
             {{"seed", arguments.seed},
              {"programs", soaks.size()},
              {"replays", replays},
              {"different", different},
              {"later", later},
              {"different_later", different_later},
              {"not_replayed", troubled},
              {"rows", rows}});
  return different || troubled ? 1 : 0;
}
