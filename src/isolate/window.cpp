#include "isolate/window.hpp"

namespace unravel {

namespace {

class WindowSearch {
 public:
  WindowSearch(Laboratory& laboratory, const KnownRun& failing, std::size_t index,
               const ExperimentLimits& limits)
      : laboratory_(laboratory), failing_(failing), index_(index), limits_(limits) {}

  /// The farthest count between the switch's own and `bound` at which the run still fails, if it
  /// also fails at the counts tried before it.
  Result<KnownRun> edge(std::uint64_t bound) {
    KnownRun best = failing_;
    std::uint64_t inside = failing_.form.switches[index_].count;
    std::optional<std::uint64_t> outside;
    for (std::uint64_t stride = 1; inside != bound; stride *= 2) {
      const std::uint64_t left = inside < bound ? bound - inside : inside - bound;
      std::uint64_t step = std::min(stride, left);
      if (outside) {
        const std::uint64_t between = inside < *outside ? *outside - inside : inside - *outside;
        if (between < 2) break;
        step = between / 2;
      }
      const std::uint64_t at = inside < bound ? inside + step : inside - step;
      Result<std::optional<KnownRun>> tried = try_at(at);
      if (!tried) return fail(tried.error());
      if (stopped_) break;
      if (*tried) {
        inside = at;
        best = std::move(**tried);
      } else {
        outside = at;
      }
    }
    return best;
  }

  [[nodiscard]] std::uint64_t tests() const { return tests_; }

 private:
  /// The run with the switch moved to `count`; nothing if it does not fail, or if the switch leaves
  /// another thread.
  Result<std::optional<KnownRun>> try_at(std::uint64_t count) {
    stopped_ = !limits_.allow(tests_);
    if (stopped_) return std::nullopt;
    KnownRun moved{.run = {}, .form = failing_.form};
    moved.form.switches[index_].count = count;
    Result<std::vector<Attempt>> attempts =
        laboratory_.perform({{.schedule = in_clock_form(failing_.run.schedule, moved.form),
                              .following = wire::Following::kClockForm,
                              .strategy = "isolate"}});
    if (!attempts) return fail(attempts.error());
    ++tests_;
    Attempt& attempt = attempts->front();
    if (attempt.shown != Shown::kFails) return std::nullopt;
    moved.run = std::move(attempt.run);
    const auto here = slice_of(moved, index_);
    const auto there = slice_of(failing_, index_);
    if (!here || !there || *here >= moved.run.schedule.slices.size()) return std::nullopt;
    const bool same =
        moved.run.schedule.slices[*here].thread == failing_.run.schedule.slices[*there].thread;
    return same ? std::optional(std::move(moved)) : std::nullopt;
  }

  Laboratory& laboratory_;
  const KnownRun& failing_;
  const std::size_t index_;
  const ExperimentLimits& limits_;
  std::uint64_t tests_ = 0;
  bool stopped_ = false;
};

}  // namespace

Result<SwitchWindow> find_window(Laboratory& laboratory, const KnownRun& failing, std::size_t index,
                                 const ExperimentLimits& limits) {
  const std::vector<wire::ClockSwitch>& switches = failing.form.switches;
  const std::uint64_t own = switches[index].count;
  const std::uint64_t lowest = index > 0 ? switches[index - 1].count : 0;
  const std::uint64_t highest =
      index + 1 < switches.size() ? switches[index + 1].count : failing.form.steps;
  WindowSearch search(laboratory, failing, index, limits);
  Result<KnownRun> first = search.edge(std::min(lowest, own));
  if (!first) return fail(first.error());
  Result<KnownRun> last = search.edge(std::max(highest, own));
  if (!last) return fail(last.error());
  SwitchWindow window{.first = std::move(*first), .last = std::move(*last)};
  window.first_slice = slice_of(window.first, index);
  window.last_slice = slice_of(window.last, index);
  window.points =
      window.last.form.switches[index].count - window.first.form.switches[index].count + 1;
  window.tests = search.tests();
  return window;
}

}  // namespace unravel
