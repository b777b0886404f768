#include "cli/explaining.hpp"

namespace unravel {

namespace {

// A hunt is not to end in a long wait: whoever wants more has `simplify` and `isolate`.
constexpr auto kMostTime = std::chrono::seconds(30);
constexpr std::uint64_t kMostTests = 300;

Result<std::string> keep(const Explaining& with, const Run& run) {
  return with.store.add(run, with.settings, with.input);
}

}  // namespace

Result<Explained> explain(const Explaining& with, const Run& failing) {
  const Effort effort{.time = kMostTime};
  Result<SimplifiedRun> simple = make_simple(with.pool, failing, effort, with.interruption);
  if (!simple) return fail(simple.error());
  Explained explained{.run = std::move(simple->run), .simplified = std::move(simple->told)};
  explained.simplified.from = failing.id;
  explained.run.id = failing.id;
  if (explained.simplified.after < explained.simplified.before) {
    Result<std::string> id = keep(with, explained.run);
    if (!id) return fail(id.error());
    explained.run.id = std::move(*id);
  }
  explained.simplified.run = explained.run.id;
  if (with.interruption.happened()) return explained;

  const Narrowing narrowing{.passing = std::move(simple->passed), .tests = kMostTests};
  Result<NarrowedRuns> narrowed =
      narrow_down(with.pool, explained.run, narrowing, with.interruption);
  if (!narrowed) return fail(narrowed.error());
  explained.neighbours = narrowed->told.neighbour_tests;
  if (!narrowed->passing) return explained;
  SmallestDifference& told = narrowed->told;
  told.failing = explained.run.id;
  if (narrowed->failing.summary.schedule_hash != explained.run.summary.schedule_hash) {
    Result<std::string> id = keep(with, narrowed->failing);
    if (!id) return fail(id.error());
    told.failing = std::move(*id);
  }
  Result<std::string> id = keep(with, *narrowed->passing);
  if (!id) return fail(id.error());
  told.passing = std::move(*id);
  explained.difference = std::move(told);
  return explained;
}

}  // namespace unravel
