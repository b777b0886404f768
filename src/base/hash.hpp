/// Hashes of a few numbers, for tables that are gone when the command ends.
#pragma once

#include <cstdint>

namespace unravel {

/// The finalizer of splitmix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014): every bit of the result depends on every bit of the number.
constexpr std::uint64_t hash_of(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15u;
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9u;
  number = (number ^ number >> 27) * 0x94D049BB133111EBu;
  return number ^ number >> 31;
}

template <class... More>
constexpr std::uint64_t hash_of(std::uint64_t first, std::uint64_t second, More... more) {
  return hash_of(hash_of(first) ^ second, static_cast<std::uint64_t>(more)...);
}

}  // namespace unravel
