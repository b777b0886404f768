/// A laboratory that runs a real program.
#pragma once

#include "run/laboratory.hpp"
#include "run/pool.hpp"

namespace unravel {

class PoolLaboratory final : public Laboratory {
 public:
  /// `key`: that of the failure in question.
  PoolLaboratory(Pool& pool, std::string key) : pool_(pool), key_(std::move(key)) {}

  Result<std::vector<Attempt>> perform(const std::vector<Proposal>& proposals) override;
  Result<Observed> observe(const Proposal& proposal) override;
  [[nodiscard]] std::size_t workers() const override { return pool_.workers(); }

 private:
  Pool& pool_;
  const std::string key_;
};

}  // namespace unravel
