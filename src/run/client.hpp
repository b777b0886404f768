/// The process that runs beside a run: the user's command, uncontrolled, in the run's sandbox.
///
/// The command is a child of a keeper, a process of ours that adopts whatever the command leaves
/// behind. So all its processes can be ended, by numbers that the kernel confirms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "run/child.hpp"

namespace unravel {

class Sandbox;

struct ClientStart {
  std::string command;  // for /bin/sh
  std::string directory;
  const std::vector<std::string>* environment = nullptr;
  const Sandbox* sandbox = nullptr;  // null: it sees the driver's own files and network
  int output = -1;                   // a descriptor for both of its output streams
};

class Client {
 public:
  static Result<Client> start(const ClientStart& what);
  Client(Client&&) noexcept = default;
  Client& operator=(Client&&) noexcept = default;
  /// Ends all its processes.
  ~Client();

  /// The wait status of the command; nothing if it is still running. If its keeper was killed, that
  /// is the keeper's.
  std::optional<int> wait_status();

  /// The process whose children are all processes of the client.
  pid_t keeper() const { return child_.pid(); }

 private:
  Client(Child child, UniqueFd status, UniqueFd until)
      : child_(std::move(child)), status_(std::move(status)), until_(std::move(until)) {}

  Child child_;
  UniqueFd status_;  // the keeper reports here
  UniqueFd until_;   // closing it makes the keeper end everything
  std::optional<int> wait_status_;
};

}  // namespace unravel
