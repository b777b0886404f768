#include "sim/sim_outside.hpp"

#include <algorithm>

namespace unravel::sim {

namespace {

constexpr std::uint32_t kMicrosecond = 1'000;
constexpr std::uint32_t kMillisecond = 1'000'000;

}  // namespace

World::World(const std::vector<ArrivalCode>& arrivals, std::uint64_t seed)
    : random_(seed), coming_(arrivals) {
  std::map<std::uint32_t, std::uint64_t> last;  // by channel
  for (ArrivalCode& arrival : coming_) {
    std::uint64_t& moment = last[arrival.channel];
    const std::uint64_t gap = any_gap();  // drawn for all, so that a fixed one changes no other
    moment = arrival.at == kNever ? moment + gap : arrival.at;
    arrival.at = moment;
  }
  std::stable_sort(
      coming_.begin(), coming_.end(),
      [](const ArrivalCode& one, const ArrivalCode& other) { return one.at < other.at; });
  go_to(0);
}

// At once, between two steps, and before and after the deadlines that programs like to have.
std::uint64_t World::any_gap() {
  constexpr std::uint32_t kMost[] = {1, 200 * kMicrosecond, 5 * kMillisecond, 80 * kMillisecond,
                                     3'000 * kMillisecond};
  return random_.below(kMost[random_.below(5)]);
}

void World::pass_a_little() {
  const bool slow = random_.below(16) == 0;
  go_to(now_ + random_.below(slow ? 3 * kMillisecond : 50 * kMicrosecond));
}

std::uint64_t World::wait(std::uint64_t most) {
  const std::uint64_t begun = now_;
  const std::uint64_t next = is_over() ? kNever : coming_[next_].at;
  go_to(next - now_ < most ? next : now_ + most);
  return now_ - begun;
}

void World::go_to(std::uint64_t moment) {
  now_ = moment;
  for (; !is_over() && coming_[next_].at <= now_; ++next_) {
    came_[coming_[next_].channel].push_back(coming_[next_].value);
  }
}

bool World::has(std::uint32_t channel) const {
  const auto found = came_.find(channel);
  return found != came_.end() && !found->second.empty();
}

std::int64_t World::take(std::uint32_t channel) {
  std::vector<std::int64_t>& messages = came_.at(channel);
  const std::int64_t message = messages.front();
  messages.erase(messages.begin());
  return message;
}

int World::arrived_signal() const {
  return has(kSignals) ? static_cast<int>(came_.at(kSignals).front()) : 0;
}

bool World::take_signal(int signal) {
  std::vector<std::int64_t>& signals = came_[kSignals];
  const auto found = std::find(signals.begin(), signals.end(), signal);
  if (found == signals.end()) return false;
  signals.erase(found);
  return true;
}

bool World::signal_will_come(int signal) const {
  return std::any_of(coming_.begin() + static_cast<std::ptrdiff_t>(next_), coming_.end(),
                     [&](const ArrivalCode& arrival) {
                       return arrival.channel == kSignals &&
                              (signal == 0 || arrival.value == signal);
                     });
}

}  // namespace unravel::sim
