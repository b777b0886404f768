#include "investigate/explanation.hpp"

#include "investigate/order_check.hpp"

namespace unravel {

namespace {

// Limits the wait at the end of a hunt; `simplify` and `isolate` can continue. Chosen by hand: in
// bench/explain an explanation took 0.06 s in the median and at most 1.68 s (bench/README.md).
constexpr std::uint64_t kMostRuns = 2'000;
constexpr auto kMostProcessorTime = std::chrono::seconds(60);
// The part of that time for simplifying; the rest is for the switch that decides. Chosen by hand.
constexpr auto kMostToSimplify = std::chrono::seconds(30);
// For the search of a passing run, and for the narrowing. Chosen by hand.
constexpr std::uint64_t kMostTests = 300;

Result<std::string> keep(const Explaining& with, const Run& run) {
  if (!with.inputs) return with.store.add(run, with.settings, with.input);
  Run kept = run;
  kept.inputs = with.inputs;
  kept.client = with.client;
  return with.store.add(kept, with.settings, with.input);
}

Result<void> simplify_it(const Explaining& with, const Run& failing, Explained& explained,
                         std::vector<Run>& passed) {
  const Allowance allowance(with.pool, {kMostRuns, kMostToSimplify, with.deadline}, with.observer);
  Effort effort;
  effort.allowance = &allowance;
  Result<SimplifiedRun> simple = make_simple(with.pool, failing, effort, with.observer);
  if (!simple) return fail(simple.error());
  // An interrupted result was not replayed, so it is not shown.
  if (with.observer.interrupted()) return {};
  explained.run = std::move(simple->run);
  passed = std::move(simple->passed);
  Simplification& told = explained.simplified.emplace(std::move(simple->told));
  told.from = failing.id;
  told.on_record = with.inputs != nullptr;
  explained.run.id = failing.id;
  if (told.after < told.before) {
    Result<std::string> id = keep(with, explained.run);
    if (!id) return fail(id.error());
    explained.run.id = std::move(*id);
  }
  told.run = explained.run.id;
  return {};
}

Result<void> isolate_it(const Explaining& with, const Allowance& allowance, std::vector<Run> passed,
                        Explained& explained) {
  const Narrowing narrowing{
      .passing = std::move(passed), .tests = kMostTests, .allowance = &allowance};
  Result<NarrowedRuns> narrowed = narrow_down(with.pool, explained.run, narrowing, with.observer);
  if (!narrowed) return fail(narrowed.error());
  explained.neighbours = narrowed->told.neighbour_tests;
  if (!narrowed->passing) return {};
  SmallestDifference& told = narrowed->told;
  told.on_record = with.inputs != nullptr;
  told.failing = explained.run.id;
  if (narrowed->failing.summary.schedule_hash != explained.run.summary.schedule_hash) {
    Result<std::string> id = keep(with, narrowed->failing);
    if (!id) return fail(id.error());
    told.failing = std::move(*id);
  }
  Result<std::string> id = keep(with, *narrowed->passing);
  if (!id) return fail(id.error());
  told.passing = std::move(*id);
  if (const std::optional<DecidingPlace> place = deciding_place(told)) {
    const Result<void> kept = with.store.add_deciding_place(told.failing, *place);
    if (!kept) return fail(kept.error());
  }
  explained.difference = std::move(told);
  return {};
}

/// Makes all steps of the explanation until one shows that the others are pointless.
Result<void> explain_all(const Explaining& with, const Allowance& allowance, const Run& failing,
                         Explained& explained) {
  if (!with.depends_on_order) {
    const Result<OrderCheck> order = check_order(with.pool, failing, allowance);
    if (!order) return fail(order.error());
    explained.order = *order;
    if (!order->depends) return {};
  }
  if (!allowance.is_left()) return {};
  std::vector<Run> passed;
  const Result<void> simple = simplify_it(with, failing, explained, passed);
  if (!simple || !explained.simplified || !allowance.is_left()) return simple;
  return isolate_it(with, allowance, std::move(passed), explained);
}

}  // namespace

Result<Explained> explain(const Explaining& with, const Run& failing) {
  const Allowance allowance(with.pool, {kMostRuns, kMostProcessorTime, with.deadline},
                            with.observer);
  Explained explained;
  const Result<void> done = explain_all(with, allowance, failing, explained);
  if (!done && !with.observer.interrupted()) return fail(done.error());
  explained.interrupted = with.observer.interrupted();
  explained.stopped = !allowance.is_left();
  explained.runs = allowance.runs();
  explained.most_runs = allowance.most_runs();
  return explained;
}

}  // namespace unravel
