/// `unravel hunt`: look for a schedule under which a program fails.
#include <random>
#include <thread>

#include "cli/commands.hpp"
#include "cli/crew.hpp"
#include "cli/hunt_audience.hpp"
#include "cli/hunt_learner.hpp"
#include "cli/standard_input.hpp"
#include "cli/values.hpp"
#include "explore/portfolio.hpp"
#include "report/hunt_text.hpp"
#include "report/json.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

// Where nothing is said: as many runs as find what is there to be found in a small program, and no
// longer than one waits for a test.
constexpr std::uint64_t kRuns = 10'000;
constexpr auto kTime = std::chrono::minutes(5);

// Fewer runs than this in a second are worth a word of advice.
constexpr double kSlow = 5;

std::uint64_t any_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

Budget budget_from(const HuntOptions& options) {
  Budget budget;
  budget.stale = options.stale.value_or(0);
  if (options.runs) budget.runs = *options.runs;
  if (options.time) budget.time = *options.time;
  if (!options.runs && !options.time) {
    budget.runs = kRuns;
    budget.time = kTime;
  }
  return budget;
}

std::string_view reason(Campaign::End end) {
  switch (end) {
    case Campaign::End::kEnough: return "found";
    case Campaign::End::kRuns: return "runs";
    case Campaign::End::kTime: return "time";
    case Campaign::End::kStale: return "stale";
    case Campaign::End::kNothingLeft: return "nothing left";
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
    if (own && !own->function.empty()) interrupted[own->function] |= maps.was_interrupted(site);
  }
  Covered functions;
  for (const auto& [function, was] : interrupted) {
    ++functions.total;
    functions.covered += was;
  }
  return functions;
}

/// One strategy by its name, or several that share the budget.
Result<std::unique_ptr<Strategy>> strategy_from(const std::string& names) {
  std::vector<std::unique_ptr<Strategy>> chosen;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t comma = std::min(names.find(',', begin), names.size());
    const std::string name = names.substr(begin, comma - begin);
    auto strategy = make_strategy(name);
    if (!strategy) {
      std::vector<std::string> known(strategy_names().begin(), strategy_names().end());
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

/// What a passing hunt has to say besides.
void advise(const HuntOptions& options, const Explored& explored, wire::PointSet points,
            const Console& console) {
  if (points == wire::PointSet::kSync && !options.judge.points) {
    console.warn(
        "'" + options.program.front() +
        "' has no hooks at memory accesses: threads were switched at synchronisation only; "
        "build it with unravel-cc or unravel-c++ to find data races, too");
  }
  const double rate = static_cast<double>(explored.runs) / std::max(explored.seconds, 1e-9);
  if (rate < kSlow) {
    console.warn(
        "only " + std::to_string(explored.runs) +
        " runs were made, since one takes long; less input, fewer rounds or a smaller test "
        "find more in the same time, or give it more with --for");
  }
}

}  // namespace

Result<int> hunt_command(const HuntOptions& options, const Console& console,
                         Interruption& interruption) {
  Result<std::unique_ptr<Strategy>> strategy = strategy_from(options.strategy);
  if (!strategy) return fail(strategy.error());
  Result<Program> program = find_program(options.program);
  if (!program) return fail(program.error());
  const Result<wire::PointSet> points = points_for(*program, options.judge, console);
  if (!points) return fail(points.error());
  Result<Store> store = Store::open(console.options().store, Store::Access::kWrite);
  if (!store) return fail(store.error());
  Result<std::string> input = read_standard_input(console, interruption);
  if (!input) return fail(input.error());
  RunSettings settings = settings_from(options.judge, default_settings());
  settings.fork_server = options.fork_server;
  const auto jobs = static_cast<unsigned>(
      options.jobs.value_or(std::max(1u, std::thread::hardware_concurrency())));
  Result<std::unique_ptr<Crew>> crew =
      Crew::start({.program = *program,
                   .settings = settings,
                   .timeouts = options.judge.timeouts.value_or(wire::Timeouts::kNear),
                   .points = *points,
                   .store = console.options().store,
                   .input = *input,
                   .isolation = options.isolation},
                  jobs, interruption);
  if (!crew) return fail(crew.error());

  const std::uint64_t seed = options.seed.value_or(any_seed());
  HuntLearner learner((*crew)->pool(), PointsFile(*program, console.options().store, console),
                      *points);
  HuntAudience audience({.pool = (*crew)->pool(),
                         .store = *store,
                         .console = console,
                         .settings = settings,
                         .input = *input,
                         .explore = options.explore});
  Campaign campaign((*crew)->pool(), **strategy, learner, audience, seed, budget_from(options));
  const Result<Campaign::End> end = campaign.run();
  audience.clear();
  if (!end) return fail(end.error());

  Explored explored = campaign.explored();
  explored.functions = functions_of(learner, campaign.maps());
  const bool failed = !audience.kept().empty();
  if (console.options().json) {
    HuntReport report;
    report.outcome = failed ? Outcome::kFailed : Outcome::kPassed;
    report.explored = &explored;
    report.seed = seed;
    report.ended = reason(*end);
    for (const Kept& kept : audience.kept()) {
      report.failures.push_back(
          {{.run = &kept.run, .schedule_file = store->schedule_file(kept.run.id).string()},
           kept.found_at_run});
    }
    console.out(hunt_json(report));
  }
  if (!failed) {
    for (const std::string& warning : learner.warnings()) console.warn(warning);
  }
  if (!failed || options.explore) {
    console.note("unravel: " + hunt_line(explored) + "\n");
    if (!console.options().quiet) console.note(explored_text(explored));
  }
  if (!failed) {
    advise(options, explored, *points, console);
    return kNoFailure;
  }
  for (const Kept& kept : audience.kept()) {
    if (!kept.differs.empty()) {
      return internal_error(
          "the failure of run " + kept.run.id + " did not come back when it was replayed",
          kept.differs,
          "please report it, with the output of `unravel show --json " + kept.run.id +
              "`; the failure itself did happen");
    }
  }
  return kFailure;
}

}  // namespace unravel
