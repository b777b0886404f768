/// The driver's end of the channel: creates it, writes requests, waits for answers, and takes what
/// the runtime streamed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "data/input_log.hpp"
#include "data/schedule.hpp"
#include "data/trace_decoder.hpp"
#include "run/channel_reading.hpp"
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

  /// Writes the inputs of a recorded run for the next process. Call it after reset().
  Result<void> write_inputs(std::span<const std::uint64_t> words);

  /// Writes the schedules of the next batch.
  Result<void> write_schedules(std::span<const ScheduleInput> schedules);

  /// Drops the last batch's results and requests this one. The runtime is in kServing, or has not
  /// started yet; then no one is woken.
  void prepare(const wire::Batch& batch);
  void ask(wire::Request request);
  /// Takes effect where the run is stopped now.
  void set_trace(wire::TraceLevel level);
  /// As requested.
  const wire::Batch& batch() const { return reading_.batch_; }
  /// Asks for a switch to another thread.
  void tick() { control().tick.store(1); }
  /// The answer to a run that is stopped in a round.
  void answer_round(bool same) { control().round.same = same; }
  void set_client(wire::Client state) { control().client.store(state); }
  /// Where a run that a debugger watches stops next. It stands still, or has not begun.
  void stop_for_debugger(const wire::DebuggerStop& place);
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

  const ChannelReading& reading() const { return reading_; }

  /// Appends what was streamed since the last drain, and makes room.
  void drain(Streamed& into);
  /// The same for inputs alone. Those of the program's start belong to all its runs.
  void drain_inputs();
  /// Receives the words of a trace when they are drained; nullptr: none.
  void set_sink(TraceSink* sink) { sink_ = sink; }
  /// The same for the words of decisions.
  void set_decision_sink(TraceSink* sink) { decision_sink_ = sink; }
  /// The same for the words of inputs.
  void set_input_collector(InputCollector* collector) { input_collector_ = collector; }

 private:
  Channel(UniqueFd descriptor, void* memory);
  void give_back_memory();
  wire::Control& control() { return *wire::at<wire::Control>(memory_, wire::Layout::kControl); }
  void swap(Channel& other) noexcept;
  std::vector<std::uint64_t> take_words(wire::Stream& counted, const wire::Stream& stream,
                                        bool is_wanted);
  void drain_trace();
  void drain_decisions();

  UniqueFd descriptor_;
  void* memory_ = nullptr;
  TraceSink* sink_ = nullptr;
  TraceSink* decision_sink_ = nullptr;
  InputCollector* input_collector_ = nullptr;
  std::uint64_t input_used_ = 0;
  std::uint64_t streams_used_ = 0;  // bytes, since memory was last given back
  ChannelReading reading_;
};

}  // namespace unravel
