/// Hunts: try schedules of a program until one fails, then verify, store and explain the failure.
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
  std::string strategy = "portfolio";  // or names, separated by commas
  Budget budget;
  // The user's time limit, for the search and the explanation.
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> jobs;
  std::optional<std::uint64_t> seed;
  bool goes_on = false;  // continue after a failure
  bool explains = true;  // explain failures
  bool resumes = false;  // continue the latest interrupted hunt of the same program
  bool fork_server = true;
  bool sandbox = true;
  ClientCommand client;                     // to start beside each run
  std::optional<std::uint64_t> most_input;  // bytes to record of what comes from outside
  KnownFailures known;
  std::string store;  // a directory
  std::string input;  // on the program's standard input
};

/// Reports every failure to the observer when it is found.
Result<Hunted> hunt(const HuntRequest& request, const Program& program, Observer& observer);

/// Hunts in one of several tests, in the test's directory and environment.
Result<Hunted> hunt_in_test(const HuntRequest& request, const TestCase& test, Observer& observer);

/// Names of strategies, separated by ", ": all except the first, which is the default.
std::string other_strategies();

/// One strategy by its name, or several that share the budget.
Result<std::unique_ptr<Strategy>> strategy_from(const std::string& names);

}  // namespace unravel
