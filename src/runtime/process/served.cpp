#include "runtime/process/served.hpp"

#include <cstring>

namespace unravel {

using wire::InputHead;
using wire::InputKind;
using wire::Layout;

Served::Served(wire::Control& control, const wire::Settings& settings, Arena& arena)
    : words_(wire::at<const std::uint64_t>(&control, Layout::kRecordedInputs)),
      count_(settings.inputs == wire::InputMode::kServe ? settings.input_words : 0) {
  if (count_ < sizeof(head_) / sizeof(std::uint64_t) || count_ > wire::kMostInputWords) return;
  std::memcpy(static_cast<void*>(&head_), words_, sizeof(head_));
  if (!check()) {
    head_ = {};  // nothing was recorded
    return;
  }
  states_ = arena.take_array<ServedState>(head_.streams.count);
  for (std::uint64_t i = 0; i < head_.streams.count; ++i) states_[i] = ServedState{};
  answers_used_ = arena.take_array<std::uint8_t>(head_.answers.count + 1);
  children_used_ = arena.take_array<std::uint8_t>(head_.children.count + 1);
  signals_used_ = arena.take_array<std::uint8_t>(head_.signals.count + 1);
}

// --- The tables ----------------------------------------------------------------------------------

template <class T>
bool Served::find_table(const wire::ServedTable& table, const T*& rows) const {
  rows = reinterpret_cast<const T*>(words_ + table.at);
  constexpr std::uint64_t kWords = sizeof(T) / sizeof(std::uint64_t);
  return table.at <= head_.log && table.count <= (head_.log - table.at) / kWords;
}

bool Served::is_entry(std::uint64_t at) const {
  const std::uint64_t words = count_ - head_.log;
  if (at > words || words - at < sizeof(InputHead) / sizeof(std::uint64_t)) return false;
  const InputHead& head = entry_at(at);
  return head.size <= (words - at) * sizeof(std::uint64_t) &&
         wire::words_of_input(head.size) <= words - at;
}

bool Served::check() {
  if (head_.words != count_ || head_.log > count_) return false;
  const bool has_tables =
      find_table(head_.streams, streams_) && find_table(head_.inputs, inputs_) &&
      find_table(head_.sends, sends_) && find_table(head_.groups, groups_) &&
      find_table(head_.answers, answers_) && find_table(head_.children, children_) &&
      find_table(head_.signals, signals_);
  if (!has_tables) return false;
  bool is_whole = true;
  for (std::uint64_t i = 0; i < head_.streams.count; ++i) {
    is_whole = is_whole && is_range(streams_[i].inputs, head_.inputs) &&
               is_range(streams_[i].sends, head_.sends) &&
               is_range(streams_[i].connects, head_.answers);
  }
  for (std::uint64_t i = 0; i < head_.groups.count; ++i) {
    is_whole = is_whole && is_range(groups_[i].answers, head_.answers);
  }
  for (std::uint64_t i = 0; i < head_.inputs.count; ++i) {
    is_whole = is_whole && is_entry(inputs_[i].entry);
  }
  const auto are_entries = [&](const std::uint64_t* at, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) is_whole = is_whole && is_entry(at[i]);
  };
  are_entries(answers_, head_.answers.count);
  are_entries(children_, head_.children.count);
  are_entries(signals_, head_.signals.count);
  return is_whole;
}

// --- Streams -------------------------------------------------------------------------------------

std::uint32_t Served::claim(const wire::StreamOrigin& origin) {
  std::uint32_t like = 0;  // of the same kind and name, but made by another thread or in its turn
  for (std::uint32_t i = 0; i < head_.streams.count; ++i) {
    const wire::StreamOrigin& one = streams_[i].origin;
    if (states_[i].is_claimed || one.kind != origin.kind || one.name != origin.name ||
        one.is_message != origin.is_message || one.is_socket != origin.is_socket) {
      continue;
    }
    const bool is_same = origin.kind == wire::OriginKind::kAccepted
                             ? one.before_of_all == origin.before_of_all
                             : one.thread == origin.thread && one.before == origin.before;
    if (is_same) {
      like = i + 1;
      break;
    }
    if (!like && origin.kind != wire::OriginKind::kAccepted) like = i + 1;
  }
  if (like) states_[like - 1].is_claimed = true;
  return like;
}

Offer Served::offer(std::uint32_t index) {
  const wire::ServedStream& row = streams_[index];
  const ServedState& state = states_[index];
  if (state.next_input < row.inputs.count) {
    const wire::ServedInput& next = inputs_[row.inputs.first + state.next_input];
    if (state.sent >= next.sent) {
      const InputHead& head = entry_at(next.entry);
      const bool ends =
          head.operation == wire::Operation::kRead && head.result == 0 && !row.origin.is_message;
      return ends ? Offer::kEnd : Offer::kInput;
    }
  }
  return Offer::kNothing;
}

const InputHead& Served::input(std::uint32_t index) const {
  const wire::ServedStream& row = streams_[index];
  return entry_at(inputs_[row.inputs.first + states_[index].next_input].entry);
}

