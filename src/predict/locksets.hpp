/// Sets of held locks, by number: threads hold the same few sets again and again.
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
  /// What is in both, held as weakly as in either.
  Id both(Id one, Id other);

  /// Whether holders of these keep each other out: they share a lock, and not both only read.
  bool exclude(Id one, Id other);

 private:
  struct Held {
    std::uint32_t lock;
    LockMode mode;

    friend auto operator<=>(const Held&, const Held&) = default;
  };
  using Set = std::vector<Held>;  // by lock, each once

  Id id_of(Set set);
  bool work_out_exclude(const Set& one, const Set& other) const;

  static std::uint64_t key(Id one, std::uint32_t other) { return std::uint64_t{one} << 32 | other; }

  std::vector<Set> sets_{{}};
  std::map<Set, Id> ids_{{{}, kEmpty}};
  // Answers that were worked out before; 0 is none.
  AddressTable<Id> with_[2];  // by mode; the id + 1
  AddressTable<Id> without_;
  AddressTable<std::uint8_t> exclude_;
};

}  // namespace unravel
