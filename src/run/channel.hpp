/// The driver's end of the channel: creates it, writes requests, waits for answers, and reads what
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
#include "run/wrapper_table.hpp"
#include "wire/control.hpp"

namespace unravel {

/// A schedule in the runtime's form.
struct ScheduleInput {
  const Schedule* schedule = nullptr;
  wire::Following following = wire::Following::kNothing;
  std::span<const wire::StopAt> stops;
};

/// The streamed data of one run.
struct Streamed {
  std::vector<wire::Slice> slices;
  std::vector<wire::Choice> choices;
  std::vector<wire::ClockSwitch> clock_switches;
  std::vector<wire::Event> events;
};

/// One shared mapping. Used by one thread at a time.
///
/// The tested program can overwrite it at any moment, by a wild pointer or on purpose. So only this
/// class touches the mapping: callers get copies that were read once and then checked. A word that
/// the runtime cannot have written is replaced by a harmless value and reported by damage().
class Channel {
 public:
  static Result<Channel> create();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  int descriptor() const { return descriptor_.get(); }

  // --- What the driver writes ----------------------------------------------------------------

  /// Resets everything for the next process. The last one must be dead.
  void reset(const wire::Settings& settings);

  /// Writes the schedules of the next batch.
  Result<void> write_schedules(std::span<const ScheduleInput> schedules);

  /// Drops the last batch's results and requests this one. The runtime is in kServing, or has not
  /// started yet; then no one is woken.
  void prepare(const wire::Batch& batch);
  void ask(wire::Request request);
  /// Takes effect where the run is stopped now.
  void set_trace(wire::TraceLevel level);
  /// As requested.
  const wire::Batch& batch() const { return batch_; }
  /// Asks for a switch to another thread.
  void tick() { control().tick.store(1); }
  /// The answer to a run that is stopped in a round.
  void answer_round(bool same) { control().round.same = same; }
  void forget_what_was_written() { control().wrote = 0; }

  /// Waits until the driver's bell differs from `seen`, but at most for `most`.
  void wait(std::uint32_t seen, std::chrono::milliseconds most);

  /// Writes the points of the set `auto`. If there are too many, as many as fit.
  std::uint32_t write_marks(std::span<const wire::Site> sites);
  /// Writes which code only wraps calls of the program, for the runtime of this process.
  std::uint32_t write_wrappers(std::span<const wire::WrapperRow> rows);
  /// Only while nothing runs.
  void add_site_maps(const SiteMaps& maps);

  // --- What the runtime writes ---------------------------------------------------------------

  std::uint32_t bell() const { return control().driver_bell.load(); }
  wire::State state() const;
  wire::StopReason stop_reason() const;
  wire::Mode mode() const;
  /// The run's process id in the program's own process namespace; 0 if there is no run.
  std::int32_t run_process() const;
  bool exit_seen() const { return control().exit_seen.load() != 0; }
  /// Processes that the program created since its start.
  std::uint32_t children() const { return control().children.load(); }
  /// Whether the batch ended because its last run left something behind.
  bool wrote() const;
  /// Of the batch; never more than it has runs.
  std::uint32_t runs_ended() const;
  /// Whether a runtime was ever connected.
  bool was_met() const;
  std::uint32_t version() const;
  std::uint32_t control_size() const;
  std::string why_direct() const;
  /// See run/notes.hpp.
  std::string notes() const;
  wire::LastWords last_words() const;

  wire::RunSlot run(std::uint32_t index) const;
  /// The current run, or the last one.
  wire::RunSlot current_run() const;
  /// All slots in use, and perhaps more.
  std::vector<wire::ThreadRecord> threads() const;
  wire::ThreadRecord thread(std::uint32_t slot) const;
  std::uint32_t current_slot() const;
  /// The thread that has the turn.
  wire::ThreadRecord current_thread() const { return thread(current_slot()); }

  /// The duration of each wait for a child before the first thread.
  std::vector<std::uint64_t> start_waits() const;
  wire::Start start() const;
  std::uint64_t spin_entry() const;
  /// The question of a run that is stopped in a round.
  wire::Round round() const;

  std::vector<ModuleId> modules() const;
  /// The same files with their places; without the entry for "not known".
  std::vector<LoadedModule> loaded_modules() const;
  SiteMaps site_maps() const;
  /// The path of the module of `site`; empty if not known.
  std::string module_path(wire::Site site) const;

  /// Appends what was streamed since the last drain, and makes room.
  void drain(Streamed& into);
  /// Receives the words of a trace when they are drained; nullptr: none.
  void set_sink(TraceSink* sink) { sink_ = sink; }
  /// The same for the words of decisions.
  void set_decision_sink(TraceSink* sink) { decision_sink_ = sink; }

  // --- What somebody else wrote --------------------------------------------------------------

  /// The first word since the last reset that the runtime cannot have written, such as "the number
  /// of modules"; empty if there is none.
  const std::string& damage() const { return damage_; }
  /// Checks that words which only the driver writes have not changed.
  void check_own_words() const;
  /// A caller found that words contradict each other.
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
  void drain_decisions();
  std::vector<wire::Module> all_modules() const;

  UniqueFd descriptor_;
  void* memory_ = nullptr;
  TraceSink* sink_ = nullptr;
  TraceSink* decision_sink_ = nullptr;
  std::uint64_t input_used_ = 0;
  std::uint64_t streams_used_ = 0;  // bytes, since memory was last given back
  // What the driver wrote last, byte for byte.
  wire::Settings settings_;
  wire::Batch batch_;
  mutable std::string damage_;
};

}  // namespace unravel
