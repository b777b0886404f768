#include "investigate/hunt.hpp"

#include <algorithm>
#include <map>

#include "base/random.hpp"
#include "base/text.hpp"
#include "explore/portfolio.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/changed_environment.hpp"
#include "investigate/hunt_failures.hpp"
#include "investigate/hunt_journal.hpp"
#include "investigate/hunt_learner.hpp"
#include "investigate/lease.hpp"
#include "run/uses.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

std::string reason(HuntLoop::End end) {
  switch (end) {
    case HuntLoop::End::kEnough: return "found";
    case HuntLoop::End::kRuns: return "runs";
    case HuntLoop::End::kTime: return "time";
    case HuntLoop::End::kStale: return "stale";
    case HuntLoop::End::kNothingLeft: return "nothing left";
    case HuntLoop::End::kOneThread: return "one thread";
  }
  __builtin_unreachable();
}

/// Counts the functions with points, and those in which a thread was preempted.
Covered functions_of(const HuntLearner& learner, const SiteMaps& maps) {
  Symbolizer symbolizer;
  std::map<std::string, bool> preempted;
  for (const std::uint64_t packed : learner.sites()) {
    const wire::Site site{packed};
    if (site.module() == 0 || site.module() >= learner.modules().size()) continue;
    const auto frames = symbolizer.frames(learner.modules()[site.module()].path, site.offset());
    const Frame* own = own_frame(frames);
    if (own && !own->function.empty()) preempted[own->function] |= maps.was_preempted(site);
  }
  Covered functions;
  for (const auto& [function, was] : preempted) {
    ++functions.total;
    functions.covered += was;
  }
  return functions;
}

/// The loop counts failures by key, including those from before the hunt was resumed.
void count_failures(Hunted& hunted, const KnownFailures& known) {
  const auto is_found = [&](const std::string& key) {
    return std::any_of(hunted.found.begin(), hunted.found.end(), [&](const FoundFailure& one) {
      return one.run.failure && one.run.failure->key == key;
    });
  };
  for (const auto& [key, runs] : hunted.explored.failures) {
    if (known.knows(key)) {
      hunted.known_failures += runs;
    } else if (!is_found(key)) {
      ++hunted.earlier_failures;
    }
  }
}

Result<HuntJournal> journal_for(const HuntRequest& request, const Program& program) {
  HuntRow row{.directory = program.directory,
              .build = build_id_of(program.path).value_or(std::string()),
              .strategy = request.strategy};
  // Arguments may contain spaces, so they are separated by newlines.
  for (const std::string& argument : program.arguments) row.command += argument + '\n';
  if (request.resumes) return HuntJournal::resume(request.store, row);
  row.seed = request.seed.value_or(any_seed());
  return HuntJournal::begin(request.store, std::move(row));
}

}  // namespace

