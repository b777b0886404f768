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

Inputs::Inputs(wire::Control& control, const wire::Settings& settings, Scheduler& scheduler,
               RunHost& host, Streams& streams)
    : scheduler_(scheduler),
      host_(host),
      streams_(streams),
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
                       .call = call.call,
                       .stream = call.stream};
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

std::uint32_t Inputs::number_of(const Thread& self, StreamNode& node, int descriptor) {
  if (node.number) return node.number;
  node.number = streams_.next_number();
  begin(self, {.kind = wire::InputKind::kStream, .descriptor = descriptor, .stream = node.number},
        0, sizeof(node.origin));
  add(&node.origin, sizeof(node.origin));
  end();
  return node.number;
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
  known = {
      .thread = thread.ordinal, .clock = thread.clock, .answer = {.is_over = true}, .is_set = true};
  for (const std::uint64_t* at = next_; end_ - at >= static_cast<long>(sizeof(InputHead) / 8);) {
    const auto& head = *reinterpret_cast<const InputHead*>(at);
    if (head.thread == thread.ordinal && head.kind != wire::InputKind::kSignal &&
        head.kind != wire::InputKind::kStream) {
      known.answer.is_over = false;
      const bool is_next = head.clock == thread.clock;
      if (is_next) known.answer = {.is_known = true, .result = head.result};
      if (head.clock > thread.clock || is_next) break;
    }
    at += wire::words_of_input(head.size);
  }
  return known.answer;
}

/// The next entry that is an input. What the record says about streams is for other schedules.
const InputHead* Inputs::next_entry() {
  while (end_ - next_ >= static_cast<long>(sizeof(InputHead) / 8)) {
    const auto& head = *reinterpret_cast<const InputHead*>(next_);
    if (head.kind != wire::InputKind::kStream) return &head;
    const std::uint64_t words = wire::words_of_input(head.size);
    if (words > static_cast<std::uint64_t>(end_ - next_)) return nullptr;
    next_ += words;
  }
  return nullptr;
}

int Inputs::signal_now(const Thread& self) {
  const InputHead* head = next_entry();
  const bool is_here = head && head->kind == wire::InputKind::kSignal &&
                       head->thread == self.ordinal && head->clock == self.clock;
  return is_here ? static_cast<int>(head->result) : 0;
}

RecordedInput Inputs::take(Thread& self, const InputCall& call) {
  const InputHead* next = next_entry();
  if (!next) diverge(self, "the program asks for more input than the recorded run got");
  const InputHead& head = *next;
  const auto words = static_cast<std::uint64_t>(end_ - next_);
  const std::uint64_t used = wire::words_of_input(head.size);
  // There the bits only say more about the same call.
  const bool is_traffic = call.kind == wire::InputKind::kReceived;
  const bool fits = head.kind == call.kind && head.operation == call.operation &&
                    head.thread == self.ordinal && head.descriptor == call.descriptor &&
                    (is_traffic || head.call == call.call) && used <= words;
  if (!fits) {
    const wire::Slice expected{.thread = {.ordinal = head.thread},
                               .until = head.clock,
                               .site = {},
                               .pending = head.operation};
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

void Inputs::end_unresolved(Thread& self, const char* why) {
  scheduler_.outside().give_up(self, why);
}

}  // namespace unravel
