/// A hunt's journal in the store: what was seen before comes first, what is seen is added.
#pragma once

#include <chrono>

#include "explore/journal.hpp"
#include "store/hunts.hpp"

namespace unravel {

class HuntJournal final : public Journal {
 public:
  /// Of a hunt that begins, which is on disk when this returns.
  static Result<HuntJournal> begin(const std::filesystem::path& store, HuntRow hunt);
  /// Of the latest one of the same program that was interrupted.
  static Result<HuntJournal> resume(const std::filesystem::path& store, const HuntRow& like);

  [[nodiscard]] const HuntRow& hunt() const { return hunt_; }
  [[nodiscard]] std::chrono::duration<double> so_far() const { return before_; }

  Result<std::optional<JournalEntry>> next() override;
  Result<void> add(const JournalEntry& entry) override;

  /// The hunt is over, and not to be resumed.
  Result<void> end();

 private:
  HuntJournal(HuntStore store, HuntRow hunt);

  HuntStore store_;
  HuntRow hunt_;
  std::vector<std::vector<std::byte>> rounds_;  // of before
  std::size_t next_ = 0;
  std::uint64_t number_ = 0;
  std::chrono::duration<double> before_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace unravel
