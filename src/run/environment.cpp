#include "run/environment.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string_view>

extern char** environ;

namespace unravel {
namespace {

// As used in programs.
constexpr std::string_view kNames[] = {
    "RLIMIT_CPU",      "RLIMIT_FSIZE", "RLIMIT_DATA",   "RLIMIT_STACK",
    "RLIMIT_CORE",     "RLIMIT_RSS",   "RLIMIT_NPROC",  "RLIMIT_NOFILE",
    "RLIMIT_MEMLOCK",  "RLIMIT_AS",    "RLIMIT_LOCKS",  "RLIMIT_SIGPENDING",
    "RLIMIT_MSGQUEUE", "RLIMIT_NICE",  "RLIMIT_RTPRIO", "RLIMIT_RTTIME"};
static_assert(std::size(kNames) == RLIM_NLIMITS && RLIMIT_NOFILE == 7 && RLIMIT_RTTIME == 15);

/// umask() cannot be read without changing it, which other threads would notice.
std::uint32_t current_umask() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view kLabel = "Umask:";
    if (line.starts_with(kLabel)) {
      return static_cast<std::uint32_t>(
          std::strtoul(line.c_str() + kLabel.size(), nullptr, /*base=*/8));
    }
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

}  // namespace

Environment current_environment() {
  Environment environment;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with("UNRAVEL_")) environment.variables.emplace_back(text);
  }
  environment.umask = current_umask();
  for (std::uint32_t resource = 0; resource < RLIM_NLIMITS; ++resource) {
    // A run never dumps core, whatever limit was set.
    if (resource == RLIMIT_CORE) continue;
    rlimit limit = {};
    if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) continue;
    environment.limits.push_back({resource, limit.rlim_cur, limit.rlim_max});
  }
  return environment;
}

std::uint32_t enter(const Environment& environment) {
  ::umask(static_cast<mode_t>(environment.umask));
  std::uint32_t refused = 0;
  for (const ResourceLimit& limit : environment.limits) {
    const auto resource = static_cast<__rlimit_resource>(limit.resource);
    rlimit now = {};
    if (::getrlimit(resource, &now) != 0) continue;
    if (now.rlim_cur == limit.soft && now.rlim_max == limit.hard) continue;
    const rlimit wanted{.rlim_cur = limit.soft, .rlim_max = limit.hard};
    if (::setrlimit(resource, &wanted) == 0) continue;
    refused |= 1u << limit.resource;
    const rlimit closest{.rlim_cur = std::min<rlim_t>(limit.soft, now.rlim_max),
                         .rlim_max = std::min<rlim_t>(limit.hard, now.rlim_max)};
    ::setrlimit(resource, &closest);
  }
  return refused;
}

std::string resource_name(std::uint32_t resource) {
  return resource < std::size(kNames) ? std::string(kNames[resource])
                                      : "number " + std::to_string(resource);
}

}  // namespace unravel
