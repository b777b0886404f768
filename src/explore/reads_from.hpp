/// Greybox fuzzing of the reads-from relation.
///
/// Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox Fuzzing for Concurrency Testing", ASPLOS
/// 2024 (RFF): an abstract schedule is a set of reads-from constraints. A set whose run showed a
/// new combination is kept and mutated, rare ones more often. Here a constraint is an order between
/// two sites (with an occurrence). New combinations are detected by the hash of a run's behaviour
/// and by the pair map. POS decides the steps without constraints.
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
  std::unordered_map<std::uint64_t, std::uint64_t> seen_;  // how often each behaviour was seen
};

}  // namespace unravel
