/// Hunts that are under way, or were: enough to go on with one that was interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace unravel {

struct HuntRow {
  std::string id;         // given by the store
  std::string command;    // the program's arguments
  std::string directory;  // in which it is run
  std::string build;      // its build id, or nothing
  std::string strategy;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;
  double seconds = 0;
  bool ended = false;  // by itself: there is nothing to go on with

  friend bool operator==(const HuntRow&, const HuntRow&) = default;
};

/// In the store's database. What is added is there for good when the call returns, a round whole or
/// not at all.
class HuntStore {
 public:
  /// The store must be there.
  static Result<HuntStore> open(const std::filesystem::path& store);
  ~HuntStore();
  HuntStore(HuntStore&&) noexcept;
  HuntStore& operator=(HuntStore&&) noexcept;

  /// Gives its id.
  Result<std::string> begin(const HuntRow& hunt);

  /// One more round of `hunt`, which has come so far with it.
  Result<void> add_round(const HuntRow& hunt, std::uint64_t number,
                         std::span<const std::byte> round);
  Result<void> end(const HuntRow& hunt);

  /// The latest of this command in this directory that did not end.
  Result<std::optional<HuntRow>> unfinished(const std::string& command,
                                            const std::string& directory) const;

  /// What is there instead of further rounds; takes the place of what was there before. It comes
  /// after all rounds.
  Result<void> set_rest(const HuntRow& hunt, std::span<const std::byte> rest);

  /// One after the other, in the order of their numbers: together they may be larger than memory.
  /// Nothing: that was the last.
  struct Round {
    std::uint64_t number = 0;
    std::vector<std::byte> data;
  };
  Result<std::optional<Round>> round_from(const std::string& hunt, std::uint64_t number) const;

  /// How much of a hunt's rounds there is, without the rest.
  struct Extent {
    std::uint64_t rounds = 0;
    std::uint64_t bytes = 0;
    bool has_rest = false;
  };
  Result<Extent> extent(const std::string& hunt) const;

 private:
  struct Open;
  explicit HuntStore(std::unique_ptr<Open> open);
  Result<void> put(const HuntRow& hunt, const char* statement, std::int64_t number,
                   std::span<const std::byte> data);

  std::unique_ptr<Open> open_;
};

}  // namespace unravel
