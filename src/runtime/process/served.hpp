/// Inputs by stream, from the tables of wire/served.hpp. What a run gets depends on nothing but
/// what it asked for and sent before, so it is the same whenever the same schedule is followed.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "runtime/process/inputs.hpp"
#include "runtime/process/streams.hpp"
#include "wire/served.hpp"

namespace unravel {

/// What a stream has for the program.
enum class Offer : std::uint8_t {
  kNothing,  // nothing that was recorded, or nothing before the program sends more
  kInput,    // bytes, a message, a connection or an error
  kEnd,
};

/// A stream that is served.
struct ServedState {
  std::uint32_t next_input = 0;
  std::uint32_t next_send = 0;
  std::uint32_t next_connect = 0;
  bool is_claimed = false;
  std::uint64_t used = 0;  // bytes of the next input
  std::uint64_t sent = 0;
  SentHash hash;
};

class Served {
 public:
  /// The tables come from the driver, but are never trusted blindly: if they are not whole, nothing
  /// was recorded.
  Served(wire::Control& control, const wire::Settings& settings, Arena& arena);

  // --- Streams ---
  /// What the stream with this origin is served from: an index plus one; 0: it was not recorded.
  std::uint32_t claim(const wire::StreamOrigin& origin);
  [[nodiscard]] const wire::ServedStream& stream(std::uint32_t index) const {
    return streams_[index];
  }
  [[nodiscard]] ServedState& state(std::uint32_t index) { return states_[index]; }
  Offer offer(std::uint32_t index);
  /// The entry that is offered.
  [[nodiscard]] const wire::InputHead& input(std::uint32_t index) const;
  /// Counts bytes that the program sends. Returns false if they are others than the recorded ones.
  bool send(std::uint32_t index, const void* bytes, std::size_t size);
  /// The error that the next call that sends gets; 0: none.
  long take_send_error(std::uint32_t index);
  /// The answer of the next call that connects.
  long take_connect(std::uint32_t index);

  // --- Calls, children, signals ---
  /// The answer to a system call; null: such a call was not recorded.
  const wire::InputHead* answer(const InputCall& call, std::uint32_t stream, std::uint64_t asked,
                                const Thread& self);
  /// The next recorded end of a child for which `fits(ordinal)` holds; null: none.
  template <class Fits>
  const wire::InputHead* child(Fits fits, bool stays) {
    for (std::uint64_t i = 0; i < head_.children.count; ++i) {
      if (children_used_[i]) continue;
      const wire::InputHead& entry = entry_at(children_[i]);
      if (!fits(ordinal_of(entry))) continue;
      if (!stays) {
        children_used_[i] = 1;
        give(entry);
      }
      return &entry;
    }
    return nullptr;
  }
  /// Whether this child's end was given to the program.
  [[nodiscard]] bool has_ended(std::uint64_t ordinal) const;
  static std::uint64_t ordinal_of(const wire::InputHead& child);

  /// The program gets this entry.
  void give(const wire::InputHead& entry) {
    const auto* at = reinterpret_cast<const std::uint64_t*>(&entry);
    if (!last_ || at > last_) last_ = at;
    in_vain_ = 0;
  }
  /// Whether the program has got something that came after this entry.
  [[nodiscard]] bool is_passed(const wire::InputHead& entry) const {
    return last_ && reinterpret_cast<const std::uint64_t*>(&entry) < last_;
  }

  /// The recorded signal that comes next; null: none.
  [[nodiscard]] const wire::InputHead* next_signal() const;
  /// Takes the next recorded one of this number; null: none.
  const wire::InputHead* take_signal(int number);

  /// The program asked for something that is not there.
  void lacked() {
    has_lacked_ = true;
    ++in_vain_;
  }
  [[nodiscard]] bool has_lacked() const { return has_lacked_; }
  /// Whether it has done so very often since it last got or sent something.
  [[nodiscard]] bool asks_in_vain() const { return in_vain_ > kMostInVain; }

 private:
  // A program that asks again and again for what is not recorded only uses up time. Chosen by hand.
  static constexpr std::uint64_t kMostInVain = 20'000;

  template <class T>
  bool find_table(const wire::ServedTable& table, const T*& rows) const;
  [[nodiscard]] bool is_range(const wire::ServedRange& range,
                              const wire::ServedTable& table) const {
    return range.first <= table.count && range.count <= table.count - range.first;
  }
  [[nodiscard]] bool is_entry(std::uint64_t at) const;
  bool check();
  void restart(std::uint32_t stream);
  [[nodiscard]] const wire::ServedGroup* find_group(const InputCall& call, std::uint32_t stream,
                                                    std::uint64_t asked) const;
  [[nodiscard]] const wire::InputHead& entry_at(std::uint64_t at) const {
    return *reinterpret_cast<const wire::InputHead*>(words_ + head_.log + at);
  }

  const std::uint64_t* const words_;
  const std::uint64_t count_;
  wire::ServedHead head_;
  const wire::ServedStream* streams_ = nullptr;
  const wire::ServedInput* inputs_ = nullptr;
  const wire::ServedSend* sends_ = nullptr;
  const wire::ServedGroup* groups_ = nullptr;
  const std::uint64_t* answers_ = nullptr;
  const std::uint64_t* children_ = nullptr;
  const std::uint64_t* signals_ = nullptr;
  ServedState* states_ = nullptr;
  std::uint8_t* answers_used_ = nullptr;
  std::uint8_t* children_used_ = nullptr;
  std::uint8_t* signals_used_ = nullptr;
  const std::uint64_t* last_ = nullptr;  // the last entry, in the recorded order, that was given
  bool has_lacked_ = false;
  std::uint64_t in_vain_ = 0;
};

}  // namespace unravel
