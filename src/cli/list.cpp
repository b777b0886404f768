/// `unravel list`: lists the stored runs.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

class ListCommand final : public Command {
 public:
  void add_flags(CLI::App&) override {}

  Result<int> run(const CommandContext& context) override {
    KeptRuns kept;
    kept.store = context.store;
    // No store means no runs; that is not an error.
    if (!Store::exists(context.store)) {
      context.reporter.list(kept);
      return kNoFailure;
    }
    const Result<Store> store = Store::open(context.store, Store::Access::kExisting);
    if (!store) return fail(store.error());
    const Result<RunList> listed = store->list();
    if (!listed) return fail(listed.error());
    for (const Error& unreadable : listed->unreadable) {
      context.reporter.warn(unreadable.what + ": " + unreadable.why);
    }
    const Result<std::vector<RunCount>> counts = store->counts();
    if (!counts) return fail(counts.error());
    for (const RunCount& count : *counts) kept.counted += count.runs;
    for (const StoredRun& stored : listed->runs) {
      kept.runs.push_back(
          {&stored.run, stored.created, store->schedule_file(stored.run.id).string()});
    }
    context.reporter.list(kept);
    return kNoFailure;
  }
};

}  // namespace

std::unique_ptr<Command> make_list_command() { return std::make_unique<ListCommand>(); }

}  // namespace unravel
