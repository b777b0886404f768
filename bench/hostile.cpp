// Does the driver survive a program that overwrites what they share?
//
// Ten thousand channels are overwritten and read as a session reads them: every word random, a few
// words of a good one, and words that change meanwhile. Then a program that does so itself is run.
// It counts what was noticed. What it looks for is a crash, which ends it, or a hang.
#include <fmt/core.h>

#include <array>
#include <map>

#include "common/arguments.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"
#include "unit/run/hostile_channel.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

struct Attacks {
  HostileChannel::Way way;
  const char* name;
  std::uint64_t attacks;
};

Json attack(const Attacks& attacks) {
  HostileChannel channel;
  std::map<std::string, std::uint64_t> found;
  for (std::uint64_t seed = 0; seed < attacks.attacks; ++seed) {
    ++found[channel.attack(attacks.way, seed)];
  }
  const std::uint64_t unnoticed = found[""];
  fmt::print("  {:<28} {:7} channels {:7} noticed\n", attacks.name, attacks.attacks,
             attacks.attacks - unnoticed);
  return {{"way", attacks.name}, {"channels", attacks.attacks}, {"unnoticed", unnoticed}};
}

/// One process each: the program's own words come from its argument.
Json run_programs(std::uint64_t count, const char* how) {
  std::array<std::uint64_t, 5> outcomes = {};
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const TemporaryDirectory scratch;
    const std::string path = program_path("scribble");
    RunnerOptions options;
    options.limits.timeout = std::chrono::seconds(2);
    options.scratch_directory = scratch.path().string();
    const Program program = must(find_program({path, std::to_string(seed), how}));
    const auto runner = must(Runner::start(program, options));
    const auto run = runner->run({});
    // That the program ended where it cannot be controlled is an answer, too.
    if (run) ++outcomes.at(static_cast<std::size_t>(run->summary.outcome));
  }
  const std::string what = std::string("a program, ") + how;
  fmt::print("  {:<28} {:7} runs {:5} passed {:5} failed {:5} unresolved {:5} error\n", what, count,
             outcomes[0], outcomes[1], outcomes[2], outcomes[4]);
  return {{"how", how},
          {"runs", count},
          {"passed", outcomes[0]},
          {"failed", outcomes[1]},
          {"unresolved", outcomes[2]},
          {"error", outcomes[4]}};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(
      argc, argv, "Does the driver survive a program that overwrites what they share?");
  const std::uint64_t share = arguments.quick ? 20 : 1;
  fmt::print("{}\n\n", describe_machine());
  using Way = HostileChannel::Way;
  Json figures;
  for (const Attacks& attacks : {Attacks{Way::kAllWords, "every word random", 10'000 / share},
                                 Attacks{Way::kFewWords, "a few words", 10'000 / share},
                                 Attacks{Way::kMeanwhile, "while it is read", 1'000 / share}}) {
    figures["channels"].push_back(attack(attacks));
  }
  for (const char* how : {"all", "1", "10"}) {
    figures["programs"].push_back(run_programs(200 / share, how));
  }
  write_json(arguments, "hostile", figures);
}
