/// The sites that a run reached, by function and line. They are used to find the same places in
/// another build.
#pragma once

#include <bitset>
#include <set>
#include <utility>
#include <vector>

#include "data/portable_constraint.hpp"
#include "data/schedule.hpp"
#include "data/trace_decoder.hpp"

namespace unravel {

/// Reads one or more traces and collects which operations and accesses happened at which sites.
class SiteCollector final : public TraceSink {
 public:
  SiteCollector();

  void begin() override;
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override;
  [[nodiscard]] bool damaged() const override { return decoder_.damaged(); }

  /// Call it after each run. Names the sites that earlier runs did not reach. `modules` are the
  /// run's.
  void finish(const std::vector<ModuleId>& modules);

  [[nodiscard]] const std::vector<NamedSite>& sites() const { return named_; }

 private:
  TraceDecoder decoder_;
  std::vector<std::bitset<wire::kOperationCount>> made_;  // by site
  std::set<std::pair<std::uint64_t, wire::Operation>> known_;
  std::vector<NamedSite> named_;
};

using SiteAndOperation = std::pair<wire::Site, wire::Operation>;

/// Leaves out sites without a known source.
std::vector<NamedSite> name_sites(const std::vector<SiteAndOperation>& sites,
                                  const std::vector<ModuleId>& modules);

/// Whether a constraint can be about this operation.
bool is_constrainable(wire::Operation operation);

}  // namespace unravel
