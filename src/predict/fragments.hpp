/// Fragments: accesses of one thread that may be a unit of a pattern.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "predict/pattern.hpp"
#include "predict/unit_accesses.hpp"

namespace unravel {

/// What a unit does, with variables numbered in the order in which they come.
struct UnitTemplate {
  struct Access {
    bool is_write = false;
    std::uint8_t variable = 0;

    friend auto operator<=>(const Access&, const Access&) = default;
  };
  std::vector<Access> accesses;
  // Its events are in one region of the program; otherwise two accesses in a row will do, too.
  bool needs_region = false;

  [[nodiscard]] bool is_of_one_variable() const {
    for (const Access& access : accesses) {
      if (access.variable != 0) return false;
    }
    return true;
  }

  friend auto operator<=>(const UnitTemplate&, const UnitTemplate&) = default;
};

struct Fragment {
  std::uint32_t events = 0;  // the place of its first event in Fragments
  std::uint16_t thread = 0;
};

/// The fragments of a history for one template, by the variables and then by the sites that they
/// access.
class Fragments {
 public:
  /// Fragments with the same variables and sites, in the order of the run.
  struct Group {
    std::uint64_t variables = 0;  // a hash
    std::uint64_t sites = 0;      // the same
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  Fragments(const UnitAccesses& accesses, const UnitTemplate& unit);

  /// Those whose first variable is this one.
  [[nodiscard]] std::span<const Group> groups_of(std::uint32_t variable) const {
    return std::span(groups_).subspan(group_starts_[variable],
                                      group_starts_[variable + 1] - group_starts_[variable]);
  }
  [[nodiscard]] std::span<const Fragment> of(std::uint32_t variable) const;
  [[nodiscard]] std::span<const Fragment> of(const Group& group) const {
    return std::span(fragments_).subspan(group.first, group.count);
  }
  [[nodiscard]] std::span<const Fragment> all() const { return fragments_; }

  [[nodiscard]] std::span<const EventIndex> events(const Fragment& fragment) const {
    return std::span(events_).subspan(fragment.events, unit_.accesses.size());
  }

 private:
  /// Before it is known which fragments come before it.
  struct Found {
    std::uint64_t variables = 0;
    std::uint64_t sites = 0;
    std::uint32_t events = 0;
    std::uint32_t variable = 0;  // the first one
    EventIndex first = kNoEvent;
    std::uint16_t thread = 0;
  };
  void find_in_region(std::span<const EventIndex> accesses, std::size_t from);
  void find_of(std::uint32_t variable, std::span<const Found>& of_regions);
  void group();

  const UnitAccesses& accesses_;
  const History& history_;
  const UnitTemplate& unit_;
  std::vector<EventIndex> events_;
  std::vector<Fragment> fragments_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_starts_;  // by variable, and the end
  // While they are looked for:
  std::vector<Found> of_regions_;
  std::vector<Found> of_variable_;
  std::vector<EventIndex> chosen_;
  std::vector<std::uint32_t> variables_;
  Thinner alike_;
};

/// A hash of variables in the order in which a template names them.
std::uint64_t hash_of_variables(std::span<const std::uint32_t> variables);

}  // namespace unravel
