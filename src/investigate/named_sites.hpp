/// What a run came to, in words of the source: from a trace, for those who look for the same place
/// in another build.
#pragma once

#include <bitset>
#include <set>
#include <utility>
#include <vector>

#include "data/portable_constraint.hpp"
#include "data/schedule.hpp"
#include "data/trace_decoder.hpp"

namespace unravel {

/// Takes traces, one after another, and keeps of each which operations and accesses were made at
/// which sites.
class SiteCollector final : public TraceSink {
 public:
  SiteCollector();

  void begin() override;
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override;
  [[nodiscard]] bool damaged() const override { return decoder_.damaged(); }

  /// The run is over: names what it came to, besides what earlier ones did. `modules` are its own.
  void finish(const std::vector<ModuleId>& modules);

  [[nodiscard]] const std::vector<NamedSite>& sites() const { return named_; }

 private:
  TraceDecoder decoder_;
  std::vector<std::bitset<wire::kOperationCount>> made_;  // by site
  std::set<std::pair<std::uint64_t, wire::Operation>> known_;
  std::vector<NamedSite> named_;
};

using SiteAndOperation = std::pair<wire::Site, wire::Operation>;

/// Sites that no source can be told of are left out.
std::vector<NamedSite> name_sites(const std::vector<SiteAndOperation>& sites,
                                  const std::vector<ModuleId>& modules);

/// Whether it is something that a constraint can be about.
bool is_constrainable(wire::Operation operation);

}  // namespace unravel
