/// Of what the options of every command are made. Only files that read options include this: CLI11
/// takes seconds to compile.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/parsed_flags.hpp"
#include "cli/values.hpp"

namespace unravel {

/// `--max-steps` is read from UNRAVEL_MAX_STEPS too.
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

/// Ends the reading of options with a sentence of ours, where CLI11 would add its own.
struct Refused : CLI::ParseError {
  explicit Refused(const std::string& sentence)
      : ParseError("Refused", sentence, CLI::ExitCodes::ValidationError) {}
};

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
    throw Refused(name + " must be " + all + ", not '" + text + "'");
  };
  return option->transform(CLI::Validator(value_of, ""))->type_name("");
}

/// A whole number; `least` is the smallest that makes sense.
template <class T>
CLI::Option* number(CLI::App& app, const std::string& name, T& value, const std::string& help,
                    std::uint64_t least) {
  const auto check = [name, least](std::string& text) {
    const auto parsed = parse_number(name, text, least);
    if (!parsed) throw Refused(parsed.error().what);
    return std::string();
  };
  return option(app, name, value, help)->type_name("N")->check(CLI::Validator(check, ""));
}

/// What every command takes.
void add_common(CLI::App& app, CommonOptions& common);

/// What a run is limited and judged by.
void add_judge(CLI::App& app, JudgeOptions& judge, ParsedFlags& flags);

void add_no_sandbox(CLI::App& app, ParsedFlags& flags);

void add_hunt(CLI::App& app, ParsedFlags& flags);
void add_check(CLI::App& app, ParsedFlags& flags);
void add_simplify(CLI::App& app, ParsedFlags& flags);
void add_isolate(CLI::App& app, ParsedFlags& flags);
void add_diff(CLI::App& app, ParsedFlags& flags);

}  // namespace unravel
