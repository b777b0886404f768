#include "run/activity.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

namespace unravel {
namespace {

/// Calls `visit` with every numeric entry of `folder`. The folder may vanish meanwhile; that is no
/// error here.
template <class Visit>
void for_each_number(const std::string& folder, Visit visit) {
  std::error_code gone;
  std::filesystem::directory_iterator entry(folder, gone);
  for (; !gone && entry != std::filesystem::directory_iterator(); entry.increment(gone)) {
    const std::string name = entry->path().filename().string();
    if (name[0] >= '0' && name[0] <= '9') visit(static_cast<pid_t>(std::atoi(name.c_str())));
  }
}

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

/// States in the order of priority: a process that runs keeps the others from counting as a
/// standstill.
int weight(Activity::State state) {
  switch (state) {
    case Activity::State::kSleeps: return 0;
    case Activity::State::kStopped: return 1;
    case Activity::State::kInKernel: return 2;
    case Activity::State::kRuns: return 3;
  }
  __builtin_unreachable();
}

Activity::State state_of(char letter) {
  switch (letter) {
    case 'R': return Activity::State::kRuns;
    case 'D': return Activity::State::kInKernel;
    case 'T':
    case 't': return Activity::State::kStopped;
    default: return Activity::State::kSleeps;  // asleep, or dead
  }
}

/// For kernels without lists of children (CONFIG_PROC_CHILDREN).
std::vector<pid_t> children_by_parent(pid_t parent) {
  std::vector<pid_t> children;
  for_each_number("/proc", [&](pid_t process) {
    if (status_of(folder_of(process)).parent == parent) children.push_back(process);
  });
  return children;
}

/// Looks at processes one after the other, and sums up their activity.
class Probe {
 public:
  explicit Probe(pid_t root) {
    activity_.state = Activity::State::kSleeps;
    for (std::vector<pid_t> next = {root}; !next.empty();) {
      const pid_t process = next.back();
      next.pop_back();
      if (!seen_.insert(process).second) continue;
      for (const pid_t child : look_at(process)) next.push_back(child);
    }
  }
  Activity activity() const { return activity_; }

 private:
  /// Returns the children.
  std::vector<pid_t> look_at(pid_t process) {
    activity_.processor += status_of(folder_of(process)).processor;
    for_each_number(folder_of(process) + "/task", [&](pid_t thread) {
      const std::string folder = folder_of(process) + "/task/" + std::to_string(thread);
      if (activity_.state != Activity::State::kRuns) note(status_of(folder).state);
    });
    return children_of(process);
  }

  void note(char letter) {
    const Activity::State state = state_of(letter);
    if (weight(state) > weight(activity_.state)) activity_.state = state;
  }

  Activity activity_;
  std::set<pid_t> seen_;
};

}  // namespace

ProcessStatus status_of(const std::string& folder) {
  std::ifstream file(folder + "/stat");
  std::string line;
  std::getline(file, line);
  // The name may itself contain spaces and brackets.
  const std::size_t end_of_name = line.rfind(") ");
  if (end_of_name == std::string::npos) return {};
  std::istringstream fields(line.substr(end_of_name + 2));
  ProcessStatus status;
  fields >> status.state >> status.parent;
  // There are nine other fields between the parent (field 4) and the times (14 to 17).
  std::string skipped;
  for (int i = 0; i < 9; ++i) fields >> skipped;
  std::array<long long, 4> ticks = {};  // utime, stime, cutime, cstime
  for (long long& one : ticks) fields >> one;
  static const long long ticks_per_second = ::sysconf(_SC_CLK_TCK);
  const long long own = ticks[0] + ticks[1];
  const long long all = own + ticks[2] + ticks[3];
  status.own = std::chrono::milliseconds(own * 1000 / ticks_per_second);
  status.processor = std::chrono::milliseconds(all * 1000 / ticks_per_second);
  return status;
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  bool are_told = false;
  for_each_number(folder_of(process) + "/task", [&](pid_t thread) {
    std::ifstream list(folder_of(process) + "/task/" + std::to_string(thread) + "/children");
    are_told = are_told || list.is_open();
    for (pid_t child = 0; list >> child;) children.push_back(child);
  });
  return are_told ? children : children_by_parent(process);
}

Activity together(const Activity& one, const Activity& other) {
  return {.processor = one.processor + other.processor,
          .state = weight(other.state) > weight(one.state) ? other.state : one.state};
}

Activity activity_of(pid_t root) { return Probe(root).activity(); }

}  // namespace unravel
