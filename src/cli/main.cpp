#include <signal.h>

#include <cerrno>
#include <exception>
#include <string_view>
#include <variant>

#include "base/files.hpp"
#include "cli/command_line.hpp"

namespace unravel {

namespace {

/// Before the flags are known to be right, and before what belongs to the program.
bool asks_for_json(int argc, char** argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (std::string_view(argv[i]) == "--json") return true;
  }
  return false;
}

/// A reader that goes away and a file that may not grow are errors of the write that meets them, as
/// a full disk is: what was found is still told and kept. Not ignored: what we start would inherit
/// that.
void survive_failing_writes() {
  for (const int number : {SIGPIPE, SIGXFSZ}) {
    struct sigaction action = {};
    action.sa_handler = [](int) {};
    ::sigaction(number, &action, nullptr);
  }
}

/// The exit status of a command that would return `status`: what could not be written counts.
/// Nobody is told if the reader has gone, as in `unravel list | head -1`.
int end_with(int status, const Terminal& terminal, Reporter& reporter) {
  if (terminal.error() == 0) return status;
  if (terminal.error() != EPIPE) {
    Error error = file_error("write to", "standard output", terminal.error());
    error.hint = "what was to be printed is not complete; kept runs are in the store";
    reporter.trouble(error);
  }
  return graver(status, kUserOrEnvironment);
}

int tool(int argc, char** argv) {
  survive_failing_writes();
  Result<std::variant<CommandLine, Text>> parsed = parse(argc, argv);
  if (!parsed) {
    Terminal terminal(Color::kAuto);
    make_reporter({.json = asks_for_json(argc, argv)}, terminal)->error(parsed.error());
    return exit_status(parsed.error());
  }
  if (const auto* text = std::get_if<Text>(&*parsed)) {
    Terminal terminal(Color::kAuto);
    terminal.out(text->text);
    return end_with(kNoFailure, terminal, *make_text_reporter(terminal, false));
  }
  CommandLine& line = std::get<CommandLine>(*parsed);
  Terminal terminal(line.color);
  const std::unique_ptr<Reporter> reporter = make_reporter(line.report, terminal);
  Interruption interruption;
  ReportingObserver observer(*reporter, interruption);
  const Result<int> status =
      line.command->run({.store = line.store, .reporter = *reporter, .observer = observer});
  if (status) return end_with(*status, terminal, *reporter);
  // Whatever failed because of it, the interruption is what the user knows about.
  const Error error = interruption.happened() ? interrupted_error() : status.error();
  reporter->error(error);
  return end_with(exit_status(error), terminal, *reporter);
}

}  // namespace

}  // namespace unravel

int main(int argc, char** argv) {
  try {
    return unravel::tool(argc, argv);
  } catch (const std::exception& exception) {
    unravel::Terminal terminal(unravel::Color::kAuto);
    unravel::make_text_reporter(terminal, false)
        ->error({unravel::Error::Kind::kInternal, "unexpected trouble", exception.what(), {}});
    return unravel::kOurFault;
  }
}
