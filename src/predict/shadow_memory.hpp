/// Shadow memory: a granule for every eight bytes of the program's memory that were accessed.
///
/// Memory is used only for what was accessed: 4 KiB for each 1 KiB page of the program, and a table
/// of 128 bytes to 2 KiB for each granule with more than two cells.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/address_table.hpp"
#include "predict/cell_pool.hpp"
#include "predict/granule.hpp"

namespace unravel {

template <class Lookup>
class ShadowMemory {
 public:
  using Granule = unravel::Granule<Lookup>;

  /// The granule of this address.
  Granule& at(std::uint64_t address) {
    const std::uint64_t number = address / kPage;
    if (number != last_number_) {
      last_ = &page(number);
      last_number_ = number;
    }
    return last_->granules[address % kPage / kGranule];
  }

  /// Calls visit(granule, address) for granules that have cells and bytes in the range.
  template <class Visit>
  void for_each(std::uint64_t address, std::uint64_t size, Visit visit) {
    const std::uint64_t end = end_of(address, size);
    for (const std::uint64_t number : pages_between(address, end)) {
      Page& page = **pages_.find(number);
      const std::uint64_t page_end = std::min(end, (number + 1) * kPage);
      std::uint64_t at = std::max(address / kGranule * kGranule, number * kPage);
      for (; at < page_end; at += kGranule) {
        Granule& granule = page.granules[at % kPage / kGranule];
        if (!granule.empty()) visit(granule, at);
      }
    }
  }

  /// Forgets the history of this range.
  void clear(std::uint64_t address, std::uint64_t size);

  /// Prefetches what an access to this address will need.
  [[gnu::always_inline]] inline void prefetch_page(std::uint64_t address) const {
    pages_.prefetch(address / kPage);
  }
  [[gnu::always_inline]] inline void prefetch_granule(std::uint64_t address) {
    if (Granule* const granule = find(address)) __builtin_prefetch(granule);
  }
  [[gnu::always_inline]] inline void prefetch_table(std::uint64_t address) {
    if (const Granule* const granule = find(address)) granule->prefetch_table();
  }

  [[gnu::always_inline]] inline void prefetch_cell(std::uint64_t address, AccessId id) {
    if (const Granule* const granule = find(address)) granule->prefetch_cell(id);
  }

  CellPool& pool() { return pool_; }

  /// Memory of the tool that this takes.
  [[nodiscard]] std::size_t bytes() const { return pool_.bytes() + pages_.bytes(); }

 private:
  static constexpr std::uint64_t kPage = 1024;
  struct Page {
    std::array<Granule, kPage / kGranule> granules;
  };
  static_assert(sizeof(Page) <= CellPool::kLargest);

  // The last page of the address space is unused, so range ends do not overflow.
  static constexpr std::uint64_t kEnd = ~(kPage - 1);
  static std::uint64_t end_of(std::uint64_t address, std::uint64_t size) {
    return address < kEnd ? address + std::min(size, kEnd - address) : address;
  }

  Page& page(std::uint64_t number);

  /// The numbers of existing pages with bytes in the range, ascending.
  const std::vector<std::uint64_t>& pages_between(std::uint64_t address, std::uint64_t end);
  Granule* find(std::uint64_t address) {
    Page** const found = pages_.find(address / kPage);
    return found ? &(*found)->granules[address % kPage / kGranule] : nullptr;
  }

  CellPool pool_;
  AddressTable<Page*> pages_;  // by number
  std::uint64_t last_number_ = AddressTable<Page*>::kNoKey;
  Page* last_ = nullptr;
  std::vector<std::uint64_t> between_;  // the result of pages_between()
};

extern template class ShadowMemory<PerAccess>;
extern template class ShadowMemory<PerThread>;

/// The bytes of a granule that are in a range, as bits; at least one is.
inline std::uint8_t bytes_between(std::uint64_t granule, std::uint64_t from, std::uint64_t to) {
  const std::uint64_t first = std::max(granule, from) - granule;
  const std::uint64_t end = std::min(granule + kGranule, to) - granule;
  return static_cast<std::uint8_t>((1u << end) - (1u << first));
}

/// Only this many bytes of one access are examined: a memset of a gigabyte would take four of ours.
inline constexpr std::uint64_t kMostBytesOfAccess = std::uint64_t{16} << 20;

/// Splits an access into granules: calls visit(address of the granule, its bytes as bits).
template <class Visit>
void for_each_granule(std::uint64_t address, std::uint64_t size, Visit visit) {
  size = std::min(size, kMostBytesOfAccess);
  std::uint64_t at = address / kGranule * kGranule;
  std::uint64_t first = address - at;
  while (size > 0) {
    const std::uint64_t here = std::min(size, kGranule - first);
    visit(at, static_cast<std::uint8_t>(((1u << here) - 1) << first));
    size -= here;
    at += kGranule;
    first = 0;
  }
}

}  // namespace unravel
