#include "investigate/ctest_list.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace unravel {

namespace {

using Json = nlohmann::json;

// How many tests without a program an error names. Chosen by hand.
constexpr std::size_t kMostNamed = 3;

std::vector<std::string> texts_of(const Json& value) {
  std::vector<std::string> texts;
  if (value.is_string()) texts.push_back(value.get<std::string>());
  if (!value.is_array()) return texts;
  for (const Json& text : value) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

std::string text_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The current value of a variable, including the changes.
std::string value_of(const EnvironmentChanges& environment, const std::string& name) {
  if (const auto changed = environment.find(name); changed != environment.end()) {
    return changed->second.value_or("");
  }
  const char* ours = std::getenv(name.c_str());
  return ours ? ours : "";
}

std::string joined(const std::string& before, const std::string& separator,
                   const std::string& after) {
  return before.empty() || after.empty() ? before + after : before + separator + after;
}

/// The value after an append or prepend operation; nothing if it is another operation.
std::optional<std::string> extended(std::string_view operation, const std::string& old,
                                    const std::string& value) {
  constexpr std::pair<std::string_view, std::string_view> kLists[] = {
      {"string_", ""}, {"path_list_", ":"}, {"cmake_list_", ";"}};
  for (const auto& [prefix, separator] : kLists) {
    if (!operation.starts_with(prefix)) continue;
    const std::string_view end = operation.substr(prefix.size());
    if (end == "append") return joined(old, std::string(separator), value);
    if (end == "prepend") return joined(value, std::string(separator), old);
  }
  return std::nullopt;
}

/// Whether the property decides the result of a test instead of its exit status.
bool judges(const std::string& property, const Json& value) {
  if (property == "WILL_FAIL") return value.is_boolean() && value.get<bool>();
  return property == "PASS_REGULAR_EXPRESSION" || property == "FAIL_REGULAR_EXPRESSION";
}

struct Listed {
  TestCase test;
  bool is_disabled = false;
};

void set_environment(EnvironmentChanges& environment, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) continue;  // CTest ignores it, too
    environment[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
}

Result<Listed> read_test(const Json& json, const std::string& directory) {
  Listed listed;
  TestCase& test = listed.test;
  test.name = text_of(json, "name");
  test.directory = directory;
  if (const auto command = json.find("command"); command != json.end()) {
    test.arguments = texts_of(*command);
  }
  std::vector<std::string> modifications;
  const auto properties = json.find("properties");
  for (const Json& property : properties != json.end() ? *properties : Json::array()) {
    if (!property.is_object() || !property.contains("value")) continue;
    const std::string name = text_of(property, "name");
    const Json& value = property.at("value");
    if (name == "WORKING_DIRECTORY" && value.is_string()) test.directory = value;
    if (name == "ENVIRONMENT") set_environment(test.environment, texts_of(value));
    if (name == "ENVIRONMENT_MODIFICATION") modifications = texts_of(value);
    if (name == "DISABLED" && value.is_boolean()) listed.is_disabled = value;
    if (name == "SKIP_RETURN_CODE" && value.is_number_integer()) test.skip_status = value;
    if (judges(name, value)) test.judged_by.push_back(name);
  }
  const EnvironmentChanges unmodified = test.environment;
  for (const std::string& entry : modifications) {
    if (!modify(test.environment, unmodified, entry)) {
      return user_error("cannot read the environment of test " + test.name,
                        "'" + entry + "' is not a known modification",
                        "set ENVIRONMENT instead of ENVIRONMENT_MODIFICATION");
    }
  }
  return listed;
}

Error not_built(const std::vector<std::string>& names, const std::string& directory) {
  std::string some;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
    some += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNamed) some += ", …";
  return {Error::Kind::kUser, "tests in " + directory + " have no program: " + some,
          "they were not built", "build them first: `cmake --build " + directory + "`"};
}

}  // namespace

bool modify(EnvironmentChanges& environment, const EnvironmentChanges& unmodified,
            std::string_view entry) {
  const std::size_t equals = entry.find('=');
  const std::size_t colon = entry.find(':', equals == std::string_view::npos ? 0 : equals);
  if (equals == std::string_view::npos || equals == 0 || colon == std::string_view::npos) {
    return false;
  }
  const std::string name(entry.substr(0, equals));
  const std::string_view operation = entry.substr(equals + 1, colon - equals - 1);
  const std::string value(entry.substr(colon + 1));
  if (operation == "set") {
    environment[name] = value;
  } else if (operation == "unset") {
    environment[name] = std::nullopt;
  } else if (operation == "reset") {
    environment.erase(name);
    if (const auto was = unmodified.find(name); was != unmodified.end()) environment.insert(*was);
  } else {
    const auto longer = extended(operation, value_of(environment, name), value);
    if (!longer) return false;
    environment[name] = *longer;
  }
  return true;
}

Result<std::vector<TestCase>> read_ctest_list(std::string_view json, const std::string& directory) {
  const Json list = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!list.is_object() || text_of(list, "kind") != "ctestInfo" || !list.contains("tests") ||
      !list.at("tests").is_array()) {
    return user_error("cannot read the list of tests in " + directory,
                      "the output of ctest is not JSON of the kind ctestInfo",
                      "try `ctest --test-dir " + directory + " --show-only=json-v1`");
  }
  std::vector<TestCase> tests;
  std::vector<std::string> without_program;
  for (const Json& json_test : list.at("tests")) {
    if (!json_test.is_object()) continue;
    Result<Listed> listed = read_test(json_test, directory);
    if (!listed) return fail(listed.error());
    if (listed->is_disabled) continue;
    if (listed->test.arguments.empty()) without_program.push_back(listed->test.name);
    tests.push_back(std::move(listed->test));
  }
  if (!without_program.empty()) return fail(not_built(without_program, directory));
  return tests;
}

}  // namespace unravel
