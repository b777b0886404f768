#include "investigate/named_sites.hpp"

#include "symbolize/source_lines.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

// The rest of a longer run is ignored: decoding this many takes a second or two. Chosen by hand.
constexpr std::uint64_t kMostEvents = 10'000'000;

}  // namespace

bool is_constrainable(wire::Operation operation) {
  return wire::traits(operation).counts == wire::Counts::kOperation || wire::is_access(operation);
}

std::vector<NamedSite> name_sites(const std::vector<SiteAndOperation>& sites,
                                  const std::vector<ModuleId>& modules) {
  Symbolizer symbolizer;
  SourceLines sources;
  std::vector<NamedSite> named;
  for (const auto& [site, operation] : sites) {
    if (site.module() == wire::kNoModule || site.module() >= modules.size()) continue;
    const std::vector<Frame> frames = symbolizer.frames(modules[site.module()].path, site.offset());
    // In a system library no frame is the program's own; then the innermost frame is used.
    const Frame* own = own_frame(frames);
    const Frame& frame = own ? *own : frames.front();
    if (frame.function.empty()) continue;
    named.push_back({.site = site,
                     .operation = operation,
                     .function = frame.function,
                     .file = frame.file,
                     .line = frame.line,
                     .text = sources.line(frame.file, frame.line).value_or("")});
  }
  return named;
}

SiteCollector::SiteCollector()
    : decoder_(
          [this](std::span<const TraceEvent> events) {
            for (const TraceEvent& event : events) {
              if (!is_constrainable(event.operation)) continue;
              if (event.site >= made_.size()) made_.resize(event.site + 1);
              made_[event.site].set(static_cast<std::size_t>(event.operation));
            }
          },
          kMostEvents) {}

void SiteCollector::begin() {
  made_.clear();
  decoder_.begin();
}

bool SiteCollector::take(std::span<const std::uint64_t> words,
                         std::span<const wire::Module> modules) {
  return decoder_.take(words, modules);
}

void SiteCollector::finish(const std::vector<ModuleId>& modules) {
  std::vector<SiteAndOperation> fresh;
  for (std::size_t i = 0; i < made_.size(); ++i) {
    const wire::Site site = decoder_.sites()[i];
    for (std::size_t operation = 0; operation < wire::kOperationCount; ++operation) {
      if (!made_[i].test(operation)) continue;
      const auto made = static_cast<wire::Operation>(operation);
      if (known_.insert({site.packed, made}).second) fresh.push_back({site, made});
    }
  }
  for (NamedSite& site : name_sites(fresh, modules)) named_.push_back(std::move(site));
}

}  // namespace unravel
