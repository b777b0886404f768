#include "data/packed.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "data/bytes.hpp"
#include "data/details.hpp"
#include "data/input_log.hpp"
#include "data/steps.hpp"
#include "wire/control.hpp"
#include "wire/version.hpp"

namespace unravel {

namespace {

constexpr Format kFormat = {.magic = "UNRAVPAK",
                            .noun = "packed run",
                            .version = 1,
                            .operation_table = wire::kOperationTableVersion};

// The kernel takes no longer ones.
constexpr std::size_t kLongestPath = 4096;

// Temporary directories are removed up to 64 levels (base/folder.cpp).
constexpr std::ptrdiff_t kDeepest = 48;

// Durations are stored in microseconds; no run takes a year.
constexpr double kPerSecond = 1e6;
constexpr double kLongestRun = 365 * 24 * 3600.0;

// Compressing larger parts well takes seconds. Chosen by hand.
constexpr std::size_t kMostForGoodCompression = std::size_t{16} << 20;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// One part of the file: compressed, with the size in front.
void write_part(FieldWriter& out, std::span<const std::byte> bytes) {
  const std::vector<std::byte> packed =
      bytes.size() <= kMostForGoodCompression ? compress(bytes) : compress_fast(bytes);
  out.text(text_of(packed));
}

/// Reads parts. All of them together become at most kMostBytesOfPack bytes: a few bytes can claim
/// to be gigabytes.
class PartReader {
 public:
  explicit PartReader(FieldReader& in) : in_(in) {}

  std::vector<std::byte> bytes() {
    const std::string packed = in_.text();
    if (!in_.good()) return {};
    Result<std::vector<std::byte>> part = decompress(bytes_of(packed), left_, kFormat.noun);
    if (!part) {
      in_.refuse(part.error().why);
      return {};
    }
    left_ -= part->size();
    return std::move(*part);
  }
  std::string text() { return text_of(bytes()); }

  /// A part that is a stored file itself.
  template <class T>
  T decoded(Result<T> (*decode)(std::span<const std::byte>)) {
    const std::vector<std::byte> part = bytes();
    if (!in_.good()) return {};
    Result<T> value = decode(part);
    if (value) return std::move(*value);
    in_.refuse(value.error().what + (value.error().why.empty() ? "" : ": " + value.error().why));
    return {};
  }

