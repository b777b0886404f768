#include "common/programs.hpp"

#include <fmt/core.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

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
                                         const TemporaryDirectory& scratch) {
  RunnerOptions options;
  options.cpu = measured_cpu();
  options.scratch_directory = scratch.path().string();
  options.limits.most_steps = 0;
  options.limits.timeout = std::chrono::minutes(5);
  return must(Runner::start(must(find_program(arguments)), options));
}

std::string run_uncontrolled(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(static_cast<std::size_t>(measured_cpu()), &cpus);

  int ends[2];
  if (::pipe(ends) != 0) give_up("cannot make a pipe");
  const UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::sched_setaffinity(0, sizeof cpus, &cpus);
    ::dup2(writer.get(), 1);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  writer.reset();
  std::string output;
  char buffer[256];
  for (ssize_t got; (got = ::read(reader.get(), buffer, sizeof buffer)) > 0;) {
    output.append(buffer, static_cast<std::size_t>(got));
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (pid < 0 || status != 0) give_up("'" + arguments[0] + "' did not run without control");
  return output;
}

Run run_by_rule(Runner& runner, wire::RuleKind rule) {
  RunRequest request;
  request.schedule.then.kind = rule;
  Run run = must(runner.run(request));
  if (run.summary.outcome != Outcome::kPassed) {
    give_up(fmt::format("a run under control: {} {} {}", name(run.summary.outcome),
                        run.failure ? run.failure->detail : "", run.explanation));
  }
  return run;
}

}  // namespace unravel::bench
