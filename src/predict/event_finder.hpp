/// Events of a trace by their places in it, once it is known which ones matter, and the memory that
/// they act on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "data/trace.hpp"

namespace unravel {

/// An allocated object, under a name that means the same in every run.
struct HeapObject {
  std::uint32_t site = 0;    // where it was allocated
  std::uint64_t index = 0;   // the how many-th there, from 0
  std::uint64_t offset = 0;  // of the byte that was looked for
  std::uint64_t size = 0;

  friend bool operator==(const HeapObject&, const HeapObject&) = default;
};

struct FoundEvent {
  TraceEvent event;
  std::optional<HeapObject> object;
};

class EventFinder {
 public:
  /// `places` are counted from 0, in ascending order.
  explicit EventFinder(std::vector<std::uint64_t> places) : places_(std::move(places)) {}

  /// The next events of the run.
  void take(std::span<const TraceEvent> events);

  /// As many as there are places, if the trace was as long.
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
  std::map<std::uint32_t, std::uint64_t> counts_;  // by site: how many so far
};

}  // namespace unravel
