#include "data/trace_columns.hpp"

namespace unravel {

wire::Clock clock_before(const TraceEvent& event) {
  wire::Clock before = event.clock;
  switch (wire::traits(event.operation).counts) {
    case wire::Counts::kHook: --before.hooks; break;
    case wire::Counts::kOperation:
      --before.operations;
      before.hooks = 0;
      break;
    case wire::Counts::kNothing: break;
  }
  return before;
}

EventShape shape_of(const TraceEvent& event) {
  return {.operation = event.operation,
          .result = event.result,
          .order = event.order,
          .has_value = event.has_value,
          .size = event.size <= 16 ? static_cast<std::uint8_t>(event.size) : EventShape::kOtherSize,
          .site = event.site};
}

void TracePredictor::make_room(std::uint32_t shape) {
  if (shape < of_.size()) return;
  of_.resize(shape + 1);
  after_.resize(shape + 1);
}

void TracePredictor::shape_was(std::uint32_t shape) {
  after_[last_shape_] = shape;
  last_shape_ = shape;
}

std::uint64_t TracePredictor::next_object(std::uint32_t shape) const {
  return of_[shape].object + of_[shape].stride;
}

void TracePredictor::object_was(std::uint32_t shape, std::uint64_t object) {
  of_[shape].stride = object - of_[shape].object;
  of_[shape].object = object;
}

std::uint64_t ColumnReader::number() {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes_.size() && i < 10; ++i) {
    const auto byte = std::to_integer<std::uint64_t>(bytes_[i]);
    value |= (byte & 0x7f) << (7 * i);
    if (byte & 0x80) continue;
    bytes_ = bytes_.subspan(i + 1);
    return value;
  }
  bytes_ = {};
  good_ = false;
  return 0;
}

ColumnReader ColumnReader::take(std::uint64_t size) {
  if (size > bytes_.size()) {
    good_ = false;
    size = bytes_.size();
  }
  const ColumnReader taken(bytes_.first(size));
  bytes_ = bytes_.subspan(size);
  return taken;
}

}  // namespace unravel
