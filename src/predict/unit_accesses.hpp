/// The accesses of a history that units of patterns are made of.
///
/// Of accesses that differ only in when they happened, a few are kept, so that a long run does not
/// make the search for patterns long. Units that no other thread can interrupt are left out if that
/// is wanted: the unit holds a lock throughout that is held at every access to its variables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/history.hpp"
#include "predict/thinner.hpp"

namespace unravel {

class UnitAccesses {
 public:
  /// An access, and what is asked of it most.
  struct Single {
    EventIndex event = kNoEvent;
    std::uint32_t site = 0;
    std::uint16_t thread = 0;
    Role role = Role::kRead;
  };
  /// Two accesses in a row of one thread to one variable.
  struct Pair {
    Single first;
    Single then;
  };

  UnitAccesses(const History& history, bool leaves_out_safe);

  [[nodiscard]] const History& history() const { return history_; }

  /// Accesses to a variable, and pairs of them, both in the order of the run.
  [[nodiscard]] std::span<const Single> single(std::uint32_t variable) const {
    return std::span(singles_).subspan(single_starts_[variable],
                                       single_starts_[variable + 1] - single_starts_[variable]);
  }
  [[nodiscard]] std::span<const Pair> in_a_row(std::uint32_t variable) const {
    return std::span(pairs_).subspan(pair_starts_[variable],
                                     pair_starts_[variable + 1] - pair_starts_[variable]);
  }
  /// The accesses of each region, in the order of the run.
  [[nodiscard]] const std::vector<std::vector<EventIndex>>& regions() const { return regions_; }

  /// Whether one lock is held for writing at all accesses to the variable: none of them can race.
  [[nodiscard]] bool cannot_race(std::uint32_t variable);

 private:
  void find_common_locks();
  void find_of_variables();
  void find_of_variable(std::uint32_t variable);
  void add_pair(EventIndex first, EventIndex then);
  [[nodiscard]] Single described(EventIndex event) const;
  void find_regions();
  template <class Take>
  void for_each_region(Take take);
  template <class Take>
  void for_each_region(RegionKind kind, Take& take);
  [[nodiscard]] bool is_in_marked_region(const Region& section) const;
  [[nodiscard]] bool is_safe(std::span<const EventIndex> accesses);
  [[nodiscard]] bool is_safe(Locksets::Id held, std::uint32_t variable);
  [[nodiscard]] bool is_undisturbed(EventIndex first, EventIndex last) const;
  void keep_region(RegionKind kind, std::span<const EventIndex> accesses);

  const History& history_;
  const bool leaves_out_safe_;
  Locksets locksets_;
  std::vector<Locksets::Id> common_locks_;  // by variable: held at all accesses
  std::vector<Single> singles_;
  std::vector<std::uint32_t> single_starts_;  // by variable, and the end
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> pair_starts_;
  std::vector<std::vector<EventIndex>> regions_;
  // Of what is being looked at:
  Thinner alike_;
  Thinner alike_pairs_;
  Thinner alike_in_region_;
  Thinner alike_regions_;
  std::vector<EventIndex> last_;  // by thread: its last access to the variable
};

}  // namespace unravel
