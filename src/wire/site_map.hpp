/// Maps of what met in a run, one bit for a site or a pair of sites: both sides know which.
#pragma once

#include <cstdint>

namespace unravel::wire {

/// A run that sets a tenth as many bits loses few by chance.
inline constexpr unsigned kSiteMapPower = 16;
inline constexpr std::uint64_t kSiteMapBits = std::uint64_t{1} << kSiteMapPower;
inline constexpr std::uint64_t kSiteMapBytes = kSiteMapBits / 8;

/// Sites of different files differ by more than their lower bits.
constexpr std::uint64_t spread_site(std::uint64_t address) { return address * 0x9e3779b97f4a7c15; }

constexpr std::uint64_t site_map_bit(std::uint64_t mixed) {
  mixed ^= mixed >> 29;
  mixed *= 0xbf58476d1ce4e5b9;
  return mixed >> (64 - kSiteMapPower);
}

/// Of the two sites of a pair the first is turned over: a sum of two spread sites would be the same
/// for every pair whose addresses add up so.
constexpr std::uint64_t turned(std::uint64_t site) {
  site = (site ^ (site >> 32)) * 0x94d049bb133111eb;
  return site ^ (site >> 29);
}

/// Two threads acted on an object one after the other, at these sites (both spread).
constexpr std::uint64_t met_bit(std::uint64_t earlier, std::uint64_t later) {
  return site_map_bit(turned(earlier) * 3 + later);
}
/// What was written at one site was read at the other.
constexpr std::uint64_t read_bit(std::uint64_t writer, std::uint64_t reader) {
  return site_map_bit(turned(writer) * 5 + reader);
}
/// Something was done at a site; `what` is 0 for an access, otherwise the result of an operation.
constexpr std::uint64_t executed_bit(std::uint64_t site, std::uint64_t what) {
  return site_map_bit(turned(site) * 7 + what * 0x9e3779b97f4a7c15);
}
/// A thread was preempted before what it does there.
constexpr std::uint64_t preempted_bit(std::uint64_t site) { return site_map_bit(site); }

}  // namespace unravel::wire
