#include "base/delta_debugging.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace unravel {

namespace {

std::uint64_t hash_of(const DeltaCounts& counts) {
  std::uint64_t hash = counts.size();
  for (const std::uint64_t count : counts) {
    hash = (hash ^ count) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

std::uint64_t rounded_up(std::uint64_t number, std::uint64_t divisor) {
  return number / divisor + (number % divisor != 0);
}

}  // namespace

DeltaDebugging::DeltaDebugging(const DeltaCounts& sizes, DeltaSubject& subject)
    : subject_(subject), pair_{.passing = DeltaCounts(sizes.size()), .failing = sizes} {
  UNRAVEL_ASSERT(left().deltas > 0, "what passes and what fails are the same");
  known_[hash_of(pair_.passing)] = DeltaOutcome::kPass;
  known_[hash_of(pair_.failing)] = DeltaOutcome::kFail;
}

DeltaDebugging::Left DeltaDebugging::left() const {
  Left left;
  for (std::size_t i = 0; i < pair_.failing.size(); ++i) {
    const std::uint64_t differ = pair_.failing[i] - pair_.passing[i];
    if (differ == 0) continue;
    left.groups.push_back(i);
    left.deltas += differ;
  }
  return left;
}

// --- Parts ---

DeltaCounts DeltaDebugging::with(const Part& part) const {
  DeltaCounts counts = pair_.passing;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    counts[i] += std::min(part.most, pair_.failing[i] - pair_.passing[i]);
  }
  return counts;
}

DeltaCounts DeltaDebugging::without(const Part& part) const {
  DeltaCounts counts = pair_.failing;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    counts[i] -= std::min(part.most, pair_.failing[i] - pair_.passing[i]);
  }
  return counts;
}

/// One part for each test that can differ: parts of the same group and size are equivalent.
std::vector<DeltaDebugging::Part> DeltaDebugging::split(const Left& left,
                                                        std::uint64_t parts) const {
  if (left.groups.size() > 1 && parts <= left.groups.size()) return rows_of_groups(left, parts);
  const std::uint64_t largest = rounded_up(left.deltas, parts);
  std::vector<Part> all;
  for (const std::size_t group : left.groups) {
    const std::uint64_t size = pair_.failing[group] - pair_.passing[group];
    const std::uint64_t pieces = rounded_up(size, largest);
    if (size % pieces != 0) all.push_back({group, group + 1, size / pieces + 1});
    all.push_back({group, group + 1, size / pieces});
  }
  return all;
}

/// Each part ends where it is nearest to its share of all deltas, and leaves at least one group for
/// each other part.
std::vector<DeltaDebugging::Part> DeltaDebugging::rows_of_groups(const Left& left,
                                                                 std::uint64_t parts) const {
  const std::vector<std::size_t>& groups = left.groups;
  const auto size_of = [&](std::size_t i) {
    return pair_.failing[groups[i]] - pair_.passing[groups[i]];
  };
  std::vector<Part> all;
  std::size_t next = 0;      // among the groups that differ
  std::uint64_t before = 0;  // deltas of the groups before it
  std::uint64_t share = 0;   // deltas of all parts up to this one, if all had the same size
  std::uint64_t extra = 0;   // rounding remainder, in fractions of a delta
  for (std::uint64_t part = 1; part <= parts; ++part) {
    share += left.deltas / parts;
    extra += left.deltas % parts;
    if (extra >= parts) {
      extra -= parts;
      ++share;
    }
    const std::size_t first = next;
    const std::size_t last = groups.size() - static_cast<std::size_t>(parts - part);
    before += size_of(next++);
    while (next < last) {
      const std::uint64_t after = before + size_of(next);
      const bool is_nearer = after <= share || (before < share && after - share < share - before);
      if (part < parts && !is_nearer) break;
      before = after;
      ++next;
    }
    all.push_back({groups[first], groups[next - 1] + 1, ~std::uint64_t{0}});
  }
  return all;
}

// --- Tests ---

