/// Random numbers that depend on the seed alone, on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace unravel {

/// xoshiro256** seeded by splitmix64 (Blackman and Vigna, "Scrambled Linear Pseudorandom
/// Number Generators", 2021). The standard library's distributions are not used because
/// their numbers differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();

  /// Each of 0 .. bound - 1 with the same chance; `bound` is at least 1.
  std::uint64_t below(std::uint64_t bound);

  /// True with this probability; never at 0, always at 1.
  bool chance(double probability);

  /// `count` different numbers of first .. last, both included, in ascending order; all of
  /// them if there are fewer.
  std::vector<std::uint64_t> sample(std::uint64_t count, std::uint64_t first, std::uint64_t last);

 private:
  std::array<std::uint64_t, 4> state_;
};

/// A new seed from the system.
std::uint64_t any_seed();

}  // namespace unravel
