/// Shared by the writer and the reader of a trace.
#pragma once

#include <cstdint>
#include <span>

#include "data/trace_file.hpp"

namespace unravel {

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …. Differences wrap around, so any two numbers have one.
constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return difference >> 63 ? ~(difference << 1) : difference << 1;
}
constexpr std::uint64_t unzigzag(std::uint64_t number) {
  return (number >> 1) ^ (~(number & 1) + 1);
}

/// Advances a thread's clock by one event.
constexpr void count(wire::Operation operation, wire::Clock& clock) {
  switch (wire::traits(operation).counts) {
    case wire::Counts::kHook: ++clock.hooks; break;
    case wire::Counts::kOperation:
      ++clock.operations;
      clock.hooks = 0;
      break;
    case wire::Counts::kNothing: break;
  }
}

/// The clock right before `event`.
wire::Clock clock_before(const TraceEvent& event);

constexpr bool has_object(wire::Operation operation) {
  return wire::traits(operation).counts != wire::Counts::kHook || wire::traces_object(operation);
}

EventShape shape_of(const TraceEvent& event);

/// Reads numbers from untrusted bytes. Returns zeros after their end; good() then is false.
class ColumnReader {
 public:
  ColumnReader() = default;
  explicit ColumnReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::uint64_t number();
  ColumnReader take(std::uint64_t size);
  bool good() const { return good_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
  bool good_ = true;
};

}  // namespace unravel
