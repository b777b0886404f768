// The part of a runner that stops a run on its way, to examine it there.

#include "run/process_runner.hpp"
#include "run/table.hpp"

namespace unravel {
namespace {

// How often the runs of a table are made if they do not repeat. Chosen by hand.
constexpr int kTriesForTable = 2;

}  // namespace

/// The trace begins at the first stop of the run, and ends at the second.
Result<Run> ProcessRunner::run_with_window(const RunRequest& request) {
  const TraceWindow& window = *request.window;
  const wire::StopAt edges[] = {{.thread = window.thread, .clock = window.from},
                                {.thread = window.thread, .clock = window.to}};
  RunRequest outside = request;
  outside.trace = wire::TraceLevel::kSync;
  bool is_open = false;
  ObjectNames names;
  return perform_one(
      outside, edges,
      [&](pid_t) {
        is_open = !is_open;
        process_->set_trace(is_open ? request.trace : wire::TraceLevel::kSync);
      },
      names);
}

Probe ProcessRunner::probe_turn(pid_t process) {
  const ChannelReading& channel = process_->channel();
  const wire::ThreadRecord thread = channel.current_thread();
  StoppedThreadView view = process_->stacks().view_stopped(channel, process, thread);
  Probe probe{.thread = thread.thread, .clock = thread.clock, .stack = std::move(view.stack)};
  if (view.variable) {
    probe.variable = std::move(view.variable->name.expression);
    probe.type = std::move(view.variable->name.type);
  }
  return probe;
}

Snapshot ProcessRunner::take_snapshot(pid_t process) {
  const ChannelReading& channel = process_->channel();
  const wire::ThreadRecord current = channel.current_thread();
  return {.thread = current.thread,
          .clock = current.clock,
          .step = channel.current_run().steps,
          .threads = describe(process_->stacks().look(channel, process))};
}

CountedStop ProcessRunner::count_stop() {
  const ChannelReading& channel = process_->channel();
  const wire::ThreadRecord current = channel.current_thread();
  // A thread has made no hook right after an operation, and stops there only at a point.
  return {.thread = current.thread,
          .clock = current.clock,
          .step = channel.current_run().steps,
          .is_point = current.clock.hooks == 0 || (current.pending != wire::Operation::kNone &&
                                                   wire::is_synchronisation(current.pending))};
}

Result<Run> ProcessRunner::run_with_table(const RunRequest& request) {
  ObjectNames unused;
  auto first = perform_one(request, {}, {}, unused);
  if (!first || first->events.empty()) return first;

  // The next runs must repeat what the first did under a rule.
  RunRequest again = request;
  if (request.following != wire::Following::kStrict) {
    again.schedule = first->schedule;
    again.following = wire::Following::kStrict;
  }
  // A run that was ended from outside, or by its time limit, may repeat the next time.
  std::string why;
  for (int tries = 0; tries < kTriesForTable; ++tries) {
    Result<std::optional<Run>> made = try_table(again, *first, why);
    if (!made) return fail(made.error());
    if (*made) return std::move(**made);
  }
  first->why_no_table = "the run did not repeat while its stacks were read: " + why;
  first->warnings.push_back(first->why_no_table);
  return first;
}

/// Repeats `first` for its table. Nothing, and `why`: it did not repeat, so rows would be missing.
Result<std::optional<Run>> ProcessRunner::try_table(const RunRequest& again, const Run& first,
                                                    std::string& why) {
  const auto repeats = [&](const Run& run) {
    if (run.summary.outcome != first.summary.outcome) why = run.explanation;
    return run.summary.outcome == first.summary.outcome;
  };
  ObjectNames unused;
  Table table(first.events, first.schedule.slices, first.failure);
  auto second = perform_one(
      again, table.stops(),
      [&](pid_t process) {
        const ChannelReading& channel = process_->channel();
        const wire::ThreadRecord thread = channel.current_thread();
        table.add(process_->stacks().view_stopped(channel, process, thread));
      },
      table.names());
  if (!second) return fail(second.error());
  if (!repeats(*second)) return std::nullopt;
  if (const std::vector<wire::StopAt> probes = table.probes(); !probes.empty()) {
    const auto probed = perform_one(
        again, probes,
        [&](pid_t process) {
          const ChannelReading& channel = process_->channel();
          const wire::ThreadRecord thread = channel.current_thread();
          StackReader& stacks = process_->stacks();
          if (table.wants(thread)) table.add_probed(stacks.view_stopped(channel, process, thread));
          table.add_values(
              thread,
              {.read = [&](std::uint64_t address,
                           std::size_t size) { return stacks.read(process, address, size); },
               .global_at =
                   [&](std::uint64_t address) { return stacks.global_at(process, address); }});
        },
        unused);
    if (!probed) return fail(probed.error());
    if (!repeats(*probed)) return std::nullopt;
  }
  second->strategy = first.strategy;
  second->steps = table.take_steps();
  for (Step& step : second->steps) {
    if (!step.stack.empty()) continue;
    // The site of a thread's start is the first byte of its function; all others are return
    // addresses.
    const bool exact = step.event.operation == wire::Operation::kStart;
    step.stack = process_->stacks().at(process_->channel().modules().path_of(step.event.site),
                                       step.event.site, exact);
  }
  return std::move(*second);
}

}  // namespace unravel
