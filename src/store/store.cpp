#include "store/store.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "base/files.hpp"
#include "base/folder.hpp"
#include "data/input_log.hpp"
#include "data/steps.hpp"
#include "store/database.hpp"
#include "store/place.hpp"
#include "store/row.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRuns = "runs";
constexpr std::size_t kIdLength = 6;
constexpr std::size_t kMostListed = 8;  // ids that a message about a prefix lists

/// Six hexadecimal digits of a hash over everything that differs between two runs.
std::string make_id(const Run& run) {
  static std::uint64_t counter = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const std::uint64_t parts[] = {static_cast<std::uint64_t>(now),
                                 static_cast<std::uint64_t>(::getpid()), counter++,
                                 run.summary.schedule_hash};
  std::uint64_t hash = XXH64(parts, sizeof(parts), 0);
  std::string id;
  for (; id.size() < kIdLength; hash >>= 4) id += "0123456789abcdef"[hash & 15];
  return id;
}

std::string beside(const std::string& id, std::string_view extension) {
  return id + std::string(extension);
}

constexpr std::string_view kExtensions[] = {".inputs", ".sched", ".out",         ".err",
                                            ".in",     ".steps", ".constraints", ".environment"};

void remove_files(const Folder& runs, const std::string& id) {
  for (const std::string_view extension : kExtensions) runs.remove(beside(id, extension));
}

