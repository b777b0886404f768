#include "data/details.hpp"

#include "data/pack.hpp"
#include "data/pack_frames.hpp"

namespace unravel {

namespace {

// Version 1 had kinds as the only targets, and no expected output; version 2 kept all output, and
// no exit status meant that the test was skipped.
constexpr Format kFormat = {
    .magic = "UNRAVRUN", .noun = "stored run", .version = 3, .operation_table = 0, .oldest = 1};

constexpr std::uint64_t kFailureKindCount = static_cast<std::uint64_t>(FailureKind::kOracle) + 1;

void pack(Packer& out, const std::vector<std::string>& texts) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> unpack_texts(Unpacker& in) {
  std::vector<std::string> texts(in.count(1));
  for (std::string& text : texts) text = in.text();
  return texts;
}

FailureKind unpack_kind(Unpacker& in) {
  return in.enumerator<FailureKind>(kFailureKindCount, "kind of failure");
}

void pack(Packer& out, const RunSettings& settings) {
  pack(out, settings.oracle);
  out.number(settings.targets.kinds.size());
  for (const FailureKind kind : settings.targets.kinds) {
    out.number(static_cast<std::uint64_t>(kind));
  }
  out.number(settings.most_steps);
  out.number(settings.timeout_milliseconds);
  out.flag(settings.fork_server);
  pack(out, settings.targets.texts);
  pack(out, settings.targets.stacks);
  out.text(settings.expected_output);
  out.flag(settings.skip_status.has_value());
  if (settings.skip_status) out.number(static_cast<std::uint64_t>(*settings.skip_status));
}

RunSettings unpack_settings(Unpacker& in) {
  RunSettings settings;
  settings.skip_status.reset();
  settings.oracle = unpack_texts(in);
  settings.targets.kinds.resize(in.count(1));
  for (FailureKind& kind : settings.targets.kinds) kind = unpack_kind(in);
  settings.most_steps = in.number();
  settings.timeout_milliseconds = in.number();
  if (settings.timeout_milliseconds > kMostTimeoutMilliseconds) {
    in.refuse("its timeout of " + std::to_string(settings.timeout_milliseconds) +
              " ms is out of range");
  }
  settings.fork_server = in.flag();
  if (in.version() == 1) return settings;
  settings.targets.texts = unpack_texts(in);
  settings.targets.stacks = unpack_texts(in);
  settings.expected_output = in.text();
  if (in.version() == 2) return settings;
  if (in.flag()) settings.skip_status = in.integer<std::uint8_t>("exit status");
  return settings;
}

void pack(Packer& out, const Failure& failure) {
  FrameTable frames;
  if (failure.site) frames.add(*failure.site);
  frames.add(failure.stack);
  for (const ThreadAtFailure& thread : failure.threads) frames.add(thread.stack);
  frames.pack(out);

  out.number(static_cast<std::uint64_t>(failure.kind));
  out.text(failure.detail);
  out.number(failure.thread);
  out.flag(failure.site.has_value());
  if (failure.site) frames.pack(out, *failure.site);
  frames.pack(out, failure.stack);
  out.number(failure.threads.size());
  for (const ThreadAtFailure& thread : failure.threads) {
    out.number(thread.thread);
    out.text(thread.state);
    frames.pack(out, thread.stack);
  }
  out.text(failure.key);
  out.flag(failure.weak_key);
}

Failure unpack_failure(Unpacker& in) {
  const std::vector<Frame> frames = unpack_frames(in);
  Failure failure;
  failure.kind = unpack_kind(in);
  failure.detail = in.text();
  failure.thread = in.integer<std::uint32_t>("thread");
  if (in.flag()) failure.site = unpack_frame(in, frames);
  failure.stack = unpack_stack(in, frames);
  const std::size_t threads = in.count(3);
  for (std::size_t i = 0; i < threads && in.good(); ++i) {
    ThreadAtFailure& thread = failure.threads.emplace_back();
    thread.thread = in.integer<std::uint32_t>("thread");
    thread.state = in.text();
    thread.stack = unpack_stack(in, frames);
  }
  failure.key = in.text();
  failure.weak_key = in.flag();
  return failure;
}

}  // namespace

std::vector<std::byte> encode(const RunDetails& details) {
  Packer out(kFormat);
  pack(out, details.program.arguments);
  out.text(details.program.path);
  out.text(details.program.directory);
  pack(out, details.settings);
  out.flag(details.failure.has_value());
  if (details.failure) pack(out, *details.failure);
  out.text(details.explanation);
  pack(out, details.warnings);
  out.number(details.output_left_out);
  out.number(details.error_output_left_out);
  return out.seal();
}

Result<RunDetails> decode_details(std::span<const std::byte> bytes) {
  Result<Unpacker> opened = Unpacker::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  Unpacker& in = *opened;
  RunDetails details;
  details.program.arguments = unpack_texts(in);
  details.program.path = in.text();
  details.program.directory = in.text();
  details.settings = unpack_settings(in);
  if (in.flag()) details.failure = unpack_failure(in);
  details.explanation = in.text();
  details.warnings = unpack_texts(in);
  if (in.version() >= 3) {
    details.output_left_out = in.number();
    details.error_output_left_out = in.number();
  }
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return details;
}

}  // namespace unravel
