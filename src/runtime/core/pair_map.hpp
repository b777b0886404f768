/// Which sites met at an object: a small map that grows when a run does something new.
///
/// At each point that acts on an object, two pairs are noted: the site that acted on the object
/// before and this one, if another thread's; and, where this one reads, the site that wrote last.
/// A pair is one bit of a fixed number. What runs before this one noted is in the channel, where
/// the driver sees it; how many bits this run set, and how many were new, is in its slot.
#pragma once

#include <cstdint>

#include "wire/control.hpp"

namespace unravel {

class PairMap {
 public:
  /// `all` has room for wire::kPairBits; null: nothing is noted.
  void use(std::uint64_t* all) { all_ = all; }

  void note(std::uint64_t object, std::uint64_t site, std::uint32_t thread, bool writes,
            wire::RunSlot& run) {
    if (!all_ || !object) return;
    Last& last = last_[(object * kSpread) >> (64 - kLastBits)];
    if (last.object != object) last = {.object = object};
    // Sites of different files differ by more than their lower bits.
    const std::uint64_t here = site * kSpread;
    if (last.site && last.thread != thread) set(last.site * 3 + here, run);
    if (!writes && last.writer) set(last.writer * 5 + here, run);
    if (writes) last.writer = here;
    last.site = here;
    last.thread = thread;
  }

 private:
  static constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
  static constexpr unsigned kLastBits = 12;

  /// What acted last on an object; another object may take its place.
  struct Last {
    std::uint64_t object = 0;
    std::uint64_t site = 0;
    std::uint64_t writer = 0;
    std::uint32_t thread = 0;
  };

  void set(std::uint64_t pair, wire::RunSlot& run) {
    pair ^= pair >> 29;
    pair *= 0xbf58476d1ce4e5b9;
    const std::uint64_t bit = pair >> (64 - wire::kPairBitsPower);
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    if (run_[bit / 64] & mask) return;
    run_[bit / 64] |= mask;
    ++run.pairs;
    if (all_[bit / 64] & mask) return;
    all_[bit / 64] |= mask;
    ++run.new_pairs;
  }

  std::uint64_t* all_ = nullptr;
  Last last_[1u << kLastBits] = {};
  std::uint64_t run_[wire::kPairBits / 64] = {};
};

}  // namespace unravel
