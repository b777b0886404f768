#include "explore/neighbours.hpp"

#include <cmath>
#include <numbers>

namespace unravel {

namespace {

// Twice as far after so many proposals, which reach the ends of a run of a million points in some
// hundreds.
constexpr double kProposalsPerDoubling = 16;

// So often a width is drawn from again when it gave what was proposed before, and so often it is
// widened for that reason before nothing is left.
constexpr int kDraws = 16;
constexpr int kWidenings = 64;

/// Box and Muller, 1958: the standard library's normal distribution differs between libraries.
double gaussian(Random& random) {
  const auto uniform = [&] { return static_cast<double>((random.next() >> 11) + 1) * 0x1p-53; };
  const double radius = std::sqrt(-2 * std::log(uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

// Receivers are the same in all of them.
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
  // Wider than a run is long, nothing but the ends is left.
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
