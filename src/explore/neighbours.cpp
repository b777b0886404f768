#include "explore/neighbours.hpp"

#include <cmath>
#include <numbers>

namespace unravel {

namespace {

// The width doubles after this many proposals. So a few hundred proposals reach the ends of a run
// of a million points. Chosen by hand.
constexpr double kProposalsPerDoubling = 16;

// kDraws: draws from one width before it counts as used up. kWidenings: how often the width
// may be used up before the strategy gives up. Chosen by hand.
constexpr int kDraws = 16;
constexpr int kWidenings = 64;

/// Box and Muller, 1958. std::normal_distribution gives different numbers in different libraries.
double gaussian(Random& random) {
  const auto uniform = [&] { return static_cast<double>((random.next() >> 11) + 1) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

// Receivers are left out: they are the same in all proposals.
std::uint64_t hash_of(const std::vector<wire::ClockSwitch>& switches) {
  std::uint64_t hash = switches.size();
  for (const wire::ClockSwitch& one : switches) {
    hash = (hash ^ one.count) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

Neighbours::Neighbours(std::vector<wire::ClockSwitch> clock_form, std::vector<wire::Choice> choices,
                       double first_width)
    : switches_(std::move(clock_form)),
      choices_(std::move(choices)),
      first_width_(std::max(kNarrowest, first_width)) {
  proposed_.insert(hash_of(switches_));
}

double Neighbours::width(const Knowledge& known) const {
  // If the width exceeds the run, every switch moves to one of the ends.
  const double most = std::max(kNarrowest, static_cast<double>(known.length));
  const double doublings = static_cast<double>(widened_) / kProposalsPerDoubling;
  return std::min(most, first_width_ * std::exp2(std::min(doublings, 64.0)));
}

std::vector<wire::ClockSwitch> Neighbours::moved(double width, Random& random) const {
  std::vector<wire::ClockSwitch> switches = switches_;
  std::uint64_t least = 1;  // the first point
  for (wire::ClockSwitch& one : switches) {
    const double to = std::round(static_cast<double>(one.count) + width * gaussian(random));
    one.count = std::max(least, static_cast<std::uint64_t>(std::max(to, 0.0)));
    least = one.count;
  }
  return switches;
}

std::optional<Proposal> Neighbours::propose(const Knowledge& known, std::uint64_t seed) {
  if (switches_.empty()) return std::nullopt;
  Random random(seed);
  for (int widening = 0; widening < kWidenings; ++widening) {
    const double width = this->width(known);
    ++widened_;
    for (int draw = 0; draw < kDraws; ++draw) {
      std::vector<wire::ClockSwitch> switches = moved(width, random);
      if (!proposed_.insert(hash_of(switches)).second) continue;
      Proposal proposal;
      proposal.schedule.clock_switches = std::move(switches);
      proposal.schedule.choices = choices_;
      proposal.following = wire::Following::kClockForm;
      proposal.strategy = name();
      return proposal;
    }
  }
  return std::nullopt;
}

}  // namespace unravel
