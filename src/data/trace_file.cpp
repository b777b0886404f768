#include "data/trace_file.hpp"

#include <chrono>

#include "data/bytes.hpp"
#include "data/bytes_modules.hpp"
#include "data/trace_columns.hpp"
#include "wire/version.hpp"

namespace unravel {

namespace {

// Separate from the version of schedules: the formats change independently.
constexpr std::uint32_t kTraceVersion = 1;

constexpr Format kFormat = {.magic = "UNRAVTRC",
                            .noun = "trace",
                            .version = kTraceVersion,
                            .operation_table = wire::kOperationTableVersion};

// Large enough for columns to compress well, small enough to fit in memory. Chosen by hand.
constexpr std::uint64_t kBlockEvents = 1 << 16;

// All columns of one block, before compression; a number has at most ten bytes.
constexpr std::size_t kMostBlockBytes = kBlockEvents * 10 * (kTraceColumns + 3);

enum Column { kShapes, kTurns, kObjects, kSizes, kValues };

}  // namespace

// --- Writing ---------------------------------------------------------------------------------

std::size_t TraceWriter::HashShape::operator()(const EventShape& shape) const {
  std::uint64_t packed = shape.site;
  packed = packed << 8 | static_cast<std::uint8_t>(shape.operation);
  packed = packed << 8 | shape.size;
  packed = packed << 3 | static_cast<std::uint8_t>(shape.order);
  packed = packed << 3 | static_cast<std::uint8_t>(shape.result);
  return std::hash<std::uint64_t>{}(packed << 1 | (shape.has_value ? 1 : 0));
}

std::uint32_t TraceWriter::number_of(const TraceEvent& event) {
  const EventShape shape = shape_of(event);
  // Mostly an event has the last shape of its site.
  std::uint32_t& recent = recent_[shape.site % recent_.size()];
  if (shapes_[recent] == shape && recent != 0) return recent;
  const auto [found, is_new] =
      numbers_.try_emplace(shape, static_cast<std::uint32_t>(shapes_.size()));
  if (is_new) {
    shapes_.push_back(shape);
    predictor_.make_room(found->second);
  }
  return recent = found->second;
}

void TraceWriter::add(const TraceEvent& event) {
  const std::uint32_t shape = number_of(event);
  // 0: as predicted.
  append_varint(columns_[kShapes], shape == predictor_.next_shape() ? 0 : shape);
  predictor_.shape_was(shape);

  wire::Clock expected = clock_;
  count(event.operation, expected);
  if (event.thread != thread_ || event.clock != expected) {
    const wire::Clock before = clock_before(event);
    append_varint(columns_[kTurns], since_turn_);
    append_varint(columns_[kTurns], event.thread);
    append_varint(columns_[kTurns], before.operations);
    append_varint(columns_[kTurns], before.hooks);
    since_turn_ = 0;
  }
  ++since_turn_;
  thread_ = event.thread;
  clock_ = event.clock;

  if (has_object(event.operation)) {
    append_varint(columns_[kObjects], zigzag(event.object - predictor_.next_object(shape)));
    predictor_.object_was(shape, event.object);
  }
  if (shapes_[shape].size == EventShape::kOtherSize) {
    std::uint64_t& last = predictor_.last_size(shape);
    append_varint(columns_[kSizes], zigzag(event.size - last));
    last = event.size;
  }
  if (event.has_value) {
    std::uint64_t& last = predictor_.last_value(shape);
    append_varint(columns_[kValues], zigzag(event.value - last));
    last = event.value;
  }
  if (++in_block_ == kBlockEvents) end_block();
}

void TraceWriter::take(std::span<const TraceEvent> events) {
  for (const TraceEvent& event : events) add(event);
  events_ += events.size();
}

void TraceWriter::end_block() {
  if (in_block_ == 0) return;
  const auto began = std::chrono::steady_clock::now();
  std::vector<std::byte> content;
  append_varint(content, in_block_);
  for (const std::vector<std::byte>& column : columns_) append_varint(content, column.size());
  for (std::vector<std::byte>& column : columns_) {
    content.insert(content.end(), column.begin(), column.end());
    column.clear();
  }
  blocks_.push_back(compress_fast(content));
  in_block_ = 0;
  since_turn_ = 0;
  // Blocks must be read in order: predictions continue across them. Turns are counted from the
  // beginning of each block.
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  compress_seconds_ += took.count();
}

std::vector<std::byte> TraceWriter::finish(std::span<const wire::Site> sites,
                                           std::span<const ModuleId> modules) {
  end_block();
  FieldWriter out(kFormat);
  write_modules(out, modules);
  write_sites(out, sites);
  out.number(shapes_.size());
  for (const EventShape& shape : shapes_) {
    out.number(static_cast<std::uint64_t>(shape.operation));
    out.number(static_cast<std::uint64_t>(shape.result));
    out.number(static_cast<std::uint64_t>(shape.order));
    out.flag(shape.has_value);
    out.number(shape.size);
    out.number(shape.site);
  }
  out.number(events_);
  out.number(blocks_.size());
  for (const std::vector<std::byte>& block : blocks_) {
    out.text({reinterpret_cast<const char*>(block.data()), block.size()});
  }
  return out.seal();
}

// --- Reading ---------------------------------------------------------------------------------

Result<TraceReader> TraceReader::open(std::span<const std::byte> bytes) {
  Result<FieldReader> opened = FieldReader::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;
  TraceReader reader;
  reader.modules_ = read_modules(in);
  reader.sites_ = read_sites(in);
  reader.shapes_.resize(in.count(6));
  for (EventShape& shape : reader.shapes_) {
    shape.operation = in.enumerator<wire::Operation>(wire::kOperationCount, "operation");
    shape.result = in.enumerator<wire::EventResult>(wire::kEventResultCount, "result");
    shape.order = in.enumerator<wire::MemoryOrder>(wire::kMemoryOrderCount, "memory order");
    shape.has_value = in.flag();
    shape.size = in.integer<std::uint8_t>("size");
    shape.site = in.integer<std::uint32_t>("site");
    if (in.good() && shape.site >= reader.sites_.size()) {
      in.refuse("site " + std::to_string(shape.site) + " is not in its table");
    }
  }
  reader.events_ = in.number();
  reader.blocks_.resize(in.count(1));
  for (std::vector<std::byte>& block : reader.blocks_) {
    const std::string text = in.text();
    const auto content = std::as_bytes(std::span(text));
    block.assign(content.begin(), content.end());
  }
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  if (!reader.shapes_.empty()) {
    reader.predictor_.make_room(static_cast<std::uint32_t>(reader.shapes_.size() - 1));
  }
  return reader;
}

Result<std::span<const TraceEvent>> TraceReader::next() {
  current_.clear();
  if (block_ == blocks_.size()) return std::span<const TraceEvent>();
  const auto content = decompress(blocks_[block_], kMostBlockBytes, kFormat.noun);
  if (!content) return fail(content.error());
  if (const std::optional<std::string> wrong = read_block(*content)) {
    return user_error("this trace is damaged", "block " + std::to_string(block_) + ": " + *wrong,
                      "make it again: `unravel replay --trace RUN`");
  }
  ++block_;
  return std::span<const TraceEvent>(current_);
}

std::optional<std::string> TraceReader::read_block(std::span<const std::byte> content) {
  ColumnReader head(content);
  const std::uint64_t count = head.number();
  if (count > kBlockEvents) return "it claims " + std::to_string(count) + " events";
  std::array<std::uint64_t, kTraceColumns> sizes = {};
  for (std::uint64_t& size : sizes) size = head.number();
  std::array<ColumnReader, kTraceColumns> columns;
  for (std::size_t i = 0; i < kTraceColumns; ++i) columns[i] = head.take(sizes[i]);
  if (!head.good() || !head.at_end()) return "its columns do not fill it";

  // A turn is stored as the number of events before it.
  ColumnReader& turns = columns[kTurns];
  std::uint64_t to_turn = turns.at_end() ? count : turns.number();
  for (std::uint64_t i = 0; i < count; ++i, --to_turn) {
    const std::uint64_t told = columns[kShapes].number();
    const std::uint64_t number = told ? told : predictor_.next_shape();
    if (number == 0 || number >= shapes_.size()) return "an event is of no known shape";
    const auto shape_number = static_cast<std::uint32_t>(number);
    const EventShape& shape = shapes_[shape_number];
    predictor_.shape_was(shape_number);

    TraceEvent& event = current_.emplace_back();
    event.operation = shape.operation;
    event.result = shape.result;
    event.order = shape.order;
    event.has_value = shape.has_value;
    event.site = shape.site;
    if (to_turn == 0) {
      thread_ = static_cast<std::uint32_t>(turns.number());
      clock_.operations = turns.number();
      clock_.hooks = turns.number();
      to_turn = turns.at_end() ? count : turns.number();
      if (to_turn == 0) return "a turn has no event";
    }
    event.thread = thread_;
    wire::Clock clock = clock_;
    unravel::count(event.operation, clock);
    event.clock = clock_ = clock;
    if (has_object(event.operation)) {
      event.object = predictor_.next_object(shape_number) + unzigzag(columns[kObjects].number());
      predictor_.object_was(shape_number, event.object);
    }
    event.size = shape.size;
    if (shape.size == EventShape::kOtherSize) {
      std::uint64_t& last = predictor_.last_size(shape_number);
      event.size = last += unzigzag(columns[kSizes].number());
    }
    if (shape.has_value) {
      std::uint64_t& last = predictor_.last_value(shape_number);
      event.value = last += unzigzag(columns[kValues].number());
    }
  }
  for (const ColumnReader& column : columns) {
    if (!column.good() || !column.at_end()) return "a column is longer or shorter than its events";
  }
  return std::nullopt;
}

}  // namespace unravel