bool Served::send(std::uint32_t index, const void* bytes, std::size_t size) {
  const wire::ServedStream& row = streams_[index];
  ServedState& state = states_[index];
  const auto* at = static_cast<const std::byte*>(bytes);
  in_vain_ = 0;
  while (size > 0) {
    const wire::ServedSend* next = nullptr;
    while (state.next_send < row.sends.count) {
      next = &sends_[row.sends.first + state.next_send];
      if (!next->error && next->total > state.sent) break;
      ++state.next_send;
      next = nullptr;
    }
    // What comes after all that was recorded is no contradiction: nothing answers to it.
    const std::size_t left = next ? next->total - state.sent : size;
    const std::size_t used = size < left ? size : left;
    state.hash.add(at, used);
    state.sent += used;
    at += used;
    size -= used;
    if (next && state.sent == next->total && state.hash.value() != next->hash) return false;
  }
  return true;
}

long Served::take_send_error(std::uint32_t index) {
  const wire::ServedStream& row = streams_[index];
  ServedState& state = states_[index];
  while (state.next_send < row.sends.count) {
    const wire::ServedSend& next = sends_[row.sends.first + state.next_send];
    if (next.total > state.sent) return 0;
    ++state.next_send;
    if (next.error && next.total == state.sent) return next.error;
  }
  return 0;
}

long Served::take_connect(std::uint32_t index) {
  const wire::ServedStream& row = streams_[index];
  ServedState& state = states_[index];
  if (row.connects.count == 0) return 0;
  const std::uint32_t last = row.connects.count - 1;
  const std::uint32_t used = state.next_connect < last ? state.next_connect : last;
  ++state.next_connect;
  return entry_at(answers_[row.connects.first + used]).result;
}

// --- Calls ---------------------------------------------------------------------------------------

void Served::restart(std::uint32_t stream) {
  for (std::uint64_t i = 0; i < head_.groups.count; ++i) {
    const wire::ServedGroup& group = groups_[i];
    if (group.stream != stream) continue;
    std::memset(answers_used_ + group.answers.first, 0, group.answers.count);
  }
}

/// The driver wrote them in this order.
const wire::ServedGroup* Served::find_group(const InputCall& call, std::uint32_t stream,
                                            std::uint64_t asked) const {
  const auto is_before = [&](const wire::ServedGroup& one) {
    if (one.kind != call.kind) return one.kind < call.kind;
    if (one.call != call.call) return one.call < call.call;
    if (one.stream != stream) return one.stream < stream;
    return one.asked < asked;
  };
  std::uint64_t first = 0;
  std::uint64_t last = head_.groups.count;
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (is_before(groups_[middle])) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  if (first == head_.groups.count) return nullptr;
  const wire::ServedGroup& found = groups_[first];
  const bool fits = found.kind == call.kind && found.call == call.call && found.stream == stream &&
                    found.asked == asked;
  return fits ? &found : nullptr;
}

const InputHead* Served::answer(const InputCall& call, std::uint32_t stream, std::uint64_t asked,
                                const Thread& self) {
  const wire::ServedGroup* group = find_group(call, stream, asked);
  if (!group || group->answers.count == 0) return nullptr;
  // Threads that ask the same get what they got before. If they ask more often, the last answer.
  std::uint32_t chosen = group->answers.count;
  for (std::uint32_t i = 0; i < group->answers.count; ++i) {
    if (answers_used_[group->answers.first + i]) continue;
    if (chosen == group->answers.count) chosen = i;
    if (stream != 0) break;  // in order
    if (entry_at(answers_[group->answers.first + i]).thread != self.ordinal) continue;
    chosen = i;
    break;
  }
  const bool is_again = chosen == group->answers.count;
  if (is_again) chosen = group->answers.count - 1;
  const std::uint32_t index = group->answers.first + chosen;
  answers_used_[index] = 1;
  in_vain_ = 0;
  const InputHead& entry = entry_at(answers_[index]);
  if (is_again && entry.kind == InputKind::kFile) restart(entry.stream);
  return &entry;
}

// --- Children and signals ------------------------------------------------------------------------

std::uint64_t Served::ordinal_of(const InputHead& child) {
  std::uint64_t ordinal = 0;
  RecordedInput(child).read(&ordinal, sizeof(ordinal));
  return ordinal;
}

bool Served::has_ended(std::uint64_t ordinal) const {
  for (std::uint64_t i = 0; i < head_.children.count; ++i) {
    if (children_used_[i] && ordinal_of(entry_at(children_[i])) == ordinal) return true;
  }
  return false;
}

const InputHead* Served::next_signal() const {
  for (std::uint64_t i = 0; i < head_.signals.count; ++i) {
    if (!signals_used_[i]) return &entry_at(signals_[i]);
  }
  return nullptr;
}

const InputHead* Served::take_signal(int number) {
  for (std::uint64_t i = 0; i < head_.signals.count; ++i) {
    const InputHead& entry = entry_at(signals_[i]);
    if (signals_used_[i] || entry.result != number) continue;
    signals_used_[i] = 1;
    return &entry;
  }
  return nullptr;
}

}  // namespace unravel
