/// Greybox fuzzing of who reads from whom.
///
/// Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox Fuzzing for Concurrency Testing", ASPLOS
/// 2024 (RFF): abstract schedules are sets of reads-from constraints; a set whose run showed a new
/// combination is kept and mutated, rare ones more often. Here a constraint is an order between
/// two sites (with an occurrence), what is new is told by the hash of a run's behaviour and by the
/// pair map, and what no constraint decides is left to POS.
#pragma once

#include <unordered_map>

#include "base/random.hpp"
#include "explore/strategy.hpp"

namespace unravel {

class ReadsFrom final : public Strategy {
 public:
  [[nodiscard]] std::string_view name() const override { return "reads-from"; }
  std::optional<Proposal> propose(const Knowledge& known, std::uint64_t seed) override;
  void observe(const Proposal& proposal, const Observation& seen) override;

 private:
  struct Kept {
    std::vector<wire::Constraint> constraints;
    std::uint64_t behaviour = 0;
    std::uint64_t tries = 0;
  };

  Kept& choose(Random& random);
  static void mutate(std::vector<wire::Constraint>& constraints, const Knowledge& known,
                     Random& random);

  std::vector<Kept> corpus_;
  std::unordered_map<std::uint64_t, std::uint64_t> seen_;  // behaviours: how often
};

}  // namespace unravel
