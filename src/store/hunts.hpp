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

  /// In the order in which they were added.
  Result<std::vector<std::vector<std::byte>>> rounds(const std::string& hunt) const;

 private:
  struct Open;
  explicit HuntStore(std::unique_ptr<Open> open);

  std::unique_ptr<Open> open_;
};

}  // namespace unravel
