/// The journal of a hunt in the store: first it returns the earlier rounds, then new ones are
/// added.
#pragma once

#include <chrono>

#include "explore/journal.hpp"
#include "store/hunts.hpp"

namespace unravel {

class HuntJournal final : public Journal {
 public:
  // Room for about 1.3 million runs: with the overhead of SQLite, a hunt stores less than 100 MB
  // (`./dev bench footprint`).
  static constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20;

  /// Starts the journal of a new hunt; it is on disk when this returns.
  static Result<HuntJournal> begin(const std::filesystem::path& store, HuntRow hunt,
                                   std::uint64_t most_bytes = kMostBytes);
  /// Opens the journal of the latest interrupted hunt of the same program.
  static Result<HuntJournal> resume(const std::filesystem::path& store, const HuntRow& like,
                                    std::uint64_t most_bytes = kMostBytes);

  [[nodiscard]] const HuntRow& hunt() const { return hunt_; }
  [[nodiscard]] std::chrono::duration<double> so_far() const { return before_; }

  Result<std::optional<JournalEntry>> next() override;
  Result<void> add(const JournalEntry& entry) override;
  [[nodiscard]] bool has_room() const override { return !has_rest_ && bytes_ < most_bytes_; }

  /// The hunt is complete and cannot be resumed.
  Result<void> end();

 private:
  HuntJournal(HuntStore store, HuntRow hunt, std::uint64_t most_bytes);

  HuntStore store_;
  HuntRow hunt_;
  std::optional<std::uint64_t> next_;  // the next earlier round; nothing: there are no more
  std::uint64_t number_ = 0;           // of the next round to add
  std::uint64_t bytes_ = 0;
  std::uint64_t most_bytes_;
  bool has_rest_ = false;  // it ends with totals instead of more rounds
  std::chrono::duration<double> before_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace unravel
