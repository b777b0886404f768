#include "data/proposal.hpp"

#include "base/hash.hpp"

namespace unravel {

std::uint64_t hash_of_proposal(const Proposal& proposal) {
  const Schedule& schedule = proposal.schedule;
  std::uint64_t hash = hash_of(static_cast<std::uint64_t>(schedule.then.kind), schedule.then.seed);
  for (const wire::Slice& slice : schedule.slices) {
    hash = hash_of(hash, slice.thread.ordinal, slice.until.operations, slice.until.hooks);
  }
  for (const wire::Constraint& constraint : schedule.constraints) {
    for (const wire::EventPattern& event : {constraint.first, constraint.then}) {
      hash = hash_of(hash, event.site.packed, event.occurrence, event.thread,
                     static_cast<std::uint64_t>(event.operation));
    }
  }
  return hash;
}

}  // namespace unravel
