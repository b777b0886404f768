#include "data/steps.hpp"

#include "data/bytes.hpp"
#include "data/bytes_frames.hpp"
#include "wire/version.hpp"

namespace unravel {

namespace {

// Version 2: steps have values.
constexpr Format kFormat = {.magic = "UNRAVSTP",
                            .noun = "stored table",
                            .version = 2,
                            .operation_table = wire::kOperationTableVersion};

// Before compression. A table of a million rows takes less than a tenth of this. A larger one is
// not stored, since it can be made again.
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

constexpr std::size_t kSmallestEvent = 9;

void write(FieldWriter& out, const wire::Event& event, const wire::Event& before) {
  out.number(event.thread.ordinal);
  out.number(event.thread.process);
  out.difference(event.clock.operations, before.clock.operations);
  out.number(event.clock.hooks);
  out.difference(event.site.packed, before.site.packed);
  out.difference(event.object, before.object);
  out.number(event.value);
  out.number(static_cast<std::uint64_t>(event.operation));
  out.number(static_cast<std::uint64_t>(event.result));
}

wire::Event read_event(FieldReader& in, const wire::Event& before) {
  wire::Event event;
  event.thread.ordinal = in.integer<std::uint32_t>("thread");
  event.thread.process = in.integer<std::uint16_t>("process");
  event.clock.operations = in.difference(before.clock.operations);
  event.clock.hooks = in.number();
  event.site.packed = in.difference(before.site.packed);
  event.object = in.difference(before.object);
  event.value = in.number();
  event.operation = in.enumerator<wire::Operation>(wire::kOperationCount, "operation");
  event.result = in.enumerator<wire::EventResult>(wire::kEventResultCount, "result");
  return event;
}

}  // namespace

std::vector<std::byte> encode(const StepsAndEvents& all) {
  FieldWriter out(kFormat);
  FrameTable frames;
  for (const Step& step : all.steps) frames.add(step.stack);
  frames.write(out);

  wire::Event before;
  out.number(all.steps.size());
  for (const Step& step : all.steps) {
    write(out, step.event, before);
    frames.write(out, step.stack);
    out.text(step.object);
    out.text(step.value);
    before = step.event;
  }
  out.number(all.events.size());
  before = {};
  for (const wire::Event& event : all.events) {
    write(out, event, before);
    before = event;
  }
  const std::vector<std::byte> content = out.seal();
  if (content.size() > kMostBytes) return {};
  return compress(content);
}

Result<StepsAndEvents> decode_steps(std::span<const std::byte> bytes) {
  const auto content = decompress(bytes, kMostBytes, kFormat.noun);
  if (!content) return fail(content.error());
  Result<FieldReader> opened = FieldReader::open(kFormat, *content);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;

  const std::vector<Frame> frames = read_frames(in);
  StepsAndEvents all;
  wire::Event before;
  const std::size_t steps = in.count(kSmallestEvent + 3);
  for (std::size_t i = 0; i < steps && in.good(); ++i) {
    Step& step = all.steps.emplace_back();
    step.event = before = read_event(in, before);
    step.stack = read_stack(in, frames);
    step.object = in.text();
    step.value = in.text();
  }
  before = {};
  const std::size_t events = in.count(kSmallestEvent);
  for (std::size_t i = 0; i < events && in.good(); ++i) {
    all.events.push_back(before = read_event(in, before));
  }
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return all;
}

}  // namespace unravel
