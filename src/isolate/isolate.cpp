#include "isolate/isolate.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace unravel {

namespace {

/// Tries schedules between two runs, and keeps runs that may replace one of the two.
class Between final : public DeltaSubject {
 public:
  Between(Laboratory& laboratory, const ScheduleDifference& difference,
          const IsolateSettings& options, Isolated& isolated)
      : laboratory_(laboratory),
        difference_(difference),
        options_(options),
        base_(isolated.failing->run.schedule),
        passing_(difference.sizes().size()),
        failing_(difference.sizes()),
        isolated_(isolated) {}

  Result<std::optional<DeltaOutcome>> test(const DeltaCounts& counts) override;
  void narrowed(const DeltaCounts& counts, DeltaOutcome outcome) override;

 private:
  struct Held {
    DeltaCounts counts;
    KnownRun known;
  };

  Laboratory& laboratory_;
  const ScheduleDifference& difference_;
  const IsolateSettings& options_;
  const Schedule base_;
  DeltaCounts passing_;
  DeltaCounts failing_;
  std::vector<Held> held_;  // runs between the two
  Isolated& isolated_;
};

Result<std::optional<DeltaOutcome>> Between::test(const DeltaCounts& counts) {
  std::optional<ClockForm> form = difference_.apply(counts);
  if (!form) return DeltaOutcome::kInvalid;
  if (!options_.narrowing.allow(isolated_.tests)) return std::nullopt;
  Result<std::vector<Attempt>> attempts =
      laboratory_.perform({{.schedule = in_clock_form(base_, *form),
                            .following = wire::Following::kClockForm,
                            .strategy = "isolate"}});
  if (!attempts) return fail(attempts.error());
  UNRAVEL_ASSERT(attempts->size() == 1, "one proposal is one attempt");
  Attempt& attempt = attempts->front();
  ++isolated_.tests;
  const DeltaOutcome outcome = outcome_of(attempt, options_.others_fail);
  if (outcome == DeltaOutcome::kUnresolved) {
    ++isolated_.unresolved;
  } else {
    form->steps = attempt.run.summary.steps;
    held_.push_back({counts, {.run = std::move(attempt.run), .form = std::move(*form)}});
  }
  return outcome;
}

void Between::narrowed(const DeltaCounts& counts, DeltaOutcome outcome) {
  const bool passes = outcome == DeltaOutcome::kPass;
  const auto at = std::find_if(held_.begin(), held_.end(),
                               [&](const Held& held) { return held.counts == counts; });
  UNRAVEL_ASSERT(at != held_.end(), "what narrows a difference was tried and lies within it");
  (passes ? isolated_.passing : isolated_.failing) = std::move(at->known);
  (passes ? passing_ : failing_) = counts;
  held_.erase(at);
  // Only runs between the two can be needed again.
  std::erase_if(held_, [&](const Held& held) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (held.counts[i] < passing_[i] || held.counts[i] > failing_[i]) return true;
    }
    return false;
  });
}

void describe(const ScheduleDifference& difference, const Narrowed& narrowed, Isolated& isolated) {
  for (std::size_t i = 0; i < narrowed.failing.size(); ++i) {
    const std::uint64_t passing = narrowed.passing[i];
    const std::uint64_t failing = narrowed.failing[i];
    if (passing == failing) continue;
    isolated.deltas_left += failing - passing;
    if (i >= difference.switches()) {
      isolated.choices.push_back(
          {difference.choice_at(i, passing), difference.choice_at(i, failing)});
      continue;
    }
    SwitchDifference one{.index = i,
                         .passing = difference.switch_at(i, passing),
                         .failing = difference.switch_at(i, failing),
                         .passing_slice = slice_of(*isolated.passing, i),
                         .failing_slice = slice_of(*isolated.failing, i)};
    one.receiver_differs = !same_receiver(one.passing, one.failing);
    isolated.switches.push_back(one);
  }
}

Result<Isolated> isolate_from(Laboratory& laboratory, Run from, DeltaOutcome wanted,
                              const IsolateSettings& options) {
  Result<OtherRun> other = find_other_run(laboratory, from,
                                          {.wanted = wanted,
                                           .others_fail = options.others_fail,
                                           .seed = options.seed,
                                           .first_width = options.first_width},
                                          options.search);
  if (!other) return fail(other.error());
  KnownRun start = realised(std::move(from));
  const bool passes = wanted == DeltaOutcome::kPass;
  if (!other->found) {
    Isolated isolated;
    (passes ? isolated.failing : isolated.passing) = std::move(start);
    isolated.neighbour_tests = other->tests;
    return isolated;
  }
  Result<Isolated> isolated =
      passes ? isolate(laboratory, std::move(*other->found), std::move(start), options)
             : isolate(laboratory, std::move(start), std::move(*other->found), options);
  if (isolated) isolated->neighbour_tests = other->tests;
  return isolated;
}

}  // namespace

std::optional<std::uint32_t> slice_of(const KnownRun& known, std::size_t index) {
  if (index >= known.form.switches.size()) return std::nullopt;
  const std::uint64_t count = known.form.switches[index].count;
  const std::vector<wire::ClockSwitch>& made = known.run.clock_form;
  const auto found = std::lower_bound(
      made.begin(), made.end(), count,
      [](const wire::ClockSwitch& one, std::uint64_t least) { return one.count < least; });
  if (found == made.end() || found->count != count) return std::nullopt;
  return found->slice;
}

Result<Isolated> isolate(Laboratory& laboratory, KnownRun passing, KnownRun failing,
                         const IsolateSettings& options) {
  const ScheduleDifference difference(passing.form, failing.form);
  if (difference.deltas() == 0) {
    return user_error("the passing and the failing run have the same schedule",
                      "what makes the difference is not in their schedules",
                      "take two runs of the same program, input and settings");
  }
  Isolated isolated;
  isolated.passing = std::move(passing);
  isolated.failing = std::move(failing);
  isolated.deltas = difference.deltas();
  Between between(laboratory, difference, options, isolated);
  DeltaDebugging debugging(difference.sizes(), between);
  const Narrowed narrowed = debugging.narrow();
  isolated.minimal = narrowed.minimal;
  isolated.error = narrowed.error;
  isolated.history = debugging.history();
  describe(difference, narrowed, isolated);
  return isolated;
}

Result<Isolated> isolate_from_failing(Laboratory& laboratory, Run failing,
                                      const IsolateSettings& options) {
  return isolate_from(laboratory, std::move(failing), DeltaOutcome::kPass, options);
}

Result<Isolated> isolate_from_passing(Laboratory& laboratory, Run passing,
                                      const IsolateSettings& options) {
  return isolate_from(laboratory, std::move(passing), DeltaOutcome::kFail, options);
}

}  // namespace unravel
