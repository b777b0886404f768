/// Finds events of a trace by their positions, once it is known which ones matter, and the memory
/// that they act on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "data/trace.hpp"

namespace unravel {

/// An allocated object, named so that the name means the same in every run.
struct HeapObject {
  std::uint32_t site = 0;    // where it was allocated
  std::uint64_t index = 0;   // number among the allocations there, from 0
  std::uint64_t offset = 0;  // of the byte in question
  std::uint64_t size = 0;

  friend bool operator==(const HeapObject&, const HeapObject&) = default;
};

struct FoundEvent {
  TraceEvent event;
  std::optional<HeapObject> object;
};

class EventFinder {
 public:
  /// `places` are positions in the trace, counted from 0, ascending.
  explicit EventFinder(std::vector<std::uint64_t> places) : places_(std::move(places)) {}

  /// The next events of the run.
  void take(std::span<const TraceEvent> events);

  /// One for each place, if the trace was long enough.
  const std::vector<FoundEvent>& found() const { return found_; }

 private:
  struct Block {
    std::uint64_t size = 0;
    std::uint32_t site = 0;
    std::uint64_t index = 0;
  };

  void note_memory(const TraceEvent& event);
  std::optional<HeapObject> object_at(std::uint64_t address) const;

  std::vector<std::uint64_t> places_;
  std::vector<FoundEvent> found_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Block> blocks_;          // by address
  std::map<std::uint32_t, std::uint64_t> counts_;  // allocations so far, by site
};

}  // namespace unravel
