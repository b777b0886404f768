/// A hunt's journal in the store: what was seen before comes first, what is seen is added.
#pragma once

#include <chrono>

#include "explore/journal.hpp"
#include "store/hunts.hpp"

namespace unravel {

class HuntJournal final : public Journal {
 public:
  // Some 1.3 million runs; with what SQLite needs beside it, a hunt takes less than 100 MB.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20;

  /// Of a hunt that begins, which is on disk when this returns.
  static Result<HuntJournal> begin(const std::filesystem::path& store, HuntRow hunt,
                                   std::uint64_t most_bytes = kMostBytes);
  /// Of the latest one of the same program that was interrupted.
  static Result<HuntJournal> resume(const std::filesystem::path& store, const HuntRow& like,
                                    std::uint64_t most_bytes = kMostBytes);

  [[nodiscard]] const HuntRow& hunt() const { return hunt_; }
  [[nodiscard]] std::chrono::duration<double> so_far() const { return before_; }

  Result<std::optional<JournalEntry>> next() override;
  Result<void> add(const JournalEntry& entry) override;
  [[nodiscard]] bool has_room() const override { return !has_rest_ && bytes_ < most_bytes_; }

  /// The hunt is over, and not to be resumed.
  Result<void> end();

 private:
  HuntJournal(HuntStore store, HuntRow hunt, std::uint64_t most_bytes);

  HuntStore store_;
  HuntRow hunt_;
  std::optional<std::uint64_t> next_;  // the round of before that comes next; nothing: none does
  std::uint64_t number_ = 0;           // of the round that is added next
  std::uint64_t bytes_ = 0;
  std::uint64_t most_bytes_;
  bool has_rest_ = false;  // totals instead of more rounds
  std::chrono::duration<double> before_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace unravel
