/// Building blocks for the flags of commands. CLI11 reads and checks them. Values that CLI11 cannot
/// check are rejected with an error of ours.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/values.hpp"
#include "data/client.hpp"
#include "data/judging.hpp"
#include "investigate/run_name.hpp"
#include "report/terminal.hpp"

namespace unravel {

/// Stops the parsing of flags with an error of ours; CLI11 adds nothing to it.
struct Refused : CLI::ParseError {
  explicit Refused(unravel::Error why)
      : ParseError("Refused", std::string(why.what), CLI::ExitCodes::ValidationError),
        error(std::move(why)) {}
  unravel::Error error;
};

/// Also reads an option from the environment, such as --max-steps from UNRAVEL_MAX_STEPS.
inline CLI::Option* with_environment(CLI::Option* option) {
  std::string variable = "UNRAVEL_" + option->get_lnames().at(0);
  std::replace(variable.begin(), variable.end(), '-', '_');
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return option->envname(variable);
}

template <class T>
CLI::Option* option(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  return with_environment(app.add_option(name, value, help));
}

inline CLI::Option* flag(CLI::App& app, const std::string& name, bool& value,
                         const std::string& help) {
  return with_environment(app.add_flag(name, value, help));
}

/// An option whose text `parse` converts to a value or rejects.
template <class Text = std::string, class T, class Parse>
CLI::Option* parsed(CLI::App& app, const std::string& name, T& value, Parse parse,
                    const std::string& help) {
  const auto take = [&value, parse](const Text& text) {
    auto result = parse(text);
    if (!result) throw Refused(result.error());
    value = std::move(*result);
  };
  return with_environment(app.add_option_function<Text>(name, take, help));
}

/// The names of values: "stay, random or priority".
template <class T>
std::string in_words(const std::vector<std::pair<std::string, T>>& names) {
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    all += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i].first;
  }
  return all;
}

/// An option with a few named values. Errors list them in this order.
template <class T>
CLI::Option* named(CLI::Option* option, std::vector<std::pair<std::string, T>> names) {
  const std::string name = "--" + option->get_lnames().at(0);
  const auto value_of = [name, names](std::string& text) -> std::string {
    for (const auto& [known, value] : names) {
      if (known != text) continue;
      text = std::to_string(static_cast<int>(value));
      return std::string();
    }
    throw Refused(unravel::Error{unravel::Error::Kind::kUser,
                                 name + " must be " + in_words(names) + ", not '" + text + "'",
                                 {},
                                 {}});
  };
  return option->transform(CLI::Validator(value_of, ""))->type_name("");
}

/// A whole number of at least `least`.
template <class T>
CLI::Option* number(CLI::App& app, const std::string& name, T& value, const std::string& help,
                    std::uint64_t least) {
  const auto check = [name, least](std::string& text) {
    const auto parsed = parse_number(name, text, least);
    if (!parsed) throw Refused(parsed.error());
    return std::string();
  };
  return option(app, name, value, help)->type_name("N")->check(CLI::Validator(check, ""));
}

/// A length of time, such as 500ms, 10s or 2m.
template <class T>
CLI::Option* duration(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  return parsed(app, name, value, parse_duration, help)->type_name("TIME");
}

/// The flags of every command.
struct CommonFlags {
  std::string store;
  std::map<std::string, bool> formats;  // by name: whether it was chosen
  bool quiet = false;
  Color color = Color::kAuto;
};
void add_common(CLI::App& app, CommonFlags& flags);

/// Flags that limit a run and decide what counts as a failure.
void add_judging(CLI::App& app, Judging& judging);
/// Only the limits, for commands that do not judge runs.
void add_limits(CLI::App& app, Judging& judging);

/// How the program is started, for commands that run a program.
struct ProgramFlags {
  bool no_fork = false;
  bool no_sandbox = false;
  std::vector<std::string> program;
};
void add_program(CLI::App& app, ProgramFlags& flags);
/// An error if no program was given. `verb` says what the command does with it; `example` is a
/// correct command line.
Result<void> check_program(const std::vector<std::string>& program, const std::string& verb,
                           const std::string& example);

/// A client to start beside each run.
struct ClientFlags {
  std::string command;        // empty: there is none
  std::optional<int> signal;  // nothing: the usual one; 0: none
};
void add_client(CLI::App& app, ClientFlags& flags);
/// The client that the flags describe. An error if they have no effect.
Result<ClientCommand> client_from(const ClientFlags& flags);
/// How much to record of what comes from outside. `when` precedes the help.
void add_max_input(CLI::App& app, std::optional<std::uint64_t>& most, const std::string& when,
                   const std::string& usually);

/// How to follow a given schedule. Nothing: strictly if it is the schedule of a whole run.
struct FollowingFlags {
  bool strict = false;
  bool lenient = false;
  [[nodiscard]] std::optional<wire::Following> following() const;
};
void add_following(CLI::App& app, FollowingFlags& flags);

void add_keep_files(CLI::App& app, std::string& directory);
/// RUN: a stored run, by its id or the first characters of it, or a packed one; empty: the latest
/// failure. Adds the flags that say where its program is.
CLI::Option* add_run_name(CLI::App& app, RunName& run);
void add_program_source(CLI::App& app, std::string& program, bool& trusts_program);

}  // namespace unravel
