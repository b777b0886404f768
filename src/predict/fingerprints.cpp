#include "predict/fingerprints.hpp"

#include <vector>

#include "base/hash.hpp"

namespace unravel {

Fingerprints fingerprints_of(const History& history) {
  std::vector<std::uint64_t> path(history.threads());
  std::vector<std::uint64_t> sources(history.threads());
  std::vector<std::uint32_t> count(history.threads());
  std::vector<std::uint32_t> place(history.events.size());
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    const KeptEvent& event = history.events[i];
    place[i] = ++count[event.thread];
    const std::uint64_t site = history.sites[event.site].packed;
    path[event.thread] = hash_of(path[event.thread], site, static_cast<unsigned>(event.operation));
    std::uint64_t source = 0;
    if (reads(event.role) && event.source != kNoEvent) {
      source = hash_of(history.events[event.source].thread, place[event.source]);
    }
    sources[event.thread] = hash_of(sources[event.thread], site, source);
  }
  Fingerprints found;
  for (std::uint32_t thread = 0; thread < history.threads(); ++thread) {
    found.path ^= hash_of(thread, path[thread]);
    found.sources ^= hash_of(thread, sources[thread]);
  }
  for (std::uint32_t object = 0; object < history.objects.size(); ++object) {
    if (!history.objects[object].is_variable) continue;
    const std::span<const EventIndex> accesses = history.accesses_to(object);
    for (auto at = accesses.rbegin(); at != accesses.rend(); ++at) {
      const KeptEvent& event = history.events[*at];
      if (!writes(event.role)) continue;
      if (event.has_value) {
        found.values ^= hash_of(history.objects[object].address, event.value);
      }
      break;
    }
  }
  return found;
}

}  // namespace unravel
