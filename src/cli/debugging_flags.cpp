#include "cli/debugging_flags.hpp"

#include <unistd.h>

#include <filesystem>

#include "cli/debugger_link.hpp"
#include "cli/flags.hpp"
#include "data/print.hpp"
#include "run/gdb.hpp"

namespace unravel {

namespace {

Result<int> start_gdb(const DebugRequest& request, const std::vector<std::string>& arguments,
                      const CommandContext& context) {
  if (context.format != all_formats().front().name) {
    return user_error("--gdb and --" + context.format + " cannot be combined",
                      "gdb talks to a person, or to an editor in its own way",
                      "leave out one of them");
  }
  if (needs_terminal(arguments) && ::isatty(STDIN_FILENO) == 0) {
    return user_error("--gdb needs a terminal", "standard input is none",
                      "for scripts: `unravel replay --gdb -- -batch -ex 'unravel goto failure'`; "
                      "for editors: `-- -i=mi`");
  }
  const Result<std::string> run = DebugSession::check(request);
  if (!run) return fail(run.error());
  std::error_code error;
  const std::filesystem::path store = std::filesystem::absolute(request.store, error);
  GdbRequest gdb{.replay = {"--store", error ? request.store : store.string()},
                 .arguments = arguments};
  if (request.environment == EnvironmentOf::kNow) {
    gdb.replay.insert(gdb.replay.end(), {"--environment", "now"});
  }
  if (request.inputs == InputsOf::kLive) {
    gdb.replay.insert(gdb.replay.end(), {"--inputs", "live"});
  }
  gdb.replay.push_back(*run);
  return fail(become_gdb(gdb));
}

Result<int> serve_debugger(const DebugRequest& request, const CommandContext& context) {
  DebuggerPipes pipes(STDIN_FILENO, STDOUT_FILENO);
  Result<std::unique_ptr<DebugSession>> session =
      DebugSession::open(request, pipes, context.observer);
  if (!session) {
    pipes.answer(session.error());
    return exit_status(session.error());
  }
  (*session)->serve();
  return kNoFailure;
}

}  // namespace

void DebuggingFlags::add_flags(CLI::App& app) {
  flag(app, "--gdb", gdb,
       "debug the run in gdb, forwards and backwards; options for gdb follow --");
  flag(app, "--wait", waits,
       "with --at: hold the run there until a debugger is attached, and print its process id");
  parsed(app, "--at", at, parse_stop,
         "with --wait: a thread's clock, or a count of points, as in `unravel query`")
      ->type_name("CLOCK");
  // What gdb's script starts.
  flag(app, "--serve-debugger", serves, "answer a debugger on standard input and output")
      ->group("");
}

Result<void> DebuggingFlags::check(
    const std::vector<std::pair<std::string_view, bool>>& others) const {
  if (!gdb && !gdb_arguments.empty()) {
    return user_error("`unravel replay` takes no program", "it works on stored runs",
                      "`unravel run -- PROGRAM` runs one");
  }
  if (waits && !at) {
    return user_error("--wait needs --at", "the run has to stop somewhere",
                      "for example: unravel replay --wait --at T1:12");
  }
  if (at && !waits) return user_error("--at has no effect without --wait", {}, "add --wait");
  if (gdb && waits) {
    return user_error("--gdb and --wait cannot be combined", {},
                      "with --gdb, `unravel goto CLOCK` goes there");
  }
  if (!gdb && !serves && !waits) return {};
  const std::string own = waits ? "--wait" : "--gdb";
  for (const auto& [name, is_given] : others) {
    if (!is_given) continue;
    return user_error(own + " and " + std::string(name) + " cannot be combined",
                      "a debugger watches the stored run as it was", "leave out one of them");
  }
  return {};
}

Result<int> DebuggingFlags::run(const DebugRequest& request, const CommandContext& context) const {
  return serves ? serve_debugger(request, context) : start_gdb(request, gdb_arguments, context);
}

std::string held_text(const HeldAt& at) {
  const std::string process = std::to_string(at.process);
  return "process " + process + " stands at " + print(at.thread, at.clock) + ", step " +
         std::to_string(at.step) + "; attach a debugger to it (`lldb -p " + process +
         "`), and let it go on there; Ctrl-C ends the run";
}

}  // namespace unravel
