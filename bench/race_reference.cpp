// Are the races of `unravel races` those by definition? Part of the benchmark agreement.
//
// Makes the runs that `unravel races --runs N --seed S` makes of a program, and gives each trace to
// the detector and to the slow one of its unit tests. Both must name the same pairs of sites.
// Prints JSON: how many runs were compared, the pairs that both named, and where they differed.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/programs.hpp"
#include "predict/races.hpp"
#include "unit/predict/reference.hpp"

using namespace unravel;
using namespace unravel::bench;
using Json = nlohmann::ordered_json;

namespace {

// The slow one takes seconds for so many, and its time grows by their square at least.
constexpr std::size_t kMostEvents = 4000;

/// Who touches the memory of a trace, eight bytes at a time.
class Users {
 public:
  explicit Users(const std::vector<TraceEvent>& trace) {
    std::map<std::uint64_t, std::uint64_t> blocks;
    for (const TraceEvent& event : trace) {
      if (event.operation == Operation::kAllocate || event.operation == Operation::kAllocated) {
        blocks[event.object] = event.size;
      } else if (event.operation == Operation::kFree) {
        add(event.object, blocks[event.object], event.thread);
      } else if (wire::is_access(event.operation)) {
        add(event.object, event.size, event.thread);
      }
    }
  }

  [[nodiscard]] bool shared(const TraceEvent& event) const {
    for (std::uint64_t at = event.object / 8; at * 8 < event.object + event.size; ++at) {
      if (users_.at(at).size() > 1) return true;
    }
    return false;
  }

 private:
  void add(std::uint64_t address, std::uint64_t size, std::uint32_t thread) {
    for (std::uint64_t at = address / 8; at * 8 < address + size; ++at) users_[at].insert(thread);
  }

  std::map<std::uint64_t, std::set<std::uint32_t>> users_;
};

/// Without what can neither race nor order anything, so that the slow one can take more.
std::vector<TraceEvent> digest_of(const std::vector<TraceEvent>& trace) {
  const Users users(trace);
  std::vector<TraceEvent> kept;
  for (const TraceEvent& event : trace) {
    const bool plain = event.operation == Operation::kLoad || event.operation == Operation::kStore;
    if (plain && !users.shared(event)) continue;
    if (event.operation == Operation::kEnter || event.operation == Operation::kBackEdge) continue;
    kept.push_back(event);
  }
  return kept;
}

class Comparison {
 public:
  explicit Comparison(const std::string& program) {
    RunnerOptions options;
    options.points = wire::PointSet::kMemory;
    options.scratch_directory = scratch_.path();
    runner_ = must(Runner::start(must(find_program({program})), options));
  }

  void take(std::uint64_t seed, std::uint64_t ordinal) {
    std::vector<TraceEvent> trace;
    RaceDetector detector;
    TraceDecoder decoder([&](std::span<const TraceEvent> events) {
      trace.insert(trace.end(), events.begin(), events.end());
      detector.take(events);
    });
    RunRequest request;
    request.schedule.then.kind = ordinal == 0 ? wire::RuleKind::kStay : wire::RuleKind::kRandom;
    request.schedule.then.seed = wire::seed_of(seed, ordinal);
    request.schedule.points = wire::PointSet::kMemory;
    request.trace = wire::TraceLevel::kMemory;
    request.sink = &decoder;
    const Run run = must(runner_->run(request));

    const std::vector<TraceEvent> digest = digest_of(trace);
    if (digest.size() > kMostEvents) {
      ++too_long_;
      return;
    }
    ++compared_;
    RacingSites fast;
    for (const Race& race : detector.races()) {
      fast.insert(std::minmax({race.earlier.site, race.later.site}));
    }
    const RacingSites slow = races_by_definition(digest);
    for (const auto& pair : fast) {
      const Json names = names_of(pair, run, decoder);
      if (slow.contains(pair)) {
        confirmed_.insert(names);
      } else {
        different_.push_back({{"run", ordinal}, {"only_by", "the detector"}, {"sites", names}});
      }
    }
    for (const auto& pair : slow) {
      if (fast.contains(pair)) continue;
      different_.push_back({{"run", ordinal},
                            {"only_by", "the definition"},
                            {"sites", names_of(pair, run, decoder)}});
    }
  }

  [[nodiscard]] Json result() const {
    return {{"compared", compared_},
            {"too_long", too_long_},
            {"confirmed", confirmed_},
            {"different", different_}};
  }

 private:
  /// Module and offset of both, in an order that does not depend on the trace.
  static Json names_of(std::pair<std::uint32_t, std::uint32_t> pair, const Run& run,
                       const TraceDecoder& decoder) {
    const auto name = [&](std::uint32_t index) {
      const wire::Site site = decoder.sites()[index];
      const bool known = site.module() < run.schedule.modules.size();
      return fmt::format("{}+{}", known ? run.schedule.modules[site.module()].path : "?",
                         site.offset());
    };
    std::array names{name(pair.first), name(pair.second)};
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryDirectory scratch_;
  std::unique_ptr<Runner> runner_;
  std::uint64_t compared_ = 0;
  std::uint64_t too_long_ = 0;
  std::set<Json> confirmed_;
  std::vector<Json> different_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) give_up("usage: race_reference PROGRAM RUNS SEED");
  const std::uint64_t runs = std::strtoull(argv[2], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  Comparison comparison(argv[1]);
  for (std::uint64_t i = 0; i < runs; ++i) comparison.take(seed, i);
  fmt::print("{}\n", comparison.result().dump());
}
