#include "cli/command_line.hpp"

#include <map>

#include "cli/flags.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

constexpr const char* kVersion = "unravel 0.1.0";

constexpr const char* kExamples = R"(Examples:
  unravel hunt -- ./prog                  look for a schedule under which it fails
  unravel record -- ./prog                run it roughly as it runs natively, store the schedule
  unravel replay                          repeat the latest failure, step by step
  unravel check                           are earlier failures fixed?
  unravel show                            show it as a table, one column per thread
  unravel diff 3fa 90c                    compare two runs side by side
  unravel query --at T1:12                show where every thread was at that clock
  unravel races -- ./prog                 find data races
  unravel pack -o failure.unravel         take the latest failure elsewhere
  unravel doctor -- ./prog                does unravel control it? if not, why?
  unravel run --schedule u1.… -- ./prog   follow a schedule from a bug report

Every option can also be set in the environment, such as UNRAVEL_STORE for --store.
Exit status: 0 no failure, 1 failure, 2 nothing was tested, or something is wrong with the
command, the machine or the schedule, 3 internal error of unravel.)";

std::string in_our_tone(std::string message) {
  if (!message.empty()) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

/// For an option that the command does not have: it is misspelt, or it belongs to the program.
Error unknown_option(const CLI::App& app, const std::vector<std::string>& arguments,
                     const std::vector<std::string>& program) {
  const auto left = app.remaining();
  const auto found = std::find_if(left.begin(), left.end(),
                                  [](const std::string& text) { return text.starts_with("-"); });
  const std::string help = "`unravel " + app.get_name() + " --help` shows what there is";
  if (found == left.end()) {
    return {Error::Kind::kUser,
            "unexpected argument '" + (left.empty() ? "" : left.front()) + "'",
            {},
            help};
  }
  const auto place = std::find(arguments.begin(), arguments.end(), *found);
  if (!program.empty() && std::find(arguments.begin(), place, program.front()) != place) {
    return {Error::Kind::kUser, "`unravel " + app.get_name() + "` has no option " + *found,
            "options of the program come after --",
            "unravel " + app.get_name() + " -- " + program.front() + " " + *found};
  }
  std::vector<std::string> names;
  for (const CLI::Option* known : app.get_options()) {
    if (known->get_group().empty()) continue;  // a former name
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  const std::string guess = nearest(found->substr(0, found->find('=')), names);
  return {Error::Kind::kUser,
          "unknown option " + *found + (guess.empty() ? "" : ", did you mean " + guess + "?"),
          {},
          help};
}

/// Checks the first argument: a command, or an option that needs no command.
Result<void> check_first(const std::string& argument) {
  if (!argument.starts_with("-")) return check_command(argument);
  if (argument == "-h" || argument == "--help" || argument == "--version") return {};
  return user_error(
      "option " + argument + " must come after the command", {},
      "write `unravel COMMAND " + argument + "`; `unravel --help` lists the commands");
}

/// Passes the arguments after `--` to the command.
Result<void> hand_over(Command& command, const std::string& name,
                       const std::vector<std::string>& program) {
  if (std::vector<std::string>* own = command.program()) {
    own->insert(own->end(), program.begin(), program.end());
  } else if (!program.empty()) {
    return user_error("`unravel " + name + "` takes no program", "it works on stored runs",
                      "`unravel run -- PROGRAM` runs one");
  }
  return command.check();
}

}  // namespace

Result<std::variant<CommandLine, Text>> parse(int argc, const char* const* argv) {
  // Everything after `--` belongs to the program.
  std::vector<std::string> ours(argv + std::min(argc, 1), argv + argc);
  std::vector<std::string> program;
  if (const auto dashes = std::find(ours.begin(), ours.end(), "--"); dashes != ours.end()) {
    program.assign(dashes + 1, ours.end());
    ours.erase(dashes, ours.end());
  }
  if (!ours.empty()) {
    const Result<void> known = check_first(ours[0]);
    if (!known) return fail(known.error());
  }

  CommonFlags common;
  std::map<std::string, std::unique_ptr<Command>> commands;
  CLI::App app("Finds, replays and explains concurrency bugs by controlling thread scheduling.");
  app.name("unravel");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  app.footer(kExamples);
  for (const CommandEntry& entry : all_commands()) {
    CLI::App* own = app.add_subcommand(entry.name, entry.summary);
    std::unique_ptr<Command>& command = commands[entry.name];
    command = entry.make();
    command->add_flags(*own);
    add_common(*own, common);
  }
  if (ours.empty()) return Text{app.help()};

  const std::string name = ours[0];
  try {
    // CLI11 expects them in reverse order.
    app.parse(std::vector<std::string>(ours.rbegin(), ours.rend()));
  } catch (const CLI::CallForVersion&) {
    return Text{std::string(kVersion) + "\n"};
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return Text{chosen.empty() ? app.help() : chosen[0]->help("unravel") + "\n"};
  } catch (const CLI::ExtrasError& error) {
    const auto chosen = app.get_subcommands();
    if (chosen.empty()) return user_error(in_our_tone(error.what()));
    const std::vector<std::string>* given = commands[name]->program();
    return fail(unknown_option(*chosen[0], ours, given ? *given : std::vector<std::string>()));
  } catch (const Refused& refused) {
    unravel::Error error = refused.error;
    if (error.hint.empty()) error.hint = "`unravel " + name + " --help` shows what there is";
    return fail(error);
  } catch (const CLI::ParseError& error) {
    return user_error(in_our_tone(error.what()), {},
                      "`unravel " + name + " --help` shows what there is");
  }
  CommandLine line{.command = std::move(commands[name]),
                   .store = common.store.empty() ? std::string(kStoreDirectory) : common.store,
                   .report = {.quiet = common.quiet},
                   .color = common.color};
  for (const FormatEntry& format : all_formats()) {
    if (common.formats[format.name]) line.report.format = &format;
  }
  const Result<void> good = hand_over(*line.command, name, program);
  if (!good) return fail(good.error());
  return line;
}

}  // namespace unravel
