/// The files that the program has loaded, as the runtime wrote them into the channel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/schedule.hpp"
#include "run/wrapper_table.hpp"
#include "wire/control.hpp"

namespace unravel {

class ChannelReading;

/// Reads the channel whenever it is asked. The first module stands for "not known".
class ChannelModules {
 public:
  explicit ChannelModules(const ChannelReading& channel) : channel_(channel) {}

  std::uint32_t count() const;
  std::vector<wire::Module> all() const;
  std::vector<ModuleId> ids() const;
  /// The same files with their places; without the entry for "not known".
  std::vector<LoadedModule> loaded() const;
  /// The path of the module of `site`; empty if not known.
  std::string path_of(wire::Site site) const;

 private:
  wire::Module at(std::uint32_t index) const;

  const ChannelReading& channel_;
};

}  // namespace unravel
