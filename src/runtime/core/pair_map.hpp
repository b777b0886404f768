/// Records which sites met at an object, in a small map that grows when a run does something new.
///
/// At each point that acts on an object, up to two pairs are recorded: this site with the previous
/// one at the object, if that was another thread's; and, for a read, this site with the one that
/// wrote last. A pair is one bit in a map of fixed size. The channel has the bits of all runs,
/// where the driver reads them; the run's slot has the number of bits that it set and how many were
/// new.
///
/// It also hashes the run's behaviour. Two runs have the same hash if every object was written in
/// the same order and every read came between the same writes, in whatever order the steps were
/// otherwise. A third map shows which accesses and results no earlier run had.
#pragma once

#include <cstdint>

#include "runtime/core/thread.hpp"
#include "wire/control.hpp"

namespace unravel {

class PairMap {
 public:
  /// All have kSiteMapBits bits (wire); null: nothing is recorded.
  void use(std::uint64_t* all, std::uint64_t* preempted, std::uint64_t* executed) {
    all_ = all;
    preempted_ = preempted;
    executed_ = executed;
  }

  void record(std::uint64_t object, std::uint64_t site, std::uint32_t thread, bool writes,
              wire::RunSlot& run) {
    if (!all_ || !object) return;
    Last& last = last_[wire::spread_site(object) >> (64 - kLastBits)];
    if (last.object != object) last = {.object = object, .writes = wire::spread_site(object)};
    const std::uint64_t here = wire::spread_site(site);
    if (last.site && last.thread != thread) set(wire::met_bit(last.site, here), run);
    if (!writes && last.writer) set(wire::read_bit(last.writer, here), run);
    if (writes) last.writer = here;
    last.site = here;
    last.thread = thread;
    run.behaviour += last.add(here + thread, writes);
  }

  /// Records an operation that was made, if it acts on its object in a way that other threads see.
  /// A release is left out: the next acquire says the same.
  void record(const Op& op, std::uint32_t thread, wire::RunSlot& run) {
    const wire::Effect effect = wire::traits(op.kind).effect;
    if (effect == wire::Effect::kRelease) return;
    record(reinterpret_cast<std::uint64_t>(op.object), reinterpret_cast<std::uint64_t>(op.site),
           thread, effect != wire::Effect::kAcquireShared, run);
  }

  /// A thread is preempted before what it does at `site`.
  void record_preempted(std::uint64_t site) {
    if (!preempted_ || !site) return;
    const std::uint64_t bit = wire::preempted_bit(wire::spread_site(site));
    preempted_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }

  /// Something happened at `site` for the first time in this run: see wire::executed_bit.
  void record_executed(std::uint64_t site, std::uint64_t what, wire::RunSlot& run) {
    if (!executed_) return;
    const std::uint64_t bit = wire::executed_bit(wire::spread_site(site), what);
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    if (executed_[bit / 64] & mask) return;
    executed_[bit / 64] |= mask;
    ++run.new_sites;
  }

 private:
  static constexpr unsigned kLastBits = 12;

  /// The last action on an object. Objects share entries: another one may replace it.
  struct Last {
    std::uint64_t object = 0;
    std::uint64_t site = 0;
    std::uint64_t writer = 0;
    std::uint64_t writes = 0;  // a hash of their order
    std::uint64_t reads = 0;   // a sum over the reads since the last write, which have no order
    std::uint32_t thread = 0;

    std::uint64_t add(std::uint64_t who, bool is_write) {
      if (!is_write) {
        const std::uint64_t read = mixed(writes ^ who);
        reads += read;
        return read;
      }
      writes = mixed(writes + reads + who * 3);
      reads = 0;
      return writes;
    }
  };

  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 31)) * 0x94d049bb133111eb;
    return value ^ (value >> 29);
  }

  void set(std::uint64_t bit, wire::RunSlot& run) {
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    if (run_[bit / 64] & mask) return;
    run_[bit / 64] |= mask;
    ++run.pairs;
    if (all_[bit / 64] & mask) return;
    all_[bit / 64] |= mask;
    ++run.new_pairs;
  }

  std::uint64_t* all_ = nullptr;
  std::uint64_t* preempted_ = nullptr;
  std::uint64_t* executed_ = nullptr;
  Last last_[1u << kLastBits] = {};
  std::uint64_t run_[wire::kSiteMapBits / 64] = {};
};

}  // namespace unravel
