/// Fragments: accesses of one thread that may be a unit of a pattern.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "predict/history.hpp"
#include "predict/pattern.hpp"

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
  std::uint16_t thread = 0;
  std::uint8_t length = 0;
  std::array<EventIndex, Pattern::kMostEvents> events{};

  [[nodiscard]] std::span<const EventIndex> all() const { return {events.data(), length}; }
};

/// The fragments of a history for one template. Of those that differ only in when they happened, a
/// few are kept.
class Fragments {
 public:
  Fragments(const History& history, const UnitTemplate& unit);

  /// Those whose first variable is this one.
  [[nodiscard]] std::span<const Fragment> of(std::uint32_t variable) const;

  [[nodiscard]] const std::vector<Fragment>& all() const { return fragments_; }

 private:
  void find_single();
  void find_in_a_row();
  void find_in_regions(RegionKind kind);
  [[nodiscard]] std::optional<std::uint32_t> region_of(EventIndex event, RegionKind kind) const;
  void find_in(std::span<const EventIndex> accesses, Fragment& fragment,
               std::vector<std::uint32_t>& variables, std::size_t from);
  void add(const Fragment& fragment);
  [[nodiscard]] bool matches(EventIndex event, const UnitTemplate::Access& access) const;
  void sort();

  const History& history_;
  const UnitTemplate& unit_;
  std::vector<Fragment> fragments_;
  std::unordered_map<std::uint64_t, std::uint32_t> alike_;     // how many, by hash
  std::unordered_map<std::uint64_t, std::size_t> last_alike_;  // the place of the last one
  std::unordered_map<std::uint32_t, std::pair<std::size_t, std::size_t>> places_;  // by variable
};

}  // namespace unravel
