/// Sets of held locks, numbered: threads hold the same few sets again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "predict/address_table.hpp"
#include "predict/held_locks.hpp"

namespace unravel {

class Locksets {
 public:
  using Id = std::uint32_t;
  static constexpr Id kEmpty = 0;

  Id with(Id set, std::uint32_t lock, LockMode mode);
  Id without(Id set, std::uint32_t lock);
  /// The intersection; each lock in the weaker of both modes.
  Id both(Id one, Id other);

  /// Whether the holders exclude each other: they share a lock that at least one holds for writing.
  bool exclude(Id one, Id other);

  struct Held {
    std::uint32_t lock;
    LockMode mode;

    friend auto operator<=>(const Held&, const Held&) = default;
  };
  using Set = std::vector<Held>;  // sorted by lock, without duplicates

  [[nodiscard]] const Set& at(Id set) const { return sets_[set]; }
  [[nodiscard]] std::size_t size_of(Id set) const { return sets_[set].size(); }

 private:
  Id id_of(Set set);
  Id work_out_both(const Set& one, const Set& other);
  [[nodiscard]] bool work_out_exclude(const Set& one, const Set& other) const;

  static std::uint64_t key(Id one, std::uint32_t other) { return std::uint64_t{one} << 32 | other; }

  std::vector<Set> sets_{{}};
  std::map<Set, Id> ids_{{{}, kEmpty}};
  // A cache of results; 0 is none.
  AddressTable<Id> with_[2];  // by mode; the id + 1
  AddressTable<Id> without_;
  AddressTable<Id> both_;
  AddressTable<std::uint8_t> exclude_;
};

}  // namespace unravel
