/// Traces as stored bytes.
///
/// Events are stored in blocks. A block has a column for each kind of field, since similar values
/// compress well: shapes, turns, addresses, sizes and values. A shape (operation, site, detail) is
/// written once per file and then referred to by number. Both sides predict the next shape: the one
/// that followed last time; a correct prediction is a zero. Addresses are predicted to continue
/// with the last distance of their shape. Clocks and threads are not written: a reader counts from
/// turn to turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "data/schedule.hpp"
#include "data/trace.hpp"

namespace unravel {

/// Shapes, turns, objects, sizes, values.
inline constexpr std::size_t kTraceColumns = 5;

/// What an event is, without its thread and its object.
struct EventShape {
  wire::Operation operation = wire::Operation::kNone;
  wire::EventResult result = wire::EventResult::kDone;
  wire::MemoryOrder order = wire::MemoryOrder::kRelaxed;
  bool has_value = false;
  std::uint8_t size = 0;  // kOtherSize: it varies
  std::uint32_t site = 0;

  static constexpr std::uint8_t kOtherSize = 255;

  friend bool operator==(const EventShape&, const EventShape&) = default;
};

/// What writer and reader both predict for each shape.
class TracePredictor {
 public:
  /// The predicted next shape.
  std::uint32_t next_shape() const { return after_[last_shape_]; }
  void shape_was(std::uint32_t shape);
  std::uint64_t next_object(std::uint32_t shape) const;
  void object_was(std::uint32_t shape, std::uint64_t object);
  std::uint64_t& last_size(std::uint32_t shape) { return of_[shape].size; }
  std::uint64_t& last_value(std::uint32_t shape) { return of_[shape].value; }
  /// Makes room for shapes up to this one.
  void make_room(std::uint32_t shape);

 private:
  struct Last {
    std::uint64_t object = 0;
    std::uint64_t stride = 0;
    std::uint64_t size = 0;
    std::uint64_t value = 0;
  };
  std::uint32_t last_shape_ = 0;
  std::vector<std::uint32_t> after_ = {0};
  std::vector<Last> of_ = {Last{}};
};

class TraceWriter {
 public:
  void take(std::span<const TraceEvent> events);

  /// Returns the whole file. Call it once. `sites` and `modules` say what the events' sites mean.
  std::vector<std::byte> finish(std::span<const wire::Site> sites,
                                std::span<const ModuleId> modules);

  std::uint64_t events() const { return events_; }
  double compress_seconds() const { return compress_seconds_; }

 private:
  struct HashShape {
    std::size_t operator()(const EventShape& shape) const;
  };

  std::uint32_t number_of(const TraceEvent& event);
  void add(const TraceEvent& event);
  void end_block();

  std::unordered_map<EventShape, std::uint32_t, HashShape> numbers_;
  std::vector<EventShape> shapes_ = {EventShape{}};                       // [0]: none
  std::vector<std::uint32_t> recent_ = std::vector<std::uint32_t>(4096);  // by site
  TracePredictor predictor_;
  std::uint32_t thread_ = 0;
  wire::Clock clock_;
  std::uint64_t since_turn_ = 0;
  std::uint64_t in_block_ = 0;
  std::uint64_t events_ = 0;
  double compress_seconds_ = 0;
  std::array<std::vector<std::byte>, kTraceColumns> columns_;  // of the current block
  std::vector<std::vector<std::byte>> blocks_;
};

/// Reads a file block by block. The bytes must outlive it.
class TraceReader {
 public:
  static Result<TraceReader> open(std::span<const std::byte> bytes);

  const std::vector<wire::Site>& sites() const { return sites_; }
  const std::vector<ModuleId>& modules() const { return modules_; }
  std::uint64_t events() const { return events_; }

  /// The events of the next block; none at the end.
  Result<std::span<const TraceEvent>> next();

 private:
  TraceReader() = default;
  std::optional<std::string> read_block(std::span<const std::byte> content);

  std::vector<wire::Site> sites_;
  std::vector<ModuleId> modules_;
  std::vector<EventShape> shapes_;
  std::uint64_t events_ = 0;
  std::vector<std::vector<std::byte>> blocks_;
  std::size_t block_ = 0;
  TracePredictor predictor_;
  std::uint32_t thread_ = 0;
  wire::Clock clock_;
  std::vector<TraceEvent> current_;
};

}  // namespace unravel
