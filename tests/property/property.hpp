/// Properties: a test whose cases rapidcheck draws.
///
/// The cases of a property come from seeds: first from those with which it failed before, then from
/// the commit's hash. So every commit tries new cases, and every run of one commit tries the same
/// ones. Set RC_PARAMS to use rapidcheck's own settings instead, such as RC_PARAMS="seed=7
/// max_success=10000".
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unravel::property {

/// The seed of a tree without git, and of one without a commit.
inline constexpr std::uint64_t kSeedWithoutCommit = 1;

/// The first 16 hexadecimal digits of a commit's hash; nothing if `hash` does not begin with them.
std::optional<std::uint64_t> seed_of_commit(std::string_view hash);

/// The seed of the commit that is checked out in `folder`, or kSeedWithoutCommit.
std::uint64_t seed_of_folder(const std::filesystem::path& folder);

/// The seeds that a file of failing cases has for the property `name` ("Suite.Name"), in the file's
/// order, each once. A line is "Suite.Name SEED", and what follows on the line is a comment. Lines
/// that begin with # are comments, too.
std::vector<std::uint64_t> failing_seeds(std::string_view text, std::string_view name);

/// How to try one property.
struct Settings {
  std::string name;                  ///< "Suite.Name"
  std::vector<std::uint64_t> seeds;  ///< tried in this order until one fails
  /// For drawing the cases of one seed, and again for simplifying a case that fails.
  std::chrono::duration<double> limit;
  std::function<std::chrono::duration<double>()> clock;  ///< measures the limit
  std::filesystem::path failing_cases;                   ///< where a seed that fails is appended
};

/// What came of a property.
struct Result {
  std::string failure;           ///< empty if it held
  bool ran_out_of_time = false;  ///< some cases were not tried
};

Result try_property(const rc::detail::Property& property, const Settings& settings);

/// Tries the property of the GoogleTest that is running, and fails that test if it does not hold.
void check(const rc::detail::Property& property);

}  // namespace unravel::property

/// Defines a property as a GoogleTest; `Arguments` are drawn, further values by `*generator`.
#define PROPERTY(Suite, Name, Arguments)                                              \
  static void property_##Suite##_##Name Arguments;                                    \
  TEST(Suite, Name) {                                                                 \
    ::unravel::property::check(::rc::detail::toProperty(&property_##Suite##_##Name)); \
  }                                                                                   \
  static void property_##Suite##_##Name Arguments
