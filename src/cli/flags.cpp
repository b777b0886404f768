#include "cli/flags.hpp"

#include <signal.h>

#include "data/targets.hpp"
#include "report/reporter.hpp"
#include "run/runner.hpp"

namespace unravel {

void add_common(CLI::App& app, CommonFlags& flags) {
  option(app, "--store", flags.store, "directory of stored runs (default: .unravel)")
      ->type_name("DIR");
  const std::vector<FormatEntry>& formats = all_formats();
  for (std::size_t i = 1; i < formats.size(); ++i) {
    flag(app, std::string("--") + formats[i].name, flags.formats[formats[i].name], formats[i].help);
  }
  flag(app, "--quiet", flags.quiet, "print only the result, in one line");
  named(option(app, "--color", flags.color, "colours: auto, always or never"),
        std::vector<std::pair<std::string, Color>>{
            {"auto", Color::kAuto}, {"always", Color::kAlways}, {"never", Color::kNever}});
}

void add_judging(CLI::App& app, Judging& judging) {
  parsed(app, "--points", judging.points, parse_points,
         "where threads may be switched: sync or, if the program has hooks, calls, memory or auto")
      ->type_name("SET");
  number(app, "--max-steps", judging.most_steps, "a run with more steps is unresolved", 1);
  duration(app, "--timeout", judging.timeout,
           "a run that computes or hangs for longer is unresolved: 500ms, 10s, 2m");
  named(
      option(
          app, "--timeouts", judging.timeouts,
          "when a timed wait may time out although other threads can run: near (within 100 ms, or "
          "after many points of others), any (always) or idle (never)"),
      std::vector<std::pair<std::string, wire::Timeouts>>{{"near", wire::Timeouts::kNear},
                                                          {"any", wire::Timeouts::kAny},
                                                          {"idle", wire::Timeouts::kIdle}});
  option(app, "--oracle", judging.oracle,
         "shell command that reads the output of a run that exited normally; its exit status "
         "means: 0 passed, 125 unresolved, any other failed")
      ->type_name("COMMAND");
  const auto file = [](const std::string& name) -> Result<std::string> {
    if (name.empty()) return user_error("--expect-output needs the name of a file");
    return name;
  };
  parsed(app, "--expect-output", judging.expected_output, file,
         "a run that exited normally must have written exactly this to standard output")
      ->type_name("FILE");
  const auto size = [](const std::string& text) {
    return parse_size("--max-output", text, RunLimits().most_output);
  };
  parsed(app, "--max-output", judging.most_output, size,
         "how much of a run's standard output, and of its standard error, to keep (head and tail): "
         "512K, 64M (default: 16M)")
      ->type_name("SIZE");
  parsed<std::vector<std::string>>(
      app, "--target", judging.targets, parse_targets,
      "which failures count: kinds such as deadlock,assert; text:WORDS (in the failure or in "
      "standard error); stack:NAME (part of the name of a function or file)")
      ->type_name("KIND,…")
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)  // what follows the value may be RUN
      ->take_all();
  parsed(app, "--skip-status", judging.skip_status, parse_skip_status,
         "exit status of a skipped run, which is unresolved: a number or none (default: 77)")
      ->type_name("N|none");
  flag(app, "--allow-untested", judging.allow_untested,
       "exit with 0 instead of 2 if no run was resolved or no second thread was started");
}

void add_limits(CLI::App& app, Judging& judging) {
  number(app, "--max-steps", judging.most_steps, "stop a run after this many steps", 1);
  duration(app, "--timeout", judging.timeout, "how long a run may compute or hang: 500ms, 10s, 2m");
}

void add_program(CLI::App& app, ProgramFlags& flags) {
  flag(app, "--no-fork", flags.no_fork, "restart the program for each run");
  flag(app, "--no-sandbox", flags.no_sandbox,
       "let the program write to the real files and use the real network");
  // The former name of --no-sandbox: accepted, but not in the help.
  flag(app, "--no-isolation", flags.no_sandbox, "the same as --no-sandbox")->group("");
  app.add_option("program", flags.program, "the program and its arguments, after --")
      ->type_name("-- PROG ARGS");
}

void add_client(CLI::App& app, ClientFlags& flags) {
  const auto command = [](const std::string& text) -> Result<std::string> {
    if (text.find_first_not_of(" \t\n") != text.npos) return text;
    return user_error("--with needs a command", "it is empty",
                      "for example: --with './client 5555'");
  };
  parsed(app, "--with", flags.command, command,
         "shell command to start beside each run, such as a client; its exit status means: 0 "
         "passed, 125 or 77 unresolved, any other failed")
      ->type_name("COMMAND");
  parsed(app, "--with-signal", flags.signal, parse_signal,
         "the signal that the program gets when that command has ended (default: TERM)")
      ->type_name("NAME|none");
}

Result<ClientCommand> client_from(const ClientFlags& flags) {
  if (flags.command.empty() && flags.signal) {
    return user_error("--with-signal has no effect without --with", {}, "add --with COMMAND");
  }
  if (flags.command.empty()) return ClientCommand{};
  return ClientCommand{.command = flags.command, .signal = flags.signal.value_or(SIGTERM)};
}

void add_max_input(CLI::App& app, std::optional<std::uint64_t>& most, const std::string& when,
                   const std::string& usually) {
  const auto size = [](const std::string& text) {
    return parse_size("--max-input", text, wire::kMostInputWords * sizeof(std::uint64_t));
  };
  parsed(app, "--max-input", most, size,
         when +
             "record at most this much of what the program gets from outside: 512K, 64M "
             "(default: " +
             usually + ")")
      ->type_name("SIZE");
}

Result<void> check_program(const std::vector<std::string>& program, const std::string& verb,
                           const std::string& example) {
  if (!program.empty()) return {};
  return user_error("no program was given", "the program to " + verb + " comes last, after --",
                    "for example: " + example);
}

std::optional<wire::Following> FollowingFlags::following() const {
  if (strict) return wire::Following::kStrict;
  if (lenient) return wire::Following::kLenient;
  return std::nullopt;
}

void add_following(CLI::App& app, FollowingFlags& flags) {
  CLI::Option* strict =
      flag(app, "--strict", flags.strict, "the first mismatch with the schedule is a divergence");
  flag(app, "--lenient", flags.lenient, "follow the schedule as far as possible")->excludes(strict);
}

void add_keep_files(CLI::App& app, std::string& directory) {
  option(app, "--keep-files", directory,
         "copy the files that the run wrote to this directory, which must be new or empty")
      ->type_name("DIR");
}

void add_program_source(CLI::App& app, std::string& program, bool& trusts_program) {
  option(app, "--program", program, "use this file as the program of the run")->type_name("PATH");
  flag(app, "--trust-program", trusts_program,
       "start the program and the commands that a packed run contains");
}

CLI::Option* add_run_name(CLI::App& app, RunName& run) {
  add_program_source(app, run.program, run.trusts_program);
  return app
      .add_option("run", run.text,
                  "id of a run, its first characters, or the file of a packed run (default: the "
                  "latest failure)")
      ->type_name("RUN");
}

}  // namespace unravel
