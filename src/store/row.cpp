#include "store/row.hpp"

#include "data/details.hpp"
#include "data/print.hpp"

namespace unravel {

namespace {

// SQLite has only signed integers; the bits stay the same.
std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint64_t as_unsigned(const SQLite::Column& column) {
  return static_cast<std::uint64_t>(column.getInt64());
}

wire::PointSet points_named(const std::string& text) {
  for (const wire::PointSet points :
       {wire::PointSet::kCalls, wire::PointSet::kMemory, wire::PointSet::kAuto}) {
    if (name(points) == text) return points;
  }
  return wire::PointSet::kSync;
}

Result<StoredRun> read_row(SQLite::Statement& row) {
  StoredRun stored;
  Run& run = stored.run;
  run.id = row.getColumn("id").getString();
  if (const Result<void> good = check_id(run.id); !good) return fail(good.error());
  const auto broken = [&](const std::string& why) {
    return environment_error("the store's entry of run " + run.id + " cannot be read", why,
                             "move the store away, or look at other runs with `unravel list`");
  };
  const SQLite::Column blob = row.getColumn("details");
  const Result<RunDetails> details = decode_details(
      {static_cast<const std::byte*>(blob.getBlob()), static_cast<std::size_t>(blob.getBytes())});
  if (!details) return broken(details.error().what + ": " + details.error().why);
  const std::optional<Outcome> outcome = outcome_named(row.getColumn("outcome").getString());
  if (!outcome) return broken("its outcome is not known to this version");

  stored.created = row.getColumn("created").getInt64();
  stored.settings = details->settings;
  run.program = details->program;
  run.failure = details->failure;
  run.explanation = details->explanation;
  run.warnings = details->warnings;
  run.output_left_out = details->output_left_out;
  run.error_output_left_out = details->error_output_left_out;
  run.client = details->client;
  run.strategy = row.getColumn("strategy").getString();
  run.schedule.points = points_named(row.getColumn("points").getString());
  RunSummary& summary = run.summary;
  summary.outcome = *outcome;
  if (run.failure) summary.failure = run.failure->kind;
  summary.threads = row.getColumn("threads").getUInt();
  summary.steps = as_unsigned(row.getColumn("steps"));
  summary.switches = as_unsigned(row.getColumn("switches"));
  summary.preemptions = as_unsigned(row.getColumn("preemptions"));
  summary.operations = as_unsigned(row.getColumn("operations"));
  summary.ordinal = as_unsigned(row.getColumn("ordinal"));
  summary.seed = as_unsigned(row.getColumn("seed"));
  summary.seconds = row.getColumn("seconds").getDouble();
  summary.schedule_hash = as_unsigned(row.getColumn("schedule_hash"));
  run.unverified = row.getColumn("unverified").getInt() != 0;
  return stored;
}

}  // namespace

std::string command_line(const Program& program) {
  std::string line;
  for (const std::string& argument : program.arguments) {
    if (!line.empty()) line += ' ';
    line += argument;
  }
  return line;
}

void insert_row(SQLite::Database& database, const StoredRun& stored) {
  const Run& run = stored.run;
  const RunSummary& summary = run.summary;
  SQLite::Statement insert(database, R"sql(
    INSERT INTO runs (id, created, command, outcome, kind, key, detail, threads, steps, switches,
                      preemptions, operations, points, strategy, ordinal, seed, seconds,
                      schedule_hash, unverified, details)
    VALUES (:id, :created, :command, :outcome, :kind, :key, :detail, :threads, :steps, :switches,
            :preemptions, :operations, :points, :strategy, :ordinal, :seed, :seconds,
            :schedule_hash, :unverified, :details))sql");
  insert.bind(":id", run.id);
  insert.bind(":created", stored.created);
  insert.bind(":command", command_line(run.program));
  insert.bind(":outcome", std::string(name(summary.outcome)));
  if (run.failure) {  // otherwise they stay NULL
    insert.bind(":kind", std::string(name(run.failure->kind)));
    insert.bind(":key", run.failure->key);
    insert.bind(":detail", run.failure->detail);
  }
  insert.bind(":threads", summary.threads);
  insert.bind(":steps", as_signed(summary.steps));
  insert.bind(":switches", as_signed(summary.switches));
  insert.bind(":preemptions", as_signed(summary.preemptions));
  insert.bind(":operations", as_signed(summary.operations));
  insert.bind(":points", std::string(name(run.schedule.points)));
  insert.bind(":strategy", run.strategy);
  insert.bind(":ordinal", as_signed(summary.ordinal));
  insert.bind(":seed", as_signed(summary.seed));
  insert.bind(":seconds", summary.seconds);
  insert.bind(":schedule_hash", as_signed(summary.schedule_hash));
  insert.bind(":unverified", run.unverified ? 1 : 0);
  const std::vector<std::byte> details =
      encode(RunDetails{.program = run.program,
                        .settings = stored.settings,
                        .failure = run.failure,
                        .explanation = run.explanation,
                        .warnings = run.warnings,
                        .output_left_out = run.output_left_out,
                        .error_output_left_out = run.error_output_left_out,
                        .client = run.client});
  insert.bind(":details", details.data(), static_cast<int>(details.size()));
  insert.exec();
}

Result<RunList> select_rows(const SQLite::Database& database, const std::string& condition,
                            const std::string& parameter) {
  SQLite::Statement select(database, "SELECT * FROM runs WHERE " + condition + " ORDER BY number");
  if (select.getBindParameterCount() > 0) select.bind(1, parameter);
  RunList rows;
  while (select.executeStep()) {
    Result<StoredRun> row = read_row(select);
    if (row) {
      rows.runs.push_back(std::move(*row));
    } else {
      rows.unreadable.push_back(row.error());
    }
  }
  return rows;
}

Result<void> check_id(const std::string& id) {
  constexpr std::size_t kLongest = 64;  // ours have 6
  const bool good =
      !id.empty() && id.size() <= kLongest && id.find_first_not_of("0123456789abcdef") == id.npos;
  if (good) return {};
  return environment_error("the store has a run '" + id.substr(0, kLongest) + "', which is no id",
                           "an id consists of the digits 0 to 9 and a to f",
                           "do not trust this store: somebody else has changed it");
}

}  // namespace unravel
