#include "data/environment.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "data/bytes.hpp"

namespace unravel {

namespace {

constexpr Format kFormat = {.magic = "UNRAVENV", .noun = "stored environment", .version = 1};

constexpr std::uint64_t kMostUmask = 0777;
constexpr std::uint64_t kResourceCount = 16;  // RLIM_NLIMITS on Linux

// The loader reads these, or our own start replaces them.
constexpr std::string_view kPreload = "LD_PRELOAD=";

using Variables = std::map<std::string_view, std::string_view>;

Variables variables_of(const Environment& environment) {
  Variables variables;
  for (const std::string_view entry : environment.variables) {
    const std::size_t equals = entry.find('=');
    const std::string_view value =
        equals == entry.npos ? std::string_view() : entry.substr(equals + 1);
    variables.emplace(entry.substr(0, equals), value);  // getenv() sees the first of two
  }
  return variables;
}

/// A variable of this size whose name consists of underscores.
std::string blank(std::size_t size) {
  return size == 0 ? std::string() : std::string(size - 1, '_') + "=";
}

/// Adds `count` blanks of `size` bytes together, all about as long.
void add_blanks(std::vector<std::string>& variables, std::size_t count, std::size_t size) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_last = i + 1 == count;
    variables.push_back(blank(size / count + (is_last ? size % count : 0)));
  }
}

}  // namespace

Environment with_blanks(const Environment& environment, const std::vector<std::string>& names) {
  Environment result = environment;
  result.variables.clear();
  std::size_t count = 0;
  std::size_t size = 0;
  std::size_t preloaded = 0;
  for (const std::string& entry : environment.variables) {
    const std::string name = entry.substr(0, entry.find('='));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      add_blanks(result.variables, std::exchange(count, 0), std::exchange(size, 0));
      result.variables.push_back(entry);
    } else if (entry.starts_with(kPreload)) {
      // At a start these libraries move to the end, behind the runtime and a colon.
      if (entry.size() > kPreload.size()) preloaded = entry.size() - kPreload.size() + 1;
    } else {
      ++count;
      size += entry.size();
    }
  }
  add_blanks(result.variables, count, size);
  if (preloaded > 0) stretch_blank(result, static_cast<std::int64_t>(preloaded));
  return result;
}

bool is_blank(std::string_view variable) {
  const std::size_t name = variable.find_first_not_of('_');
  return variable.empty() || (name != variable.npos && variable.substr(name) == "=");
}

bool stretch_blank(Environment& environment, std::int64_t bytes) {
  const auto last =
      std::find_if(environment.variables.rbegin(), environment.variables.rend(), is_blank);
  if (last == environment.variables.rend()) return false;
  const std::int64_t size = static_cast<std::int64_t>(last->size()) + bytes;
  if (size < 0) return false;
  *last = blank(static_cast<std::size_t>(size));
  return true;
}

std::vector<std::byte> encode(const Environment& environment) {
  FieldWriter out(kFormat);
  out.number(environment.variables.size());
  for (const std::string& entry : environment.variables) out.text(entry);
  out.number(environment.umask);
  out.number(environment.limits.size());
  for (const ResourceLimit& limit : environment.limits) {
    out.number(limit.resource);
    out.number(limit.soft);
    out.number(limit.hard);
  }
  return out.seal();
}

Result<Environment> decode_environment(std::span<const std::byte> bytes) {
  Result<FieldReader> opened = FieldReader::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;
  Environment environment;
  environment.variables.resize(in.count(1));
  for (std::string& entry : environment.variables) {
    entry = in.text();
    // The program would get another variable than the stored one.
    if (entry.find('\0') != entry.npos) in.refuse("a variable has a zero byte");
  }
  environment.umask = static_cast<std::uint32_t>(in.number_below(kMostUmask + 1, "umask"));
  environment.limits.resize(in.count(3));
  for (ResourceLimit& limit : environment.limits) {
    limit.resource =
        static_cast<std::uint32_t>(in.number_below(kResourceCount, "resource with a limit"));
    limit.soft = in.number();
    limit.hard = in.number();
    if (in.good() && limit.soft > limit.hard) in.refuse("a limit is above its own maximum");
  }
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return environment;
}

std::vector<std::string> different_variables(const Environment& one, const Environment& other) {
  const Variables left = variables_of(one);
  const Variables right = variables_of(other);
  std::set<std::string> names;
  const auto compare = [&](const Variables& these, const Variables& those) {
    for (const auto& [name, value] : these) {
      const auto found = those.find(name);
      if (found == those.end() || found->second != value) names.emplace(name);
    }
  };
  compare(left, right);
  compare(right, left);
  return {names.begin(), names.end()};
}

}  // namespace unravel
