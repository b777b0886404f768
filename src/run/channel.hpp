/// The driver's end of the channel: makes it, fills in requests, waits for answers, takes what
/// the runtime streamed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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
  std::span<const wire::StopAt> stops;
};

/// What one run streamed.
struct Streamed {
  std::vector<wire::Slice> slices;
  std::vector<wire::Choice> choices;
  std::vector<wire::ClockSwitch> clock_switches;
  std::vector<wire::Event> events;
};

/// One shared mapping. Everything is called by one thread at a time.
///
/// The tested program can write into it, by a wild pointer or on purpose, at any moment. So nobody
/// else touches the mapping: whoever asks gets a copy, which was read once and then checked. A word
/// that the runtime cannot have written is answered by a harmless value, and noted as damage().
class Channel {
 public:
  static Result<Channel> create();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  int descriptor() const { return descriptor_.get(); }

  // --- What the driver writes ----------------------------------------------------------------

  /// As new, for the next process. The last one must be dead.
  void reset(const wire::Settings& settings);

  /// Lays down the schedules of the next batch.
  Result<void> write_schedules(std::span<const ScheduleInput> schedules);

  /// Forgets the last batch's results and asks for this one. The runtime stands in kServing, or
  /// has not started yet: then nobody is woken.
  void prepare(const wire::Batch& batch);
  void ask(wire::Request request);
  /// From where the run stands still now.
  void set_trace(wire::TraceLevel level);
  /// As it was asked for.
  const wire::Batch& batch() const { return batch_; }
  /// Time for another thread.
  void tick() { control().tick.store(1); }
  /// To a run that is stopped in a round.
  void answer_round(bool same) { control().round.same = same; }
  void forget_what_was_written() { control().wrote = 0; }

  /// Waits until the driver's bell is no longer `seen`, or for `most`.
  void wait(std::uint32_t seen, std::chrono::milliseconds most);

  /// Lays down the points of the set `auto`. Too many: all that fit.
  std::uint32_t write_marks(std::span<const wire::Site> sites);
  /// While nothing runs.
  void add_site_maps(const SiteMaps& maps);

  // --- What the runtime writes ---------------------------------------------------------------

  std::uint32_t bell() const { return control().driver_bell.load(); }
  wire::State state() const;
  wire::StopReason stop_reason() const;
  wire::Mode mode() const;
  /// Its number in the program's own process namespace; 0 if there is none.
  std::int32_t run_process() const;
  bool exit_seen() const { return control().exit_seen.load() != 0; }
  /// Processes that the program made since its start.
  std::uint32_t children() const { return control().children.load(); }
  /// Whether the batch ended for what its last run left behind.
  bool wrote() const;
  /// Of the batch; never more than it has.
  std::uint32_t runs_ended() const;
  /// Whether a runtime was there at all.
  bool was_met() const;
  std::uint32_t version() const;
  std::uint32_t control_size() const;
  std::string why_direct() const;
  /// See run/notes.hpp.
  std::string notes() const;
  wire::LastWords last_words() const;

  wire::RunSlot run(std::uint32_t index) const;
  /// The one in progress, or the last one.
  wire::RunSlot current_run() const;
  /// Slots of threads, those in use and maybe more.
  std::vector<wire::ThreadRecord> threads() const;
  wire::ThreadRecord thread(std::uint32_t slot) const;
  std::uint32_t current_slot() const;
  /// Whose turn it is.
  wire::ThreadRecord current_thread() const { return thread(current_slot()); }

  /// How long each wait for a child took before the first thread.
  std::vector<std::uint64_t> start_waits() const;
  wire::Start start() const;
  std::uint64_t spin_entry() const;
  /// What a run that is stopped in a round asks.
  wire::Round round() const;

  std::vector<ModuleId> modules() const;
  SiteMaps site_maps() const;
  /// Path of the module of `site`, empty if it is not known.
  std::string module_path(wire::Site site) const;

  /// Appends what was streamed since the last drain, and makes room.
  void drain(Streamed& into);
  /// Who gets the words of a trace when they are drained; nullptr: nobody.
  void set_sink(TraceSink* sink) { sink_ = sink; }

  // --- What somebody else wrote --------------------------------------------------------------

  /// The first word found since the last reset that the runtime cannot have written, such as "the
  /// number of modules"; empty if there is none.
  const std::string& damage() const { return damage_; }
  /// Looks for changes of what only the driver writes.
  void check_own_words() const;
  /// Somebody found that words do not fit together.
  void note_damage(std::string_view what) const;

 private:
  Channel(UniqueFd descriptor, void* memory);
  void give_back_memory();
  wire::Control& control() { return *wire::at<wire::Control>(memory_, wire::Layout::kControl); }
  const wire::Control& control() const {
    return *wire::at<const wire::Control>(memory_, wire::Layout::kControl);
  }
  void swap(Channel& other) noexcept;
  std::uint32_t module_count() const;
  wire::Module module(std::uint32_t index) const;
  void drain_trace();

  UniqueFd descriptor_;
  void* memory_ = nullptr;
  TraceSink* sink_ = nullptr;
  std::uint64_t input_used_ = 0;
  std::uint64_t streams_used_ = 0;  // bytes, since memory was last given back
  // What the driver wrote last, byte for byte.
  wire::Settings settings_;
  wire::Batch batch_;
  mutable std::string damage_;
};

}  // namespace unravel
