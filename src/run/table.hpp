/// The interleaving table: the operations of a run with the stacks that made them, and the memory
/// accesses at which it was switched.
///
/// The runtime never unwinds, so the driver must look while a thread stands at an operation. A
/// first run tells which operations there are; a second one is held before each. That tells at
/// which variables threads were left, and how many hooks lie between: a third one is held at these,
/// to find who else used those variables.
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

/// As many operations as a person can take in; what decides a failure is near its end.
inline constexpr std::size_t kLongestClip = 400;

/// As many hooks as are looked at for what they access, the last ones of a run: a tenth of a
/// second.
inline constexpr std::size_t kMostProbes = 2000;

/// As many hooks before a failure as are looked at for what it saw.
inline constexpr std::uint64_t kHooksBeforeFailure = 32;

class Table {
 public:
  /// The clip: the last rows of a run of which these are all events, by which objects get their
  /// names, and all slices. A thread that was left before a memory access has two rows: where it
  /// was left, and where it went on and made the access.
  /// Of the accesses that `failure` made in its line, or lay next to, there are rows too: what
  /// it saw.
  Table(std::span<const wire::Event> events, std::span<const wire::Slice> slices,
        const std::optional<Failure>& failure = {});

  /// Where the run is to be held: at the point before each operation of the clip and at each memory
  /// access, in the order in which these points are reached, which is not that of the events: a
  /// thread may stand before a lock for a long time.
  const std::vector<wire::StopAt>& stops() const { return stops_; }

  /// A thread stands where it was to be held.
  void add(const StoppedThreadView& held);

  /// Once everything was added: where to hold again, at hooks too, in the order in which they are
  /// reached. Nowhere unless a thread was left at a memory access.
  std::vector<wire::StopAt> probes() const;

  /// Whether a thread that stands at one of these accesses something that others were left at.
  bool wants(const wire::ThreadRecord& thread) const;
  void add_probed(const StoppedThreadView& held);

  /// The memory of the program that stands still.
  struct Memory {
    std::function<std::vector<std::byte>(std::uint64_t address, std::size_t size)> read;
    std::function<std::string(std::uint64_t address)> global_at;  // empty if there is none
  };
  /// Looks at the values of what threads were left at while `thread` stands at one of the probes.
  void add_values(const wire::ThreadRecord& thread, const Memory& memory);

  /// The rows, and what objects were called in them. Rows without a stack keep an empty one. Of
  /// the accesses that were probed those remain that follow one of another thread, or precede it.
  std::vector<Step> take_steps();
  ObjectNames& names() { return names_; }

 private:
  /// What a thread stands before.
  struct Place {
    std::uint32_t thread = 0;
    wire::Clock clock;  // with kBeforeNext: before an operation

    friend auto operator<=>(const Place&, const Place&) = default;
  };

  struct Row {
    Step step;
    std::size_t slice = 0;  // its number
    bool probed = false;    // may go, unless another thread made the access before or after it
  };

  /// Values of memory when a thread stood somewhere.
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
  std::vector<std::size_t> stop_slices_;  // the slices that they are in
  std::multimap<Place, std::size_t> row_at_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t>
      hooks_after_;  // by thread and operation: up to the next operation
  std::map<std::uint64_t, std::optional<ValueShape>> left_at_;  // what threads were left at
  std::vector<Row> probed_;
  std::vector<Sighting> sightings_;               // in the order of the run
  std::map<std::uint64_t, std::string> targets_;  // what pointers were seen to point to
  ObjectNames names_;
};

}  // namespace unravel
