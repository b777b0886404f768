#include <signal.h>

#include <exception>
#include <string_view>
#include <variant>

#include "cli/commands.hpp"

namespace unravel {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

Result<int> dispatch(const CommandLine& line, const Console& console, Interruption& interruption) {
  return std::visit(
      Overloaded{
          [&](const RunOptions& run) { return run_command(run, console, interruption); },
          [&](const HuntOptions& hunt) { return hunt_command(hunt, console, interruption); },
          [&](const CheckOptions& check) { return check_command(check, console, interruption); },
          [&](const SimplifyOptions& simplify) {
            return simplify_command(simplify, console, interruption);
          },
          [&](const IsolateOptions& isolate) {
            return isolate_command(isolate, console, interruption);
          },
          [&](const ReplayOptions& replay) {
            return replay_command(replay, console, interruption);
          },
          [&](const ListOptions&) { return list_command(console); },
          [&](const ShowOptions& show) { return show_command(show, console, interruption); },
          [&](const DiffOptions& diff) { return diff_command(diff, console, interruption); },
          [&](const QueryOptions& query) { return query_command(query, console, interruption); },
          [&](const RacesOptions& races) { return races_command(races, console, interruption); },
          [&](const DoctorOptions& doctor) {
            return doctor_command(doctor, console, interruption);
          }},
      line.command);
}

/// Before the options are known to be right, and before what belongs to the program.
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

int tool(int argc, char** argv) {
  survive_failing_writes();
  const auto parsed = parse(argc, argv);
  if (!parsed) return Console({.json = asks_for_json(argc, argv)}).complain(parsed.error());
  if (const auto* text = std::get_if<Text>(&*parsed)) {
    const Console console({});
    console.out(text->text);
    return console.finish(kNoFailure);
  }
  const CommandLine& line = std::get<CommandLine>(*parsed);
  const Console console(line.common);
  Interruption interruption;
  const Result<int> status = dispatch(line, console, interruption);
  if (status) return console.finish(*status);
  // Whatever failed because of it, the interruption is what the user knows about.
  return console.finish(
      console.complain(interruption.happened() ? Interruption::error() : status.error()));
}

}  // namespace

}  // namespace unravel

int main(int argc, char** argv) {
  try {
    return unravel::tool(argc, argv);
  } catch (const std::exception& exception) {
    return unravel::Console({}).complain(
        {unravel::Error::Kind::kInternal, "unexpected trouble", exception.what(), {}});
  }
}