Result<void> write_files(const Folder& runs, const std::string& id, const Run& run,
                         std::string_view input) {
  const auto write = [&](std::string_view extension, auto content) -> Result<void> {
    return runs.write(beside(id, extension), std::as_bytes(std::span(content)));
  };
  Result<void> done = write(".sched", encode(run.schedule));
  if (done && !run.output.empty()) done = write(".out", std::string_view(run.output));
  if (done && !run.error_output.empty()) done = write(".err", std::string_view(run.error_output));
  if (done && !input.empty()) done = write(".in", input);
  if (done && (!run.steps.empty() || !run.events.empty())) {
    const std::vector<std::byte> steps = encode(StepsAndEvents{run.steps, run.events});
    if (!steps.empty()) done = write(".steps", steps);
  }
  if (done && !run.constraints.empty()) done = write(".constraints", encode(run.constraints));
  if (done && run.environment) done = write(".environment", encode(*run.environment));
  if (done && run.inputs) done = write(".inputs", encode(*run.inputs));
  return done;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

struct Store::Open {
  fs::path directory;
  SQLite::Database database;
  std::optional<HeldRun> held = {};
  bool is_reached = true;       // otherwise `database` is empty, and not the store's
  std::string adopted_as = {};  // the id of the held run, if it was stored

  fs::path database_file() const { return directory / kDatabaseFile; }
  fs::path runs() const { return directory / kRuns; }
  /// Created if missing and `create`; listing runs does not need it.
  Result<Folder> files(bool create) const {
    const Result<Folder> store = Folder::open(directory);
    if (!store) return fail(store.error());
    const std::string name(kRuns);
    return create ? store->make(name) : store->inside(name);
  }
};

Store::Store(std::unique_ptr<Open> open) : open_(std::move(open)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

bool Store::exists(const fs::path& directory) {
  std::error_code ignored;
  return fs::exists(directory / kDatabaseFile, ignored);
}

Result<Store> Store::open(const fs::path& directory, Access access) {
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_directory(directory, error)) {
    return user_error(directory.string() + " is not a store of unravel", "it is not a directory",
                      "choose another directory with --store DIR");
  }
  if (access == Access::kExisting && !exists(directory)) {
    return user_error("there is no store in " + directory.string(), "nothing was run here so far",
                      "run a program first with `unravel run -- PROGRAM`, or name another "
                      "directory with --store DIR");
  }
  const bool create = access == Access::kWrite;
  const Result<Folder> folder = create ? claim_directory(directory) : Folder::open(directory);
  if (!folder) return fail(folder.error());
  if (const Result<void> good = check_database_files(*folder); !good) return fail(good.error());
  // SQLite must not create files in another user's store.
  const bool read_only = !create && (!folder->is_ours() || ::access(directory.c_str(), W_OK) != 0);
  Result<SQLite::Database> database = open_database(directory / kDatabaseFile, create, read_only);
  if (!database) return fail(database.error());
  return Store(
      std::make_unique<Open>(Open{.directory = directory, .database = std::move(*database)}));
}

Result<Store> Store::around(HeldRun held, const fs::path& directory) {
  return guarded(directory / kDatabaseFile, [&]() -> Result<Store> {
    SQLite::Database none(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    return Store(std::make_unique<Open>(Open{.directory = directory,
                                             .database = std::move(none),
                                             .held = std::move(held),
                                             .is_reached = false}));
  });
}

bool Store::holds(const std::string& id) const {
  return open_->held && open_->held->stored.run.id == id;
}

Result<void> Store::reach(Access access) const {
  if (open_->is_reached) return {};
  Result<Store> real = open(open_->directory, access);
  if (!real) return fail(real.error());
  open_->database = std::move(real->open_->database);
  open_->is_reached = true;
  return {};
}

Result<std::string> Store::adopt() {
  if (open_->adopted_as.empty()) {
    const HeldRun& held = *open_->held;
    Result<std::string> id = add(held.stored.run, held.stored.settings, held.input);
    if (!id) return id;
    open_->adopted_as = std::move(*id);
  }
  return open_->adopted_as;
}

Result<std::string> Store::add(const Run& run, const RunSettings& settings,
                               std::string_view input) {
  if (const Result<void> reached = reach(Access::kWrite); !reached) return fail(reached.error());
  return guarded(open_->database_file(), [&]() -> Result<std::string> {
    // Held while the files are written, so that no other command takes the same id.
    SQLite::Transaction transaction(open_->database, SQLite::TransactionBehavior::IMMEDIATE);
    StoredRun stored{.run = run, .settings = settings, .created = ::time(nullptr)};
    SQLite::Statement taken(open_->database, "SELECT 1 FROM runs WHERE id = ?");
    do {
      stored.run.id = make_id(run);
      taken.reset();
      taken.bind(1, stored.run.id);
    } while (taken.executeStep());
    taken.reset();

    const Result<Folder> files = open_->files(/*create=*/true);
    if (!files) return fail(files.error());
    // An interrupted command may have left files of this id behind.
    remove_files(*files, stored.run.id);
    const Result<void> written = write_files(*files, stored.run.id, run, input);
    if (!written) {
      remove_files(*files, stored.run.id);
      return fail(written.error());
    }
    try {
      insert_row(open_->database, stored);
      transaction.commit();
    } catch (const SQLite::Exception&) {
      remove_files(*files, stored.run.id);
      throw;
    }
    return stored.run.id;
  });
}

Result<void> Store::add_steps(const std::string& id, const Run& run) {
  if (holds(id)) return {};  // its table is made again on request
  const std::vector<std::byte> steps = encode(StepsAndEvents{run.steps, run.events});
  if (steps.empty()) return environment_error("the table has too many rows to be kept");
  return write(id, ".steps", steps);
}

Result<void> Store::add_trace(const std::string& id, std::span<const std::byte> trace) {
  return write(id, ".trace", trace);
}

Result<void> Store::write(const std::string& id, std::string_view extension,
                          std::span<const std::byte> content) {
  if (holds(id)) {
    const Result<std::string> adopted = adopt();
    return adopted ? write(*adopted, extension, content) : fail(adopted.error());
  }
  if (const Result<void> good = check_id(id); !good) return good;
  const Result<Folder> files = open_->files(/*create=*/true);
  if (!files) return fail(files.error());
  return files->write(beside(id, extension), content);
}

Result<std::optional<std::vector<std::byte>>> Store::read(const std::string& id,
                                                          std::string_view extension) const {
  if (const Result<void> good = check_id(id); !good) return fail(good.error());
  const Result<Folder> files = open_->files(/*create=*/false);
  if (!files) return fail(files.error());
  return files->read(beside(id, extension), kMostBytesOfFile);
}

Result<void> Store::count(const std::vector<RunCount>& counts) {
  if (const Result<void> reached = reach(Access::kWrite); !reached) return reached;
  return guarded(open_->database_file(), [&]() -> Result<void> {
    SQLite::Transaction transaction(open_->database, SQLite::TransactionBehavior::IMMEDIATE);
    for (const RunCount& count : counts) {
      SQLite::Statement add(open_->database, R"sql(
        INSERT INTO counters VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, steps = steps + excluded.steps,
                                  seconds = seconds + excluded.seconds)sql");
      add.bind(1, count.command);
      add.bind(2, count.strategy);
      add.bind(3, std::string(name(count.outcome)));
      add.bind(4, static_cast<std::int64_t>(count.runs));
      add.bind(5, static_cast<std::int64_t>(count.steps));
      add.bind(6, count.seconds);
      add.exec();
    }
    transaction.commit();
    return {};
  });
}

Result<std::vector<RunCount>> Store::counts() const {
  return guarded(open_->database_file(), [&]() -> Result<std::vector<RunCount>> {
    SQLite::Statement select(open_->database, "SELECT * FROM counters");
    std::vector<RunCount> counts;
    while (select.executeStep()) {
      counts.push_back(
          {.command = select.getColumn(0).getString(),
           .strategy = select.getColumn(1).getString(),
           .outcome = outcome_named(select.getColumn(2).getString()).value_or(Outcome::kPassed),
           .runs = static_cast<std::uint64_t>(select.getColumn(3).getInt64()),
           .steps = static_cast<std::uint64_t>(select.getColumn(4).getInt64()),
           .seconds = select.getColumn(5).getDouble()});
    }
    return counts;
  });
}

Result<std::string> Store::find(std::string_view prefix) const {
  if (holds(std::string(prefix))) return std::string(prefix);
  if (const Result<void> there = reach(Access::kExisting); !there) return fail(there.error());
  return guarded(open_->database_file(), [&]() -> Result<std::string> {
    const std::string wanted(prefix);
    if (wanted.empty()) {
      SQLite::Statement latest(open_->database,
                               "SELECT id FROM runs WHERE outcome = 'failed' AND NOT unverified "
                               "ORDER BY number DESC LIMIT 1");
      if (latest.executeStep()) return latest.getColumn(0).getString();
      return user_error("no run in this store failed", open_->directory.string(),
                        "name a run that `unravel list` shows");
    }
    SQLite::Statement select(
        open_->database,
        "SELECT id FROM runs WHERE substr(id, 1, length(?1)) = ?1 ORDER BY number");
    select.bind(1, wanted);
    std::vector<std::string> ids;
    while (select.executeStep()) ids.push_back(select.getColumn(0).getString());
    if (ids.size() == 1) return ids[0];
    if (ids.empty()) {
      return user_error("no run '" + wanted + "' in this store", open_->directory.string(),
                        "`unravel list` shows what there is");
    }
    std::string all;
    for (std::size_t i = 0; i < ids.size() && i < kMostListed; ++i) {
      all += (i == 0 ? "" : ", ") + ids[i];
    }
    if (ids.size() > kMostListed) all += ", …";
    return user_error("run '" + wanted + "' is ambiguous: " + all, {}, "give more of its digits");
  });
}

Result<StoredRun> Store::load(const std::string& id) const {
  if (holds(id)) return open_->held->stored;
  if (const Result<void> there = reach(Access::kExisting); !there) return fail(there.error());
  Result<RunList> rows =
      guarded(open_->database_file(), [&] { return select_rows(open_->database, "id = ?", id); });
  if (!rows) return fail(rows.error());
  if (!rows->unreadable.empty()) return fail(rows->unreadable.front());
  if (rows->runs.empty()) return user_error("no run '" + id + "' in this store");
  StoredRun stored = std::move(rows->runs.front());
  const auto bytes = read(id, ".sched");
  if (!bytes) return fail(bytes.error());
  if (!*bytes) return fail(file_error("open", schedule_file(id), ENOENT));
  Result<Schedule> schedule = decode_schedule(**bytes);
  if (!schedule) {
    Error error = schedule.error();
    error.what = schedule_file(id).string() + ": " + error.what;
    return fail(error);
  }
  stored.run.schedule = std::move(*schedule);
  // A run can be replayed without its output.
  for (const auto& [extension, text] :
       {std::pair(".out", &stored.run.output), std::pair(".err", &stored.run.error_output)}) {
    const auto printed = read(id, extension);
    if (printed && *printed) *text = text_of(**printed);
    if (!printed) {
      stored.run.warnings.push_back("what the run printed is not shown: " + printed.error().what +
                                    ": " + printed.error().why);
    }
  }
  // A table can be made again by running, so a damaged one is ignored.
  if (const auto packed = read(id, ".steps"); packed && *packed) {
    if (Result<StepsAndEvents> steps = decode_steps(**packed)) {
      stored.run.steps = std::move(steps->steps);
      stored.run.events = std::move(steps->events);
    }
  }
  // Constraints only make a check more thorough, so damaged ones are ignored.
  if (const auto packed = read(id, ".constraints"); packed && *packed) {
    if (auto constraints = decode_portable_constraints(**packed)) {
      stored.run.constraints = std::move(*constraints);
    }
  }
  return stored;
}

Result<std::shared_ptr<const Environment>> Store::environment(const std::string& id) const {
  if (holds(id)) return open_->held->stored.run.environment;
  const auto bytes = read(id, ".environment");
  if (bytes && !*bytes) return nullptr;
  Result<Environment> environment = bytes ? decode_environment(**bytes) : fail(bytes.error());
  if (!environment) {
    Error error = environment.error();
    error.what = "the environment of run " + id + " cannot be restored: " + error.what;
    error.hint = "`unravel replay --environment now " + id + "` runs it in this one";
    return fail(error);
  }
  return std::make_shared<const Environment>(std::move(*environment));
}

Result<RunList> Store::list() const {
  return guarded(open_->database_file(), [&] { return select_rows(open_->database, "1"); });
}

fs::path Store::schedule_file(const std::string& id) const {
  if (holds(id)) return id;
  return open_->runs() / beside(id, ".sched");
}

fs::path Store::trace_file(const std::string& id) const {
  if (holds(id)) return trace_file(open_->adopted_as);
  return open_->runs() / beside(id, ".trace");
}

Result<std::optional<std::vector<std::byte>>> Store::trace(const std::string& id) const {
  if (holds(id)) return std::optional<std::vector<std::byte>>();
  return read(id, ".trace");
}

Result<std::string> Store::text(const std::string& id, std::string_view extension) const {
  const auto kept = read(id, extension);
  if (!kept) return fail(kept.error());
  return *kept ? text_of(**kept) : std::string();
}

Result<std::string> Store::input(const std::string& id) const {
  return holds(id) ? open_->held->input : text(id, ".in");
}

Result<std::string> Store::output(const std::string& id) const {
  return holds(id) ? open_->held->stored.run.output : text(id, ".out");
}

Result<std::shared_ptr<const InputLog>> Store::inputs(const std::string& id) const {
  if (holds(id)) return open_->held->stored.run.inputs;
  const auto kept = read(id, ".inputs");
  if (!kept) return fail(kept.error());
  if (!*kept) return nullptr;
  Result<InputLog> log = decode_input_log(**kept);
  if (!log) {
    Error error = log.error();
    error.what = "the inputs of run " + id + " cannot be read: " + error.what;
    error.hint = "`unravel replay --inputs live " + id + "` takes them from outside again";
    return fail(error);
  }
  return std::make_shared<const InputLog>(std::move(*log));
}

Result<void> Store::add_inputs(const std::string& id, const InputLog& log) {
  return write(id, ".inputs", encode(log));
}

Result<void> Store::add_deciding_place(const std::string& id, const DecidingPlace& place) {
  const std::string text = encode(place);
  return write(id, ".deciding", std::as_bytes(std::span(text)));
}

Result<std::optional<DecidingPlace>> Store::deciding_place(const std::string& id) const {
  const auto bytes = read(id, ".deciding");
  if (!bytes) return fail(bytes.error());
  if (!*bytes) return std::nullopt;
  return read_deciding_place({reinterpret_cast<const char*>((*bytes)->data()), (*bytes)->size()});
}

const fs::path& Store::directory() const { return open_->directory; }

}  // namespace unravel
