#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <random>
#include <set>

#include "base/assert.hpp"

namespace unravel {

namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  UNRAVEL_ASSERT(bound >= 1, "there is no number below 0");
  // Numbers below 2^64 mod bound are drawn again. Otherwise the low remainders would be more likely
  // than the others.
  const std::uint64_t uneven = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < uneven) drawn = next();
  return drawn % bound;
}

bool Random::chance(double probability) {
  // 53 bits are what a double holds exactly.
  return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
}

std::vector<std::uint64_t> Random::sample(std::uint64_t count, std::uint64_t first,
                                          std::uint64_t last) {
  if (count == 0 || first > last) return {};
  const std::uint64_t range = last - first + 1;  // 0 stands for all of 2^64
  if (range != 0) count = std::min(count, range);
  // Floyd's algorithm: if a number was already drawn, the newest number of the range is taken
  // instead. Each draw adds one, and every subset has the same chance.
  std::set<std::uint64_t> chosen;
  for (std::uint64_t newest = last - count + 1; count > 0; --count, ++newest) {
    const std::uint64_t size = newest - first + 1;
    const std::uint64_t drawn = first + (size == 0 ? next() : below(size));
    if (!chosen.insert(drawn).second) chosen.insert(newest);
  }
  return {chosen.begin(), chosen.end()};
}

std::uint64_t any_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace unravel
