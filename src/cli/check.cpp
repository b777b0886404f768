/// `unravel check`: kept failures on the program as it is now.
#include <algorithm>

#include "cli/check_trial.hpp"
#include "cli/commands.hpp"
#include "report/check_text.hpp"
#include "report/json.hpp"

namespace unravel {

namespace {

Result<std::vector<std::string>> all_failures(const Store& store) {
  const Result<RunList> listed = store.list();
  if (!listed) return fail(listed.error());
  // Whoever asks for all failures must not be told that all is well without one of them.
  if (!listed->unreadable.empty()) return fail(listed->unreadable.front());
  std::vector<std::string> ids;
  for (const StoredRun& stored : listed->runs) {
    // What was made of another one is the same failure once more.
    const bool is_made = stored.run.strategy == "simplify" || stored.run.strategy == "isolate";
    if (stored.run.failure && !stored.run.unverified && !is_made) ids.push_back(stored.run.id);
  }
  return ids;
}

Result<std::vector<std::string>> ids_of(const std::vector<std::string>& names, const Store& store) {
  if (names.empty() || std::find(names.begin(), names.end(), "all") != names.end()) {
    return all_failures(store);
  }
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    const Result<std::string> id = store.find(name);
    if (!id) return fail(id.error());
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  return ids;
}

/// A failure is one, whether it is the old one or another.
int status_of(const std::vector<Checked>& all) {
  int status = kNoFailure;
  for (const Checked& one : all) {
    if (one.is_trouble) status = graver(status, kUserOrEnvironment);
    if (one.verdict == CheckVerdict::kStillFails) status = graver(status, kFailure);
    for (const OtherFailure& other : one.others) {
      status = graver(status, other.verified ? kFailure : kUserOrEnvironment);
    }
  }
  return status;
}

/// One kept failure; told at once.
Result<Checked> check_one(const std::string& id, const CheckOptions& options,
                          const Console& console, Interruption& interruption) {
  Result<OpenedRun> opened = open_run(id, console.options().store);
  if (!opened) return fail(opened.error());
  if (!opened->stored.run.failure) {
    return user_error("run " + id + " did not fail", "only a failure can be fixed",
                      "`unravel list` shows which runs failed");
  }
  Result<Checked> checked = try_again(*opened, options.neighbours, console, interruption);
  const bool tells_each = !console.options().json && !console.options().quiet;
  if (checked && tells_each) console.out(check_line(*checked, console.out_paint()));
  return checked;
}

}  // namespace

Result<int> check_command(const CheckOptions& options, const Console& console,
                          Interruption& interruption) {
  std::vector<std::string> ids;
  {
    Result<Store> store = Store::open(console.options().store, Store::Access::kExisting);
    if (!store) return fail(store.error());
    Result<std::vector<std::string>> named = ids_of(options.runs, *store);
    if (!named) return fail(named.error());
    ids = std::move(*named);
  }
  std::vector<Checked> all;
  std::optional<Error> trouble;
  for (const std::string& id : ids) {
    Result<Checked> checked = check_one(id, options, console, interruption);
    if (!checked) {
      // What was seen before it is told all the same.
      trouble = interruption.happened() ? Interruption::error() : checked.error();
      break;
    }
    all.push_back(std::move(*checked));
  }
  if (trouble && all.empty()) return fail(*trouble);
  if (console.options().json) {
    console.out(check_json(all));
  } else {
    console.out(check_summary(all));
  }
  if (!trouble) return status_of(all);
  return graver(status_of(all), console.complain_in_words(*trouble));
}

}  // namespace unravel
