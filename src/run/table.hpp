/// The interleaving table: the operations of a run with their stacks, and the memory accesses at
/// which threads were preempted.
///
/// The runtime never unwinds, so the driver must read stacks while a thread is stopped at an
/// operation. A first run shows which operations there are. A second run stops before each of them.
/// That shows at which variables threads were preempted, and how many hooks lie in between. A third
/// run stops at these hooks, to find what other threads did to those variables.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "data/run.hpp"
#include "run/failure_stacks.hpp"
#include "run/object_names.hpp"
#include "wire/control.hpp"

namespace unravel {

/// As many operations as a person can read; the cause of a failure is near its end. Chosen by hand.
inline constexpr std::size_t kLongestClip = 400;

/// How many hooks to examine, the last ones of a run: this takes a tenth of a second. Chosen by
/// hand.
inline constexpr std::size_t kMostProbes = 2000;

/// How many hooks before a failure to examine for the values that it saw. Chosen by hand.
inline constexpr std::uint64_t kHooksBeforeFailure = 32;

class Table {
 public:
  /// Makes the clip: the last rows of a run. `events` are all its events, which determine the names
  /// of objects, and `slices` all its slices. A thread that was preempted before a memory access
  /// has two rows: where it was preempted, and where it continued and made the access. There are
  /// also rows for accesses in the line of `failure`, or next to it: what it saw.
  Table(std::span<const wire::Event> events, std::span<const wire::Slice> slices,
        const std::optional<Failure>& failure = {});

  /// Where to stop the run: at the point before each operation of the clip and at each memory
  /// access, in the order in which these points are reached. That is not the order of the events: a
  /// thread may be at a lock for a long time.
  const std::vector<wire::StopAt>& stops() const { return stops_; }

  /// A thread is at one of the stops.
  void add(const StoppedThreadView& held);

  /// After everything was added: where to stop again, including hooks, in the order in which they
  /// are reached. Empty unless a thread was preempted at a memory access.
  std::vector<wire::StopAt> probes() const;

  /// Whether a thread at one of these probes accesses something at which others were preempted.
  bool wants(const wire::ThreadRecord& thread) const;
  void add_probed(const StoppedThreadView& held);

  /// The memory of the stopped program.
  struct Memory {
    std::function<std::vector<std::byte>(std::uint64_t address, std::size_t size)> read;
    std::function<std::string(std::uint64_t address)> global_at;  // empty if there is none
  };
  /// Reads the values of variables at which threads were preempted, while `thread` is at a probe.
  void add_values(const wire::ThreadRecord& thread, const Memory& memory);

  /// The rows, with the names of their objects. Rows without a stack keep an empty one. Of the
  /// probed accesses, those remain that directly follow or precede one of another thread.
  std::vector<Step> take_steps();
  ObjectNames& names() { return names_; }

 private:
  /// What a thread is about to do.
  struct Place {
    std::uint32_t thread = 0;
    wire::Clock clock;  // with kBeforeNext: before an operation

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  struct Row {
    Step step;
    std::size_t slice = 0;  // its number
    bool probed = false;    // dropped, unless another thread made the access before or after it
  };

  /// Values of memory while a thread was at a stop.
  struct Sighting {
    std::size_t slice = 0;
    wire::Clock clock;
    bool at_access = false;
    std::map<std::uint64_t, std::string> values;  // by address
  };

  std::size_t slice_of(const wire::ThreadRecord& thread) const;
  void name_objects(std::vector<Row>& rows);
  std::string text_of(const ValueShape& shape, const std::vector<std::byte>& bytes,
                      const Memory& memory);
  std::string value_of(const Row& row) const;
  bool begins_with_access(std::size_t slice) const;
  void put(std::size_t slice, const wire::Event& event, std::string object);
  void put_probed(const StoppedThreadView& held);
  void put_access(std::size_t slice, const wire::Slice& left_at, wire::EventResult result);
  void stop_before(std::size_t slice, const wire::Slice* before);
  void stop_before_failure();
  bool is_what_failed(const StoppedThreadView& held) const;
  static void keep_what_met(std::vector<Row>& rows);

  std::vector<wire::Slice> slices_;
  std::optional<Failure> failure_;
  std::deque<Row> rows_;
  std::vector<wire::StopAt> stops_;
  std::vector<std::size_t> stop_slices_;  // the slices of the stops
  std::multimap<Place, std::size_t> row_at_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>
      hooks_after_;  // by thread and operation: up to the next operation
  std::map<std::uint64_t, std::optional<ValueShape>> left_at_;  // where threads were preempted
  std::vector<Row> probed_;
  std::vector<Sighting> sightings_;               // in the order of the run
  std::map<std::uint64_t, std::string> targets_;  // names of what pointers point to
  ObjectNames names_;
};

}  // namespace unravel
