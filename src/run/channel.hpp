/// The driver's end of the channel: makes it, fills in requests, waits for answers, takes what
/// the runtime streamed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "data/schedule.hpp"
#include "data/site_maps.hpp"
#include "data/trace_decoder.hpp"
#include "wire/control.hpp"

namespace unravel {

/// A schedule as the runtime gets it.
struct ScheduleInput {
  const Schedule* schedule = nullptr;
  wire::Following following = wire::Following::kNothing;
  std::span<const wire::Hold> holds;
};

/// What one run streamed.
struct Streamed {
  std::vector<wire::Slice> slices;
  std::vector<wire::Choice> choices;
  std::vector<wire::ClockSwitch> clock_switches;
  std::vector<wire::Event> events;
};

/// One shared mapping. Everything but ring_driver() is called by one thread at a time, and what
/// the runtime writes is only read while it stands still, or field by field where that is atomic.
class Channel {
 public:
  static Result<Channel> create();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  int descriptor() const { return descriptor_.get(); }
  wire::Control& control() { return *wire::at<wire::Control>(memory_, wire::Layout::kControl); }
  const wire::Control& control() const {
    return *wire::at<const wire::Control>(memory_, wire::Layout::kControl);
  }

  /// As new, for the next process. The last one must be dead.
  void reset(const wire::Settings& settings);

  /// Lays down the schedules of the next batch.
  Result<void> write_schedules(std::span<const ScheduleInput> schedules);

  /// Forgets the last batch's results and asks for this one. The runtime stands in kServing, or
  /// has not started yet: then nobody is woken.
  void prepare(const wire::Batch& batch);
  void ask(wire::Request request);

  /// Waits until the driver's bell is no longer `seen`, or for `most`.
  void wait(std::uint32_t seen, std::chrono::milliseconds most);
  void ring_driver();

  /// Appends what was streamed since the last drain, and makes room.
  void drain(Streamed& into);
  /// Who gets the words of a trace when they are drained; nullptr: nobody.
  void set_sink(TraceSink* sink) { sink_ = sink; }
  /// Lays down the points of the set `auto`. Too many: all that fit.
  std::uint32_t write_marks(std::span<const wire::Site> sites);

  wire::RunSlot& run(std::uint32_t index);
  const wire::RunSlot& run(std::uint32_t index) const;
  const wire::ThreadRecord& thread(std::uint32_t slot) const;
  std::span<const wire::ThreadRecord> threads() const;
  std::vector<ModuleId> modules() const;
  /// How long each wait for a child took before the first thread.
  std::vector<std::uint64_t> start_waits() const;
  SiteMaps site_maps() const;
  /// While nothing runs.
  void add_site_maps(const SiteMaps& maps);
  /// Path of the module of `site`, empty if it is not known.
  std::string module_path(wire::Site site) const;

 private:
  Channel(UniqueFd descriptor, void* memory);
  void give_back_memory();

  UniqueFd descriptor_;
  void* memory_ = nullptr;
  TraceSink* sink_ = nullptr;
  std::uint64_t input_used_ = 0;
  std::uint64_t streams_used_ = 0;  // bytes, since memory was last given back
};

}  // namespace unravel
