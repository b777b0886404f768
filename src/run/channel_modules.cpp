#include "run/channel_modules.hpp"

#include "run/channel_checks.hpp"
#include "run/channel_copies.hpp"
#include "run/channel_reading.hpp"

namespace unravel {
namespace {

std::string hexadecimal(const std::uint8_t* bytes, std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

}  // namespace

std::uint32_t ChannelModules::count() const {
  const std::uint32_t count = read_once(channel_.control().modules);
  if (count >= 1 && count <= wire::kMostModules) return count;
  channel_.note_damage("the number of modules");
  return 1;
}

wire::Module ChannelModules::at(std::uint32_t index) const {
  const auto module =
      copy_of(wire::at<const wire::Module>(channel_.memory_, wire::Layout::kModules)[index]);
  const std::string_view fault = fault_in(module);
  if (fault.empty()) return module;
  channel_.note_damage(fault);
  return {};
}

std::vector<wire::Module> ChannelModules::all() const {
  std::vector<wire::Module> modules(count());
  for (std::uint32_t i = 1; i < modules.size(); ++i) modules[i] = at(i);
  return modules;
}

std::vector<ModuleId> ChannelModules::ids() const {
  std::vector<ModuleId> named;
  for (const wire::Module& found : all()) {
    named.push_back(
        {.path = found.path, .build_id = hexadecimal(found.build_id, found.build_id_size)});
  }
  return named;
}

std::vector<LoadedModule> ChannelModules::loaded() const {
  std::vector<LoadedModule> loaded;
  for (const wire::Module& found : all()) {
    if (found.end <= found.base) continue;
    loaded.push_back(
        {.id = {.path = found.path, .build_id = hexadecimal(found.build_id, found.build_id_size)},
         .base = found.base,
         .end = found.end});
  }
  return loaded;
}

std::string ChannelModules::path_of(wire::Site site) const {
  if (site.module() == wire::kNoModule || site.module() >= count()) return {};
  return at(site.module()).path;
}

}  // namespace unravel
