#include "investigate/order_check.hpp"

#include <deque>

#include "run/laboratory.hpp"

namespace unravel {

namespace {

// If half of all schedules show a failure, all 20 show it with a probability of 2^-20, one in a
// million. Chosen by hand.
constexpr std::uint64_t kSchedules = 20;
// Ends the check if many runs are unresolved. Chosen by hand.
constexpr std::uint64_t kMostTried = 2 * kSchedules;

/// The first schedule has as few switches as possible; the others are random.
RunRequest request_of(const Run& failing, std::uint64_t ordinal) {
  RunRequest request;
  request.schedule.then.kind = ordinal == 0 ? wire::RuleKind::kStay : wire::RuleKind::kRandom;
  request.schedule.then.seed = wire::seed_of(failing.summary.seed, ordinal);
  request.schedule.points = failing.schedule.points;
  request.schedule.timeouts = failing.schedule.timeouts;
  request.marks = std::make_shared<const std::vector<wire::Site>>(failing.schedule.marks);
  request.pairs = false;
  return request;
}

}  // namespace

Result<OrderCheck> check_order(Pool& pool, const Run& failing, const Allowance& allowance) {
  OrderCheck check;
  if (failing.summary.threads < 2) {
    check.one_thread = true;
    check.depends = false;
    return check;
  }
  std::deque<std::future<Result<Run>>> under_way;
  std::uint64_t tried = 0;
  bool same = true;
  while (same && check.schedules < kSchedules) {
    // Later runs may turn out to be unnecessary, so only as many are started as can run at the same
    // time.
    while (under_way.size() < pool.workers() && tried < kMostTried && allowance.is_left() &&
           check.schedules + under_way.size() < kSchedules) {
      under_way.push_back(pool.submit(request_of(failing, tried++)));
    }
    if (under_way.empty()) return check;  // too few runs to decide
    const Result<Run> run = under_way.front().get();
    under_way.pop_front();
    if (!run) return fail(run.error());
    const Outcome outcome = run->summary.outcome;
    if (outcome != Outcome::kPassed && outcome != Outcome::kFailed) continue;
    same = shown_by(*run, failing.failure->key) == Shown::kFails;
    if (same) ++check.schedules;
  }
  for (auto& left : under_way) left.wait();
  check.depends = !same;
  return check;
}

}  // namespace unravel
