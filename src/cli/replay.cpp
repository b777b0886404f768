/// `unravel replay`: repeats a stored run.
#include "investigate/replay.hpp"

#include "cli/command.hpp"
#include "cli/debugging_flags.hpp"
#include "cli/flags.hpp"
#include "cli/keep_files.hpp"

namespace unravel {

namespace {

class ReplayCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, request_.run);
    add_following(app, following_);
    add_keep_files(app, keep_files_);
    flag(app, "--trace", keeps_trace_, "also store a trace with every memory access");
    flag(app, "--values", trace_.values,
         "with --trace: record the values that were read and written");
    parsed(app, "--window", trace_.window, parse_window,
           "with --trace: only from one clock of a thread to a later one")
        ->type_name("T1:3..T1:20");
    named(option(app, "--environment", request_.environment,
                 "which environment, umask and limits to use: recorded or now (default: recorded)"),
          std::vector<std::pair<std::string, EnvironmentOf>>{
              {"recorded", EnvironmentOf::kRecording}, {"now", EnvironmentOf::kNow}});
    named(option(app, "--inputs", request_.inputs,
                 "where the program's inputs come from: recorded or live (default: recorded, if "
                 "they were)"),
          std::vector<std::pair<std::string, InputsOf>>{{"recorded", InputsOf::kRecording},
                                                        {"live", InputsOf::kLive}});
    debugging_.add_flags(app);
    add_judging(app, request_.judging);
    app.footer(
        "Examples:\n  unravel replay\n  unravel replay 3fa --lenient      after a rebuild\n"
        "  unravel replay 3fa --gdb          in a debugger, forwards and backwards");
  }

  Result<void> check() override {
    request_.following = following_.following();
    const Result<void> debugged = debugging_.check({{"--lenient", following_.lenient},
                                                    {"--trace", keeps_trace_},
                                                    {"--keep-files", !keep_files_.empty()}});
    if (!debugged) return debugged;
    if (!keeps_trace_) {
      if (!trace_.values && !trace_.window) return {};
      return user_error(
          std::string(trace_.values ? "--values" : "--window") + " has no effect without --trace",
          {}, "add --trace");
    }
    if (following_.lenient) {
      return user_error(
          "--trace and --lenient cannot be combined",
          "a trace belongs to the stored run, but a lenient replay may take other steps",
          "leave out one of them");
    }
    request_.trace = trace_;
    return {};
  }

  std::vector<std::string>* program() override { return &debugging_.gdb_arguments; }

  Result<int> run(const CommandContext& context) override {
    if (debugging_.gdb || debugging_.serves) {
      return debugging_.run({.judging = request_.judging,
                             .run = request_.run,
                             .store = context.store,
                             .environment = request_.environment,
                             .inputs = request_.inputs},
                            context);
    }
    if (debugging_.waits) {
      request_.hold = debugging_.at;
      request_.on_held = [&](const HeldAt& at) { context.reporter.note(held_text(at)); };
    }
    const Result<void> free = check_keep_files(keep_files_);
    if (!free) return fail(free.error());
    request_.store = context.store;
    request_.wants_table = context.reporter.wants_steps();
    Result<std::unique_ptr<Replay>> replay = Replay::prepare(request_, context.observer);
    if (!replay) return fail(replay.error());
    Result<Replayed> replayed = (*replay)->perform();
    if (!replayed) return fail(replayed.error());
    context.reporter.replayed(*replayed);
    int status = exit_status(replayed->now.summary.outcome, request_.judging.allow_untested);
    // 0 only if the stored run passed and the replay took the same steps.
    if (status == kNoFailure && !replayed->reproduced()) status = kUserOrEnvironment;
    return graver(status, keep(**replay, *replayed, context.reporter));
  }

 private:
  /// Stores the trace and copies the files, if requested; returns the exit status for that alone.
  int keep(Replay& replay, Replayed& replayed, Reporter& reporter) const {
    int status = kNoFailure;
    const auto fails = [&](const Error& error) {
      reporter.trouble(error);
      status = graver(status, exit_status(error));
    };
    const Result<void> traced = replay.keep_trace(replayed);
    if (!traced) fails(traced.error());
    if (replayed.traced_events) {
      reporter.note("a trace of " + plural(*replayed.traced_events, "event") +
                    " was stored: " + replayed.trace_file);
    }
    if (keep_files_.empty()) return status;
    const Result<std::uint64_t> files = replay.keep_files(keep_files_);
    if (!files) {
      fails(files.error());
    } else {
      reporter.note(kept_files_text(*files, keep_files_));
    }
    return status;
  }

  ReplayRequest request_;
  FollowingFlags following_;
  std::string keep_files_;  // a directory; empty: files are discarded
  bool keeps_trace_ = false;
  TraceRequest trace_;
  DebuggingFlags debugging_;
};

}  // namespace

std::unique_ptr<Command> make_replay_command() { return std::make_unique<ReplayCommand>(); }

}  // namespace unravel
