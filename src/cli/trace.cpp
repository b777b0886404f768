#include "cli/trace.hpp"

#include "base/files.hpp"
#include "cli/build_ids.hpp"
#include "cli/reproduce.hpp"
#include "data/trace_file.hpp"

namespace unravel {

namespace {

/// Repeats a run with a trace. What the events' sites mean, `decoder` knows afterwards.
Result<void> repeat(const Run& run, Runner& runner, TraceDecoder& decoder,
                    const TraceOptions& options) {
  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  request.trace = wire::TraceLevel::kMemory;
  request.sink = &decoder;
  request.values = options.values;
  request.window = options.window;
  const Result<Run> again = runner.run(request);
  if (!again) return fail(again.error());
  const std::string differs = difference(run, *again);
  if (differs.empty()) return {};
  return user_error("run " + run.id + " could not be repeated for its trace", differs,
                    "`unravel doctor -- PROGRAM` tells what differs");
}

Result<Trace> read_trace(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return fail(bytes.error());
  Result<TraceReader> reader = TraceReader::open(*bytes);
  Trace trace;
  while (reader) {
    const auto block = reader->next();
    if (!block) return fail(block.error());
    if (block->empty()) break;
    trace.events.insert(trace.events.end(), block->begin(), block->end());
  }
  if (!reader) return fail(reader.error());
  trace.sites = reader->sites();
  return trace;
}

}  // namespace

Result<std::uint64_t> keep_trace(const OpenedRun& opened, Runner& runner,
                                 const TraceOptions& options) {
  const Run& run = opened.stored.run;
  TraceWriter writer;
  TraceDecoder decoder([&](std::span<const TraceEvent> events) { writer.take(events); });
  const Result<void> repeated = repeat(run, runner, decoder, options);
  if (!repeated) return fail(repeated.error());
  const Result<void> kept = write_file_atomically(
      opened.store.trace_file(run.id), writer.finish(decoder.sites(), run.schedule.modules));
  if (!kept) return fail(kept.error());
  return decoder.events();
}

Result<Trace> trace_of(const OpenedRun& opened, Interruption& interruption) {
  const Run& run = opened.stored.run;
  const std::filesystem::path file = opened.store.trace_file(run.id);
  std::error_code none;
  if (std::filesystem::exists(file, none)) {
    Result<Trace> kept = read_trace(file);
    if (!kept) kept.error().hint = "make it again: `unravel replay --trace " + run.id + "`";
    return kept;
  }

  const Result<void> same = check_same_build(run.schedule);
  if (!same) return fail(same.error());
  Result<std::unique_ptr<Worker>> worker = start_like(opened, {}, interruption);
  if (!worker) return fail(worker.error());
  Trace trace;
  TraceDecoder decoder([&](std::span<const TraceEvent> events) {
    trace.events.insert(trace.events.end(), events.begin(), events.end());
  });
  const Result<void> repeated = repeat(run, (*worker)->runner(), decoder, {});
  if (!repeated) return fail(repeated.error());
  trace.sites = decoder.sites();
  return trace;
}

}  // namespace unravel
