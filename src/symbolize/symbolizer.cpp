#include "symbolize/symbolizer.hpp"

#include "symbolize/debug_info.hpp"

namespace unravel {

struct Symbolizer::Module {
  explicit Module(const std::string& path) : debug_info(path) {}

  DebugInfo debug_info;
  // By the address that is looked up. Two offsets may share one: a return address and an exact one.
  std::unordered_map<std::uint64_t, std::vector<Frame>> frames;
};

Symbolizer::Symbolizer() = default;
Symbolizer::~Symbolizer() = default;

Symbolizer::Module& Symbolizer::module(const std::string& path) {
  std::unique_ptr<Module>& module = modules_[path];
  if (!module) module = std::make_unique<Module>(path);
  return *module;
}

DebugInfo& Symbolizer::debug_info(const std::string& module_path) {
  return module(module_path).debug_info;
}

std::vector<Frame> Symbolizer::frames(const std::string& module_path, std::uint64_t offset,
                                      bool exact) {
  Module& module = this->module(module_path);
  const std::uint64_t looked_up = exact || offset == 0 ? offset : offset - 1;
  const auto [known, is_new] = module.frames.try_emplace(looked_up);
  if (is_new) known->second = module.debug_info.frames(looked_up);

  std::vector<Frame> frames = known->second;
  for (Frame& frame : frames) {
    frame.module = module_path;
    frame.offset = offset;
  }
  return frames;
}

}  // namespace unravel
