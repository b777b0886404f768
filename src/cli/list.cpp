/// `unravel list`: what is kept.
#include <time.h>

#include "cli/commands.hpp"
#include "report/json.hpp"
#include "report/run_list.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

std::string counted(const std::vector<RunCount>& counts) {
  std::uint64_t runs = 0;
  for (const RunCount& count : counts) runs += count.runs;
  return runs == 0 ? std::string() : plural(runs, "further run") + " without a failure\n";
}

}  // namespace

Result<int> list_command(const Console& console) {
  const CommonOptions& options = console.options();
  std::vector<StoredRun> runs;
  std::string others;
  // Where nothing was run there is nothing to list; that is no error.
  if (Store::exists(options.store)) {
    const Result<Store> store = Store::open(options.store, Store::Access::kExisting);
    if (!store) return fail(store.error());
    Result<RunList> listed = store->list();
    if (!listed) return fail(listed.error());
    runs = std::move(listed->runs);
    for (const Error& unreadable : listed->unreadable) {
      console.warn(unreadable.what + ": " + unreadable.why);
    }
    const Result<std::vector<RunCount>> counts = store->counts();
    if (!counts) return fail(counts.error());
    others = counted(*counts);
    if (options.json) {
      std::vector<RunReport> reports;
      for (const StoredRun& stored : runs) {
        reports.push_back({.run = &stored.run,
                           .schedule_file = store->schedule_file(stored.run.id).string(),
                           .with_schedule = false});
      }
      console.out(list_json(reports));
      return kNoFailure;
    }
  }
  if (options.json) {
    console.out(list_json({}));
    return kNoFailure;
  }
  std::vector<ListedRun> lines;
  for (const StoredRun& stored : runs) lines.push_back({&stored.run, stored.created});
  console.out(runs.empty()
                  ? "no runs are kept in " + clean(options.store) + "\n"
                  : render_list(lines, ::time(nullptr), console.columns(), console.out_paint()));
  if (!options.quiet) console.out(others);
  return kNoFailure;
}

}  // namespace unravel
