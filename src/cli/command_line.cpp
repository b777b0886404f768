#include "cli/command_line.hpp"

#include <map>

#include "cli/flags.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

constexpr const char* kVersion = "unravel 0.1.0";

constexpr const char* kExamples = R"(Examples:
  unravel hunt -- ./prog                  look for a schedule under which it fails
  unravel record -- ./prog                run it as it runs by itself, and keep the schedule
  unravel replay                          run the latest failure again, step for step
  unravel check                           is what failed before fixed by now?
  unravel show                            show it as a table, one column per thread
  unravel diff 3fa 90c                    two runs side by side: where do they part?
  unravel query --at T1:12                where every thread was at that clock of it
  unravel races -- ./prog                 which accesses does nothing order?
  unravel doctor -- ./prog                is it controlled, and if not, why?
  unravel run --schedule u1.… -- ./prog   follow a schedule from a bug report

Every option can also be set in the environment, such as UNRAVEL_STORE for --store.
Exit status: 0 no failure, 1 failure, 2 nothing was tested, or something is wrong with the
command, the machine or the schedule, 3 a fault of unravel's own.)";

std::string in_our_tone(std::string message) {
  if (!message.empty()) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

/// An option that the command does not have: ours misspelt, or the program's in the wrong place.
Error unknown_option(const CLI::App& app, const std::vector<std::string>& arguments,
                     const std::vector<std::string>& program) {
  const auto left = app.remaining();
  const auto found = std::find_if(left.begin(), left.end(),
                                  [](const std::string& text) { return text.starts_with("-"); });
  const std::string help = "`unravel " + app.get_name() + " --help` shows what there is";
  if (found == left.end()) {
    return {Error::Kind::kUser,
            "'" + (left.empty() ? "" : left.front()) + "' is not expected",
            {},
            help};
  }
  const auto place = std::find(arguments.begin(), arguments.end(), *found);
  if (!program.empty() && std::find(arguments.begin(), place, program.front()) != place) {
    return {Error::Kind::kUser, "`unravel " + app.get_name() + "` has no option " + *found,
            "what belongs to the program comes after --",
            "unravel " + app.get_name() + " -- " + program.front() + " " + *found};
  }
  std::vector<std::string> names;
  for (const CLI::Option* known : app.get_options()) {
    if (known->get_group().empty()) continue;  // an old name
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  }
  const std::string guess = nearest(found->substr(0, found->find('=')), names);
  return {Error::Kind::kUser,
          "unknown option " + *found + (guess.empty() ? "" : ", did you mean " + guess + "?"),
          {},
          help};
}

/// What stands before any command: only options that end there.
Result<void> check_first(const std::string& argument) {
  if (!argument.starts_with("-")) return check_command(argument);
  if (argument == "-h" || argument == "--help" || argument == "--version") return {};
  return user_error(
      "option " + argument + " comes before any command", {},
      "write `unravel COMMAND " + argument + "`; `unravel --help` lists the commands");
}

/// Gives the command what stood behind `--`.
Result<void> hand_over(Command& command, const std::string& name,
                       const std::vector<std::string>& program) {
  if (std::vector<std::string>* own = command.program()) {
    own->insert(own->end(), program.begin(), program.end());
  } else if (!program.empty()) {
    return user_error("`unravel " + name + "` takes no program", "it works on runs that were kept",
                      "`unravel run -- PROGRAM` runs one");
  }
  return command.check();
}

}  // namespace

Result<std::variant<CommandLine, Text>> parse(int argc, const char* const* argv) {
  // What stands behind `--` is the program's, whatever it looks like.
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
    // CLI11 takes them from the back.
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
                   .report = {.json = common.json, .quiet = common.quiet},
                   .color = common.color};
  const Result<void> good = hand_over(*line.command, name, program);
  if (!good) return fail(good.error());
  return line;
}

}  // namespace unravel
