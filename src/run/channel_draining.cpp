// The part of the channel that takes what the runtime streamed, and makes room.

#include <algorithm>
#include <cstring>

#include "run/channel.hpp"
#include "run/channel_checks.hpp"
#include "run/channel_copies.hpp"
#include "run/channel_streams.hpp"

namespace unravel {
namespace {

/// Takes the valid entries, and returns what is wrong with the first invalid one, if any.
template <class T, class Check>
std::string_view take_stream(const void* memory, std::uint64_t count, const wire::Stream& stream,
                             std::vector<T>& into, Check fault_of) {
  if (count > stream.capacity) return "the length of a stream";
  const std::size_t before = into.size();
  into.resize(before + count);
  if (count == 0) return {};
  std::memcpy(static_cast<void*>(&into[before]),
              static_cast<const std::byte*>(memory) + stream.offset, count * sizeof(T));
  for (std::size_t i = before; i < into.size(); ++i) {
    const std::string_view fault = fault_of(into[i]);
    if (fault.empty()) continue;
    into.resize(i);
    return fault;
  }
  return {};
}

}  // namespace

void Channel::drain(Streamed& into) {
  wire::Control& shared = control();
  const auto drain_stream = [&](wire::Stream& counted, const wire::Stream& stream, auto& to,
                                auto fault_of) {
    const std::size_t before = to.size();
    const std::uint64_t count = read_once(counted.count);
    const std::string_view fault = take_stream(memory_, count, stream, to, fault_of);
    if (!fault.empty()) reading_.note_damage(fault);
    counted.count = 0;
    return (to.size() - before) * sizeof(to[0]);
  };
  const std::uint32_t modules = reading_.modules().count();
  const std::uint64_t used =
      drain_stream(shared.slices, kSliceStream, into.slices,
                   [&](const wire::Slice& slice) { return fault_in(slice, modules); }) +
      drain_stream(shared.choices, kChoiceStream, into.choices,
                   [](const wire::Choice& choice) { return fault_in(choice); }) +
      drain_stream(shared.clock_switches, kClockSwitchStream, into.clock_switches,
                   [](const wire::ClockSwitch& one) { return fault_in(one); }) +
      drain_stream(shared.events, kEventStream, into.events,
                   [&](const wire::Event& event) { return fault_in(event, modules); });
  streams_used_ = std::max(streams_used_, used);
  drain_trace();
  drain_decisions();
  drain_inputs();
}

/// The words of a stream, which is empty afterwards. Nothing if there are none, if nobody wants
/// them, or if they are damaged.
std::vector<std::uint64_t> Channel::take_words(wire::Stream& counted, const wire::Stream& stream,
                                               bool is_wanted) {
  const std::uint64_t count = read_once(counted.count);
  // The memory is kept: the next portion needs it again.
  counted.count = 0;
  std::vector<std::uint64_t> words;
  if (!is_wanted || count == 0) return words;
  const std::string_view fault =
      take_stream(memory_, count, stream, words, [](std::uint64_t) { return std::string_view(); });
  if (fault.empty()) return words;
  reading_.note_damage(fault);
  return {};
}

void Channel::drain_inputs() {
  const auto words = take_words(control().inputs, kInputStream, input_collector_ != nullptr);
  if (!words.empty()) input_collector_->take(words);
}

void Channel::drain_decisions() {
  const auto words = take_words(control().decisions, kDecisionStream, decision_sink_ != nullptr);
  if (words.empty()) return;
  decision_sink_->take(words, reading_.modules().all());
  if (decision_sink_->damaged()) reading_.note_damage("the decisions");
}

void Channel::drain_trace() {
  const auto words = take_words(control().trace, kTraceStream, sink_ != nullptr);
  if (words.empty()) return;
  if (!sink_->take(words, reading_.modules().all())) set_trace(wire::TraceLevel::kSync);
  if (sink_->damaged()) reading_.note_damage("the trace");
}

}  // namespace unravel
