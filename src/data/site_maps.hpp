/// Which sites and pairs of sites runs have met, as recorded by the runtime: one bit each.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "wire/ids.hpp"
#include "wire/site_map.hpp"

namespace unravel {

class SiteMaps {
 public:
  /// Adds what another worker saw, or the same one later. Returns how many pairs were new.
  std::uint64_t add(const SiteMaps& other) {
    const std::uint64_t before = pairs();
    merge(met, other.met);
    merge(preempted, other.preempted);
    merge(executed, other.executed);
    if (bases.size() < other.bases.size()) bases = other.bases;
    return pairs() - before;
  }

  /// The number of bits for pairs of any kind.
  [[nodiscard]] std::uint64_t pairs() const {
    std::uint64_t count = 0;
    for (const std::uint64_t word : met) {
      count += static_cast<std::uint64_t>(std::popcount(word));
    }
    return count;
  }

  /// Whether one thread acted at `earlier`, and then another thread acted on the same object at
  /// `later`.
  [[nodiscard]] bool has_met(wire::Site earlier, wire::Site later) const {
    return has(met, wire::met_bit(spread(earlier), spread(later)));
  }
  /// Whether a thread was preempted before its operation at `site`.
  [[nodiscard]] bool was_preempted(wire::Site site) const {
    return has(preempted, wire::preempted_bit(spread(site)));
  }

  /// An access at `site` is known, as if a run had made it. Only where there is a map.
  void add_executed(wire::Site site) {
    const std::uint64_t bit = wire::executed_bit(spread(site), 0);
    if (bit / 64 < executed.size()) executed[bit / 64] |= std::uint64_t{1} << bit % 64;
  }

  std::vector<std::uint64_t> met;
  std::vector<std::uint64_t> preempted;
  std::vector<std::uint64_t> executed;
  std::vector<std::uint64_t> bases;  // of modules: a site's address is base plus offset

 private:
  static void merge(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& from) {
    if (into.size() < from.size()) into.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) into[i] |= from[i];
  }
  static bool has(const std::vector<std::uint64_t>& map, std::uint64_t bit) {
    return bit / 64 < map.size() && (map[bit / 64] >> bit % 64 & 1) != 0;
  }
  [[nodiscard]] std::uint64_t spread(wire::Site site) const {
    const std::uint64_t base = site.module() < bases.size() ? bases[site.module()] : 0;
    return wire::spread_site(base + site.offset());
  }
};

}  // namespace unravel
