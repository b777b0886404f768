/// Accesses of all traced runs of a program: finds conflicts between accesses that never were in
/// one run.
///
/// An access may happen only in one order of things, and its counterpart only in another. No trace
/// has both, but both can still meet: a third order may have them. So accesses of different runs
/// are compared by what is the same in each: the address of a global variable, or for allocated
/// memory the allocating thread and site, how many blocks it allocated there before, and the
/// offset. Creation and join order threads as within one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/trace.hpp"
#include "predict/run_accesses.hpp"

namespace unravel {

class AccessUnion {
 public:
  // Limits memory, some 64 bytes for each access. Accesses beyond are ignored. Chosen by hand.
  static constexpr std::size_t kMost = 500'000;
  // More accesses to one granule are ignored: each is compared with all others. Chosen by hand.
  static constexpr std::size_t kMostOfGranule = 128;
  // More conflicts are not looked for. Chosen by hand.
  static constexpr std::size_t kMostConflicts = 10'000;

  using SiteConflict = std::pair<wire::Site, wire::Site>;

  /// Adds the accesses of a run; `sites` are those of its trace. Returns the conflicts that are
  /// new, each once.
  std::vector<SiteConflict> add(const RunAccesses& run, std::span<const wire::Site> sites);

 private:
  struct Access {
    wire::Site site;
    Locksets::Id lockset = Locksets::kEmpty;
    std::uint32_t thread = 0;
    AccessKind kind = AccessKind::kRead;
    std::uint8_t bytes = 0;    // of the granule
    ThreadBits meets = 0;      // threads that it may meet, in the runs so far
    ThreadBits known = 0;      // threads of these runs
    bool has_changed = false;  // in the run that is being added
  };

  [[nodiscard]] Locksets::Id lockset_of(const std::vector<RunAccesses::Lock>& locks,
                                        const RunAccesses& run, std::span<const wire::Site> sites);
  void merge(std::uint64_t place, const Access& access);
  void compare(std::vector<Access>& accesses, std::vector<SiteConflict>& found);
  bool conflict_with(const Access& one, const Access& other);

  std::unordered_map<std::uint64_t, std::vector<Access>> by_place_;
  std::size_t count_ = 0;
  Locksets locksets_;
  std::unordered_map<std::uint64_t, std::uint32_t> lock_numbers_;  // by place
  std::set<std::pair<std::uint64_t, std::uint64_t>> conflicts_;    // of sites, the smaller first
  std::vector<std::uint64_t> changed_;                             // places, in the run being added
};

}  // namespace unravel
