/// Hunts: try schedules of a program until one fails, then verify, keep and explain the failure.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "data/hunted.hpp"
#include "data/judging.hpp"
#include "explore/hunt_loop.hpp"
#include "investigate/each_test.hpp"
#include "investigate/known_failures.hpp"
#include "investigate/observer.hpp"

namespace unravel {

struct HuntRequest {
  Judging judging;
  std::string strategy = "portfolio";  // or names, with commas between
  Budget budget;
  // The user's limit of time; what the search leaves of it is for the explanation.
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> jobs;
  std::optional<std::uint64_t> seed;
  bool goes_on = false;  // after a failure
  bool explains = true;  // what it finds
  bool resumes = false;  // the latest hunt of the same program that was interrupted
  bool fork_server = true;
  bool sandbox = true;
  KnownFailures known;
  std::string store;  // a directory
  std::string input;  // on the program's standard input
};

/// Tells the observer of every failure as it is found.
Result<Hunted> hunt(const HuntRequest& request, const Program& program, Observer& observer);

/// Hunts in one test of several, in its directory and environment.
Result<Hunted> hunt_in_test(const HuntRequest& request, const TestCase& test, Observer& observer);

/// One strategy by its name, or several that share the budget.
Result<std::unique_ptr<Strategy>> strategy_from(const std::string& names);

}  // namespace unravel
