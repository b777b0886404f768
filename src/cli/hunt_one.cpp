#include "cli/hunt_one.hpp"

#include <algorithm>
#include <map>
#include <thread>

#include "base/random.hpp"
#include "cli/build_ids.hpp"
#include "cli/hunt_journal.hpp"
#include "cli/hunt_learner.hpp"
#include "cli/pool_lease.hpp"
#include "cli/tell_run.hpp"
#include "cli/values.hpp"
#include "explore/portfolio.hpp"
#include "report/hunt_text.hpp"
#include "run/uses.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

// Fewer runs than this in a second are worth a word of advice.
constexpr double kSlow = 5;

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

/// Functions with points, and those in which a thread was preempted.
Covered functions_of(const HuntLearner& learner, const SiteMaps& maps) {
  Symbolizer symbolizer;
  std::map<std::string, bool> interrupted;
  for (const std::uint64_t packed : learner.sites()) {
    const wire::Site site{packed};
    if (site.module() == 0 || site.module() >= learner.modules().size()) continue;
    const auto frames = symbolizer.frames(learner.modules()[site.module()].path, site.offset());
    const Frame* own = own_frame(frames);
    if (own && !own->function.empty()) interrupted[own->function] |= maps.was_preempted(site);
  }
  Covered functions;
  for (const auto& [function, was] : interrupted) {
    ++functions.total;
    functions.covered += was;
  }
  return functions;
}

/// A loop counts failures by key, those of before it was resumed among them.
void count_failures(Hunted& hunted, const KnownFailures& known) {
  const auto is_kept = [&](const std::string& key) {
    return std::any_of(hunted.kept.begin(), hunted.kept.end(), [&](const Kept& one) {
      return one.run.failure && one.run.failure->key == key;
    });
  };
  for (const auto& [key, runs] : hunted.explored.failures) {
    if (known.knows(key)) {
      hunted.known_failures += runs;
    } else if (!is_kept(key)) {
      ++hunted.earlier_failures;
    }
  }
}

HuntRow row_of(const HuntOptions& options, const Program& program) {
  HuntRow hunt{.directory = program.directory,
               .build = build_id_of(program.path).value_or(std::string()),
               .strategy = options.strategy};
  // Arguments may contain spaces, and must not be mistaken for others that do not.
  for (const std::string& argument : program.arguments) hunt.command += argument + '\n';
  return hunt;
}

Result<HuntJournal> journal_for(const HuntContext& context, const Program& program) {
  const std::filesystem::path store = context.console.options().store;
  HuntRow hunt = row_of(context.options, program);
  if (context.options.resume) return HuntJournal::resume(store, hunt);
  hunt.seed = context.options.seed.value_or(any_seed());
  return HuntJournal::begin(store, std::move(hunt));
}

}  // namespace

HuntReport Hunted::report() const {
  HuntReport report;
  report.outcome = outcome();
  report.reason = reason();
  report.why = why();
  report.explored = &explored;
  report.known_failures = known_failures;
  report.earlier_failures = earlier_failures;
  report.seed = seed;
  report.ended = ended;
  if (trouble) report.trouble = &*trouble;
  for (const Kept& one : kept) {
    const auto file = store / "runs" / (one.run.id + ".sched");
    HuntFailure failure{{.run = &one.run,
                         .schedule_file = one.unkept ? std::string() : file.string(),
                         .unkept = one.unkept ? &*one.unkept : nullptr},
                        one.found_at_run};
    if (one.explained) {
      failure.order = &one.explained->order;
      if (one.explained->simplified) failure.simplified = &*one.explained->simplified;
      if (one.explained->difference) failure.difference = &*one.explained->difference;
      failure.explained_with = one.explained->runs;
      failure.explained_at_most = one.explained->most_runs;
    }
    report.failures.push_back(std::move(failure));
  }
  return report;
}

bool Hunted::failed() const {
  return earlier_failures > 0 ||
         std::any_of(kept.begin(), kept.end(), [](const Kept& one) { return one.verified(); });
}

Outcome Hunted::outcome() const {
  if (failed()) return Outcome::kFailed;
  return kept.empty() && explored.tested() ? Outcome::kPassed : Outcome::kUnresolved;
}

Reason Hunted::reason() const {
  if (outcome() != Outcome::kUnresolved) return Reason::kNone;
  return kept.empty() ? explored.reason : Reason::kNotReproduced;
}

std::string Hunted::why() const {
  if (outcome() != Outcome::kUnresolved) return {};
  if (kept.empty()) return explored.why_unresolved;
  const Kept& one = kept.front();
  return one.verification ? one.verification->why() : "it was not replayed";
}

const Kept* Hunted::unproved(bool is_our_fault) const {
  for (const Kept& one : kept) {
    if (one.verified()) continue;
    if ((one.verification && one.verification->is_our_fault()) == is_our_fault) return &one;
  }
  return nullptr;
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
      std::string all;
      for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
      return user_error("there is no strategy '" + name + "'" +
                            (guess.empty() ? "" : ", did you mean " + guess + "?"),
                        {}, "there are " + all);
    }
    chosen.push_back(std::move(strategy));
    begin = comma + 1;
  }
  if (chosen.size() == 1) return std::move(chosen.front());
  return std::make_unique<Portfolio>(std::move(chosen));
}

