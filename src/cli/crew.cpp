#include "cli/crew.hpp"

namespace unravel {

Result<std::unique_ptr<Crew>> Crew::start(const WorkerRequest& request, unsigned workers,
                                          Interruption& interruption) {
  Result<Scratch> scratch = Scratch::make(request.store);
  if (!scratch) return fail(scratch.error());
  Result<RunnerOptions> options = runner_options(request, *scratch);
  if (!options) return fail(options.error());
  std::unique_ptr<Crew> crew(new Crew(std::move(*scratch), interruption));
  crew->pool_ = std::make_unique<Pool>(request.program, std::move(*options), workers);
  interruption.watch([pool = crew->pool_.get()] { pool->interrupt(); });
  return crew;
}

}  // namespace unravel
