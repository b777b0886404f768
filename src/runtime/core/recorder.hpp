/// Appends events to a trace while one is wanted. wire/trace.hpp describes its bytes.
///
/// Only the thread that has the turn appends, so there is one buffer and no lock. It lies in the
/// channel together with its length, so that the trace survives whatever kills the run.
#pragma once

#include "runtime/core/seams.hpp"
#include "runtime/core/thread.hpp"
#include "wire/trace.hpp"

namespace unravel {

/// A kind of hook: its operation and the details that are known at compile time.
struct HookKind {
  wire::Operation operation = wire::Operation::kNone;
  std::uint8_t detail = 0;

  /// A hook on `size` bytes: 1, 2, 4, 8 or 16.
  static constexpr HookKind of(wire::Operation operation, unsigned size) {
    std::uint8_t power = 0;
    while (1u << power < size) ++power;
    return {operation, power};
  }
  /// A hook on a range, whose size the hook passes.
  static constexpr HookKind of_range(wire::Operation operation) {
    return {operation, wire::TraceHead::kSizeFollows};
  }
  /// A hook on no memory.
  static constexpr HookKind of(wire::Operation operation) { return {operation, 0}; }

  [[nodiscard]] constexpr bool is_range() const { return detail == wire::TraceHead::kSizeFollows; }
  /// How many bytes it accesses; 0: not known. `more` is what the hook passes.
  [[nodiscard]] constexpr std::uint64_t bytes(std::uint64_t more) const {
    if (is_range()) return more;
    const bool has_size = wire::is_access(operation) && operation != wire::Operation::kFree;
    return has_size ? std::uint64_t{1} << detail : 0;
  }

  [[nodiscard]] constexpr bool has_order() const { return wire::traits(operation).is_atomic; }
};

/// What a trace contains.
struct Recorded {
  bool on = false;       // a trace is wanted at all
  bool values = false;   // the values of memory accesses
  bool calls = false;    // entries and exits of functions
  bool plainly = false;  // a hook matters only if a countdown ends there
};

class Recorder {
 public:
  constexpr Recorder() = default;

  /// `words` has room for `stream.capacity` of them.
  void use(Host& host, wire::Stream& stream, std::uint64_t* words) {
    host_ = &host;
    stream_ = &stream;
    words_ = words;
  }
  void set(const Recorded& what) {
    settle_value();
    on_ = what.on;
    values_ = what.on && what.values;
    calls_ = what.on && what.calls;
    const bool takes_plain = what.on && what.plainly && !what.values;
    limit_ = takes_plain ? stream_->capacity - wire::kLongestTraceRecord : 0;
  }
  [[nodiscard]] bool on() const { return on_; }
  /// Whether entries and exits of functions are recorded.
  [[nodiscard]] bool calls() const { return calls_; }

  /// `thread` gets the turn, or its clock moved in a way that a reader of the trace cannot count.
  void turn(const Thread& thread);

  /// Whether a plain load or store can be appended without a further check.
  [[nodiscard]] bool takes_plain() const { return stream_ && stream_->count < limit_; }
  void plain(HookKind kind, const volatile void* address, const void* site) {
    std::uint64_t* at = words_ + stream_->count;
    at[0] = head(kind.operation, kind.detail, site);
    at[1] = reinterpret_cast<std::uint64_t>(address);
    stream_->count += 2;
  }
  /// A hook of the thread that has the turn. `more` is the order of an atomic operation, or the
  /// size of a range.
  void hook(HookKind kind, const volatile void* address, const void* site, std::uint64_t more);
  /// The last hook was a compare-exchange that failed: it only loaded, with memory order `order`.
  void exchange_failed(int order);

  void operation(const Op& op, wire::EventResult result, std::uint64_t value);

  /// Appends something that only counts in the clock.
  void count(wire::Operation operation, const void* object);
  /// Appends something that does not count in the clock. `size`: bytes of memory, or 0.
  void annotate(wire::Operation operation, std::uint64_t object, std::uint64_t value,
                std::uint64_t size, const void* site);

 private:
  static std::uint64_t head(wire::Operation operation, std::uint8_t detail, const void* site) {
    return wire::TraceHead::of(reinterpret_cast<std::uint64_t>(site),
                               static_cast<std::uint8_t>(operation), detail)
        .word;
  }
  std::uint64_t* room() {
    if (values_) settle_value();
    if (stream_->capacity - stream_->count < wire::kLongestTraceRecord) [[unlikely]]
      host_->make_room();
    return words_ + stream_->count;
  }
  void settle_value();

  Host* host_ = nullptr;
  wire::Stream* stream_ = nullptr;
  std::uint64_t* words_ = nullptr;
  std::uint64_t limit_ = 0;  // the capacity in words, for plain()
  bool on_ = false;
  bool values_ = false;
  bool calls_ = false;

  // The value of a store is read when its thread makes its next record.
  std::uint64_t* value_at_ = nullptr;
  const volatile void* value_of_ = nullptr;
  unsigned value_size_ = 0;
};

}  // namespace unravel
