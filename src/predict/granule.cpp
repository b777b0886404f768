#include "predict/granule.hpp"

#include "base/assert.hpp"

namespace unravel {

template <class Lookup>
void Granule<Lookup>::Table::add(AccessId id, Epoch epoch, std::uint64_t note) {
  UNRAVEL_ASSERT(count + 1 < capacity, "a search in a full table would not end");
  std::size_t i = home(id);
  while (cells()[i].used()) i = next(i);
  cells()[i].set(id, epoch, note);
  ++count;
}

template <class Lookup>
bool Granule<Lookup>::grow(CellPool& pool) {
  static_assert(most_in(kLastCapacity) == kMostCells);
  static_assert(block(kLastCapacity) <= CellPool::kLargest);
  const auto old = static_cast<std::uint32_t>(capacity());
  if (old == kLastCapacity) return false;
  const std::uint32_t wanted = is_table() ? 2 * (old + 2) - 2 : kFirstCapacity;
  Table* const larger = new (pool.take(block(wanted))) Table{};
  larger->capacity = wanted;
  if (const Heads* const known = heads()) larger->heads = *known;
  for_each([&](const Cell& cell) { larger->add(cell.id(), cell.epoch(), cell.note()); });
  clear(pool);
  few_[0].set(kTable, 1, 0);
  few_[1].set_pointer(reinterpret_cast<std::uintptr_t>(larger));
  return true;
}

template <class Lookup>
void Granule<Lookup>::clear(CellPool& pool) {
  if (is_table()) {
    Table* const old = &table();
    pool.give_back(old, block(old->capacity));
  }
  few_[0] = {};
  few_[1] = {};
}

template <class Lookup>
void Granule<Lookup>::lose(std::uint8_t bytes, CellPool& pool) {
  if (bytes == 0xFF) {
    clear(pool);
    return;
  }
  std::vector<Cell> left;
  for_each([&](const Cell& cell) {
    const auto rest = static_cast<std::uint8_t>(cell.id().bytes() & ~bytes);
    if (rest == 0) return;
    left.push_back(cell);
    left.back().set({cell.id().slot(), cell.id().kind(), rest, cell.id().site()}, cell.epoch(),
                    cell.note());
  });
  clear(pool);
  // Cells that differed only in the lost bytes are now the same; keep the newest.
  std::sort(left.begin(), left.end(),
            [](const Cell& a, const Cell& b) { return a.epoch() > b.epoch(); });
  for (const Cell& cell : left) {
    const auto same = [&](const Cell& other) {
      return other.is(cell.id()) && other.note() == cell.note();
    };
    if (find(cell.id(), same)) continue;
    if (full()) grow(pool);
    add(cell.id(), cell.epoch(), cell.note());
  }
}

template class Granule<PerAccess>;
template class Granule<PerThread>;

}  // namespace unravel