 private:
  FieldReader& in_;
  std::size_t left_ = kMostBytesOfPack;
};

// --- Numbers ---------------------------------------------------------------------------------

void write(FieldWriter& out, const RunSummary& summary) {
  out.text(name(summary.outcome));
  out.number(summary.threads);
  out.number(summary.children);
  out.number(summary.steps);
  out.number(summary.switches);
  out.number(summary.preemptions);
  out.number(summary.operations);
  out.number(summary.ordinal);
  out.number(summary.seed);
  out.number(summary.schedule_hash);
  out.number(static_cast<std::uint64_t>(
      std::llround(std::clamp(summary.seconds, 0.0, kLongestRun) * kPerSecond)));
}

RunSummary read_summary(FieldReader& in) {
  RunSummary summary;
  const std::optional<Outcome> outcome = outcome_named(in.text());
  if (!outcome) in.refuse("its outcome is not known to this version");
  summary.outcome = outcome.value_or(Outcome::kPassed);
  summary.threads = in.integer<std::uint32_t>("number of threads");
  summary.children = in.integer<std::uint32_t>("number of child processes");
  summary.steps = in.number();
  summary.switches = in.number();
  summary.preemptions = in.number();
  summary.operations = in.number();
  summary.ordinal = in.number();
  summary.seed = in.number();
  summary.schedule_hash = in.number();
  const auto most = static_cast<std::uint64_t>(kLongestRun * kPerSecond);
  summary.seconds = static_cast<double>(in.number_below(most + 1, "duration")) / kPerSecond;
  return summary;
}

// --- What the run got ------------------------------------------------------------------------

void write(FieldWriter& out, const InputLog& log) {
  out.text(log.incomplete);
  write_part(out, std::as_bytes(std::span(log.words)));
}

std::shared_ptr<const InputLog> read_inputs(FieldReader& in, PartReader& parts) {
  auto log = std::make_shared<InputLog>();
  log->incomplete = in.text();
  const std::vector<std::byte> bytes = parts.bytes();
  if (!in.good()) return nullptr;
  if (bytes.size() % sizeof(std::uint64_t) != 0 ||
      bytes.size() / sizeof(std::uint64_t) > wire::kMostInputWords) {
    in.refuse("its inputs have an impossible size");
    return nullptr;
  }
  log->words.resize(bytes.size() / sizeof(std::uint64_t));
  if (!bytes.empty()) std::memcpy(log->words.data(), bytes.data(), bytes.size());
  if (!totals_of(log->words)) in.refuse("its inputs are not whole");
  return log;
}

// --- Paths -----------------------------------------------------------------------------------

bool has_zero(std::string_view text) { return text.find('\0') != text.npos; }

bool is_absolute(std::string_view path) {
  return path.starts_with('/') && path.size() < kLongestPath && !has_zero(path);
}

/// Absolute, not deep, and every part of it a name.
bool is_plain(std::string_view path) {
  if (!is_absolute(path) || std::count(path.begin(), path.end(), '/') > kDeepest) return false;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

void check_program(FieldReader& in, const Program& program) {
  if (program.arguments.empty()) in.refuse("its program has no name");
  for (const std::string& argument : program.arguments) {
    if (has_zero(argument)) in.refuse("an argument of its program has a zero byte");
  }
  // The path may go through links and up by `..`, as the user typed it; but it ends in a name.
  const std::string_view path = program.path;
  const std::string_view last = path.substr(path.rfind('/') + 1);
  if (!is_absolute(path) || last.empty() || last == "." || last == "..") {
    in.refuse("the path of its program is not absolute, or does not end in a name");
  }
  if (program.directory != "/" && !is_plain(program.directory)) {
    in.refuse("its working directory is not absolute, or has `..`");
  }
}

std::vector<PackedFile> read_files(FieldReader& in, PartReader& parts) {
  std::vector<PackedFile> files;
  const std::size_t count = in.count(2);
  for (std::size_t i = 0; i < count && in.good(); ++i) {
    PackedFile file{.path = in.text(), .content = {}};
    if (!in.good()) break;
    const bool is_double = std::any_of(files.begin(), files.end(), [&](const PackedFile& other) {
      return other.path == file.path;
    });
    if (!is_plain(file.path)) in.refuse("it has a file whose path is not absolute, or has `..`");
    if (is_double) in.refuse("it has two files with the same path");
    file.content = parts.text();
    files.push_back(std::move(file));
  }
  return files;
}

// --- The whole -------------------------------------------------------------------------------

void take(RunDetails details, PackedRun& packed) {
  Run& run = packed.run;
  run.program = std::move(details.program);
  packed.settings = std::move(details.settings);
  run.failure = std::move(details.failure);
  run.explanation = std::move(details.explanation);
  run.warnings = std::move(details.warnings);
  run.output_left_out = details.output_left_out;
  run.error_output_left_out = details.error_output_left_out;
}

PackedRun read_fields(FieldReader& in) {
  PartReader parts(in);
  PackedRun packed;
  Run& run = packed.run;
  packed.created = static_cast<std::int64_t>(in.number());
  run.summary = read_summary(in);
  run.strategy = in.text();
  run.unverified = in.flag();
  take(parts.decoded(decode_details), packed);
  check_program(in, run.program);
  if (run.failure) run.summary.failure = run.failure->kind;
  if (run.failure.has_value() != (run.summary.outcome == Outcome::kFailed)) {
    in.refuse("its outcome and its failure contradict each other");
  }
  run.schedule = parts.decoded(decode_schedule);
  if (in.flag()) {
    auto steps = parts.decoded(decode_steps);
    run.steps = std::move(steps.steps);
    run.events = std::move(steps.events);
  }
  run.constraints = parts.decoded(decode_portable_constraints);
  if (in.flag()) {
    run.environment = std::make_shared<const Environment>(parts.decoded(decode_environment));
  }
  if (in.flag()) run.inputs = read_inputs(in, parts);
  run.output = parts.text();
  run.error_output = parts.text();
  packed.input = parts.text();
  if (in.flag()) packed.expected_output = parts.text();
  packed.files = read_files(in, parts);
  return packed;
}

}  // namespace

std::vector<std::byte> encode(const PackedRun& packed) {
  const Run& run = packed.run;
  FieldWriter out(kFormat);
  out.number(static_cast<std::uint64_t>(packed.created));
  write(out, run.summary);
  out.text(run.strategy);
  out.flag(run.unverified);
  write_part(out, encode(RunDetails{.program = run.program,
                                    .settings = packed.settings,
                                    .failure = run.failure,
                                    .explanation = run.explanation,
                                    .warnings = run.warnings,
                                    .output_left_out = run.output_left_out,
                                    .error_output_left_out = run.error_output_left_out}));
  write_part(out, encode(run.schedule));
  std::vector<std::byte> steps;
  if (!run.steps.empty() || !run.events.empty()) {
    steps = encode(StepsAndEvents{run.steps, run.events});  // empty: too large to be read back
  }
  out.flag(!steps.empty());
  if (!steps.empty()) write_part(out, steps);
  write_part(out, encode(run.constraints));
  out.flag(run.environment != nullptr);
  if (run.environment) write_part(out, encode(*run.environment));
  out.flag(run.inputs != nullptr);
  if (run.inputs) write(out, *run.inputs);
  write_part(out, bytes_of(run.output));
  write_part(out, bytes_of(run.error_output));
  write_part(out, bytes_of(packed.input));
  out.flag(packed.expected_output.has_value());
  if (packed.expected_output) write_part(out, bytes_of(*packed.expected_output));
  out.number(packed.files.size());
  for (const PackedFile& file : packed.files) {
    out.text(file.path);
    write_part(out, bytes_of(file.content));
  }
  return out.seal();
}

Result<PackedRun> decode_packed_run(std::span<const std::byte> bytes) {
  Result<FieldReader> opened = FieldReader::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  PackedRun packed = read_fields(*opened);
  if (const std::optional<Error> error = opened->finish()) return fail(*error);
  return packed;
}

bool is_packed_run(std::span<const std::byte> bytes) { return has_magic(kFormat, bytes); }

}  // namespace unravel
