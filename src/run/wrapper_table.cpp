#include "run/wrapper_table.hpp"

#include <algorithm>

#include "symbolize/build_id.hpp"
#include "wire/control.hpp"

namespace unravel {

namespace {

wire::WrapperRow::Kind kind_of(WrapperRange::Kind kind) {
  switch (kind) {
    case WrapperRange::Kind::kByStack: return wire::WrapperRow::Kind::kByStack;
    case WrapperRange::Kind::kByFramePointer: return wire::WrapperRow::Kind::kByFramePointer;
    case WrapperRange::Kind::kEnd: break;
  }
  return wire::WrapperRow::Kind::kEnd;
}

}  // namespace

// A file that was built anew since the program started would lead the runtime astray.
WrapperTable::Ranges WrapperTable::ranges_of(const ModuleId& module) {
  const std::lock_guard lock(mutex_);
  Ranges& ranges = known_[{module.path, module.build_id}];
  if (ranges) return ranges;
  const bool is_same = module.build_id.empty() || build_id_of(module.path) == module.build_id;
  ranges = std::make_shared<const std::vector<WrapperRange>>(is_same ? find_wrappers(module.path)
                                                                     : std::vector<WrapperRange>());
  return ranges;
}

std::vector<wire::WrapperRow> WrapperTable::rows(const std::vector<LoadedModule>& modules) {
  std::vector<wire::WrapperRow> rows;
  for (const LoadedModule& module : modules) {
    const Ranges ranges = ranges_of(module.id);
    if (rows.size() + ranges->size() > wire::kMostWrapperRows) continue;
    const std::uint64_t size = module.end - module.base;
    for (const WrapperRange& range : *ranges) {
      const std::uint64_t end = std::min(range.end, size);
      if (range.begin >= end || end - range.begin > ~std::uint32_t{0}) continue;
      rows.push_back({.begin = module.base + range.begin,
                      .size = static_cast<std::uint32_t>(end - range.begin),
                      .offset = range.offset,
                      .saved = range.saved,
                      .kind = kind_of(range.kind)});
    }
  }
  std::sort(rows.begin(), rows.end(),
            [](const wire::WrapperRow& a, const wire::WrapperRow& b) { return a.begin < b.begin; });
  return rows;
}

}  // namespace unravel
