#include "data/environment.hpp"

#include <map>
#include <set>
#include <string_view>

#include "data/bytes.hpp"

namespace unravel {

namespace {

constexpr Format kFormat = {.magic = "UNRAVENV", .noun = "stored environment", .version = 1};

constexpr std::uint64_t kMostUmask = 0777;
constexpr std::uint64_t kResourceCount = 16;  // RLIM_NLIMITS on Linux

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

}  // namespace

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
