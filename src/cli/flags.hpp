/// What the flags of commands are made of. CLI11 reads and checks them; a value that it cannot
/// check is refused with an error of ours.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/values.hpp"
#include "data/judging.hpp"
#include "report/terminal.hpp"

namespace unravel {

/// Ends the reading of flags with an error of ours, to which CLI11 adds nothing.
struct Refused : CLI::ParseError {
  explicit Refused(unravel::Error why)
      : ParseError("Refused", std::string(why.what), CLI::ExitCodes::ValidationError),
        error(std::move(why)) {}
  unravel::Error error;
};

/// Also reads the value of `--max-steps` from the variable UNRAVEL_MAX_STEPS.
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

/// An option whose text `parse` turns into a value, or refuses.
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

/// One of a few names, in the order in which they are told.
template <class T>
CLI::Option* named(CLI::Option* option, std::vector<std::pair<std::string, T>> names) {
  const std::string name = "--" + option->get_lnames().at(0);
  const auto value_of = [name, names](std::string& text) -> std::string {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].first == text) {
        text = std::to_string(static_cast<int>(names[i].second));
        return std::string();
      }
      all += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i].first;
    }
    throw Refused(unravel::Error{
        unravel::Error::Kind::kUser, name + " must be " + all + ", not '" + text + "'", {}, {}});
  };
  return option->transform(CLI::Validator(value_of, ""))->type_name("");
}

/// A whole number; `least` is the smallest that makes sense.
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

/// What every command takes.
struct CommonFlags {
  std::string store;
  bool json = false;
  bool quiet = false;
  Color color = Color::kAuto;
};
void add_common(CLI::App& app, CommonFlags& flags);

/// What a run is limited and judged by.
void add_judging(CLI::App& app, Judging& judging);
/// The two limits that commands take which judge nothing.
void add_limits(CLI::App& app, Judging& judging);

/// How the program is started, for commands that run one.
struct ProgramFlags {
  bool no_fork = false;
  bool no_sandbox = false;
  std::vector<std::string> program;
};
void add_program(CLI::App& app, ProgramFlags& flags);
/// An error if there is no program; `example` shows how to give one, `verb` what is done with it.
Result<void> check_program(const std::vector<std::string>& program, const std::string& verb,
                           const std::string& example);

/// How a schedule that is given is followed; nothing: strictly, if it is a whole run's.
struct FollowingFlags {
  bool strict = false;
  bool lenient = false;
  [[nodiscard]] std::optional<wire::Following> following() const;
};
void add_following(CLI::App& app, FollowingFlags& flags);

void add_keep_files(CLI::App& app, std::string& directory);
/// RUN: a kept run, by the beginning of its id; empty is the latest failure.
CLI::Option* add_run_name(CLI::App& app, std::string& run);

}  // namespace unravel
