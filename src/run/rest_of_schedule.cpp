#include "run/rest_of_schedule.hpp"

#include <algorithm>

namespace unravel {

std::string rest_of_schedule(const Schedule& given, const Schedule& realised,
                             std::uint32_t threads) {
  if (!given.complete || given.slices.empty()) return {};
  const std::size_t all = given.slices.size();
  const std::size_t done = realised.slices.size();
  const bool switches = std::any_of(given.slices.begin(), given.slices.end(),
                                    [](const wire::Slice& one) { return one.thread.ordinal > 0; });
  if (done == 0 || (threads <= 1 && switches)) {
    return "the program ended before its first thread, and the schedule has " +
           std::to_string(all) + (all == 1 ? " slice" : " slices");
  }
  const wire::Slice& last = given.slices[done < all ? done - 1 : all - 1];
  const wire::Slice& ended = realised.slices.back();
  // Hooks after the last operation are counted only as far as they had to be examined.
  const bool is_short = ended.until.operations < last.until.operations;
  if (done >= all && ended.thread == last.thread && !is_short) return {};
  if (done < all) {
    return "the program ended after " + std::to_string(done) + " of the " + std::to_string(all) +
           " slices of its schedule";
  }
  return "the program ended in T" + std::to_string(ended.thread.ordinal) + " after operation " +
         std::to_string(ended.until.operations) + ", and the schedule ends in T" +
         std::to_string(last.thread.ordinal) + " after operation " +
         std::to_string(last.until.operations);
}

}  // namespace unravel