DeltaOutcome DeltaDebugging::test(const DeltaCounts& counts) {
  const std::uint64_t hash = hash_of(counts);
  if (const auto known = known_.find(hash); known != known_.end()) return known->second;
  if (stopped_) return DeltaOutcome::kUnresolved;
  const Result<std::optional<DeltaOutcome>> outcome = subject_.test(counts);
  if (!outcome) pair_.error = outcome.error();
  stopped_ = !outcome || !*outcome;
  if (stopped_) return DeltaOutcome::kUnresolved;
  const Left now = left();
  history_.push_back({.groups = now.groups.size(), .deltas = now.deltas, .outcome = **outcome});
  return known_[hash] = **outcome;
}

void DeltaDebugging::adopt(const DeltaCounts& counts, DeltaOutcome outcome) {
  (outcome == DeltaOutcome::kPass ? pair_.passing : pair_.failing) = counts;
  subject_.narrowed(counts, outcome);
}

/// Returns whether one of them narrowed the difference. The complement of one half is the other
/// half.
bool DeltaDebugging::try_halves(const std::vector<Part>& halves) {
  for (const Part& half : halves) {
    const DeltaCounts counts = with(half);
    const DeltaOutcome outcome = test(counts);
    if (outcome != DeltaOutcome::kPass && outcome != DeltaOutcome::kFail) continue;
    adopt(counts, outcome);
    return true;
  }
  return false;
}

/// The four cases of figure 7, in their order. The last two reuse outcomes of the first two.
bool DeltaDebugging::try_parts(const std::vector<Part>& parts, std::uint64_t& granularity) {
  std::optional<DeltaCounts> passes;
  std::optional<DeltaCounts> fails;
  for (const Part& part : parts) {
    DeltaCounts counts = with(part);
    const DeltaOutcome outcome = test(counts);
    if (outcome == DeltaOutcome::kPass && !passes) passes = counts;
    if (outcome != DeltaOutcome::kFail) continue;
    granularity = 2;
    adopt(counts, outcome);
    return true;
  }
  for (const Part& part : parts) {
    DeltaCounts counts = without(part);
    const DeltaOutcome outcome = test(counts);
    if (outcome == DeltaOutcome::kFail && !fails) fails = counts;
    if (outcome != DeltaOutcome::kPass) continue;
    granularity = 2;
    adopt(counts, outcome);
    return true;
  }
  if (stopped_ || (!passes && !fails)) return false;
  --granularity;
  passes ? adopt(*passes, DeltaOutcome::kPass) : adopt(*fails, DeltaOutcome::kFail);
  return true;
}

Narrowed DeltaDebugging::narrow() {
  std::uint64_t granularity = 2;
  while (!stopped_) {
    const Left left = this->left();
    if (left.deltas == 1) {
      pair_.minimal = true;
      break;
    }
    granularity = std::min(granularity, left.deltas);
    const std::vector<Part> parts = split(left, granularity);
    const bool is_smaller = granularity == 2 ? try_halves(parts) : try_parts(parts, granularity);
    if (is_smaller || stopped_) continue;
    // Every delta was a part of its own, and none could be left out.
    pair_.minimal = granularity == left.deltas;
    if (pair_.minimal) break;
    granularity = granularity > left.deltas / 2 ? left.deltas : 2 * granularity;
  }
  return pair_;
}

Result<std::optional<bool>> DeltaDebugging::is_minimal(const Narrowed& pair) {
  stopped_ = false;
  for (std::size_t i = 0; i < pair.failing.size(); ++i) {
    if (pair.failing[i] == pair.passing[i]) continue;
    DeltaCounts more = pair.passing;
    DeltaCounts fewer = pair.failing;
    ++more[i];
    --fewer[i];
    if (test(more) == DeltaOutcome::kPass || test(fewer) == DeltaOutcome::kFail) return false;
    if (!stopped_) continue;
    if (pair_.error) return fail(*pair_.error);
    return std::nullopt;
  }
  return true;
}

}  // namespace unravel
