#include "data/details.hpp"

#include "data/bytes.hpp"
#include "data/bytes_frames.hpp"

namespace unravel {

namespace {

// Version 1 had only kinds as targets, and no expected output. Version 2 stored all output, and had
// no skip status. Version 3 had no clients.
constexpr Format kFormat = {
    .magic = "UNRAVRUN", .noun = "stored run", .version = 4, .operation_table = 0, .oldest = 1};

constexpr std::uint64_t kSignals = 65;

void write(FieldWriter& out, const std::vector<std::string>& texts) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> read_texts(FieldReader& in) {
  std::vector<std::string> texts(in.count(1));
  for (std::string& text : texts) text = in.text();
  return texts;
}

// Files count kinds from the first one that is a failure.
std::uint64_t stored_number(FailureKind kind) { return static_cast<std::uint64_t>(kind) - 1; }

FailureKind read_kind(FieldReader& in) {
  const std::uint64_t stored = in.number_below(wire::kFailureKindCount - 1, "kind of failure");
  return static_cast<FailureKind>(stored + 1);
}

void write(FieldWriter& out, const RunSettings& settings) {
  write(out, settings.oracle);
  out.number(settings.targets.kinds.size());
  for (const FailureKind kind : settings.targets.kinds) {
    out.number(stored_number(kind));
  }
  out.number(settings.most_steps);
  out.number(settings.timeout_milliseconds);
  out.flag(settings.fork_server);
  write(out, settings.targets.texts);
  write(out, settings.targets.stacks);
  out.text(settings.expected_output);
  out.flag(settings.skip_status.has_value());
  if (settings.skip_status) out.number(static_cast<std::uint64_t>(*settings.skip_status));
}

RunSettings read_settings(FieldReader& in) {
  RunSettings settings;
  settings.skip_status.reset();
  settings.oracle = read_texts(in);
  settings.targets.kinds.resize(in.count(1));
  for (FailureKind& kind : settings.targets.kinds) kind = read_kind(in);
  settings.most_steps = in.number();
  settings.timeout_milliseconds = in.number();
  if (settings.timeout_milliseconds > kMostTimeoutMilliseconds) {
    in.refuse("its timeout of " + std::to_string(settings.timeout_milliseconds) +
              " ms is out of range");
  }
  settings.fork_server = in.flag();
  if (in.version() == 1) return settings;
  settings.targets.texts = read_texts(in);
  settings.targets.stacks = read_texts(in);
  settings.expected_output = in.text();
  if (in.version() == 2) return settings;
  if (in.flag()) settings.skip_status = in.integer<std::uint8_t>("exit status");
  return settings;
}

void write(FieldWriter& out, const Failure& failure) {
  FrameTable frames;
  if (failure.site) frames.add(*failure.site);
  frames.add(failure.stack);
  for (const ThreadAtFailure& thread : failure.threads) frames.add(thread.stack);
  frames.write(out);

  out.number(stored_number(failure.kind));
  out.text(failure.detail);
  out.number(failure.thread);
  out.flag(failure.site.has_value());
  if (failure.site) frames.write(out, *failure.site);
  frames.write(out, failure.stack);
  out.number(failure.threads.size());
  for (const ThreadAtFailure& thread : failure.threads) {
    out.number(thread.thread);
    out.text(thread.state);
    frames.write(out, thread.stack);
  }
  out.text(failure.key);
  out.flag(failure.weak_key);
}

Failure read_failure(FieldReader& in) {
  const std::vector<Frame> frames = read_frames(in);
  Failure failure;
  failure.kind = read_kind(in);
  failure.detail = in.text();
  failure.thread = in.integer<std::uint32_t>("thread");
  if (in.flag()) failure.site = read_frame(in, frames);
  failure.stack = read_stack(in, frames);
  const std::size_t threads = in.count(3);
  for (std::size_t i = 0; i < threads && in.good(); ++i) {
    ThreadAtFailure& thread = failure.threads.emplace_back();
    thread.thread = in.integer<std::uint32_t>("thread");
    thread.state = in.text();
    thread.stack = read_stack(in, frames);
  }
  failure.key = in.text();
  failure.weak_key = in.flag();
  return failure;
}

void write(FieldWriter& out, const RunSettings& settings, const std::optional<ClientEnd>& client) {
  out.text(settings.client.command);
  out.number(static_cast<std::uint64_t>(settings.client.signal));
  out.flag(client.has_value());
  if (!client) return;
  out.number(static_cast<std::uint64_t>(client->kind));
  out.number(static_cast<std::uint64_t>(client->number));
  out.flag(client->has_signal);
  out.text(client->output);
}

std::optional<ClientEnd> read_client(FieldReader& in, RunSettings& settings) {
  settings.client.command = in.text();
  settings.client.signal = static_cast<int>(in.number_below(kSignals, "signal"));
  if (!in.flag()) return std::nullopt;
  ClientEnd client;
  client.command = settings.client.command;
  client.kind = static_cast<ClientEnd::Kind>(in.number_below(4, "end of a client"));
  client.number = in.integer<std::uint8_t>("exit status");
  client.has_signal = in.flag();
  client.output = in.text();
  return client;
}

}  // namespace

std::vector<std::byte> encode(const RunDetails& details) {
  FieldWriter out(kFormat);
  write(out, details.program.arguments);
  out.text(details.program.path);
  out.text(details.program.directory);
  write(out, details.settings);
  out.flag(details.failure.has_value());
  if (details.failure) write(out, *details.failure);
  out.text(details.explanation);
  write(out, details.warnings);
  out.number(details.output_left_out);
  out.number(details.error_output_left_out);
  write(out, details.settings, details.client);
  return out.seal();
}

Result<RunDetails> decode_details(std::span<const std::byte> bytes) {
  Result<FieldReader> opened = FieldReader::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;
  RunDetails details;
  details.program.arguments = read_texts(in);
  details.program.path = in.text();
  details.program.directory = in.text();
  details.settings = read_settings(in);
  if (in.flag()) details.failure = read_failure(in);
  details.explanation = in.text();
  details.warnings = read_texts(in);
  if (in.version() >= 3) {
    details.output_left_out = in.number();
    details.error_output_left_out = in.number();
  }
  if (in.version() >= 4) details.client = read_client(in, details.settings);
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return details;
}

}  // namespace unravel
