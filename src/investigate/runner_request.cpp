#include "investigate/runner_request.hpp"

#include "base/files.hpp"
#include "run/uses.hpp"

namespace unravel {

RunSettings default_settings() {
  const RunLimits limits;
  return {.most_steps = limits.most_steps,
          .timeout_milliseconds = static_cast<std::uint64_t>(limits.timeout.count())};
}

Result<wire::PointSet> points_for(const Program& program, const Judging& options,
                                  Observer& observer) {
  const Instrumentation built = instrumentation_of(program);
  if (!options.points) return built.has_hooks ? wire::PointSet::kAuto : wire::PointSet::kSync;
  if (*options.points != wire::PointSet::kSync && !built.has_hooks && !built.loads_libraries &&
      !may_become_another(program)) {
    return user_error("'" + program.arguments.front() + "' has no hooks at memory accesses",
                      "it was not compiled with -fsanitize=thread",
                      "build it with unravel-cc or unravel-c++, or use --points sync");
  }
  if (*options.points == wire::PointSet::kCalls && !built.has_blocks) {
    observer.warn(
        "'" + program.arguments.front() +
        "' was compiled without -fsanitize-coverage: function entries are points, but loops "
        "are not; build it with unravel-cc or unravel-c++ for both");
  }
  return *options.points;
}

RunSettings settings_from(const Judging& options, const RunSettings& otherwise) {
  RunSettings settings = otherwise;
  if (options.most_steps) settings.most_steps = *options.most_steps;
  if (options.timeout) {
    settings.timeout_milliseconds = static_cast<std::uint64_t>(options.timeout->count());
  }
  if (options.oracle) settings.oracle = {"/bin/sh", "-c", *options.oracle};
  if (options.expected_output) {
    // A replay may start in another directory.
    std::error_code ignored;
    settings.expected_output = std::filesystem::absolute(*options.expected_output, ignored);
  }
  if (!options.targets.empty()) settings.targets = options.targets;
  if (options.skip_status) settings.skip_status = *options.skip_status;
  return settings;
}

Result<RunnerOptions> runner_options(const RunnerRequest& request, const Scratch& scratch) {
  RunnerOptions options;
  options.limits.most_steps = request.settings.most_steps;
  options.limits.timeout = std::chrono::milliseconds(request.settings.timeout_milliseconds);
  if (request.most_output) options.limits.most_kept_output = *request.most_output;
  options.timeouts = request.timeouts;
  options.points = request.points;
  options.oracle = request.settings.oracle;
  if (request.expected_output) {
    options.expected_output = request.expected_output;
  } else if (!request.settings.expected_output.empty()) {
    Result<std::string> expected = read_text_file(request.settings.expected_output);
    if (!expected) {
      return user_error("the expected output cannot be read: " + expected.error().what,
                        expected.error().why,
                        "restore the file, or name another one with --expect-output FILE");
    }
    options.expected_output = std::move(*expected);
  }
  options.targets = request.settings.targets;
  options.skip_status = request.settings.skip_status;
  options.fork_server = request.settings.fork_server;
  options.sandbox = request.sandbox;
  options.cpu = request.cpu;
  options.environment = request.environment;
  options.stand_ins = request.stand_ins;
  options.records_inputs = request.records_inputs;
  options.catch_calls = request.catch_calls;
  options.inputs = request.inputs;
  options.client = request.settings.client;
  if (request.inputs) options.client_end = request.client_end;
  if (request.most_input) options.limits.most_input = *request.most_input;
  options.scratch_directory = scratch.path().string();
  if (!request.input.empty()) {
    options.standard_input = (scratch.path() / "input").string();
    const Result<void> written = write_file_atomically(options.standard_input, request.input);
    if (!written) return fail(written.error());
  }
  if (request.like) {
    options.sandbox = !request.stand_ins.empty() ||
                      (options.sandbox && (request.like->sandboxed || request.forces_sandbox));
    options.start_realtime = request.like->start_realtime;
    options.start_monotonic = request.like->start_monotonic;
    options.cpu_count = request.like->cpu_count;
    options.time_model = request.like->time_model;
    options.start = request.like->start;
  }
  return options;
}

}  // namespace unravel
