// What does a trace of every memory access cost, beside ThreadSanitizer itself, and how large is
// it?
//
// The three kernels of bench/hooks as GCC's ThreadSanitizer builds them, on one CPU, in rounds:
// with its own library; under control without a trace; with a trace at level `memory` that is
// recorded into memory and thrown away whenever the buffer is full; and with one that is kept. What
// the driver does to keep it is told apart: making events of words, and columns of events, which
// are compressed. The kernels time themselves, by processor time, in which it does not count that
// they stand still while a full buffer is taken away.
#include <fmt/core.h>

#include <cstdlib>
#include <vector>

#include "common/arguments.hpp"
#include "common/kernels.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"
#include "data/trace_file.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

class Discard final : public TraceSink {
 public:
  void begin() override { words_ = 0; }
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module>) override {
    words_ += words.size();
    return true;
  }
  std::uint64_t words() const { return words_; }

 private:
  std::uint64_t words_ = 0;
};

/// Keeps a trace as a file's bytes, and looks at the clock on the way.
class Keep final : public TraceSink {
 public:
  void begin() override {
    decoder_.begin();
    writer_ = {};
    decoding_ = writing_ = 0;
  }
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override {
    const double before = writing_;
    const double all = nanoseconds_of([&] { decoder_.take(words, modules); });
    decoding_ += all - (writing_ - before);
    return true;
  }
  std::size_t finish() {
    std::size_t size = 0;
    writing_ += nanoseconds_of([&] { size = writer_.finish(decoder_.sites(), {}).size(); });
    return size;
  }
  std::uint64_t events() const { return decoder_.events(); }
  double decoding() const { return decoding_; }
  double writing() const { return writing_; }

 private:
  TraceWriter writer_;
  double decoding_ = 0;
  double writing_ = 0;
  TraceDecoder decoder_{[this](std::span<const TraceEvent> events) {
    writing_ += nanoseconds_of([&] { writer_.take(events); });
  }};
};

struct Samples {
  std::vector<double> plain, thread_sanitizer, untraced, recorded, kept;
  std::uint64_t words = 0;
  std::uint64_t events = 0;
  std::size_t bytes = 0;
  double decoding = 0;
  double writing = 0;
};

Samples measure(const Kernel& kernel, int rounds) {
  const TemporaryDirectory scratch;
  const auto for_tsan = kernel_command(kernel, "_tsan");
  const auto controlled = start_controlled(for_tsan, scratch, wire::PointSet::kSync);
  Samples samples;
  std::string result;
  const auto traced = [&](TraceSink& sink) {
    RunRequest request;
    request.schedule.then.kind = wire::RuleKind::kStay;
    request.trace = wire::TraceLevel::kMemory;
    request.sink = &sink;
    return kernel_time(run_passing(*controlled, request).output, result);
  };
  Discard discard;
  Keep keep;
  for (int round = 0; round < rounds; ++round) {
    samples.plain.push_back(
        kernel_time(run_uncontrolled(kernel_command(kernel, "_plain")), result));
    samples.thread_sanitizer.push_back(kernel_time(run_uncontrolled(for_tsan), result));
    samples.untraced.push_back(
        kernel_time(run_by_rule(*controlled, wire::RuleKind::kStay).output, result));
    samples.recorded.push_back(traced(discard));
    samples.kept.push_back(traced(keep));
    samples.bytes = keep.finish();
  }
  samples.words = discard.words();
  samples.events = keep.events();
  samples.decoding = keep.decoding();
  samples.writing = keep.writing();
  return samples;
}

Json print_row(const Kernel& kernel, const Samples& samples) {
  const auto events = static_cast<double>(samples.events);
  const double recorded = median_ratio(samples.recorded, samples.thread_sanitizer);
  const double untraced = median_ratio(samples.untraced, samples.thread_sanitizer);
  const double kept = median_ratio(samples.kept, samples.thread_sanitizer);
  const double each = (median(samples.recorded) - median(samples.untraced)) / events;
  const double on_disk = static_cast<double>(samples.bytes) / events;
  fmt::print(
      "  {:<12}{:>8.2f}{:>10.2f}{:>8.2f}{:>10.1f}{:>8.2f}{:>9.1f}{:>10.1f}{:>9.1f}{:>8.2f}\n",
      kernel.name, untraced, recorded, kept, events / 1e6, each,
      8 * static_cast<double>(samples.words) / events, samples.decoding / events,
      samples.writing / events, on_disk);
  return {{"kernel", kernel.name},
          {"untraced_over_thread_sanitizer", untraced},
          {"recorded_over_thread_sanitizer", recorded},
          {"kept_over_thread_sanitizer", kept},
          {"events", samples.events},
          {"recording_ns_per_event", each},
          {"decoding_ns_per_event", samples.decoding / events},
          {"writing_ns_per_event", samples.writing / events},
          {"bytes_per_event_in_memory", 8 * static_cast<double>(samples.words) / events},
          {"bytes_per_event_on_disk", on_disk}};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments =
      parse_arguments(argc, argv, "What does a trace of every memory access cost?");
  leave_measured_cpu();
  const int rounds = arguments.quick ? 3 : 15;
  fmt::print("{}; {} rounds\n\n", describe_machine(), rounds);
  fmt::print(
      "                 over ThreadSanitizer        events   ns each    bytes     driver: ns "
      "each     bytes\n");
  fmt::print(
      "              untraced  recorded    kept      10^6 recorded in memory   decoded  written "
      "on disk\n");
  std::vector<double> recorded, on_disk;
  Json rows = Json::array();
  for (const Kernel& kernel : kernels(arguments)) {
    const Samples samples = measure(kernel, rounds);
    rows.push_back(print_row(kernel, samples));
    recorded.push_back(median_ratio(samples.recorded, samples.thread_sanitizer));
    on_disk.push_back(static_cast<double>(samples.bytes) / static_cast<double>(samples.events));
  }
  fmt::print("  geometric mean{:>16.2f}   (at most 0.7 is wanted){:>43.2f}   (at most 4)\n",
             geometric_mean(recorded), geometric_mean(on_disk));
  write_json(arguments, "trace",
             {{"rounds", rounds},
              {"kernels", rows},
              {"recorded_over_thread_sanitizer", geometric_mean(recorded)},
              {"bytes_per_event_on_disk", geometric_mean(on_disk)}});
}
