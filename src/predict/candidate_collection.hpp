/// Candidates, of which those at the same sites are limited. The shortest are kept: the fewer
/// events lie between, the more likely they can meet.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "predict/address_table.hpp"
#include "predict/candidates.hpp"

namespace unravel {

/// Keys are equal for candidates at the same sites. A span is the distance between the first and
/// the last event.
class CandidateCollection {
 public:
  explicit CandidateCollection(const CandidateLimits& limits) : limits_(limits) {}

  /// Whether a candidate would be kept.
  [[nodiscard]] bool wants(std::uint64_t key, EventIndex span) {
    const std::uint32_t* const number = numbers_.find(key);
    if (!number) return found_.size() < limits_.candidates;
    const Alike& alike = alike_[*number];
    if (alike.places.size() < limits_.instances) return found_.size() < limits_.candidates;
    return span < alike.longest;
  }

  /// Whether so many were added that shorter ones are not worth a search.
  [[nodiscard]] bool is_settled(std::uint64_t key) {
    const std::uint32_t* const number = numbers_.find(key);
    if (!number) return found_.size() >= limits_.candidates;
    return alike_[*number].added / kEnough >= limits_.instances;
  }

  void add(std::uint64_t key, Candidate candidate) {
    const EventIndex span = span_of(candidate.events());
    if (!wants(key, span)) {
      if (const std::uint32_t* const number = numbers_.find(key)) ++alike_[*number].added;
      return;
    }
    Alike& alike = alike_of(key);
    ++alike.added;
    for (const std::size_t place : alike.places) {
      if (found_[place].goal == candidate.goal) return;
    }
    if (alike.places.size() < limits_.instances) {
      alike.places.push_back(found_.size());
      found_.push_back(std::move(candidate));
      alike.longest = std::max(alike.longest, span);
      return;
    }
    const auto by_span = [&](std::size_t one, std::size_t other) {
      return span_of(found_[one].events()) < span_of(found_[other].events());
    };
    found_[*std::max_element(alike.places.begin(), alike.places.end(), by_span)] =
        std::move(candidate);
    alike.longest = span_of(
        found_[*std::max_element(alike.places.begin(), alike.places.end(), by_span)].events());
  }

  std::vector<Candidate> take() { return std::move(found_); }

  static EventIndex span_of(const std::vector<EventIndex>& events) {
    const auto [first, last] = std::minmax_element(events.begin(), events.end());
    return *last - *first;
  }

 private:
  // So many times as many as are kept are enough to choose from. Chosen by hand.
  static constexpr std::uint32_t kEnough = 16;

  struct Alike {
    std::vector<std::size_t> places;
    EventIndex longest = 0;  // the longest span of those
    std::uint32_t added = 0;
  };

  Alike& alike_of(std::uint64_t key) {
    if (const std::uint32_t* const known = numbers_.find(key)) return alike_[*known];
    numbers_[key] = static_cast<std::uint32_t>(alike_.size());
    return alike_.emplace_back();
  }

  const CandidateLimits& limits_;
  std::vector<Candidate> found_;
  AddressTable<std::uint32_t> numbers_;  // by key, into `alike_`
  std::vector<Alike> alike_;
};

}  // namespace unravel
