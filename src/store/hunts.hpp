/// Hunts and their rounds: enough to continue one that was interrupted.
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
  std::string directory;  // working directory
  std::string build;      // its build id, or empty
  std::string strategy;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;
  double seconds = 0;
  bool ended = false;  // by itself: it cannot be continued

  friend bool operator==(const HuntRow&, const HuntRow&) = default;
};

/// Hunts in the store's database. When a call returns, its data is stored permanently. A round is
/// stored completely or not at all.
class HuntStore {
 public:
  /// The store must exist.
  static Result<HuntStore> open(const std::filesystem::path& store);
  ~HuntStore();
  HuntStore(HuntStore&&) noexcept;
  HuntStore& operator=(HuntStore&&) noexcept;

  /// Returns the id.
  Result<std::string> begin(const HuntRow& hunt);

  /// Adds one round; `hunt` is the state after it.
  Result<void> add_round(const HuntRow& hunt, std::uint64_t number,
                         std::span<const std::byte> round);
  Result<void> end(const HuntRow& hunt);

  /// The latest hunt of this command in this directory that did not end.
  Result<std::optional<HuntRow>> unfinished(const std::string& command,
                                            const std::string& directory) const;

  /// Stores one entry in place of further rounds, and replaces an earlier one. It comes after all
  /// rounds.
  Result<void> set_rest(const HuntRow& hunt, std::span<const std::byte> rest);

  /// Rounds are read one by one, in the order of their numbers: all together may be larger than
  /// memory. Nothing: there are no more.
  struct Round {
    std::uint64_t number = 0;
    std::vector<std::byte> data;
  };
  Result<std::optional<Round>> round_from(const std::string& hunt, std::uint64_t number) const;

  /// The size of a hunt's rounds, without the rest.
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
