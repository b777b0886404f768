#include "runtime/process/inputs.hpp"

#include <cstring>

#include "runtime/core/scheduler.hpp"
#include "runtime/process/run_host.hpp"

namespace unravel {

using wire::InputHead;
using wire::Layout;

bool RecordedInput::read(void* to, std::size_t size) {
  if (size > left_) return false;
  if (size) std::memcpy(to, at_, size);
  at_ += size;
  left_ -= size;
  return true;
}

void SentHash::add(const void* bytes, std::size_t size) {
  // Byte by byte, so that the hash does not depend on the pieces in which the bytes are given.
  constexpr std::uint64_t kPrime = 0x0000'0100'0000'01b3;
  const auto* at = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ at[i]) * kPrime;
}

Inputs::Inputs(wire::Control& control, const wire::Settings& settings, Scheduler& scheduler,
               RunHost& host)
    : scheduler_(scheduler),
      host_(host),
      mode_(settings.inputs),
      stream_(control.inputs),
      buffer_(wire::at<std::byte>(&control, Layout::kInputs)),
      taken_(control.inputs_taken),
      first_(wire::at<const std::uint64_t>(&control, Layout::kRecordedInputs)),
      next_(first_ + (taken_ < settings.input_words ? taken_ : settings.input_words)),
      end_(first_ + settings.input_words) {}

// --- Recording -----------------------------------------------------------------------------------

void Inputs::begin(const Thread& self, const InputCall& call, long result, std::uint64_t size,
                   std::uint64_t asked) {
  const InputHead head{.size = size,
                       .result = result,
                       .asked = asked,
                       .clock = self.clock,
                       .thread = self.ordinal,
                       .descriptor = call.descriptor,
                       .kind = call.kind,
                       .operation = call.operation,
                       .call = call.call};
  add(&head, sizeof(head));
}

void Inputs::add(const void* bytes, std::size_t size) {
  const auto* from = static_cast<const std::byte*>(bytes);
  while (size) {
    if (stream_.count >= stream_.capacity) host_.let_driver_drain();
    const std::size_t room = (stream_.capacity - stream_.count) * 8 - partial_;
    const std::size_t used = size < room ? size : room;
    std::memcpy(buffer_ + stream_.count * 8 + partial_, from, used);
    from += used;
    size -= used;
    partial_ += used;
    stream_.count += partial_ / 8;
    partial_ %= 8;
  }
}

void Inputs::end() {
  constexpr std::byte kZeros[8] = {};
  if (partial_) add(kZeros, 8 - partial_);
}

void Inputs::record_own_file(std::uint64_t device, std::uint64_t node) {
  if (is_own_file(device, node) || own_file_count_ == kMostOwnFiles) return;
  own_files_[own_file_count_++] = {device, node};
}

bool Inputs::is_own_file(std::uint64_t device, std::uint64_t node) const {
  for (std::uint32_t i = 0; i < own_file_count_; ++i) {
    if (own_files_[i].device == device && own_files_[i].node == node) return true;
  }
  return false;
}

void Inputs::give_up(const Thread& self, const char* why) {
  if (!records()) return;
  const std::size_t size = std::strlen(why);
  begin(self, InputCall{}, 0, size);
  add(why, size);
  end();
  mode_ = wire::InputMode::kOff;
}

// --- Replaying -----------------------------------------------------------------------------------

RecordedAnswer Inputs::answer_of(const Thread& thread) {
  Known& known = known_[thread.ordinal % kMostKnown];
  if (known.is_set && known.thread == thread.ordinal && known.clock == thread.clock) {
    return known.answer;
  }
  known = {.thread = thread.ordinal,
           .clock = thread.clock,
           .answer = {.is_over = true},
           .is_set = true};
  for (const std::uint64_t* at = next_; end_ - at >= static_cast<long>(sizeof(InputHead) / 8);) {
    const auto& head = *reinterpret_cast<const InputHead*>(at);
    if (head.thread == thread.ordinal && head.kind != wire::InputKind::kSignal) {
      known.answer.is_over = false;
      const bool is_next = head.clock == thread.clock;
      if (is_next) known.answer = {.is_known = true, .result = head.result};
      if (head.clock > thread.clock || is_next) break;
    }
    at += wire::words_of_input(head.size);
  }
  return known.answer;
}

int Inputs::signal_now(const Thread& self) const {
  if (end_ - next_ < static_cast<long>(sizeof(InputHead) / 8)) return 0;
  const auto& head = *reinterpret_cast<const InputHead*>(next_);
  const bool is_here = head.kind == wire::InputKind::kSignal && head.thread == self.ordinal &&
                       head.clock == self.clock;
  return is_here ? static_cast<int>(head.result) : 0;
}

RecordedInput Inputs::take(Thread& self, const InputCall& call) {
  const auto words = static_cast<std::uint64_t>(end_ - next_);
  if (words < sizeof(InputHead) / 8) {
    diverge(self, "the program asks for more input than the recorded run got");
  }
  const auto& head = *reinterpret_cast<const InputHead*>(next_);
  const std::uint64_t used = wire::words_of_input(head.size);
  const bool fits = head.kind == call.kind && head.operation == call.operation &&
                    head.thread == self.ordinal && head.descriptor == call.descriptor &&
                    head.call == call.call && used <= words;
  if (!fits) {
    const wire::Slice expected{
        .thread = {.ordinal = head.thread}, .until = head.clock, .site = {}, .pending = head.operation};
    scheduler_.outside().diverge(self, "the program asks for another input than the recorded run",
                                 wire::DivergenceKind::kInput, &expected);
  }
  next_ += used;
  // Before its first thread, a program may replace itself by another one, which continues.
  if (host_.is_starting()) taken_ = static_cast<std::uint64_t>(next_ - first_);
  return RecordedInput(head);
}

void Inputs::diverge(Thread& self, const char* why, wire::DivergenceKind kind) {
  scheduler_.outside().diverge(self, why, kind);
}

}  // namespace unravel
