#include "simplify/groups.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace unravel {

namespace {

std::vector<std::size_t> preempted(const Slices& slices, std::size_t first) {
  std::vector<std::size_t> found;
  for (std::size_t i = first; i + 1 < slices.size(); ++i) {
    if (is_preempted(slices[i])) found.push_back(i);
  }
  return found;
}

/// Removes the preemptions `listed[begin]` to `listed[end - 1]`.
Edit without_preemptions(const Slices& slices, const std::vector<std::size_t>& listed,
                         std::size_t begin, std::size_t end) {
  std::vector<bool> kept(slices.size(), true);
  for (std::size_t i = begin; i < end; ++i) kept[listed[i]] = false;
  return {.kind = Edit::Kind::kConsolidateUp, .slices = keep_preemptions(slices, kept)};
}

Edit without_all(Edit::Kind kind, const Slices& slices, const std::vector<std::size_t>& listed) {
  std::vector<bool> dropped(slices.size());
  for (const std::size_t index : listed) dropped[index] = true;
  return {.kind = kind, .slices = without(slices, dropped)};
}

std::map<std::uint32_t, std::vector<std::size_t>> by_thread(const Slices& slices,
                                                            std::size_t first) {
  std::map<std::uint32_t, std::vector<std::size_t>> found;
  for (std::size_t i = first; i < slices.size(); ++i) {
    found[slices[i].thread.ordinal].push_back(i);
  }
  return found;
}

}  // namespace

bool keep_last_preemptions(Attempts& attempts, std::size_t first) {
  const std::vector<std::size_t> all = preempted(attempts.slices(), first);
  std::vector<Edit> edits;
  for (std::size_t kept = 0; kept < all.size(); kept = kept ? 2 * kept : 1) {
    edits.push_back(without_preemptions(attempts.slices(), all, 0, all.size() - kept));
  }
  return attempts.first_better(edits).has_value();
}

void leave_out_preemptions(Attempts& attempts, std::size_t first, std::size_t most_parts) {
  for (std::size_t parts = 2; parts <= most_parts && !attempts.over();) {
    const std::vector<std::size_t> left = preempted(attempts.slices(), first);
    if (left.empty()) return;
    parts = std::min(parts, left.size());
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < parts; ++i) {
      edits.push_back(without_preemptions(attempts.slices(), left, left.size() * i / parts,
                                          left.size() * (i + 1) / parts));
    }
    if (attempts.first_better(edits)) {
      parts = std::max<std::size_t>(parts - 1, 2);
    } else if (parts == left.size()) {
      return;
    } else {
      parts *= 2;
    }
  }
}

void leave_end_to_rule(Attempts& attempts, std::size_t first) {
  const Slices& slices = attempts.slices();
  const std::vector<std::size_t> left = preempted(slices, first);
  if (slices.size() <= kFewSlices) return;
  // The slice after the last preemption is kept: it names the thread that continues.
  const std::size_t least = std::max(first, left.empty() ? 0 : left.back() + 2);
  std::vector<Edit> edits;
  for (std::size_t more = 0; least + more < slices.size(); more = more ? 2 * more : 1) {
    const auto end = slices.begin() + static_cast<std::ptrdiff_t>(least + more);
    edits.push_back({.kind = Edit::Kind::kRemoveLast,
                     .slices = Slices(slices.begin(), end),
                     .also_if_equal = true});
  }
  attempts.first_better(edits);
}

void leave_out_bystanders(Attempts& attempts, std::size_t first) {
  const Slices& slices = attempts.slices();
  if (slices.empty()) return;
  std::set<std::uint32_t> needed{0, attempts.best().schedule.slices.back().thread.ordinal};
  for (const std::size_t i : preempted(slices, 0)) {
    needed.insert({slices[i].thread.ordinal, slices[i + 1].thread.ordinal});
  }
  std::vector<std::size_t> others;
  for (std::size_t i = first; i < slices.size(); ++i) {
    if (!needed.contains(slices[i].thread.ordinal)) others.push_back(i);
  }
  if (!others.empty()) {
    attempts.is_better(without_all(Edit::Kind::kRemoveLast, slices, others));
  }
}

void join_piecemeal(Attempts& attempts, std::size_t first) {
  std::set<std::uint32_t> threads;
  for (const wire::Slice& slice : attempts.slices()) threads.insert(slice.thread.ordinal);
  for (const std::uint32_t thread : threads) {
    const auto all = by_thread(attempts.slices(), first);
    const auto own = all.find(thread);
    if (own == all.end()) continue;
    std::vector<std::size_t> between;
    for (std::size_t i = 1; i + 1 < own->second.size(); ++i) {
      if (!is_preempted(attempts.slices()[own->second[i]])) between.push_back(own->second[i]);
    }
    if (between.size() < 2) continue;
    attempts.is_better(without_all(Edit::Kind::kConsolidateDown, attempts.slices(), between));
  }
}

}  // namespace unravel
