#include "data/bytes_modules.hpp"

#include <optional>
#include <string_view>

namespace unravel {

namespace {

/// A build id as bytes: half as long as its text, and random, so compression does not help. An id
/// that is not pairs of lower-case hexadecimal digits is stored as text.
std::optional<std::string> bytes_of_hex(std::string_view hex) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (hex.size() % 2 != 0 || hex.find_first_not_of(kDigits) != hex.npos) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(kDigits.find(hex[i]) * 16 + kDigits.find(hex[i + 1]));
  }
  return bytes;
}

std::string hex_of_bytes(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kDigits[value / 16];
    hex += kDigits[value % 16];
  }
  return hex;
}

}  // namespace

void write_modules(FieldWriter& out, std::span<const ModuleId> modules) {
  out.number(modules.size());
  for (const ModuleId& module : modules) {
    const std::optional<std::string> bytes = bytes_of_hex(module.build_id);
    out.text(module.path);
    out.flag(bytes.has_value());
    out.text(bytes ? *bytes : module.build_id);
  }
}

std::vector<ModuleId> read_modules(FieldReader& in) {
  std::vector<ModuleId> modules(in.count(3));
  for (ModuleId& module : modules) {
    module.path = in.text();
    const bool as_bytes = in.flag();
    const std::string id = in.text();
    module.build_id = as_bytes ? hex_of_bytes(id) : id;
    if (!in.good()) return {};
  }
  return modules;
}

/// Writes each site as the distance from the previous one.
void write_sites(FieldWriter& out, std::span<const wire::Site> sites) {
  std::uint64_t before = 0;
  out.number(sites.size());
  for (const wire::Site& site : sites) {
    out.difference(site.packed, before);
    before = site.packed;
  }
}

std::vector<wire::Site> read_sites(FieldReader& in) {
  std::uint64_t before = 0;
  std::vector<wire::Site> sites(in.count(1));
  for (wire::Site& site : sites) site.packed = before = in.difference(before);
  return sites;
}

}  // namespace unravel
