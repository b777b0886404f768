#include "investigate/kept_trace.hpp"

#include "data/trace_file.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/repetition.hpp"

namespace unravel {

namespace {

/// Repeats a run with a trace. Afterwards `decoder` has the sites of the events.
Result<void> repeat(const Run& run, Runner& runner, TraceDecoder& decoder,
                    const TraceRequest& options) {
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
                    "`unravel doctor -- PROGRAM` shows what differs");
}

// All events are in memory at the same time. The size of the file is no limit: a block of a few
// hundred bytes can contain 65,536 events. Chosen by hand.
constexpr std::size_t kMostEvents = std::size_t{1} << 25;

Result<Trace> read_trace(std::span<const std::byte> bytes) {
  Result<TraceReader> reader = TraceReader::open(bytes);
  Trace trace;
  while (reader) {
    const auto block = reader->next();
    if (!block) return fail(block.error());
    if (block->empty()) break;
    if (trace.events.size() + block->size() > kMostEvents) {
      return user_error("this trace has more than " + std::to_string(kMostEvents) + " events",
                        "they do not fit into memory");
    }
    trace.events.insert(trace.events.end(), block->begin(), block->end());
  }
  if (!reader) return fail(reader.error());
  trace.sites = reader->sites();
  return trace;
}

}  // namespace

Result<std::uint64_t> keep_trace(OpenedRun& opened, Runner& runner, const TraceRequest& options) {
  const Run& run = opened.stored.run;
  TraceWriter writer;
  TraceDecoder decoder([&](std::span<const TraceEvent> events) { writer.take(events); });
  const Result<void> repeated = repeat(run, runner, decoder, options);
  if (!repeated) return fail(repeated.error());
  const Result<void> kept =
      opened.store.add_trace(run.id, writer.finish(decoder.sites(), run.schedule.modules));
  if (!kept) return fail(kept.error());
  return decoder.events();
}

Result<Trace> trace_of(const OpenedRun& opened, bool may_run, Observer& observer) {
  const Run& run = opened.stored.run;
  const auto bytes = opened.store.trace(run.id);
  if (!bytes) return fail(bytes.error());
  if (*bytes) {
    Result<Trace> kept = read_trace(**bytes);
    if (!kept) {
      kept.error().hint = "make it again, or only of a part of the run: `unravel replay --trace " +
                          run.id + "`, with --window T1:3..T1:20";
    }
    return kept;
  }
  if (!may_run) {
    return user_error(
        "no trace of run " + run.id + " was stored", "to make one, the program must run again",
        "`unravel show --run --format std " + run.id + "` runs it, `unravel replay --trace " +
            run.id + "` also stores the trace");
  }

  const Result<void> same = check_same_build(opened);
  if (!same) return fail(same.error());
  Result<std::unique_ptr<RunnerLease>> lease = start_like(opened, {}, observer);
  if (!lease) return fail(lease.error());
  Trace trace;
  TraceDecoder decoder([&](std::span<const TraceEvent> events) {
    trace.events.insert(trace.events.end(), events.begin(), events.end());
  });
  const Result<void> repeated = repeat(run, (*lease)->get(), decoder, {});
  if (!repeated) return fail(repeated.error());
  trace.sites = decoder.sites();
  return trace;
}

}  // namespace unravel
