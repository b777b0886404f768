#include "common/programs.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/unique_fd.hpp"
#include "common/measure.hpp"

namespace unravel::bench {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (fs::temp_directory_path() / "unravel-bench-XXXXXX").string();
  if (!::mkdtemp(name.data())) give_up("cannot make a directory in " + name);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void give_up(const std::string& what) {
  fmt::print(stderr, "bench: {}\n", what);
  std::exit(2);
}

void give_up(const Error& error) {
  give_up(fmt::format("{}\n    {}\n    {}", error.what, error.why, error.hint));
}

std::string program_path(const std::string& name) {
  return (fs::read_symlink("/proc/self/exe").parent_path() / "programs" / name).string();
}

std::unique_ptr<Runner> start_controlled(const std::vector<std::string>& arguments,
                                         const TemporaryDirectory& scratch, wire::PointSet points) {
  RunnerOptions options;
  options.cpu = measured_cpu();
  options.points = points;
  options.scratch_directory = scratch.path().string();
  options.limits.most_steps = 0;
  options.limits.timeout = std::chrono::minutes(5);
  return must(Runner::start(must(find_program(arguments)), options));
}

namespace {

struct Ended {
  int status = 0;  // as waitpid gives it
  std::string output;
};

/// For execve: ends with a null pointer, and lives as long as `strings`.
std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

enum class Complaints { kShown, kDropped };  // what it writes to standard error

Ended run_pinned(const std::vector<std::string>& arguments,
                 const std::vector<std::string>& variables,
                 Complaints complaints = Complaints::kShown) {
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  std::vector<char*> environment = pointers_to(variables);
  environment.pop_back();
  for (char** variable = environ; *variable; ++variable) environment.push_back(*variable);
  environment.push_back(nullptr);
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(static_cast<std::size_t>(measured_cpu()), &cpus);

  int ends[2];
  if (::pipe(ends) != 0) give_up("cannot make a pipe");
  const UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  const pid_t pid = ::fork();
  if (pid < 0) give_up("cannot make a process");
  if (pid == 0) {
    ::sched_setaffinity(0, sizeof cpus, &cpus);
    ::dup2(writer.get(), 1);
    if (complaints == Complaints::kDropped) ::dup2(::open("/dev/null", O_WRONLY), 2);
    ::execve(argument_pointers[0], argument_pointers.data(), environment.data());
    ::_exit(127);
  }
  writer.reset();
  Ended ended;
  char buffer[256];
  for (ssize_t got; (got = ::read(reader.get(), buffer, sizeof buffer)) > 0;) {
    ended.output.append(buffer, static_cast<std::size_t>(got));
  }
  ::waitpid(pid, &ended.status, 0);
  return ended;
}

}  // namespace

std::string run_uncontrolled(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& variables) {
  Ended ended = run_pinned(arguments, variables);
  if (ended.status != 0) give_up("'" + arguments[0] + "' did not run without control");
  return std::move(ended.output);
}

std::string why_refused(const std::string& points, const std::vector<std::string>& arguments,
                        const TemporaryDirectory& scratch) {
  const fs::path build = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  std::vector<std::string> command = {
      build / "bin" / "unravel", "run", "--json", "--points", points, "--store",
      scratch.path() / "store",  "--"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Ended ended = run_pinned(command, {}, Complaints::kDropped);
  if (ended.status == 0) return {};
  const auto answer = nlohmann::json::parse(ended.output, nullptr, /*allow_exceptions=*/false);
  if (!answer.is_object()) {
    give_up(fmt::format("'{} run --points {}' neither works nor says why not", command[0], points));
  }
  // A run that came to a limit was not refused.
  if (!answer.contains("error")) return {};
  return answer["error"]["what"];
}

Run run_passing(Runner& runner, const RunRequest& request) {
  Run run = must(runner.run(request));
  if (run.summary.outcome != Outcome::kPassed) {
    give_up(fmt::format("a run under control: {} {} {}", name(run.summary.outcome),
                        run.failure ? run.failure->detail : "", run.explanation));
  }
  return run;
}

Run run_by_rule(Runner& runner, wire::RuleKind rule) {
  RunRequest request;
  request.schedule.then.kind = rule;
  return run_passing(runner, request);
}

}  // namespace unravel::bench
