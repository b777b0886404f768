/// Store: keeps runs in `.unravel/` of the working directory.
///
/// This room knows runs and files. It does not know how runs are made, or what a terminal is. A run
/// is a row of a SQLite database plus files. The files are written first and the row last, in one
/// transaction: if a command is interrupted, the run is stored completely or not at all. Two
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
#include "data/deciding_place.hpp"
#include "data/run.hpp"
#include "data/settings.hpp"

namespace unravel {

inline constexpr std::string_view kStoreDirectory = ".unravel";

/// A run that was read from the store.
struct StoredRun {
  Run run;
  RunSettings settings;
  std::int64_t created = 0;  // seconds since the epoch
};

/// A run that is not in the store, but in a file of its own.
struct HeldRun {
  StoredRun stored;  // its id is the file's name; has its environment and inputs
  std::string input;
};

/// The readable runs, and what is wrong with the others.
struct RunList {
  std::vector<StoredRun> runs;  // oldest first
  std::vector<Error> unreadable;
};

/// Runs of a hunt that are counted but not stored.
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
    kWrite,     // created if it does not exist
    kExisting,  // an error if it does not exist; changed only if the directory is writable
  };
  static Result<Store> open(const std::filesystem::path& directory, Access access);
  static bool exists(const std::filesystem::path& directory);

  /// The store, as if it had this run, too. It is opened, or created, when something is stored.
  static Result<Store> around(HeldRun held, const std::filesystem::path& directory);

  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// Stores a run with its schedule, output and, if it has them, steps. `input` is what the program
  /// could read from standard input. Returns the run's new id.
  Result<std::string> add(const Run& run, const RunSettings& settings, std::string_view input = {});

  /// Stores the table of a run that is already in the store.
  Result<void> add_steps(const std::string& id, const Run& run);

  Result<void> count(const std::vector<RunCount>& counts);
  Result<std::vector<RunCount>> counts() const;

  /// The id with this prefix; if it is empty, the id of the latest verified failure.
  Result<std::string> find(std::string_view prefix) const;

  /// The whole run; steps and events only if they were stored.
  Result<StoredRun> load(const std::string& id) const;

  /// All runs, without schedules, steps and output.
  Result<RunList> list() const;

  /// What the program could read from its standard input.
  Result<std::string> input(const std::string& id) const;
  /// What it wrote to its standard output, as far as that is kept.
  Result<std::string> output(const std::string& id) const;

  /// What the run got from outside; null if that was not recorded.
  Result<std::shared_ptr<const InputLog>> inputs(const std::string& id) const;
  /// Stores the inputs of a run that is already in the store.
  Result<void> add_inputs(const std::string& id, const InputLog& log);

  /// Stores the trace of a run that is already in the store.
  Result<void> add_trace(const std::string& id, std::span<const std::byte> trace);
  /// Nothing if there is none.
  Result<std::optional<std::vector<std::byte>>> trace(const std::string& id) const;

  /// Stores which switch decides about a failing run that is already in the store.
  Result<void> add_deciding_place(const std::string& id, const DecidingPlace& place);
  /// Nothing if it is not known.
  Result<std::optional<DecidingPlace>> deciding_place(const std::string& id) const;

  /// The environment of a stored run; null if it was stored without one.
  Result<std::shared_ptr<const Environment>> environment(const std::string& id) const;

  // For messages only: reading goes through the store.
  std::filesystem::path schedule_file(const std::string& id) const;
  std::filesystem::path trace_file(const std::string& id) const;
  const std::filesystem::path& directory() const;

 private:
  struct Open;
  explicit Store(std::unique_ptr<Open> open);

  /// Opens the store itself, if that was put off.
  Result<void> reach(Access access) const;
  /// Stores the held run. Returns its new id.
  Result<std::string> adopt();
  bool holds(const std::string& id) const;

  /// Writes a file of a run. Only ids that the store created are valid.
  Result<void> write(const std::string& id, std::string_view extension,
                     std::span<const std::byte> content);
  Result<std::optional<std::vector<std::byte>>> read(const std::string& id,
                                                     std::string_view extension) const;
  /// The content of a file of a run; empty if there is none.
  Result<std::string> text(const std::string& id, std::string_view extension) const;

  std::unique_ptr<Open> open_;
};

}  // namespace unravel
