/// The programs that are measured: where they are, and how they are run with and without
/// control.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "run/runner.hpp"

namespace unravel::bench {

/// Gone with everything in it when this is.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Says what went wrong and ends the benchmark: a figure from half a measurement is worse than
/// none.
[[noreturn]] void give_up(const std::string& what);
[[noreturn]] void give_up(const Error& error);

template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error());
  return std::move(*result);
}

/// The program of bench/programs with this name.
std::string program_path(const std::string& name);

/// Under control, pinned to the measured CPU, without a limit on steps.
std::unique_ptr<Runner> start_controlled(const std::vector<std::string>& arguments,
                                         const TemporaryDirectory& scratch,
                                         wire::PointSet points = wire::PointSet::kSync);

/// Without control, pinned to the measured CPU; what it writes to standard output. `variables`
/// (NAME=VALUE) are added to its environment.
std::string run_uncontrolled(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& variables = {});

/// Why `unravel run --points SET` refuses this program, in its own words; empty if it does not.
std::string why_refused(const std::string& points, const std::vector<std::string>& arguments,
                        const TemporaryDirectory& scratch);

/// One controlled run; it has to pass.
Run run_passing(Runner& runner, const RunRequest& request);
/// The same, by a rule alone.
Run run_by_rule(Runner& runner, wire::RuleKind rule);

}  // namespace unravel::bench
