#include "run/oracle.hpp"

#include "run/plain_command.hpp"

namespace unravel {
namespace {

std::vector<std::string> arguments_of(const std::vector<std::string>& command) {
  if (command.size() == 1 && command[0].find_first_of(" \t\n;|&<>$`'\"") != std::string::npos) {
    return {"/bin/sh", "-c", command[0]};
  }
  return command;
}

}  // namespace

Result<std::optional<int>> ask(const Oracle& oracle, int output,
                               const std::atomic<bool>& interrupted) {
  const auto status = run_plain({.arguments = arguments_of(oracle.command),
                                 .directory = oracle.directory,
                                 .timeout = oracle.timeout,
                                 .input = output,
                                 .sandbox = oracle.sandbox,
                                 .environment = oracle.environment},
                                [&] { return interrupted.load(); });
  if (status && (*status == kCannotStart || *status == kNotFound)) {
    return user_error("the oracle '" + oracle.command[0] + "' could not be run",
                      "its exit status is " + std::to_string(**status),
                      "check its spelling and permissions");
  }
  return status;
}

}  // namespace unravel