Result<Hunted> hunt_one(const HuntContext& context, const Program& program, Budget budget) {
  const HuntOptions& options = context.options;
  const Console& console = context.console;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  if (options.time) deadline = std::chrono::steady_clock::now() + *options.time;
  const std::filesystem::path directory = console.options().store;
  const Result<wire::PointSet> points = points_for(program, options.judge, console);
  if (!points) return fail(points.error());
  Result<Store> store = Store::open(directory, Store::Access::kWrite);
  if (!store) return fail(store.error());
  Result<HuntJournal> journal = journal_for(context, program);
  if (!journal) return fail(journal.error());
  Result<std::unique_ptr<Strategy>> strategy = strategy_from(journal->hunt().strategy);
  if (!strategy) return fail(strategy.error());

  RunSettings settings = settings_from(options.judge, default_settings());
  settings.fork_server = options.fork_server;
  const auto jobs = static_cast<unsigned>(
      options.jobs.value_or(std::max(1u, std::thread::hardware_concurrency())));
  Result<std::unique_ptr<PoolLease>> lease =
      PoolLease::start({.program = program,
                        .settings = settings,
                        .timeouts = options.judge.timeouts.value_or(wire::Timeouts::kNear),
                        .points = *points,
                        .store = directory,
                        .input = context.input,
                        .sandbox = options.sandbox,
                        .most_output = options.judge.most_output},
                       jobs, context.interruption);
  if (!lease) return fail(lease.error());
  Pool& pool = (*lease)->pool();
  HuntLearner learner(pool, PointsFile(program, directory, console), *points);
  HuntAudience audience({.pool = pool,
                         .store = *store,
                         .console = console,
                         .known = context.known,
                         .settings = settings,
                         .input = context.input,
                         .interruption = context.interruption,
                         .explore = options.explore,
                         .explains = !options.find_only,
                         .deadline = deadline});
  HuntLoop loop(pool, **strategy, learner, audience, journal->hunt().seed, budget);
  loop.keep_in(*journal, journal->so_far());
  if (options.resume) {
    // What an earlier hunt knew of the program's code is not in its journal.
    const Result<Lesson> lesson = learner.learn(Proposal{});
    if (!lesson) return fail(lesson.error());
  }
  const Result<HuntLoop::End> end = loop.run();
  audience.clear();
  const bool interrupted = context.interruption.happened();
  // What was found counts, whatever came after it.
  if (!end && !interrupted && audience.kept().empty()) return fail(end.error());
  std::optional<Error> trouble;
  if (!end && !interrupted) trouble = end.error();
  if (!interrupted && !trouble) {
    const Result<void> ended = journal->end();
    if (!ended) trouble = ended.error();
  }
  Hunted hunted{.explored = loop.explored(),
                .kept = audience.kept(),
                .seed = journal->hunt().seed,
                .ended = interrupted ? "interrupted"
                         : end       ? reason(*end)
                                     : "trouble",
                .points = *points,
                .has_hooks = have_hooks(learner.modules()),
                .warnings = learner.warnings(),
                .store = directory,
                .trouble = std::move(trouble)};
  hunted.explored.functions = functions_of(learner, loop.maps());
  count_failures(hunted, context.known);
  return hunted;
}

void tell_hunt(const Hunted& hunted, const HuntContext& context) {
  const Console& console = context.console;
  const Explored& explored = hunted.explored;
  const bool failed = hunted.failed();
  if (hunted.earlier_failures) {
    console.note("unravel: " + plural(hunted.earlier_failures, "failure") +
                 " found before the hunt was interrupted: see `unravel list`\n");
  }
  const bool has_one_thread = hunted.ended == "one thread";
  const bool found = failed || !hunted.kept.empty();
  if (!found) {
    const std::string most = mostly_unresolved(explored);
    if (!most.empty() && !has_one_thread) console.warn(most);
    for (const std::string& warning : hunted.warnings) console.warn(warning);
  }
  if (found && !context.options.explore) return;
  if (has_one_thread && !found && !explored.tested()) {
    console.note("unravel: nothing was tested: " + clean(explored.why_unresolved) + "\n");
    if (!context.options.each_test) tell_how_to_allow(context.options.judge, console);
    return;
  }
  console.note("unravel: " + hunt_line(explored) + "\n");
  if (!console.options().quiet) console.note(explored_text(explored));
  if (hunted.known_failures) {
    console.note("  " + plural(hunted.known_failures, "run") + " failed in a way that is known\n");
  }
  if (found || hunted.interrupted() || !explored.tested()) return;
  if (hunted.points == wire::PointSet::kSync && !context.options.judge.points && hunted.has_hooks) {
    console.warn(
        "the program that was started has hooks at memory accesses, and the one that became it has "
        "not: threads were switched at synchronisation only; add --points auto to find data "
        "races, too");
  } else if (hunted.points == wire::PointSet::kSync && !context.options.judge.points) {
    console.warn(
        "the program has no hooks at memory accesses: threads were switched at synchronisation "
        "only; build it with unravel-cc or unravel-c++ to find data races, too");
  }
  const double rate = static_cast<double>(explored.runs) / std::max(explored.seconds, 1e-9);
  if (rate < kSlow) {
    console.warn("only " + plural(explored.runs, "run") + " could be made, since one takes " +
                 std::to_string(static_cast<int>(1 / std::max(rate, 1e-3) + 0.5)) +
                 " s; with less input, fewer rounds or a smaller test more is found in the same "
                 "time; or give it more with --for");
  }
}

}  // namespace unravel