std::string other_strategies() {
  std::string names;
  for (const std::string_view name : strategy_names()) {
    if (name == strategy_names().front()) continue;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

Result<std::unique_ptr<Strategy>> strategy_from(const std::string& names) {
  std::vector<std::unique_ptr<Strategy>> chosen;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t comma = std::min(names.find(',', begin), names.size());
    const std::string name = names.substr(begin, comma - begin);
    auto strategy = make_strategy(name);
    if (!strategy) {
      const std::vector<std::string> known(strategy_names().begin(), strategy_names().end());
      const std::string guess = nearest(name, known);
      return user_error("there is no strategy '" + name + "'" +
                            (guess.empty() ? "" : ", did you mean " + guess + "?"),
                        {}, "known strategies: " + known.front() + ", " + other_strategies());
    }
    chosen.push_back(std::move(strategy));
    begin = comma + 1;
  }
  if (chosen.size() == 1) return std::move(chosen.front());
  return std::make_unique<Portfolio>(std::move(chosen));
}

Result<Hunted> hunt(const HuntRequest& request, const Program& program, Observer& observer) {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  if (request.time) deadline = std::chrono::steady_clock::now() + *request.time;
  const Result<wire::PointSet> points = points_for(program, request.judging, observer);
  if (!points) return fail(points.error());
  Result<Store> store = Store::open(request.store, Store::Access::kWrite);
  if (!store) return fail(store.error());
  Result<HuntJournal> journal = journal_for(request, program);
  if (!journal) return fail(journal.error());
  Result<std::unique_ptr<Strategy>> strategy = strategy_from(journal->hunt().strategy);
  if (!strategy) return fail(strategy.error());

  RunSettings settings = settings_from(request.judging, default_settings());
  settings.fork_server = request.fork_server;
  settings.client = request.client;
  // A client does not do the same again, so each run needs what it got from it.
  const bool has_client = !request.client.command.empty();
  const RunnerRequest runner{.program = program,
                             .settings = settings,
                             .timeouts = request.judging.timeouts.value_or(wire::Timeouts::kNear),
                             .points = *points,
                             .store = request.store,
                             .input = request.input,
                             .sandbox = request.sandbox,
                             .most_output = request.judging.most_output,
                             .records_inputs = has_client,
                             .most_input = request.most_input};
  Result<std::unique_ptr<PoolLease>> lease = lease_pool(runner, request.jobs, observer);
  if (!lease) return fail(lease.error());
  Pool& pool = (*lease)->get();
  HuntLearner learner(pool, PointsFile(program, request.store, observer), *points,
                      (*strategy)->wants_predictions());
  HuntFailures failures({.pool = pool,
                         .store = *store,
                         .known = request.known,
                         .settings = settings,
                         .points = *points,
                         .input = request.input,
                         .observer = observer,
                         .goes_on = request.goes_on,
                         .explains = request.explains,
                         .deadline = deadline,
                         .recording = runner});
  HuntLoop loop(pool, **strategy, learner, failures, journal->hunt().seed, request.budget);
  loop.keep_in(*journal, journal->so_far());
  if (request.resumes) {
    // The journal does not contain what the earlier hunt learnt about the program's code.
    const Result<Lesson> lesson = learner.learn(Proposal{});
    if (!lesson) return fail(lesson.error());
  }
  const Result<HuntLoop::End> end = loop.run();
  const bool interrupted = observer.interrupted();
  // Failures that were found count, even if an error came later.
  if (!end && !interrupted && failures.found_so_far().empty()) return fail(end.error());
  std::optional<Error> trouble;
  if (!end && !interrupted) trouble = end.error();
  if (!interrupted && !trouble) {
    const Result<void> ended = journal->end();
    if (!ended) trouble = ended.error();
  }
  Hunted hunted{.explored = loop.explored(),
                .found = failures.found_so_far(),
                .seed = journal->hunt().seed,
                .ended = interrupted ? "interrupted"
                         : end       ? reason(*end)
                                     : "trouble",
                .points = *points,
                .points_given = request.judging.points.has_value(),
                .goes_on = request.goes_on,
                .has_hooks = have_hooks(learner.modules()),
                .warnings = learner.warnings(),
                .store = request.store,
                .trouble = std::move(trouble)};
  hunted.explored.points = hunted.has_hooks ? *points : wire::PointSet::kSync;
  hunted.explored.functions = functions_of(learner, loop.maps());
  count_failures(hunted, request.known);
  return hunted;
}

Result<Hunted> hunt_in_test(const HuntRequest& request, const TestCase& test, Observer& observer) {
  const ChangedEnvironment environment(test.environment);
  Result<Program> program = find_program(test.arguments);
  if (!program) return fail(program.error());
  if (!test.directory.empty()) program->directory = test.directory;
  HuntRequest own = request;
  if (test.skip_status && !own.judging.skip_status) {
    own.judging.skip_status.emplace(test.skip_status);
  }
  return hunt(own, *program, observer);
}

}  // namespace unravel
