/// Which memory several threads touch, granule by granule.
///
/// A granule begins a new life when its memory is allocated again. Lives are numbered in the order
/// of their first access, so that a second pass over the same trace finds the same numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "predict/access.hpp"
#include "predict/address_table.hpp"
#include "predict/cell.hpp"

namespace unravel {

using LifeNumber = std::uint32_t;

/// The memory of a run. Addresses are those of granules.
class GranuleMap {
 public:
  static constexpr LifeNumber kNone = 0;

  /// The life of the granule, a new one if it has none.
  LifeNumber& at(std::uint64_t address) {
    const std::uint64_t number = address / kPage;
    if (number != last_number_) {
      last_ = &page(number);
      last_number_ = number;
    }
    return last_->lives[address % kPage / kGranule];
  }

  /// Ends the lives of all granules in the range.
  void clear(std::uint64_t address, std::uint64_t size) {
    for_each(address, size, [](std::uint64_t, LifeNumber& life) { life = kNone; });
  }

  /// Calls visit(address, life) for all granules with bytes in the range that have a life.
  template <class Visit>
  void for_each(std::uint64_t address, std::uint64_t size, Visit visit) {
    if (size == 0) return;
    const std::uint64_t end = address + std::min(size, ~address);
    const auto look = [&](std::uint64_t number, Page& page) {
      std::uint64_t at = std::max(address / kGranule * kGranule, number * kPage);
      const std::uint64_t page_end = std::min(end, (number + 1) * kPage);
      for (; at < page_end; at += kGranule) {
        LifeNumber& life = page.lives[at % kPage / kGranule];
        if (life != kNone) visit(at, life);
      }
    };
    const std::uint64_t first = address / kPage;
    const std::uint64_t last = (end - 1) / kPage;
    if (last - first < pages_.size()) {
      for (std::uint64_t number = first; number <= last; ++number) {
        if (std::unique_ptr<Page>* const found = pages_.find(number)) look(number, **found);
      }
      return;
    }
    pages_.for_each([&](std::uint64_t number, std::unique_ptr<Page>& page) {
      if (number >= first && number <= last) look(number, *page);
    });
  }

  [[gnu::always_inline]] inline void prefetch(std::uint64_t address) const {
    pages_.prefetch(address / kPage);
  }

  [[nodiscard]] std::size_t bytes() const { return pages_.size() * sizeof(Page) + pages_.bytes(); }

 private:
  static constexpr std::uint64_t kPage = 1024;
  struct Page {
    std::array<LifeNumber, kPage / kGranule> lives{};
  };

  Page& page(std::uint64_t number) {
    std::unique_ptr<Page>& found = pages_[number];
    if (!found) found = std::make_unique<Page>();
    return *found;
  }

  AddressTable<std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = AddressTable<std::unique_ptr<Page>>::kNoKey;
  Page* last_ = nullptr;
};

/// What the first pass finds out about a life.
struct GranuleLife {
  std::uint16_t thread = 0;  // the first one
  bool is_shared = false;    // another thread came, too
  bool is_written = false;
  // Bytes that one access touches together are one variable: bit i says that byte i and byte i + 1
  // belong together.
  std::uint8_t joined = 0;
};

/// The first byte of the variable that contains this byte.
constexpr unsigned first_byte_of(std::uint8_t joined, unsigned byte) {
  while (byte > 0 && (joined >> (byte - 1) & 1)) --byte;
  return byte;
}

}  // namespace unravel
