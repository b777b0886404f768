#include "investigate/check.hpp"

#include <algorithm>

#include "investigate/kept_failure.hpp"
#include "investigate/pack_file.hpp"

namespace unravel {

namespace {

Result<std::vector<std::string>> all_failures(const Store& store) {
  const Result<RunList> listed = store.list();
  if (!listed) return fail(listed.error());
  // If one run is unreadable, "all failures are fixed" would be wrong.
  if (!listed->unreadable.empty()) return fail(listed->unreadable.front());
  std::vector<std::string> ids;
  for (const StoredRun& stored : listed->runs) {
    // Simplified and isolated runs show the same failure as their original.
    const bool is_made = stored.run.strategy == "simplify" || stored.run.strategy == "isolate";
    if (stored.run.failure && !stored.run.unverified && !is_made) ids.push_back(stored.run.id);
  }
  return ids;
}

Result<std::vector<std::string>> ids_of(const CheckRequest& request) {
  const std::vector<std::string>& names = request.runs;
  // Packed runs need no store.
  const bool needs_store = names.empty() || !std::all_of(names.begin(), names.end(), names_pack);
  if (!needs_store) return names;
  const Result<Store> store = Store::open(request.store, Store::Access::kExisting);
  if (!store) return fail(store.error());
  if (names.empty() || std::find(names.begin(), names.end(), "all") != names.end()) {
    return all_failures(*store);
  }
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    const Result<std::string> id = names_pack(name) ? name : store->find(name);
    if (!id) return fail(id.error());
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  return ids;
}

Finding finding_about(const Run& run) {
  FoundFailure failure;
  failure.run = run;
  failure.verification = Verification{};
  return finding_of(std::move(failure));
}

Result<Checked> check_one(const std::string& id, const CheckRequest& request, CheckReport& report,
                          Observer& observer) {
  RunName name(id);
  name.program = request.program;
  name.trusts_program = request.trusts_program && names_pack(id);
  Result<OpenedRun> opened = open_run(name, request.store);
  if (!opened) return fail(opened.error());
  if (!opened->stored.run.failure) {
    return user_error("run " + id + " did not fail", "only failures can be checked",
                      "`unravel list` shows which runs failed");
  }
  Result<Checked> checked = try_again(*opened, request.neighbours, observer);
  if (checked && checked->verdict == CheckVerdict::kStillFails) {
    report.findings.push_back(finding_about(opened->stored.run));
  }
  return checked;
}

}  // namespace

Result<CheckReport> check_kept(const CheckRequest& request,
                               const std::function<void(const Checked&)>& each,
                               Observer& observer) {
  const Result<std::vector<std::string>> ids = ids_of(request);
  if (!ids) return fail(ids.error());
  CheckReport report;
  for (const std::string& id : *ids) {
    Result<Checked> checked = check_one(id, request, report, observer);
    if (!checked) {
      // Earlier results are still reported.
      report.trouble = observer.interrupted() ? interrupted_error() : checked.error();
      break;
    }
    each(*checked);
    report.all.push_back(std::move(*checked));
  }
  if (report.trouble && report.all.empty()) return fail(*report.trouble);
  return report;
}

}  // namespace unravel
