/// Pairs of sites in the order of their first meeting, each once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/address_table.hpp"

namespace unravel {

/// Two sites whose order another run may reverse. In this run `earlier` came first.
struct MetPair {
  std::uint32_t earlier = 0;
  std::uint32_t later = 0;
  bool both = false;  // the other order was also seen

  friend bool operator==(const MetPair&, const MetPair&) = default;
};

class SitePairs {
 public:
  // More pairs could not all be tried anyway. Chosen by hand.
  static constexpr std::size_t kMost = 10'000;

  void add(std::uint32_t earlier, std::uint32_t later) {
    if (std::uint32_t* const known = index_.find(key(earlier, later))) {
      if (list_[*known].earlier != earlier) list_[*known].both = true;
      return;
    }
    if (list_.size() == kMost) return;
    index_[key(earlier, later)] = static_cast<std::uint32_t>(list_.size());
    list_.push_back({earlier, later, false});
  }

  [[nodiscard]] const std::vector<MetPair>& list() const { return list_; }

 private:
  static std::uint64_t key(std::uint32_t one, std::uint32_t other) {
    return one < other ? std::uint64_t{one} << 32 | other : std::uint64_t{other} << 32 | one;
  }

  AddressTable<std::uint32_t> index_;
  std::vector<MetPair> list_;
};

}  // namespace unravel
