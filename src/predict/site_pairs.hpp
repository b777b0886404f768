/// Pairs of sites in the order of their first meeting, each once.
#pragma once

#include <algorithm>
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
  // Objects at which the two sites of a pair met. Chosen by hand.
  static constexpr std::size_t kMostObjects = 4;

  /// `object` is the address on which both acted; 0: it was not one address.
  void add(std::uint32_t earlier, std::uint32_t later, std::uint64_t object) {
    if (std::uint32_t* const known = index_.find(key(earlier, later))) {
      if (list_[*known].earlier != earlier) list_[*known].both = true;
      add_object(objects_[*known], object);
      return;
    }
    if (list_.size() == kMost) return;
    index_[key(earlier, later)] = static_cast<std::uint32_t>(list_.size());
    list_.push_back({earlier, later, false});
    add_object(objects_.emplace_back(), object);
  }

  [[nodiscard]] const std::vector<MetPair>& list() const { return list_; }
  /// The objects of each pair of the list.
  [[nodiscard]] const std::vector<std::vector<std::uint64_t>>& objects() const { return objects_; }

 private:
  static void add_object(std::vector<std::uint64_t>& objects, std::uint64_t object) {
    if (object == 0 || objects.size() == kMostObjects) return;
    if (std::find(objects.begin(), objects.end(), object) == objects.end()) {
      objects.push_back(object);
    }
  }
  static std::uint64_t key(std::uint32_t one, std::uint32_t other) {
    return one < other ? std::uint64_t{one} << 32 | other : std::uint64_t{other} << 32 | one;
  }

  AddressTable<std::uint32_t> index_;
  std::vector<MetPair> list_;
  std::vector<std::vector<std::uint64_t>> objects_;  // of each
};

}  // namespace unravel
