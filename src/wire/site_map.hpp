/// Bit maps of what happened in a run: one bit for each site or pair of sites. Driver and runtime
/// compute the same bits.
#pragma once

#include <cstdint>

namespace unravel::wire {

/// 2^16 bits: even if a run sets 6,500 of them, few sites share a bit by chance. Chosen by hand.
inline constexpr unsigned kSiteMapPower = 16;
inline constexpr std::uint64_t kSiteMapBits = std::uint64_t{1} << kSiteMapPower;
inline constexpr std::uint64_t kSiteMapBytes = kSiteMapBits / 8;

/// Spreads an address over all bits: addresses in one file differ only in their lower bits.
constexpr std::uint64_t spread_site(std::uint64_t address) { return address * 0x9e3779b97f4a7c15; }

constexpr std::uint64_t site_map_bit(std::uint64_t mixed) {
  mixed ^= mixed >> 29;
  mixed *= 0xbf58476d1ce4e5b9;
  return mixed >> (64 - kSiteMapPower);
}

/// Mixes the first site of a pair once more. Otherwise all pairs whose addresses have the same sum
/// would share a bit.
constexpr std::uint64_t turned(std::uint64_t site) {
  site = (site ^ (site >> 32)) * 0x94d049bb133111eb;
  return site ^ (site >> 29);
}

/// Two threads acted on an object one after the other, at these sites (both are spread).
constexpr std::uint64_t met_bit(std::uint64_t earlier, std::uint64_t later) {
  return site_map_bit(turned(earlier) * 3 + later);
}
/// One site read what the other had written.
constexpr std::uint64_t read_bit(std::uint64_t writer, std::uint64_t reader) {
  return site_map_bit(turned(writer) * 5 + reader);
}
/// What was done at a site: an access, an access by a second thread, or the result of an operation,
/// which is a wire::EventResult.
inline constexpr std::uint64_t kFirstAccess = 256;
inline constexpr std::uint64_t kAccessOfAnotherThread = 257;
constexpr std::uint64_t executed_bit(std::uint64_t site, std::uint64_t what) {
  return site_map_bit(turned(site) * 7 + what * 0x9e3779b97f4a7c15);
}
/// A thread was preempted right before this site.
constexpr std::uint64_t preempted_bit(std::uint64_t site) { return site_map_bit(site); }

}  // namespace unravel::wire
