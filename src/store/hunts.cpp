#include "store/hunts.hpp"

#include <cstring>
#include <limits>
#include <random>

#include "store/database.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

constexpr std::size_t kIdLength = 8;

// The number of the entry after all rounds.
constexpr std::int64_t kRest = std::numeric_limits<std::int64_t>::max();

std::string make_id() {
  std::random_device device;
  std::string id;
  while (id.size() < kIdLength) id += "0123456789abcdef"[device() & 15];
  return id;
}

std::int64_t as_integer(std::uint64_t value) { return static_cast<std::int64_t>(value); }

void update(SQLite::Database& database, const HuntRow& hunt) {
  SQLite::Statement set(database, "UPDATE hunts SET runs = ?, seconds = ?, ended = ? WHERE id = ?");
  set.bind(1, as_integer(hunt.runs));
  set.bind(2, hunt.seconds);
  set.bind(3, hunt.ended ? 1 : 0);
  set.bind(4, hunt.id);
  set.exec();
}

}  // namespace

struct HuntStore::Open {
  std::filesystem::path file;
  SQLite::Database database;
};

HuntStore::HuntStore(std::unique_ptr<Open> open) : open_(std::move(open)) {}
HuntStore::~HuntStore() = default;
HuntStore::HuntStore(HuntStore&&) noexcept = default;
HuntStore& HuntStore::operator=(HuntStore&&) noexcept = default;

Result<HuntStore> HuntStore::open(const std::filesystem::path& store) {
  const std::filesystem::path file = store / kDatabaseFile;
  auto database = open_database(file, /*create=*/false, /*read_only=*/false);
  if (!database) return fail(database.error());
  return HuntStore(std::unique_ptr<Open>(new Open{file, std::move(*database)}));
}

Result<std::string> HuntStore::begin(const HuntRow& hunt) {
  return guarded(open_->file, [&]() -> Result<std::string> {
    const std::string id = make_id();
    SQLite::Statement add(open_->database,
                          "INSERT INTO hunts VALUES (NULL, ?, ?, ?, ?, ?, ?, 0, 0.0, 0)");
    add.bind(1, id);
    add.bind(2, hunt.command);
    add.bind(3, hunt.directory);
    add.bind(4, hunt.build);
    add.bind(5, hunt.strategy);
    add.bind(6, as_integer(hunt.seed));
    add.exec();
    return id;
  });
}

Result<void> HuntStore::add_round(const HuntRow& hunt, std::uint64_t number,
                                  std::span<const std::byte> round) {
  return put(hunt, "INSERT INTO hunt_rounds VALUES (?, ?, ?)", as_integer(number), round);
}

Result<void> HuntStore::set_rest(const HuntRow& hunt, std::span<const std::byte> rest) {
  return put(hunt, "INSERT OR REPLACE INTO hunt_rounds VALUES (?, ?, ?)", kRest, rest);
}

Result<void> HuntStore::put(const HuntRow& hunt, const char* statement, std::int64_t number,
                            std::span<const std::byte> data) {
  return guarded(open_->file, [&]() -> Result<void> {
    SQLite::Transaction transaction(open_->database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement add(open_->database, statement);
    add.bind(1, hunt.id);
    add.bind(2, number);
    add.bind(3, data.data(), static_cast<int>(data.size()));
    add.exec();
    update(open_->database, hunt);
    transaction.commit();
    return {};
  });
}

Result<void> HuntStore::end(const HuntRow& hunt) {
  return guarded(open_->file, [&]() -> Result<void> {
    SQLite::Transaction transaction(open_->database, SQLite::TransactionBehavior::IMMEDIATE);
    update(open_->database, hunt);
    // Rounds are needed only to continue a hunt.
    SQLite::Statement forget(open_->database, "DELETE FROM hunt_rounds WHERE hunt = ?");
    forget.bind(1, hunt.id);
    if (hunt.ended) forget.exec();
    transaction.commit();
    return {};
  });
}

Result<std::optional<HuntRow>> HuntStore::unfinished(const std::string& command,
                                                     const std::string& directory) const {
  return guarded(open_->file, [&]() -> Result<std::optional<HuntRow>> {
    SQLite::Statement select(open_->database, R"sql(
      SELECT id, build, strategy, seed, runs, seconds FROM hunts
      WHERE command = ? AND directory = ? AND ended = 0 ORDER BY number DESC LIMIT 1)sql");
    select.bind(1, command);
    select.bind(2, directory);
    if (!select.executeStep()) return std::optional<HuntRow>();
    HuntRow hunt{.command = command, .directory = directory};
    hunt.id = select.getColumn(0).getString();
    hunt.build = select.getColumn(1).getString();
    hunt.strategy = select.getColumn(2).getString();
    hunt.seed = static_cast<std::uint64_t>(select.getColumn(3).getInt64());
    hunt.runs = static_cast<std::uint64_t>(select.getColumn(4).getInt64());
    hunt.seconds = select.getColumn(5).getDouble();
    return std::optional(std::move(hunt));
  });
}

Result<std::optional<HuntStore::Round>> HuntStore::round_from(const std::string& hunt,
                                                              std::uint64_t number) const {
  // There is nothing after the rest, and SQLite has no larger number.
  if (number > static_cast<std::uint64_t>(kRest)) return std::optional<Round>();
  return guarded(open_->file, [&]() -> Result<std::optional<Round>> {
    SQLite::Statement select(open_->database, R"sql(
      SELECT number, data FROM hunt_rounds WHERE hunt = ? AND number >= ?
      ORDER BY number LIMIT 1)sql");
    select.bind(1, hunt);
    select.bind(2, as_integer(number));
    if (!select.executeStep()) return std::optional<Round>();
    const SQLite::Column data = select.getColumn(1);
    Round round{static_cast<std::uint64_t>(select.getColumn(0).getInt64()),
                std::vector<std::byte>(static_cast<std::size_t>(data.size()))};
    if (!round.data.empty()) std::memcpy(round.data.data(), data.getBlob(), round.data.size());
    return std::optional(std::move(round));
  });
}

Result<HuntStore::Extent> HuntStore::extent(const std::string& hunt) const {
  return guarded(open_->file, [&]() -> Result<Extent> {
    SQLite::Statement select(open_->database, R"sql(
      SELECT count(*) FILTER (WHERE number < ?2), sum(length(data)) FILTER (WHERE number < ?2),
             count(*) FILTER (WHERE number = ?2) FROM hunt_rounds WHERE hunt = ?1)sql");
    select.bind(1, hunt);
    select.bind(2, kRest);
    select.executeStep();
    return Extent{static_cast<std::uint64_t>(select.getColumn(0).getInt64()),
                  static_cast<std::uint64_t>(select.getColumn(1).getInt64()),
                  select.getColumn(2).getInt64() != 0};
  });
}

}  // namespace unravel
