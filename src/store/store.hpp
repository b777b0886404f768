/// Store: what is kept of runs, in `.unravel/` of the working directory.
///
/// Knows runs and files. Does not know how runs are made, or what a terminal is. A run is a row
/// of a SQLite database plus files; the files are written first and the row last, inside one
/// transaction, so that whoever interrupts a command finds the run whole or not at all. Two
/// commands may use one store at the same time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/run.hpp"
#include "data/settings.hpp"

namespace unravel {

inline constexpr std::string_view kStoreDirectory = ".unravel";

/// A run as it comes back from the store.
struct StoredRun {
  Run run;
  RunSettings settings;
  std::int64_t created = 0;  // seconds since the epoch
};

/// Rows that cannot be read do not keep the others from being listed.
struct RunList {
  std::vector<StoredRun> runs;  // oldest first
  std::vector<Error> unreadable;
};

/// Runs of a loop that are counted and not kept.
struct RunCount {
  std::string command;  // the program's arguments
  std::string strategy;
  Outcome outcome = Outcome::kPassed;
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  double seconds = 0;

  friend bool operator==(const RunCount&, const RunCount&) = default;
};

class Store {
 public:
  enum class Access {
    kWrite,     // made if it is not there
    kExisting,  // an error if it is not there; changed only if the directory allows it
  };
  static Result<Store> open(const std::filesystem::path& directory, Access access);
  static bool exists(const std::filesystem::path& directory);

  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Keeps a run with schedule, output and, if it has them, steps. `input` is what the program
  /// could read from its standard input. Returns the run's new id.
  Result<std::string> add(const Run& run, const RunSettings& settings, std::string_view input = {});

  /// Keeps the table of a run that is in the store already.
  Result<void> add_steps(const std::string& id, const Run& run);

  Result<void> count(const std::vector<RunCount>& counts);
  Result<std::vector<RunCount>> counts() const;

  /// The id that a prefix stands for; of the latest verified failure if it is empty.
  Result<std::string> find(std::string_view prefix) const;

  /// Everything; steps and events only if they were kept.
  Result<StoredRun> load(const std::string& id) const;

  /// All runs, without schedules, steps and output.
  Result<RunList> list() const;

  /// What the program could read from its standard input.
  Result<std::string> input(const std::string& id) const;

  /// Keeps a trace of a run that is in the store already.
  Result<void> add_trace(const std::string& id, std::span<const std::byte> trace);
  /// Nothing if none was kept.
  Result<std::optional<std::vector<std::byte>>> trace(const std::string& id) const;

  /// What the program of a kept run was started in; null if the run was kept without it.
  Result<std::shared_ptr<const Environment>> environment(const std::string& id) const;

  // For messages: what is read goes through the store.
  std::filesystem::path schedule_file(const std::string& id) const;
  std::filesystem::path trace_file(const std::string& id) const;
  const std::filesystem::path& directory() const;

 private:
  struct Open;
  explicit Store(std::unique_ptr<Open> open);

  /// A file of a run: only ids that the store gave can name one.
  Result<void> write(const std::string& id, std::string_view extension,
                     std::span<const std::byte> content);
  Result<std::optional<std::vector<std::byte>>> read(const std::string& id,
                                                     std::string_view extension) const;

  std::unique_ptr<Open> open_;
};

}  // namespace unravel
