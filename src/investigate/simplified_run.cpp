#include "investigate/simplified_run.hpp"

#include "investigate/opened_failure.hpp"

namespace unravel {

namespace {

// For a run that could not be stored.
constexpr const char* kNoId = "(not kept)";

}  // namespace

Result<SimplifiedKept> simplify_kept(const SimplifyRequest& request, Observer& observer) {
  Result<std::unique_ptr<OpenedFailure>> opened =
      OpenedFailure::into_failure(request.run, request.store, request.jobs, observer);
  if (!opened) return fail(opened.error());
  const Run& failing = (*opened)->failing();
  Result<SimplifiedRun> simple = make_simple((*opened)->pool(), failing, request.effort, observer);
  if (!simple) return fail(simple.error());
  SimplifiedKept kept{.simple = std::move(*simple), .why_unkept = {}};
  Simplification& told = kept.simple.told;
  told.from = failing.id;
  told.on_record = (*opened)->has_recorded_inputs();
  told.run = failing.id;
  if (told.after < told.before) {
    const Result<std::string> id = (*opened)->keep(kept.simple.run);
    told.run = kept.simple.run.id = id.value_or(kNoId);
    if (!id) kept.why_unkept = id.error();
  }
  return kept;
}

}  // namespace unravel
