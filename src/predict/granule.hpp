/// The cells of one granule: two in place, more in a table from a pool.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "predict/cell.hpp"
#include "predict/cell_pool.hpp"

namespace unravel {

/// The latest access of some kind: all others of that kind happened before it.
struct Head {
  Slot slot = 0;
  Epoch epoch = kNone;  // kNone: there is no such access

  static constexpr Epoch kNone = std::numeric_limits<Epoch>::max();

  [[nodiscard]] bool before(const VectorClock& clock) const { return epoch <= clock.of(slot); }
};

/// Most accesses are ordered one after another; then it is enough to look at the newest.
struct Heads {
  Head all;
  Head written;  // of writes
  Head plain;    // of accesses that are not atomic
};

/// The most cells of one granule. Most variables have far fewer pairs of thread and site; the table
/// then takes 2 KiB.
inline constexpr std::size_t kMostCells = 95;

template <class Lookup>
class Granule {
 public:
  [[nodiscard]] bool empty() const { return !few_[0].used() && !is_table(); }

  /// The first cell for which match(cell) is true, of those with the same key.
  template <class Match>
  [[nodiscard]] Cell* find(AccessId id, Match match) {
    if (!is_table()) {
      for (Cell& cell : few_) {
        if (cell.used() && like(cell, id) && match(cell)) return &cell;
      }
      return nullptr;
    }
    Table& table = this->table();
    for (std::size_t i = table.home(id);; i = table.next(i)) {
      Cell& cell = table.cells()[i];
      if (!cell.used()) return nullptr;
      if (like(cell, id) && match(cell)) return &cell;
    }
  }

  template <class Visit>
  void for_each(Visit visit) const {
    const Cell* cells = few_;
    std::size_t count = 2;
    if (is_table()) {
      cells = table().cells();
      count = table().capacity;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (cells[i].used()) visit(cells[i]);
    }
  }

  /// Null while there are few cells.
  [[nodiscard]] Heads* heads() { return is_table() ? &table().heads : nullptr; }

  /// Whether grow() or keep_if() is needed before add().
  [[nodiscard]] bool full() const {
    return is_table() ? table().count >= most_in(table().capacity) : few_[1].used();
  }
  [[nodiscard]] std::size_t capacity() const { return is_table() ? table().capacity : 2; }

  /// Makes room, unless there are already kMostCells.
  bool grow(CellPool& pool);

  /// Adds a cell that find() did not find. Requires !full().
  void add(AccessId id, Epoch epoch, std::uint64_t note) {
    if (is_table()) {
      table().add(id, epoch, note);
    } else {
      few_[few_[0].used() ? 1 : 0].set(id, epoch, note);
    }
  }

  /// Removes the cells for which keep(cell) is false.
  template <class Keep>
  void keep_if(Keep keep) {
    std::vector<Cell> kept;
    for_each([&](const Cell& cell) {
      if (keep(cell)) kept.push_back(cell);
    });
    if (is_table()) {
      std::fill_n(table().cells(), table().capacity, Cell{});
      table().count = 0;
    } else {
      std::fill_n(few_, 2, Cell{});
    }
    for (const Cell& cell : kept) add(cell.id(), cell.epoch(), cell.note());
  }

  void clear(CellPool& pool);

  /// Forgets the history of these bytes.
  void lose(std::uint8_t bytes, CellPool& pool);

  /// Prefetches what every access needs; if that is in the cache already, also the first cell that
  /// may match.
  [[gnu::always_inline]] inline void prefetch_table() const {
    if (!is_table()) return;
    __builtin_prefetch(&table());
    __builtin_prefetch(reinterpret_cast<const char*>(&table()) + 64);
  }
  [[gnu::always_inline]] inline void prefetch_cell(AccessId id) const {
    if (is_table()) __builtin_prefetch(&table().cells()[table().home(id)]);
  }

 private:
  // A block of the pool: this, then cells. Open addressing; a quarter stays free.
  struct Table {
    Heads heads;
    std::uint32_t capacity;
    std::uint32_t count;

    Cell* cells() { return reinterpret_cast<Cell*>(this + 1); }
    [[nodiscard]] const Cell* cells() const { return reinterpret_cast<const Cell*>(this + 1); }
    [[nodiscard]] std::size_t home(AccessId id) const {
      const std::uint64_t hash = (Lookup::key(id) * 0x9E3779B97F4A7C15u) >> 32;
      return hash * capacity >> 32;
    }
    [[nodiscard]] std::size_t next(std::size_t i) const { return i + 1 == capacity ? 0 : i + 1; }
    void add(AccessId id, Epoch epoch, std::uint64_t note);
  };
  static_assert(sizeof(Table) == 2 * sizeof(Cell));

  // Blocks are powers of two, and the head of a table takes as much room as two cells.
  static constexpr std::uint32_t kFirstCapacity = 6;
  static constexpr std::uint32_t kLastCapacity = 126;
  static constexpr std::size_t block(std::size_t capacity) { return (capacity + 2) * sizeof(Cell); }
  static constexpr std::size_t most_in(std::size_t capacity) { return capacity - capacity / 4; }

  // Marks a table; no access has every bit set. The table's address is in few_[1].
  static constexpr AccessId kTable{Slot{(1u << 20) - 1}, AccessKind::kAtomicWrite, 0xFF,
                                   AccessId::kMostSites - 1};

  static bool like(const Cell& cell, AccessId id) {
    return Lookup::key(cell.id()) == Lookup::key(id);
  }
  [[nodiscard]] bool is_table() const { return few_[0].is(kTable); }
  [[nodiscard]] Table& table() {
    return *reinterpret_cast<Table*>(static_cast<std::uintptr_t>(few_[1].pointer()));
  }
  [[nodiscard]] const Table& table() const {
    return *reinterpret_cast<const Table*>(static_cast<std::uintptr_t>(few_[1].pointer()));
  }

  Cell few_[2];
};
static_assert(sizeof(Granule<PerAccess>) == 32);

extern template class Granule<PerAccess>;
extern template class Granule<PerThread>;

}  // namespace unravel
