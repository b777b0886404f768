#include "predict/shadow_memory.hpp"

#include <new>

namespace unravel {

template <class Lookup>
typename ShadowMemory<Lookup>::Page& ShadowMemory<Lookup>::page(std::uint64_t number) {
  Page*& page = pages_[number];
  if (!page) page = new (pool_.take(sizeof(Page))) Page{};
  return *page;
}

template <class Lookup>
const std::vector<std::uint64_t>& ShadowMemory<Lookup>::pages_between(std::uint64_t address,
                                                                      std::uint64_t end) {
  between_.clear();
  if (address >= end) return between_;
  const std::uint64_t first = address / kPage;
  const std::uint64_t last = (end - 1) / kPage;
  if (last - first < pages_.size()) {
    for (std::uint64_t number = first; number <= last; ++number) {
      if (pages_.find(number)) between_.push_back(number);
    }
  } else {  // a huge mapping, mostly untouched
    pages_.for_each([&](std::uint64_t number, Page*) {
      if (number >= first && number <= last) between_.push_back(number);
    });
    std::sort(between_.begin(), between_.end());
  }
  return between_;
}

template <class Lookup>
void ShadowMemory<Lookup>::clear(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = end_of(address, size);
  for_each(address, size, [&](Granule& granule, std::uint64_t at) {
    // The first and the last granule may also have bytes of another block.
    granule.lose(bytes_between(at, address, end), pool_);
  });
  for (const std::uint64_t number : pages_between(address, end)) {
    if (number * kPage < address || (number + 1) * kPage > end) continue;
    pool_.give_back(*pages_.find(number), sizeof(Page));
    pages_.erase(number);
    last_number_ = AddressTable<Page*>::kNoKey;
  }
}

template class ShadowMemory<PerAccess>;
template class ShadowMemory<PerThread>;

}  // namespace unravel
