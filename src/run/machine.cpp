#include "run/machine.hpp"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/checkup.hpp"
#include "run/launch.hpp"
#include "run/sandbox.hpp"

namespace unravel {
namespace {

using Weight = Concern::Weight;

/// Whether a child may be traced, as is done with a run that stands still.
bool may_look_into_children() {
  const pid_t child = ::fork();
  if (child < 0) return true;  // there is a worse problem, which others will report
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const bool allowed = ::ptrace(PTRACE_SEIZE, child, nullptr, nullptr) == 0;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return allowed;
}

/// "; files that the program writes are seen by later runs: ./out.txt", if the run recorded any.
std::string files_of(const Run& run) {
  for (const std::string& warning : run.warnings) {
    const std::size_t at = warning.find(std::string(kSeenByLaterRuns) + ": ");
    if (at != std::string::npos) return "; " + warning.substr(at);
  }
  return {};
}

}  // namespace

std::vector<Concern> concerns_about_machine(const Run& run) {
  std::vector<Concern> concerns;
  if (!run.schedule.addresses_fixed) {
    concerns.push_back(
        {.name = "address randomisation",
         .weight = Weight::kCertain,
         .evidence = "personality(ADDR_NO_RANDOMIZE) was refused",
         .meaning =
             "The program's memory lies elsewhere each time it is started. A program whose "
             "way depends on addresses, such as one that hashes pointers, takes another way.",
         .advice = "In a container, allow it: docker run --security-opt seccomp=unconfined. "
                   "Or as root: sysctl kernel.randomize_va_space=0"});
  }
  if (const auto why = why_not_sandboxed({.directory = run.program.directory, .needed = {}})) {
    concerns.push_back(
        {.name = "runs share their files",
         .weight = Weight::kNote,
         .evidence = *why + files_of(run),
         .meaning = "A file that one run leaves is there for the next, and several workers at "
                    "once would disturb each other, so there is only one.",
         .advice = "Let the program write to a fresh place each time, or allow user namespaces: "
                   "sysctl kernel.unprivileged_userns_clone=1"});
  }
  if (usable_cpus().size() == 1) {
    concerns.push_back({.name = "one CPU",
                        .weight = Weight::kNote,
                        .evidence = "one CPU may be used here",
                        .meaning = "A run needs no more than one, but runs cannot be made side by "
                                   "side.",
                        .advice = "Allow more for long hunts: see taskset and your container's "
                                  "limits."});
  }
  if (!may_look_into_children()) {
    concerns.push_back({.name = "ptrace",
                        .weight = Weight::kNote,
                        .evidence = "PTRACE_SEIZE of a child was refused",
                        .meaning = "Where a run stands still without a synchronisation call, its "
                                   "place cannot be told.",
                        .advice = "As root: sysctl kernel.yama.ptrace_scope=1. In a container: "
                                  "docker run --cap-add SYS_PTRACE"});
  }
  return concerns;
}

}  // namespace unravel
