#include "run/runner.hpp"

#include "run/launch.hpp"
#include "run/process_runner.hpp"

namespace unravel {

Result<std::unique_ptr<Runner>> Runner::start(Program program, RunnerOptions options) {
  const auto runtime =
      find_runtime(instrumentation_of(program).asks_for_library ? RuntimeFor::kThreadSanitizerBuild
                                                                : RuntimeFor::kAny);
  if (!runtime) return fail(runtime.error());
  auto session = ProgramProcess::create(program, options, *runtime);
  if (!session) return fail(session.error());
  return std::make_unique<ProcessRunner>(std::move(program), std::move(options),
                                         std::move(*session));
}

Result<std::uint64_t> Runner::keep_files(const std::string&) {
  return user_error("the files of this run cannot be kept", "runs are not sandboxed");
}

}  // namespace unravel
