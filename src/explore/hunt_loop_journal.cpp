/// The part of the hunt loop that reads what an earlier hunt has seen, and writes down what it
/// sees.
#include <algorithm>
#include <utility>

#include "explore/hunt_loop.hpp"

namespace unravel {

tl::unexpected<Error> HuntLoop::another_unravel() {
  return user_error("the hunt cannot be resumed", "it was made by another unravel",
                    "begin a new one, without --resume");
}

void HuntLoop::keep_in(Journal& journal, std::chrono::duration<double> so_far) {
  journal_ = &journal;
  began_ -= std::chrono::duration_cast<Clock::duration>(so_far);
}

Result<std::optional<JournalEntry>> HuntLoop::recall() {
  if (!journal_) return std::optional<JournalEntry>();
  Result<std::optional<JournalEntry>> seen = journal_->next();
  if (!seen || !*seen) return seen;
  if ((*seen)->totals) {
    maps_.add((*seen)->maps);
    take_totals(*(*seen)->totals);
    return std::optional<JournalEntry>();  // totals are the last entry: the hunt continues by
                                           // running
  }
  if ((*seen)->runs.empty()) return another_unravel();
  maps_.add((*seen)->maps);
  explored_.pairs = maps_.pairs();
  for (const auto& [key, runs] : (*seen)->failures) explored_.failures[key] += runs;
  return seen;
}

void HuntLoop::take_totals(const JournalTotals& totals) {
  const double seconds = explored_.seconds;
  explored_ = totals.explored;
  explored_.seconds = seconds;
  explored_.pairs = maps_.pairs();
  explored_.longest = totals.known.longest;
  explored_.threads = totals.known.threads;
  earlier_schedules_ = explored_.schedules - std::min(explored_.schedules, schedules_.size());
  earlier_behaviours_ = explored_.behaviours - std::min(explored_.behaviours, behaviours_.size());
  known_ = totals.known;
  ordinal_ = explored_.runs;
  marks_ = learner_.marks();
}

Result<void> HuntLoop::write_down(JournalEntry entry) {
  if (!journal_) return {};
  if (!journal_->has_room()) {
    entry = {.is_lesson = entry.is_lesson};
    entry.totals = {explored_, known_};
  }
  entry.failures = std::exchange(failures_, {});
  entry.maps = maps_;
  return journal_->add(entry);
}

}  // namespace unravel
